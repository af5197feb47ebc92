package tools

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agext/levenshtein"
)

// Nearest gives up to n of the candidates that are most like name, most alike
// first, and none that are not alike; letter case does not count. Only their first 200 characters are compared,
// and of very many candidates only those with most letters in common.
func Nearest(name string, candidates []string, n int) []string {
	want := compared(name)
	ranks := shortlist(want, candidates, n)
	for i, r := range ranks {
		ranks[i].distance = levenshtein.Distance(want, compared(r.name), nil)
	}
	slices.SortStableFunc(ranks, ranked.compare)
	nearest := []string{}
	for _, r := range ranks {
		if len(nearest) < n && r.alike(want) {
			nearest = append(nearest, r.name)
		}
	}
	return nearest
}

// compared is the part of a name that is compared.
func compared(name string) string { return strings.ToLower(clip(name, maxLabel)) }

// ranked is a candidate with how far it is from what is wanted.
type ranked struct {
	name     string
	distance int
}

// alike says whether somebody may have meant the candidate: where a third of the letters
// is wrong at most, two changed places, one name stands in the other, or both have a word.
func (r ranked) alike(want string) bool {
	name, letters := compared(r.name), countLetters(want)
	if r.distance <= max(1, utf8.RuneCountInString(strings.TrimLeft(want, "-"))/3) || r.distance == 2 && letters.missing(countLetters(name)) == 0 {
		return true
	}
	if min(len(want), len(name)) >= leastShared && (strings.Contains(name, want) || strings.Contains(want, name)) {
		return true
	}
	words := wordsOf(name)
	return slices.ContainsFunc(wordsOf(want), func(word string) bool {
		return len(word) >= leastShared && slices.Contains(words, word)
	})
}

// wordsOf are the words of a name, such as those between its underscores.
func wordsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func (r ranked) compare(s ranked) int { return cmp.Compare(r.distance, s.distance) }

// shortlist gives the candidates to compare letter by letter, in their order:
// everything costs seconds where thousands of long names are given. The rest differ
// more in which letters they have.
func shortlist(want string, candidates []string, n int) []ranked {
	ranks := make([]ranked, len(candidates))
	letters := countLetters(want)
	for i, c := range candidates {
		ranks[i] = ranked{c, letters.missing(countLetters(compared(c)))}
	}
	if most := max(n, maxCompared); len(ranks) > most {
		slices.SortStableFunc(ranks, ranked.compare)
		ranks = ranks[:most]
	}
	return ranks
}

// letterCounts says how often each letter occurs; letters that fall together make
// names look more alike, never less.
type letterCounts [64]int

func countLetters(s string) (counts letterCounts) {
	for _, r := range s {
		counts[int(r)%len(counts)]++
	}
	return counts
}

// missing is the least number of letters to add, drop or change to make one count of
// the other: no edit distance is less.
func (a *letterCounts) missing(b letterCounts) int {
	more, less := 0, 0
	for i := range a {
		more += max(0, a[i]-b[i])
		less += max(0, b[i]-a[i])
	}
	return max(more, less)
}
