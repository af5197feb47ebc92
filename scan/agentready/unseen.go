package agentready

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Unseen says whether a character shows nothing where it stands, or does something to
// its surroundings: control and format characters, line separators, fillers, variation
// selectors, and what Unicode has not assigned. Every kind of space counts as seen.
func Unseen(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// EscapeUnseen writes the unseen characters of JSON text as \u escapes, which mean the
// same: text that strangers chose is read by people and models as it stands. Line
// breaks stay, since they only occur between tokens. The text is UTF-8; it is given
// back as it is where it holds nothing unseen.
func EscapeUnseen(text []byte) []byte {
	var out []byte
	copied := 0 // how much of text is in out
	for i := 0; i < len(text); {
		if b := text[i]; b >= ' ' && b < unicode.MaxASCII || b == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if Unseen(r) {
			out = appendEscape(append(out, text[copied:i]...), r)
			copied = i + size
		}
		i += size
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// appendEscape writes a character as one \u escape, or as two for one beyond 16 bits.
func appendEscape(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return appendEscape(appendEscape(out, high), low)
	}
	const hex = "0123456789abcdef"
	return append(out, '\\', 'u', hex[r>>12&0xF], hex[r>>8&0xF], hex[r>>4&0xF], hex[r&0xF])
}
