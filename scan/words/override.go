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
	plain := text
	if !isASCII(text) || splitsWords(text) {
		plain = fold(text)
	}
	var folded string
	roots := overrideRoots.in(plain)
	for i, f := range overrides {
		if !holdsEach(roots, overrideNeeds[i]) {
			continue
		}
		if folded == "" {
			folded = fold(dropQuotedExamples(text))
		}
		if f.match(folded) {
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
		case '<', '&', '[':
			return true
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
	rows  []*regexp.Regexp
	// excused says that a match is no order to the model.
	excused func(m mention) bool
	// joined are the marks that do not part the words of a phrase.
	joined []string
}

// mention is a match: its words, and those of its sentence before and after it.
type mention struct{ before, words, after []string }

func (f overrideFamily) match(folded string) bool {
	for _, mark := range f.joined {
		folded = strings.ReplaceAll(folded, mark+" ", "")
	}
	for _, row := range f.rows {
		for _, at := range row.FindAllStringIndex(folded, -1) {
			m := mention{
				before: sentenceBefore(folded[:at[0]]),
				words:  strings.Fields(folded[at[0]:at[1]]),
				after:  sentenceAfter(folded[at[1]:]),
			}
			if !f.excused(m) {
				return true
			}
		}
	}
	return false
}

func endsSentence(w string) bool { return w == sentenceEnd || w == paragraphEnd }

func sentenceBefore(s string) []string {
	ws := strings.Fields(s)
	for i := len(ws) - 1; i >= 0; i-- {
		if endsSentence(ws[i]) {
			return ws[i+1:]
		}
	}
	return ws
}

func sentenceAfter(s string) []string {
	ws := strings.Fields(s)
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

func has(ws []string, list map[string]bool) bool {
	return slices.ContainsFunc(ws, func(w string) bool { return list[w] })
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
