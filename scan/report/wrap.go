package report

import (
	"strings"
	"unicode/utf8"
)

// minText is the least room for text beside its indentation: in a narrower
// terminal lines run over rather than hold one word each.
const minText = 30

// Wrap breaks text at spaces so that each line, with its prefix, fits into width
// characters: first stands before the first line, rest, which is as wide but for
// colours, before the others. A word that is too long stays whole.
func Wrap(text, first, rest string, width int) string {
	var b strings.Builder
	room := max(minText, width-utf8.RuneCountInString(rest))
	prefix, used := first, 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && used+1+n <= room:
			b.WriteByte(' ')
			used++
		default:
			if i > 0 {
				b.WriteByte('\n')
				prefix = rest
			}
			b.WriteString(prefix)
			used = 0
		}
		b.WriteString(word)
		used += n
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// pad fills s with spaces to n characters.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}
