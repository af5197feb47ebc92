package contract_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// jsonSource writes random JSON texts. Equal seeds write equal texts.
type jsonSource struct{ *rand.Rand }

func newJSONSource(seed uint64) jsonSource {
	return jsonSource{rand.New(rand.NewPCG(seed, seed))}
}

// value writes a value with at most that many levels of arrays and objects.
func (s jsonSource) value(levels int) string {
	kinds := 6
	if levels == 0 {
		kinds = 4
	}
	switch s.IntN(kinds) {
	case 0:
		return []string{"null", "true", "false"}[s.IntN(3)]
	case 1, 2:
		return s.number()
	case 3:
		return quoteRandomly(s, s.text())
	case 4:
		items := make([]string, s.IntN(5))
		for i := range items {
			items[i] = s.space() + s.value(levels-1) + s.space()
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		return s.object(levels)
	}
}

func (s jsonSource) object(levels int) string {
	seen := map[string]bool{}
	var members []string
	for range s.IntN(6) {
		name := s.text()
		if seen[name] {
			continue
		}
		seen[name] = true
		members = append(members, s.space()+quoteRandomly(s, name)+s.space()+":"+s.space()+s.value(levels-1))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// space is white space without line breaks, so that a text stays on one line.
func (s jsonSource) space() string { return []string{"", "", " ", "\t", "  "}[s.IntN(5)] }

// number writes numbers near what can go wrong: all exponents, the bounds of plain
// notation, integers around 2^53, many digits, zeros.
func (s jsonSource) number() string {
	for {
		f := math.Float64frombits(s.Uint64())
		switch s.IntN(5) {
		case 0:
			f = float64(s.IntN(2_000_000) - 1_000_000)
		case 1:
			f = math.Ldexp(1, 53) + float64(s.IntN(64)-32)
		case 2:
			f = s.Float64() * math.Pow10(s.IntN(60)-30)
		case 3:
			return s.digits()
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		return strconv.FormatFloat(f, "eEfg"[s.IntN(4)], []int{-1, -1, 0, 3, 17, 30}[s.IntN(6)], 64)
	}
}

// digits writes a number by its grammar rather than from a double.
func (s jsonSource) digits() string {
	out := []string{"", "-"}[s.IntN(2)] + strconv.Itoa(s.IntN(10))
	if out[len(out)-1] != '0' {
		for range s.IntN(30) {
			out += strconv.Itoa(s.IntN(10))
		}
	}
	if s.IntN(2) == 0 {
		out += "." + fmt.Sprintf("%0*d", 1+s.IntN(20), s.IntN(1000))
	}
	if s.IntN(2) == 0 {
		out += []string{"e", "E"}[s.IntN(2)] + []string{"", "+", "-"}[s.IntN(3)] + strconv.Itoa(s.IntN(270))
	}
	return out
}

// alphabets are ranges of characters that are written or sorted differently.
var alphabets = [][2]rune{
	{0x00, 0x1F}, {0x20, 0x7E}, {0x20, 0x7E}, {'a', 'f'}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0xFF},
	{0x2028, 0x2029}, {0xD700, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, 0x10FFFF},
}

func (s jsonSource) text() string {
	var out strings.Builder
	for range s.IntN(8) {
		bounds := alphabets[s.IntN(len(alphabets))]
		out.WriteRune(bounds[0] + rune(s.IntN(int(bounds[1]-bounds[0])+1)))
	}
	return out.String()
}

// quoteRandomly quotes a text; what need not be escaped sometimes is.
func quoteRandomly(s jsonSource, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		must := r < 0x20 || r == '"' || r == '\\'
		switch {
		case r == '/' && s.IntN(2) == 0:
			out.WriteString(`\/`)
		case !must && s.IntN(4) > 0:
			out.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04X`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		case s.IntN(2) == 0:
			fmt.Fprintf(&out, `\u%04X`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
