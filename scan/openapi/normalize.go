package openapi

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// jsonText is valid JSON written so that the parser takes its fast path: it reads
// the rest of JSON (`\/`, surrogate pairs, raw U+2028 and DEL, …) as YAML, which
// costs ten times as much, or refuses it. Where that moves columns, shifts say how
// to get the written ones back.
type jsonText struct {
	data   []byte
	shifts []shift
}

// shift says that what stands on line of the new text, at column or later, was
// written by so many columns further right.
type shift struct{ line, column, by int }

// normalizer goes over a JSON text once.
type normalizer struct {
	in     []byte
	out    []byte
	copied int // how much of in is in out
	shifts []shift

	line   int
	mark   int // an offset on the line, and
	column int // its column as written
	delta  int // how many columns the line has lost up to it

	grammar grammar
	broken  bool // it is no JSON
	colon   bool // the next colon has been written already
	memory  memory
}

// errNotJSON is the error of normalize for what is no JSON at all.
var errNotJSON = errors.New("not JSON")

// normalize rewrites JSON, and refuses what is none, too large or too deep.
func normalize(data []byte) (*jsonText, error) {
	n := &normalizer{in: data, line: 1, column: 1}
	for i := 0; i < len(data) && !n.broken; {
		c := data[i]
		if c == ' ' {
			i++
			continue
		}
		if i = n.step(c, i); c == '"' || c == '{' || c == '[' {
			if len(n.grammar.open) > maxJSONDepth {
				return nil, tooDeep(node.LineColumn(data, i-1))
			}
			if n.memory.estimate(len(n.out)) > maxJSONMemory {
				return nil, tooMuch()
			}
		}
	}
	if n.broken || !n.grammar.done() {
		return nil, errNotJSON
	}
	if n.memory.estimate(len(n.out)) > maxJSONMemory {
		return nil, tooMuch()
	}
	if n.copied == 0 {
		return &jsonText{data: data}, nil
	}
	return &jsonText{data: append(n.out, data[n.copied:]...), shifts: n.shifts}, nil
}

func tooMuch() error {
	return &surface.ReadError{
		Message: fmt.Sprintf("the document has so many keys and values that it would take more than %d MB of memory", maxJSONMemory/1_000_000),
		Hint:    "split it, or leave out what is not needed",
	}
}

// step reads the token or white space at i, which begins with c, and returns where
// the next begins.
func (n *normalizer) step(c byte, i int) int {
	switch c {
	case '\n':
		n.line++
		n.mark, n.column, n.delta = i+1, 1, 0
		return i + 1
	case '\r':
		if i+1 == len(n.in) || n.in[i+1] != '\n' {
			n.replace(i, 1, " ")
		}
		return i + 1
	case '\t':
		if len(n.grammar.open) == 0 {
			n.replace(i, 1, " ")
		}
		return i + 1
	}
	n.broken = !n.grammar.next(c)
	switch c {
	case '"':
		return n.afterString(n.text(i + 1))
	case '{', '[', ',':
		n.memory.values++
	case ':':
		n.memory.values++
		if n.colon {
			n.replace(i, 1, " ")
			n.colon = false
		}
	case '}', ']':
	default:
		return n.scalar(i)
	}
	return i + 1
}

// scalar reads a number or a literal.
func (n *normalizer) scalar(i int) int {
	end := i
	for end < len(n.in) && !delimiter[n.in[end]] {
		end++
	}
	n.broken = n.broken || !isScalar(n.in[i:end])
	return max(end, i+1)
}

// delimiter are the bytes that end a number or a literal.
var delimiter = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ',': true, ':': true,
	'"': true, '{': true, '}': true, '[': true, ']': true}

// afterString moves a colon that stands on a later line than its key to the key,
// and returns i, where the string ends.
func (n *normalizer) afterString(i int) int {
	broken := false
	for j := i; j < len(n.in); j++ {
		switch n.in[j] {
		case '\n', '\r':
			broken = true
		case ' ', '\t':
		case ':':
			if broken {
				n.replace(i, 0, ":")
				n.colon = true
			}
			return i
		default:
			return i
		}
	}
	return i
}

// plain are the bytes of a string that stay as they are.
var plain = func() (table [256]bool) {
	for c := 0x20; c < 0x7F; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// text reads a string's content from i and returns the offset after its quote, or
// the end of a text that is broken.
func (n *normalizer) text(i int) int {
	start, delta := i, n.delta
	for {
		for i < len(n.in) && plain[n.in[i]] {
			i++
		}
		if i >= len(n.in) || n.in[i] < ' ' {
			n.broken = true
			return len(n.in)
		}
		switch c := n.in[i]; {
		case c == '"':
			n.memory.text(n.in[start:i])
			if n.delta != delta {
				n.shift(i)
			}
			return i + 1
		case c == '\\':
			i = n.escape(i)
		case c < utf8.RuneSelf: // DEL
			n.replace(i, 1, escaped(rune(c)))
			i++
		default:
			r, size := utf8.DecodeRune(n.in[i:])
			if r <= 0x9F || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF {
				n.replace(i, size, escaped(r))
			}
			i += size
		}
	}
}

func escaped(r rune) string { return fmt.Sprintf(`\u%04x`, r) }

// escape reads an escape at i and returns the offset after it.
func (n *normalizer) escape(i int) int {
	if i+1 == len(n.in) {
		n.broken = true
		return i + 1
	}
	switch n.in[i+1] {
	case '/':
		n.replace(i, 2, "/")
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
	case 'u':
		high := n.unit(i)
		if high < 0 {
			n.broken = true
			return i + 2
		}
		if !utf16.IsSurrogate(high) {
			return i + 6
		}
		if r := utf16.DecodeRune(high, n.unit(i+6)); r != utf8.RuneError {
			n.replace(i, 12, string(r))
			return i + 12
		}
		n.replace(i, 6, `\ufffd`)
		return i + 6
	default:
		n.broken = true
	}
	return i + 2
}

// unit is the code of the \uXXXX escape at i, or -1 where there is none.
func (n *normalizer) unit(i int) rune {
	if i+6 > len(n.in) || n.in[i] != '\\' || n.in[i+1] != 'u' {
		return -1
	}
	code, err := strconv.ParseUint(string(n.in[i+2:i+6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(code)
}

// replace writes with for the width bytes at i.
func (n *normalizer) replace(i, width int, with string) {
	if n.out == nil {
		n.out = make([]byte, 0, len(n.in)+len(n.in)/16)
	}
	n.out = append(append(n.out, n.in[n.copied:i]...), with...)
	n.copied = i + width
	was := utf8.RuneCount(n.in[i : i+width])
	n.column += utf8.RuneCount(n.in[n.mark:i]) + was
	n.mark = i + width
	n.delta += was - utf8.RuneCountInString(with)
}

// shift keeps what the line has lost up to i, the end of a string: nothing that is
// cited begins inside one.
func (n *normalizer) shift(i int) {
	n.column += utf8.RuneCount(n.in[n.mark:i])
	n.mark = i
	n.shifts = append(n.shifts, shift{line: n.line, column: n.column - n.delta, by: n.delta})
}

// correct gives the nodes below doc the columns of the text as written.
func (t *jsonText) correct(doc *yaml.Node) {
	if len(t.shifts) == 0 || doc == nil {
		return
	}
	for _, c := range doc.Content {
		i := sort.Search(len(t.shifts), func(i int) bool {
			s := t.shifts[i]
			return s.line > c.Line || s.line == c.Line && s.column > c.Column
		})
		if i > 0 && t.shifts[i-1].line == c.Line {
			c.Column += t.shifts[i-1].by
		}
		t.correct(c)
	}
}
