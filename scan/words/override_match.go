package words

import "strings"

// overrideRows are the rows of a family by the words that they may begin with.
type overrideRows map[string][]overrideRow

// overrideRow is a phrase as a sequence of parts.
type overrideRow []overridePart

// overridePart is one word of a phrase, or a gap: any of its words, from least to most
// times. A gap takes all words but marks.
type overridePart struct {
	words       map[string]bool
	gap         bool
	least, most int
}

const (
	overrideGap    = 8 // the words that `...` stands for at most
	overrideRepeat = 8 // the words that `*` stands for at most
)

// newOverrideRows compiles rows, which must begin with a word that is not optional.
func newOverrideRows(patterns ...string) overrideRows {
	rows := overrideRows{}
	for _, p := range patterns {
		var row overrideRow
		for _, w := range strings.Fields(p) {
			row = append(row, newOverridePart(w))
		}
		if row[0].least == 0 {
			panic("words: row " + p + " begins with an optional word")
		}
		for w := range row[0].words {
			rows[w] = append(rows[w], row)
		}
	}
	return rows
}

func newOverridePart(w string) overridePart {
	if w == "..." {
		return overridePart{gap: true, most: overrideGap}
	}
	alternatives := strings.TrimRight(w, "?*")
	part := overridePart{words: map[string]bool{}, least: 1, most: 1}
	for _, a := range strings.Split(alternatives, "|") {
		part.words[a] = true
	}
	switch w[len(alternatives):] {
	case "?":
		part.least = 0
	case "*":
		part.least, part.most = 0, overrideRepeat
	}
	return part
}

func (p overridePart) takes(w string) bool {
	if p.gap {
		return !endsSentence(w) && w != foldedComma
	}
	return p.words[w]
}

// match gives the end of the phrase in ws that begins at word i, or -1.
func (r overrideRow) match(ws []string, i int) int {
	if len(r) == 0 {
		return i
	}
	part := r[0]
	for taken := 0; ; taken++ {
		if taken >= part.least {
			if end := r[1:].match(ws, i+taken); end >= 0 {
				return end
			}
		}
		if taken == part.most || i+taken >= len(ws) || !part.takes(ws[i+taken]) {
			return -1
		}
	}
}
