package contract

import (
	"cmp"
	"slices"
	"strconv"
)

// Canonical gives the value's canonical JSON (text section 3): members sorted by code
// point at every depth, no white space, strings and numbers as ECMAScript's
// JSON.stringify writes them.
func (v *Value) Canonical() []byte { return v.appendCanonical(nil) }

// Canonical decodes one JSON text and gives its canonical form. The error is a
// *[SyntaxError].
func Canonical(text []byte) ([]byte, error) {
	v, err := Decode(text)
	if err != nil {
		return nil, err
	}
	return v.Canonical(), nil
}

func (v *Value) appendCanonical(out []byte) []byte {
	switch v.Type() {
	case Bool:
		return strconv.AppendBool(out, v.truth)
	case Number:
		return appendNumber(out, v.number)
	case String:
		return appendString(out, v.text)
	case Array:
		out = append(out, '[')
		for i, item := range v.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.appendCanonical(out)
		}
		return append(out, ']')
	case Object:
		return v.appendMembers(out)
	default:
		return append(out, "null"...)
	}
}

func (v *Value) appendMembers(out []byte) []byte {
	members := slices.Clone(v.Members)
	// The order of UTF-8 bytes is the order of code points.
	slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, m.Name), ':')
		out = m.Value.appendCanonical(out)
	}
	return append(out, '}')
}

// appendString quotes as JSON.stringify does: only the quote, the backslash and
// U+0000 to U+001F are escaped.
func appendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c >= 0x20:
			out = append(out, c)
		case shortEscapes[c] != 0:
			out = append(out, '\\', shortEscapes[c])
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
		}
	}
	return append(out, '"')
}

// shortEscapes are the control characters that have an escape of one letter.
var shortEscapes = [0x20]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}

// appendNumber writes a finite double as ECMAScript's Number::toString does: the
// shortest digits that read back as the same double, laid out by these bounds.
func appendNumber(out []byte, f float64) []byte {
	const (
		maxPlain = 21 // digits before the point without exponent
		minPlain = -6 // the place of the first digit behind the point without exponent
	)
	if f == 0 {
		return append(out, '0') // -0 too
	}
	if f < 0 {
		out, f = append(out, '-'), -f
	}
	// d.ddde±xx: the digits, and the place of the decimal point after the first.
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], f, 'e', -1, 64)
	mark := slices.Index(text, 'e')
	exponent, _ := strconv.Atoi(string(text[mark+1:]))
	digits := append([]byte{text[0]}, text[min(2, mark):mark]...)
	point := exponent + 1
	switch {
	case len(digits) <= point && point <= maxPlain:
		out = append(out, digits...)
		return append(out, zeros[:point-len(digits)]...)
	case 0 < point && point <= maxPlain:
		out = append(out, digits[:point]...)
		return append(append(out, '.'), digits[point:]...)
	case minPlain < point && point <= 0:
		out = append(append(out, "0."...), zeros[:-point]...)
		return append(out, digits...)
	}
	return appendExponent(out, digits, exponent)
}

const zeros = "000000000000000000000"

func appendExponent(out, digits []byte, exponent int) []byte {
	out = append(out, digits[0])
	if len(digits) > 1 {
		out = append(append(out, '.'), digits[1:]...)
	}
	out = append(out, 'e')
	if exponent > 0 {
		out = append(out, '+')
	}
	return strconv.AppendInt(out, int64(exponent), 10)
}
