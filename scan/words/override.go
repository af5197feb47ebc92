package words

import (
	"regexp"
	"slices"
	"strings"
)

// Overrides says whether text holds words addressed to the model that override its
// user or hide something from it, by the families of AR101 (rules page, section 1):
// also across line breaks, in capitals, with look-alike letters, invisible characters
// or markup in between. It returns the family ("earlier instructions", "secrecy",
// "other tools", "secrets"). Not counted is what a text quotes as a thing to detect or
// block ("flags texts such as 'ignore previous instructions'").
func Overrides(text string) (family string, found bool) {
	var folded []string
	var roots uint64
	if isASCII(text) && !splitsWords(text) {
		roots = overrideRoots.in(text)
	} else {
		plain := fold(text)
		folded, roots = strings.Fields(plain), overrideRoots.in(plain)
	}
	for i, f := range overrides {
		if !holdsEach(roots, overrideNeeds[i]) {
			continue
		}
		if folded == nil {
			folded = strings.Fields(fold(text))
		}
		if f.match(folded) && f.match(strings.Fields(fold(dropQuotedExamples(text)))) {
			return f.name, true
		}
	}
	return "", false
}

// overrideRoots finds the roots that the families need; overrideNeeds are, by family,
// the masks of its lists.
var overrideRoots, overrideNeeds = indexNeeds(overrides)

func indexNeeds(families []overrideFamily) (*rootFinder, [][]uint64) {
	var list []string
	needs := make([][]uint64, len(families))
	for i, f := range families {
		for _, any := range f.needs {
			var mask uint64
			for _, root := range any {
				id := slices.Index(list, root)
				if id < 0 {
					id = len(list)
					list = append(list, root)
				}
				mask |= 1 << id
			}
			needs[i] = append(needs[i], mask)
		}
	}
	return newRootFinder(list), needs
}

func holdsEach(roots uint64, masks []uint64) bool {
	for _, mask := range masks {
		if roots&mask == 0 {
			return false
		}
	}
	return true
}

// splitsWords says whether markup may stand inside a word, so that only the folded
// text shows its words.
func splitsWords(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '&':
			return true
		case '<':
			if i > 0 && isLetterOrMarkup(s[i-1]) {
				return true
			}
		case '*', '`', '\\':
			if i > 0 && i+1 < len(s) && isLetterOrMarkup(s[i-1]) && isLetterOrMarkup(s[i+1]) {
				return true
			}
		}
	}
	return false
}

func isLetterOrMarkup(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '*' || c == '`'
}

// overrideFamily is one way of overriding the user.
type overrideFamily struct {
	name string
	// needs are roots, one of each list, without which no row matches: they spare the
	// other texts the work.
	needs [][]string
	rows  overrideRows
	// excused says that a match is no order to the model.
	excused func(m mention) bool
	// joined are the marks that do not part the words of a phrase.
	joined []string
}

// mention is a match: its words, and those of its sentence before and after it.
type mention struct{ before, words, after []string }

// around is how many words of a sentence on each side of a match can excuse it.
const around = 40

// match says whether a row of the family stands in the folded words.
func (f overrideFamily) match(folded []string) bool {
	ws := make([]string, 0, len(folded))
	for _, w := range folded {
		if !slices.Contains(f.joined, w) {
			ws = append(ws, w)
		}
	}
	for i, w := range ws {
		for _, row := range f.rows[w] {
			end := row.match(ws, i)
			if end >= 0 && !f.excused(mention{before: sentenceBefore(ws[:i]), words: ws[i:end], after: sentenceAfter(ws[end:])}) {
				return true
			}
		}
	}
	return false
}

func endsSentence(w string) bool { return w == sentenceEnd || w == paragraphEnd }

func sentenceBefore(ws []string) []string {
	ws = ws[max(0, len(ws)-around):]
	for i := len(ws) - 1; i >= 0; i-- {
		if endsSentence(ws[i]) {
			return ws[i+1:]
		}
	}
	return ws
}

func sentenceAfter(ws []string) []string {
	ws = ws[:min(len(ws), around)]
	if i := slices.IndexFunc(ws, endsSentence); i >= 0 {
		return ws[:i]
	}
	return ws
}

// last gives the nth word before the match, counted from 1; empty where there is none.
func (m mention) last(n int) string {
	if n > len(m.before) {
		return ""
	}
	return m.before[len(m.before)-n]
}

// detects are the words of a text about attacks rather than of one.
var detects = regexp.MustCompile(`(?i)\b(detect|flag|block|filter|catch|scan|reject|prevent|recogni[sz]e|classif|injection|jailbreak)`)

// quotedExample is a short quotation.
var quotedExample = regexp.MustCompile("(\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|‘[^’\n]{1,80}’|\\B'[^'\n]{1,80}'\\B|`[^`\n]{1,80}`)")

var sentencePiece = regexp.MustCompile(`[^.!?\n]+[.!?\n]*`)

// dropQuotedExamples drops the quotations of sentences about detecting or blocking.
func dropQuotedExamples(text string) string {
	if !detects.MatchString(text) {
		return text
	}
	return sentencePiece.ReplaceAllStringFunc(text, func(sentence string) string {
		at := detects.FindStringIndex(sentence)
		if at == nil {
			return sentence
		}
		return sentence[:at[1]] + quotedExample.ReplaceAllString(sentence[at[1]:], " ")
	})
}
