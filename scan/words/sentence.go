package words

import (
	"strings"
	"unicode"
)

// FirstSentence gives the lower-cased words of a text's first sentence, with the
// punctuation between them as words of their own. Markup, labels in brackets
// ("[Beta]") and adverbs before the first word ("Permanently") are left out, and
// phrasal verbs become one word.
func FirstSentence(text string) []string {
	const enough = 600 // bytes; a first sentence that is longer has said its verb
	s := strings.TrimSpace(stripMarkup(clip(text, 4*enough)))
	s = clip(firstSentenceOf(dropLabels(s)), enough)
	var out []string
	for _, w := range tokens(s) {
		if len(out) == 0 && (isAdverb(w) || !isWord(w)) {
			continue
		}
		out = append(out, w)
	}
	return joinPhrasalForms(out)
}

// clip cuts s to at most n bytes, at a space where there is one.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
		return s[:i]
	}
	return strings.ToValidUTF8(s[:n], "")
}

// dropLabels drops leading labels: "[Deprecated] Delete …", "(Beta) Delete …".
func dropLabels(s string) string {
	for {
		end := -1
		switch {
		case strings.HasPrefix(s, "["):
			end = strings.IndexByte(s, ']')
		case strings.HasPrefix(s, "("):
			end = strings.IndexByte(s, ')')
		}
		if end < 0 {
			return s
		}
		s = strings.TrimLeft(s[end+1:], " :-")
	}
}

func firstSentenceOf(s string) string {
	if i := strings.Index(s, "\n\n"); i >= 0 {
		s = s[:i]
	}
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(".!?", s[i]) >= 0 && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
			return s[:i]
		}
	}
	return s
}

func isAdverb(w string) bool { return len(w) > 4 && strings.HasSuffix(w, "ly") && !isVerb(w) }

func isVerb(w string) bool { _, ok := LookupVerbForm(w); return ok }

func isWord(w string) bool {
	for _, r := range w {
		if unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

// tokens gives words (letters, digits, apostrophes) and single punctuation marks.
func tokens(s string) []string {
	var out []string
	rs := []rune(strings.ToLower(s))
	for i := 0; i < len(rs); i++ {
		if unicode.IsSpace(rs[i]) {
			continue
		}
		start := i
		for i < len(rs) && (unicode.IsLetter(rs[i]) || unicode.IsDigit(rs[i]) || unicode.IsMark(rs[i]) || rs[i] == '\'') {
			i++
		}
		if i > start {
			out = append(out, string(rs[start:i]))
			i--
			continue
		}
		if rs[i] != '-' {
			out = append(out, string(rs[i]))
		}
	}
	return out
}

// joinPhrasalForms joins phrasal verbs, also in the third person ("signs in").
func joinPhrasalForms(ws []string) []string {
	if len(ws) > 1 {
		for _, form := range verbForms(ws[0]) {
			if j := joinPhrasal([]string{form, ws[1]}); len(j) == 1 {
				return joinPhrasal(append(j, ws[2:]...))
			}
		}
	}
	return joinPhrasal(ws)
}
