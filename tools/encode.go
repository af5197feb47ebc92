package tools

import (
	"bytes"
	"encoding/json"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Encode gives the compact JSON of v. Characters that a reader cannot see, or that
// reorder what it sees, are written as \u escapes: an answer repeats names that
// strangers chose, and its text is read by people and models as it stands.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escapeHidden(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// escapeHidden escapes hidden characters of JSON text; they only occur in strings.
func escapeHidden(text []byte) []byte {
	if bytes.IndexFunc(text, hidden) < 0 {
		return text
	}
	out := make([]byte, 0, 2*len(text))
	for _, r := range string(text) {
		switch {
		case !hidden(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = appendEscape(appendEscape(out, high), low)
		default:
			out = appendEscape(out, r)
		}
	}
	return out
}

// appendEscape writes a character of at most 16 bits as \u and four hex digits.
func appendEscape(out []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(out, '\\', 'u', hex[r>>12&0xF], hex[r>>8&0xF], hex[r>>4&0xF], hex[r&0xF])
}

// hidden finds format and control characters, fillers and variation selectors.
func hidden(r rune) bool {
	return r >= 0x7F && (unicode.In(r, unicode.Cf, unicode.Cc, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// textSize is the length of v's JSON in characters, as MaxText counts them.
func textSize(v any) int {
	text, err := Encode(v)
	if err != nil {
		return MaxText + 1 // does not fit; the answer's own encoding reports the error
	}
	return utf8.RuneCount(text)
}

// clip cuts s to n characters, the last one an ellipsis where something was cut. It
// looks no further: s may be megabytes long.
func clip(s string, n int) string {
	seen, last := 0, 0
	for i := range s {
		switch seen {
		case n - 1:
			last = i
		case n:
			return s[:last] + "…"
		}
		seen++
	}
	return s
}
