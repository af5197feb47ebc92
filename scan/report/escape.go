package report

import (
	"fmt"
	"strings"
	"unicode"
)

// maxShown is how many characters of one text of a stranger a line for people holds.
const maxShown = 200

// Escape makes text of strangers safe to stand inside a line of a terminal or of a
// build log: what is not visible (control characters and with them line breaks and
// terminal escapes, direction-changing and zero-width characters) is written as
// \n, \x1b or \u202e, and what a build service would take for a command (`::` at
// the start of a word, `##`) gets a backslash. Any sort of space becomes a space.
func Escape(s string) string {
	var b strings.Builder
	var last, before rune = ' ', ' '
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Zs, r):
			r = ' '
			b.WriteByte(' ')
		case r == '#' && last == '#', r == ':' && last == ':' && before == ' ':
			b.WriteByte('\\')
			b.WriteRune(r)
		case invisible(r):
			b.WriteString(escaped(r))
		default:
			b.WriteRune(r)
		}
		before, last = last, r
	}
	return b.String()
}

// invisible says whether r has no picture of its own: it does something to its
// surroundings, or nothing that can be seen.
func invisible(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// short are the escapes that everyone knows.
var short = map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}

func escaped(r rune) string {
	if s, ok := short[r]; ok {
		return s
	}
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// show is s, escaped and cut to what a line can hold.
func show(s string) string { return cut(s, maxShown) }

// cut is s, escaped and cut to n characters of its own.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return Escape(s[:i]) + "…"
		}
		n--
	}
	return Escape(s)
}
