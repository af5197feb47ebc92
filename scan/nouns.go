package scan

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// nouns is a table of nouns of one or more words, for asking whether a name ends in
// one. Plurals are folded.
type nouns struct {
	byLast map[string][][]string
	// endings are the last letters of every noun and its plural: most names are told
	// apart by them without being split.
	endings map[ending]bool
}

type ending [3]byte

// newNouns takes nouns divided by commas ("email, phone number").
func newNouns(list string) *nouns {
	n := &nouns{byLast: map[string][][]string{}, endings: map[ending]bool{}}
	for _, phrase := range strings.Split(list, ",") {
		ws := strings.Fields(phrase)
		last := ws[len(ws)-1]
		n.byLast[last] = append(n.byLast[last], ws)
		n.addEndings(last)
	}
	for _, phrases := range n.byLast {
		slices.SortFunc(phrases, func(a, b []string) int { return len(b) - len(a) })
	}
	return n
}

func (n *nouns) addEndings(word string) {
	for _, form := range []string{word, word + "s", word + "es", strings.TrimSuffix(word, "y") + "ies"} {
		n.endings[endingOf(form)] = true
	}
}

// tail gives the number of words of the longest noun that ws ends in, 0 for none.
func (n *nouns) tail(ws []string) int {
	if len(ws) == 0 {
		return 0
	}
	last := words.Singular(ws[len(ws)-1])
	for _, phrase := range n.byLast[last] {
		rest := len(ws) - len(phrase)
		if rest >= 0 && slices.Equal(ws[rest:len(ws)-1], phrase[:len(phrase)-1]) {
			return len(phrase)
		}
	}
	return 0
}

// mayEnd says, without splitting it, whether the name may end in one of the nouns. It
// errs only towards true.
func (n *nouns) mayEnd(name string) bool { return n.endings[endingOf(name)] }

// endingOf gives the last three letters of a name in lower case, what stands after
// them left out.
func endingOf(name string) ending {
	var e ending
	at := len(e) - 1
	for i := len(name) - 1; i >= 0 && at >= 0; i-- {
		c := name[i] | 0x20
		if c >= 'a' && c <= 'z' {
			e[at] = c
			at--
		} else if at < len(e)-1 {
			break
		}
	}
	return e
}

// firstWord gives the first word, empty where there is none.
func firstWord(ws []string) string {
	if len(ws) == 0 {
		return ""
	}
	return ws[0]
}

func lastWord(ws []string) string {
	if len(ws) == 0 {
		return ""
	}
	return words.Singular(ws[len(ws)-1])
}

// names is a set of whole names, each as its words joined by spaces.
type names map[string]bool

func newNames(list string) names {
	n := names{}
	for _, name := range strings.Split(list, ",") {
		n[strings.TrimSpace(name)] = true
	}
	return n
}

// has says whether the words, as a whole, are one of the names.
func (n names) has(ws []string) bool { return len(ws) > 0 && n[strings.Join(ws, " ")] }
