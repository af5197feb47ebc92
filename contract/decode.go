package contract

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// SyntaxError is why a text was refused as JSON (AAC300).
type SyntaxError struct {
	Message string // what stands there
	Hint    string // what to do about it
	Offset  int    // in bytes, without byte order mark
	Line    int    // 1-based
	Column  int    // 1-based, in bytes
}

// Error gives the place, the message and the hint on one line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s (%s)", e.Line, e.Column, e.Message, e.Hint)
}

// Decode reads one JSON text (objects page, section 1.2). Beyond the grammar it
// refuses what readers understand differently: invalid UTF-8, two members of one
// object with one name, an unpaired surrogate escape, a number beyond a double,
// nesting deeper than [MaxDepth], more than [MaxValues] values, and anything behind the
// value. A leading byte order
// mark is dropped. The error is a *[SyntaxError]. The text must not be changed as long
// as the value is used.
func Decode(text []byte) (*Value, error) {
	d := newDecoder(text)
	v, err := d.document()
	if err != nil {
		err.Line, err.Column = d.doc.position(err.Offset)
		return nil, err
	}
	return v, nil
}

// eachItem reads a text that is an array, one item at a time, so that it may have any
// number. It is false where [Decode] would refuse the text, or it is no array; do may have
// got items before.
func eachItem(text []byte, do func(*Value)) bool {
	d := newDecoder(text)
	if d.peek() != '[' {
		return false
	}
	d.pos++
	if d.peek() == ']' {
		d.pos++
		return d.end() == nil
	}
	for {
		d.count = 0
		item, err := d.value(2)
		if err != nil {
			return false
		}
		do(item)
		if more, err := d.separator(']'); err != nil || !more {
			return err == nil && d.end() == nil
		}
	}
}

var byteOrderMark = []byte("\ufeff")

func lineStarts(text []byte) []int {
	lines := make([]int, 1, bytes.Count(text, []byte{'\n'})+1)
	for i, c := range text {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// decoder reads a text from pos on.
type decoder struct {
	doc   *document
	text  []byte
	pos   int
	spare []Value // allocated together, since all values of a document live as long
	block int     // how many were allocated last
	count int     // of the values that are kept
}

func newDecoder(text []byte) *decoder {
	text = bytes.TrimPrefix(text, byteOrderMark)
	return &decoder{doc: &document{text: text, lines: lineStarts(text)}, text: text}
}

// maxBlock is how many values are allocated together at most.
const maxBlock = 512

// newValue gives a value that begins at the current place.
func (d *decoder) newValue() *Value {
	if len(d.spare) == 0 {
		d.block = min(max(2*d.block, 1), maxBlock)
		d.spare = make([]Value, d.block)
	}
	v := &d.spare[0]
	d.spare = d.spare[1:]
	v.Offset, v.doc = d.pos, d.doc
	return v
}

func (d *decoder) document() (*Value, *SyntaxError) {
	v, err := d.value(1)
	if err != nil {
		return nil, err
	}
	return v, d.end()
}

// end reads what may follow the document's value: nothing.
func (d *decoder) end() *SyntaxError {
	d.space()
	if d.pos < len(d.text) {
		return d.refuse(d.pos, "text follows the JSON value", "give one value; remove what follows it")
	}
	return nil
}

func (d *decoder) refuse(offset int, message, hint string) *SyntaxError {
	return &SyntaxError{Message: message, Hint: hint, Offset: offset}
}

// space skips white space.
func (d *decoder) space() {
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// peek gives the next byte that is no white space, 0 at the end (where a byte 0
// itself is refused all the same).
func (d *decoder) peek() byte {
	d.space()
	if d.pos == len(d.text) {
		return 0
	}
	return d.text[d.pos]
}

// value reads the next value; an array or object is nested to that depth.
func (d *decoder) value(depth int) (*Value, *SyntaxError) {
	c := d.peek()
	if d.count++; d.count > MaxValues {
		return nil, d.refuse(d.pos, fmt.Sprintf("the text has more than %d values", MaxValues), "no object here needs so many; cases and rows belong into a file of their own")
	}
	v := d.newValue()
	var err *SyntaxError
	switch {
	case c == '{' || c == '[':
		if depth > MaxDepth {
			return nil, d.refuse(d.pos, fmt.Sprintf("arrays and objects are nested deeper than %d", MaxDepth), "no object here needs that; flatten it")
		}
		if c == '{' {
			err = d.object(v, depth)
		} else {
			err = d.array(v, depth)
		}
	case c == '"':
		v.kind = String
		v.text, err = d.string()
	case c == '-' || '0' <= c && c <= '9':
		v.kind = Number
		v.number, err = d.number()
	default:
		err = d.literal(v)
	}
	if err != nil {
		return nil, err
	}
	v.End = d.pos
	return v, nil
}

// literals are the values written as words.
var literals = []struct {
	text  string
	kind  JSONType
	truth bool
}{{"true", Bool, true}, {"false", Bool, false}, {"null", Null, false}}

func (d *decoder) literal(v *Value) *SyntaxError {
	for _, l := range literals {
		if bytes.HasPrefix(d.text[d.pos:], []byte(l.text)) {
			d.pos += len(l.text)
			v.kind, v.truth = l.kind, l.truth
			return nil
		}
	}
	return d.unexpected("a value", "an object, array, string, number, true, false or null belongs here; JSON has no comments, no single quotes and no trailing commas")
}

// unexpected refuses what stands at the current place instead of what is wanted.
func (d *decoder) unexpected(wanted, hint string) *SyntaxError {
	if d.pos == len(d.text) {
		return d.refuse(d.pos, fmt.Sprintf("the text ends where %s should be", wanted), "give the whole text; was it cut off?")
	}
	r, size := utf8.DecodeRune(d.text[d.pos:])
	if r == utf8.RuneError && size == 1 {
		return d.notUTF8()
	}
	return d.refuse(d.pos, fmt.Sprintf("%s stands where %s should be", strconv.QuoteToASCII(string(r)), wanted), hint)
}

func (d *decoder) notUTF8() *SyntaxError {
	return d.refuse(d.pos, fmt.Sprintf("the byte 0x%02x is not UTF-8", d.text[d.pos]), "save the text as UTF-8")
}

func (d *decoder) array(v *Value, depth int) *SyntaxError {
	v.kind = Array
	d.pos++
	if d.peek() == ']' {
		d.pos++
		return nil
	}
	for {
		item, err := d.value(depth + 1)
		if err != nil {
			return err
		}
		item.parent, item.index = v, int32(len(v.Items))
		v.Items = append(v.Items, item)
		if more, err := d.separator(']'); err != nil || !more {
			return err
		}
	}
}

// separator reads a comma, or the closing bracket: then no more follows.
func (d *decoder) separator(closing byte) (more bool, err *SyntaxError) {
	switch d.peek() {
	case ',':
		d.pos++
		return true, nil
	case closing:
		d.pos++
		return false, nil
	default:
		return false, d.unexpected(fmt.Sprintf("a comma or %q", closing), "close the array or object, or separate its parts with a comma")
	}
}

func (d *decoder) object(v *Value, depth int) *SyntaxError {
	v.kind = Object
	d.pos++
	if d.peek() == '}' {
		d.pos++
		return nil
	}
	names := nameSet{}
	for {
		m, err := d.member(depth)
		if err != nil {
			return err
		}
		if !names.add(v.Members, m.Name) {
			return d.refuse(m.Offset, fmt.Sprintf("the object has a second member %s", quoteName(m.Name)), "keep one of the two: readers differ in which one counts")
		}
		m.Value.parent, m.Value.index = v, int32(len(v.Members))
		v.Members = append(v.Members, m)
		if more, err := d.separator('}'); err != nil || !more {
			return err
		}
	}
}

func (d *decoder) member(depth int) (Member, *SyntaxError) {
	if d.peek() != '"' {
		return Member{}, d.unexpected("a member's name", `names stand in double quotes, and no comma follows the last member`)
	}
	m := Member{Offset: d.pos}
	var err *SyntaxError
	if m.Name, err = d.string(); err != nil {
		return m, err
	}
	if d.peek() != ':' {
		return m, d.unexpected("a colon", "a colon stands between a member's name and its value")
	}
	d.pos++
	m.Value, err = d.value(depth + 1)
	return m, err
}

// nameSet finds a name that an object has already: few by comparing, many by a map.
type nameSet map[string]struct{}

const manyMembers = 16

func (s nameSet) add(earlier []Member, name string) bool {
	if len(earlier) < manyMembers {
		for _, m := range earlier {
			if m.Name == name {
				return false
			}
		}
		return true
	}
	if len(s) == 0 {
		for _, m := range earlier {
			s[m.Name] = struct{}{}
		}
	}
	_, known := s[name]
	s[name] = struct{}{}
	return !known
}

// quoteName shows a name in a message: short, and without characters that a reader
// does not see.
func quoteName(name string) string {
	const most = 60
	runes := 0
	for at := range name {
		if runes == most {
			name = name[:at] + "…"
			break
		}
		runes++
	}
	if HasHidden(name) {
		return strconv.QuoteToASCII(name)
	}
	return strconv.QuoteToGraphic(name)
}

// number reads a number as the double it means.
func (d *decoder) number() (float64, *SyntaxError) {
	start := d.pos
	for d.pos < len(d.text) && isNumberByte(d.text[d.pos]) {
		d.pos++
	}
	literal := d.text[start:d.pos]
	if !isNumber(literal) {
		d.pos = start
		return 0, d.refuse(start, "this is not a JSON number", "write digits without leading zeros, with digits before and behind a point")
	}
	f, _ := strconv.ParseFloat(string(literal), 64) // its only error here is an overflow
	if math.IsInf(f, 0) {
		return 0, d.refuse(start, "the number is too large for a double", "write it as a string, or write a smaller number")
	}
	return f, nil
}

func isNumberByte(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// isNumber says whether literal is a number of the JSON grammar.
func isNumber(literal []byte) bool {
	rest := bytes.TrimPrefix(literal, []byte("-"))
	whole := digits(rest)
	if whole == 0 || whole > 1 && rest[0] == '0' {
		return false
	}
	rest = rest[whole:]
	if len(rest) > 0 && rest[0] == '.' {
		n := digits(rest[1:])
		if n == 0 {
			return false
		}
		rest = rest[1+n:]
	}
	if len(rest) == 0 || rest[0] != 'e' && rest[0] != 'E' {
		return len(rest) == 0
	}
	rest = rest[1:]
	if len(rest) > 0 && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	return len(rest) > 0 && digits(rest) == len(rest)
}

// digits counts the digits that text begins with.
func digits(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}
