package scan

import (
	"slices"
	"strings"
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// toolName is an explicit operationId or tool name, taken apart for the classifier
// (rules page, section 3, "Words" and step 3).
type toolName struct {
	// words are those after the namespace and the shared prefix.
	words []string
	// chunk says of each word whether it begins a `_` chunk; nil unless the name has
	// both `_` and inner capitals.
	chunk []bool
	// before are the words of the namespace and the prefix.
	before []string
	// namespaced: a namespace stands before the words.
	namespaced bool
}

// parseName takes a name apart. prefix is the first word that most names of the
// document share; empty for none.
func parseName(name, prefix string) toolName {
	tail := name
	var n toolName
	if i := strings.LastIndexAny(name, "/.:#"); i >= 0 {
		if after := words.Split(name[i+1:]); hasVerb(after) {
			n.before, tail, n.namespaced = words.Split(name[:i]), name[i+1:], true
		}
	}
	n.words = words.Split(tail)
	if strings.Contains(tail, "_") && hasInnerCapital(tail) {
		n.chunk = chunkStarts(tail)
	}
	if prefix != "" && !n.namespaced {
		n.dropPrefix(prefix)
	}
	return n
}

// dropPrefix forgets the shared first word, unless the name's only verb goes with it.
func (n *toolName) dropPrefix(prefix string) {
	if len(n.words) < 2 || n.words[0] != prefix || !hasVerb(n.words[1:]) {
		return
	}
	if _, isVerb := words.LookupVerb(prefix); isVerb {
		if _, followed := words.LookupVerb(n.words[1]); !followed {
			return
		}
	}
	n.before = append(n.before, prefix)
	n.words = n.words[1:]
	if len(n.chunk) > 0 {
		n.chunk = n.chunk[1:]
	}
}

func hasVerb(ws []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool { _, ok := words.LookupVerb(w); return ok })
}

func hasInnerCapital(s string) bool {
	rs := []rune(s)
	for i := 1; i < len(rs); i++ {
		if unicode.IsUpper(rs[i]) && unicode.IsLower(rs[i-1]) {
			return true
		}
	}
	return false
}

func chunkStarts(tail string) []bool {
	var starts []bool
	for _, c := range strings.Split(tail, "_") {
		for i := range words.Split(c) {
			starts = append(starts, i == 0)
		}
	}
	return starts
}

// head finds the head verb of the name and where it stands; ok is false where the
// name has none. lead is the verb that the summary begins with.
func (n toolName) head(lead words.Verb) (v words.Verb, at int, ok bool) {
	if len(n.words) == 0 {
		return v, 0, false
	}
	first, isVerb := words.LookupVerb(n.words[0])
	switch {
	case isVerb && first.CatchAll && len(n.words) > 1:
		return n.afterCatchAll(first)
	case isVerb && !first.Noun:
		return first, 0, true
	case isVerb:
		return n.headAfterNoun(first, lead)
	}
	if at, ok := n.leftmostPlain(); ok {
		v, _ = words.LookupVerb(n.words[at])
		return v, at, true
	}
	last := len(n.words) - 1
	if v, ok := words.LookupVerb(n.words[last]); ok && (v.Noun || v.CatchAll) {
		return v, last, true
	}
	return v, 0, false
}

// afterCatchAll: "do_delete" deletes; a catch-all with no verb right after it
// stays undecided.
func (n toolName) afterCatchAll(first words.Verb) (words.Verb, int, bool) {
	if next, ok := words.LookupVerb(n.words[1]); ok && next.Plain() && !first.Neutral {
		return next, 1, true
	}
	return first, 0, true
}

// headAfterNoun decides between a first word that may be a noun and the verbs after it.
// A last word is no verb after a preposition ("list_comments_for_commit"), nor where
// the summary begins with the first word ("download_tarball_archive").
func (n toolName) headAfterNoun(first, lead words.Verb) (words.Verb, int, bool) {
	last := len(n.words) - 1
	closed := slices.ContainsFunc(n.words, words.IsPreposition) || lead.Word == first.Word
	if v, ok := words.LookupVerb(n.words[last]); ok && last > 0 && !v.Noun && !closed {
		return v, last, true
	}
	if at := slices.Index(n.words, lead.Word); at >= 0 {
		return lead, at, true
	}
	return first, 0, true
}

// leftmostPlain finds the leftmost plain verb that is not after a preposition, words
// that begin a `_` chunk first.
func (n toolName) leftmostPlain() (int, bool) {
	found := -1
	for i, w := range n.words {
		v, ok := words.LookupVerb(w)
		if !ok || v.Noun || (i > 0 && words.IsPreposition(n.words[i-1])) {
			continue
		}
		if n.chunk == nil || n.chunk[i] {
			return i, true
		}
		if found < 0 {
			found = i
		}
	}
	return found, found >= 0
}

// object gives the words that the verb at a position acts on: those after it up to a
// preposition, else those before it.
func (n toolName) object(at int) []string {
	after := n.words[at+1:]
	if i := slices.IndexFunc(after, isJoin); i > 0 {
		after = after[:i]
	}
	if o := untilPreposition(after); len(o) > 0 {
		return o
	}
	return n.words[:at]
}

// decide reads the action off the name: its head verb, and the verbs joined to it by
// and/or, of which the most dangerous counts. The action is empty where the name does
// not decide.
func (n toolName) decide(lead words.Verb) (d decision, found bool) {
	v, at, ok := n.head(lead)
	if !ok {
		return decision{}, false
	}
	object := n.object(at)
	if len(object) == 0 {
		object = n.before
	}
	d = decision{action: headOf(v, object), verb: v, first: at == 0 && (len(n.words) > 1 || !n.namespaced)}
	for i := 1; i+1 < len(n.words); i++ {
		if !isJoin(n.words[i]) {
			continue
		}
		j, ok := words.LookupVerb(n.words[i+1])
		if !ok || (j.Noun && i-1 != at) {
			continue
		}
		if a := joinedAction(j, n.object(i+1)); moreDangerous(a, d.action) {
			d = decision{action: a, verb: j, first: d.first}
		}
	}
	return d, true
}

func isJoin(w string) bool { return w == "and" || w == "or" }

// sharedPrefix finds the first word that most names share; plain verbs are no prefix.
func sharedPrefix(names []string) string {
	const least = 3 // fewer names share a word by chance
	counts := map[string]int{}
	for _, name := range names {
		if ws := words.Split(name); len(ws) > 1 {
			counts[ws[0]]++
		}
	}
	for w, n := range counts {
		if v, ok := words.LookupVerb(w); ok && !v.Noun {
			continue
		}
		if n >= least && 2*n > len(names) {
			return w
		}
	}
	return ""
}
