package agentready

import "slices"

// MostWithCritical is the most that a document with a critical finding can score, the
// upper end of "Minor fixes".
const MostWithCritical = 84

// Uncapped is the score that a document has by its tools' scores, but for
// MostWithCritical: half the mean over all and half the mean over the lowest tenth, rounded
// half up; 0 without tools.
func Uncapped(scores []int) int {
	n := len(scores)
	if n == 0 {
		return 0
	}
	lowest := LowestTenth(scores)
	k := len(lowest)
	// (all/n + low/k) / 2, as one fraction: integers round the same everywhere.
	above, below := sum(scores)*k+sum(lowest)*n, 2*n*k
	return (2*above + below) / (2 * below)
}

// LowestTenth gives the lowest tenth of the scores in ascending order, their number
// rounded up; scores stays as it is.
func LowestTenth(scores []int) []int {
	return slices.Sorted(slices.Values(scores))[:(len(scores)+9)/10]
}

func sum(ns []int) int {
	total := 0
	for _, n := range ns {
		total += n
	}
	return total
}
