package report

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// minText is the least room for text beside its indentation: in a narrower
// terminal lines run over rather than hold one word each.
const minText = 30

// Wrap breaks text at spaces so that each line, with its prefix, fits into width
// characters, in which colours do not count: first stands before the first line, rest,
// which is as wide, before the others. A word that is too long stays whole.
func Wrap(text, first, rest string, width int) string {
	var b strings.Builder
	room := max(minText, width-visible(rest))
	prefix, used := first, 0
	for i, word := range strings.Fields(text) {
		n := visible(word)
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

// colors are the terminal sequences of style.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// visible is how many characters of s are seen.
func visible(s string) int {
	if strings.Contains(s, "\x1b") {
		s = colors.ReplaceAllString(s, "")
	}
	return utf8.RuneCountInString(s)
}

// pad fills s with spaces to n characters that are seen.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-visible(s)))
}
