package contract

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string and its escapes.
func (d *decoder) string() (string, *SyntaxError) {
	d.pos++
	start := d.pos
	var out []byte // what precedes start, unescaped
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; {
		case c == '"':
			text := string(d.text[start:d.pos])
			if out != nil {
				text = string(append(out, text...))
			}
			d.pos++
			return text, nil
		case c == '\\':
			out = append(out, d.text[start:d.pos]...)
			r, err := d.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
			start = d.pos
		case c < 0x20:
			return "", d.refuse(d.pos, fmt.Sprintf("a string holds the control character 0x%02x", c), `escape it: a line break is \n, a tab is \t`)
		case c < utf8.RuneSelf:
			d.pos++
		default:
			r, size := utf8.DecodeRune(d.text[d.pos:])
			if r == utf8.RuneError && size == 1 {
				return "", d.notUTF8()
			}
			d.pos += size
		}
	}
	return "", d.unexpected("a string's closing quote", "")
}

// escapes are the escapes of one letter.
var escapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads an escape sequence, a pair of surrogates as one.
func (d *decoder) escape() (rune, *SyntaxError) {
	start := d.pos
	d.pos++
	if d.pos == len(d.text) {
		return 0, d.unexpected("the rest of an escape", "")
	}
	if r, ok := escapes[d.text[d.pos]]; ok {
		d.pos++
		return r, nil
	}
	d.pos = start
	r, ok := d.unicodeEscape()
	if !ok {
		return 0, d.refuse(start, "this is not a JSON escape", `a backslash itself is written \\; others are \" \/ \b \f \n \r \t and \u with four hex digits`)
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	low, _ := d.unicodeEscape()
	if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
		return pair, nil
	}
	return 0, d.refuse(start, "a surrogate escape stands alone", `write both halves (\ud83d\ude00), or the character itself`)
}

// unicodeEscape reads \uXXXX; if there is none, it reads nothing.
func (d *decoder) unicodeEscape() (rune, bool) {
	const size = len(`\uXXXX`)
	rest := d.text[d.pos:]
	if len(rest) < size || rest[0] != '\\' || rest[1] != 'u' {
		return 0, false
	}
	for _, c := range rest[2:size] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return 0, false
		}
	}
	r, err := strconv.ParseUint(string(rest[2:size]), 16, 16)
	if err != nil {
		return 0, false
	}
	d.pos += size
	return rune(r), true
}
