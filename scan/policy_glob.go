package scan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxBraces bounds the alternatives of a glob: each brace multiplies them.
const maxBraces = 4

// CheckGlob says what is wrong with a glob over the ids of tools.
func CheckGlob(glob string) error {
	pattern := asPattern(glob)
	switch {
	case !doublestar.ValidatePattern(pattern):
		return fmt.Errorf("%q is not a valid glob: close every [ and {, or escape them with \\", shorten(glob))
	case braces(pattern) > maxBraces:
		return fmt.Errorf("%q has more than %d {}: write a waiver for each", shorten(glob), maxBraces)
	}
	return nil
}

// MatchesTool says whether the id of a tool is meant by the `tool` of a waiver: it is
// the same, or the glob matches it (`*` ends at a slash, `**` does not; braces without a
// comma stand for themselves).
func MatchesTool(glob, id string) bool {
	return glob == id || doublestar.MatchUnvalidated(asPattern(glob), id)
}

// ExactGlob is the glob that means the tool of that id alone.
func ExactGlob(id string) string {
	escaped := globMarks.Replace(id)
	if asPattern(id) == escaped {
		return id // which is easier to read, and has the same meaning
	}
	return escaped
}

// globMarks escapes what means something in a glob.
var globMarks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`)

// asPattern is a glob as doublestar takes it, to which braces without a comma are
// alternatives too: they are escaped, since ids hold the parameters of paths.
func asPattern(glob string) string {
	if !strings.Contains(glob, "{") {
		return glob
	}
	return plainBraces.ReplaceAllStringFunc(glob, func(part string) string {
		if part[0] == '\\' {
			return part
		}
		return `\{` + part[1:len(part)-1] + `\}`
	})
}

// plainBraces are braces without a comma, and, so that none of these is taken for one,
// characters that are escaped.
var plainBraces = regexp.MustCompile(`(?s)\\.|\{[^{},\\]*\}`)

// braces counts what opens alternatives in a pattern: each { that no backslash escapes.
func braces(pattern string) int {
	n := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			n++
		}
	}
	return n
}
