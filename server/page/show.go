package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Limits of what a page shows; lengths are in characters.
const (
	maxLabel    = 200  // ids, names, commits, paths
	maxText     = 1500 // statements, messages, changes, checks, remedies
	maxChanges  = 500  // changes of a diff
	maxGlance   = 5    // changes of a revision among others
	maxFindings = 50   // findings of a round
	maxListed   = 100  // cases or entries of a criterion
	maxCriteria = 200  // criteria of a revision
	maxEvents   = 20   // events on one page
	maxRevised  = 10   // revisions on one page
)

// show is a text of a stranger as a page shows it: what cannot be seen, and what changes
// the direction or the line, is written out; what is longer than n is cut, and says so.
func show(s string, n int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	seen := 0
	for at := range s {
		if seen == n {
			return visible(s[:at]) + fmt.Sprintf("… (cut: %d characters in all)", utf8.RuneCountInString(s))
		}
		seen++
	}
	return visible(s)
}

func visible(s string) string {
	return strings.ReplaceAll(string(agentready.EscapeUnseen([]byte(s))), "\n", `\n`)
}

// sentence shows an error's words as a sentence.
func sentence(s string) string {
	if s = show(s, maxText); s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(s[size:], ".") + "."
}

// members shows a JSON object as its members, in order.
func members(object json.RawMessage) string {
	v, err := contract.Decode(object)
	if err != nil {
		return ""
	}
	parts := make([]string, len(v.Members))
	for i, m := range v.Members {
		text, isText := m.Value.Text()
		if !isText {
			text = string(m.Value.Canonical())
		}
		parts[i] = m.Name + ": " + text
	}
	return show(strings.Join(parts, "; "), maxText)
}

// instant is a moment in time, for programs and for people.
type instant struct{ ISO, Shown string }

func newInstant(iso string) instant {
	at, err := time.Parse(time.RFC3339, iso)
	if err != nil {
		return instant{iso, iso}
	}
	return instant{iso, at.Format("2 Jan 2006, 15:04 UTC")}
}

// first are the first n of a list, and how many more it has.
func first[T any](list []T, n int) (shown []T, more int) {
	shown = list[:min(len(list), n)]
	return shown, len(list) - len(shown)
}
