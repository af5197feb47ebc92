package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// maxShown is how many characters of one text of a stranger a line for people holds.
const maxShown = 200

// Escape makes text of strangers safe to stand inside a line of a terminal or of a
// build log: what is unseen ([agentready.Unseen]: line breaks, terminal escapes, what
// changes the direction) is written as \n, \x1b or \u202e, and what a build service
// would take for a command (`::` at the start of a word, `##`) gets a backslash. Any
// sort of space becomes a space.
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
		case agentready.Unseen(r):
			b.WriteString(escaped(r))
		default:
			b.WriteRune(r)
		}
		before, last = last, r
	}
	return b.String()
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
