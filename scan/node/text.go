package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// CheckUTF8 refuses data that is not UTF-8; its error is a *[surface.ReadError] at the
// first wrong byte.
func CheckUTF8(data []byte) error {
	if utf8.Valid(data) {
		return nil
	}
	bad := 0
	for {
		c, size := utf8.DecodeRune(data[bad:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		bad += size
	}
	line, column := LineColumn(data, bad)
	return &surface.ReadError{
		Message: fmt.Sprintf("not UTF-8 text: byte 0x%02x", data[bad]),
		Hint:    "save the document as UTF-8; binary files cannot be read",
		Line:    line, Column: column,
	}
}

// maxKeyBytes is how long a key may be: pointers repeat it for all that stands below.
const maxKeyBytes = 8 << 10

// CheckKey refuses a key that is too long to be cited; its error is a
// *[surface.ReadError].
func CheckKey(key *yaml.Node) error {
	line, column := key.Line, key.Column
	key = follow(key)
	if len(key.Value) <= maxKeyBytes {
		return nil
	}
	return &surface.ReadError{
		Message: fmt.Sprintf("a key has %d bytes, more than the limit of %d", len(key.Value), maxKeyBytes),
		Hint:    "shorten it; what is long belongs into a value",
		Line:    line, Column: column,
	}
}

// LineColumn is the 1-based line and column, in characters, of an offset in data.
func LineColumn(data []byte, offset int) (line, column int) {
	p := jsonPlace{line: 1, column: 1}.forward(data[:offset])
	return p.line, p.column
}

// jsonPlace is an offset in bytes with the line and column it stands at.
type jsonPlace struct{ offset, line, column int }

// forward gives the place behind text, which begins at p.
func (p jsonPlace) forward(text []byte) jsonPlace {
	p.offset += len(text)
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p.line += n
		p.column = 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.column += utf8.RuneCount(text)
	return p
}

// jsonHints say what to do about a syntax error, by a part of its message; the
// first row that fits.
var jsonHints = []struct{ part, hint string }{
	{"unexpected end", "the document ends early; was it cut off?"},
	{"in string literal", "escape control characters in strings: a line break is \\n"},
	{"in string escape code", "a backslash in a string is written \\\\"},
	{"looking for beginning of object key", "keys stand in double quotes, and no comma follows the last member"},
	{"'/' ", "JSON has no comments; remove them"},
	{"'\\'' ", "strings stand in double quotes"},
	{"looking for beginning of value", "a JSON value is expected here: an object, array, string, number, true, false or null"},
	{"after ", "is a comma, a colon or a closing bracket missing before it?"},
	{"", "correct it, or write the document with a JSON encoder"},
}

// SyntaxError says where and why the value of data that begins at start is no JSON,
// and what to do. It is nil where encoding/json finds nothing wrong.
func SyntaxError(data []byte, start int) error {
	var raw json.RawMessage
	var syntax *json.SyntaxError
	err := json.Unmarshal(data[start:], &raw)
	if !errors.As(err, &syntax) {
		return nil
	}
	message, at := err.Error(), start+int(syntax.Offset)-1 // it counts the bytes read
	if strings.Contains(message, "unexpected end") {
		at = len(bytes.TrimRight(data, " \t\r\n"))
	}
	line, column := LineColumn(data, max(at, 0))
	e := &surface.ReadError{Message: "not valid JSON: " + message, Line: line, Column: column}
	for _, h := range jsonHints {
		if strings.Contains(message, h.part) {
			e.Hint = h.hint
			break
		}
	}
	return e
}
