package words

import (
	"slices"
	"strings"
)

// Set is a set of single words.
type Set map[string]bool

// NewSet makes a set of the words of a list, divided by white space.
func NewSet(list string) Set {
	s := Set{}
	for _, w := range strings.Fields(list) {
		s[w] = true
	}
	return s
}

// Any says whether any of ws is in the set.
func (s Set) Any(ws []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool { return s[w] })
}
