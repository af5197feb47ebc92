package tools

import (
	"sort"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest gives up to n of the candidates that are most like name, most alike
// first; letter case does not count. Only their first 200 characters are compared.
func Nearest(name string, candidates []string, n int) []string {
	type ranked struct {
		name     string
		distance int
	}
	want := strings.ToLower(clip(name, maxLabel))
	ranks := make([]ranked, len(candidates))
	for i, c := range candidates {
		ranks[i] = ranked{c, levenshtein.Distance(want, strings.ToLower(clip(c, maxLabel)), nil)}
	}
	sort.SliceStable(ranks, func(i, j int) bool { return ranks[i].distance < ranks[j].distance })
	nearest := []string{}
	for _, r := range ranks[:min(n, len(ranks))] {
		nearest = append(nearest, r.name)
	}
	return nearest
}
