package words

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// The marks that stand between the words of a folded text.
const (
	sentenceEnd  = "|"
	paragraphEnd = "¶"
	foldedComma  = ","
)

var inlineTag = regexp.MustCompile(`(?i)</?(b|i|u|s|em|strong|span|code|a|mark|small|font|sub|sup|kbd|wbr)(\s[^<>]*)?/?>`)

// fold writes a text as a model reads it: lower-cased words with one space after
// each, without markup and invisible characters, letters that look Latin as Latin ones,
// foldedComma, sentenceEnd and paragraphEnd as words of their own. A path is its parts ("~/.ssh/id_rsa"
// is ".ssh id rsa"). It must stay what the rows of overrides are written in.
func fold(text string) string {
	if strings.ContainsRune(text, '&') {
		text = html.UnescapeString(text)
	}
	if strings.ContainsRune(text, '<') {
		text = inlineTag.ReplaceAllString(text, "")
		text = htmlTag.ReplaceAllString(text, " ")
	}
	if strings.ContainsRune(text, '[') {
		text = mdLink.ReplaceAllString(text, "$1")
	}
	rs := []rune(text)
	var b strings.Builder
	b.Grow(len(text) + 8)
	f := folder{out: &b, spaced: true}
	for i, r := range rs {
		f.rune(r, rs[i+1:])
	}
	f.space()
	return b.String()
}

type folder struct {
	out    *strings.Builder
	spaced bool // the last thing written ends in a space, or nothing is written
}

func (f *folder) space() {
	if !f.spaced {
		f.out.WriteByte(' ')
		f.spaced = true
	}
}

func (f *folder) mark(m string) {
	f.space()
	f.out.WriteString(m)
	f.spaced = false
	f.space()
}

func (f *folder) rune(r rune, rest []rune) {
	switch {
	case strings.ContainsRune("*`'’ʼ", r) || unicode.IsMark(r) || defaultIgnorable(r):
		// Joins what stands around it: ig**no**re, don't.
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		f.out.WriteRune(latin(r))
		f.spaced = false
	case r == '\n' && endsParagraph(rest):
		f.mark(paragraphEnd)
	case r == '.' && len(rest) > 0 && (unicode.IsLetter(rest[0]) || unicode.IsDigit(rest[0])):
		f.out.WriteByte('.')
		f.spaced = false
	case r == '.' && len(rest) > 0 && strings.ContainsRune("./\\", rest[0]):
		f.space() // of a path: ../.ssh
	case r == ',' || r == '，':
		f.mark(foldedComma)
	case strings.ContainsRune(".!?;。！？", r):
		f.mark(sentenceEnd)
	default:
		f.space()
	}
}

// endsParagraph says whether a blank line, a heading or a list item follows the line
// break before rest.
func endsParagraph(rest []rune) bool {
	for i, r := range rest {
		if !unicode.IsSpace(r) {
			return strings.ContainsRune("-*#", r) && i+1 < len(rest) && strings.ContainsRune(" #", rest[i+1])
		}
		if r == '\n' {
			return true
		}
	}
	return false
}

// lookalikes are letters of other scripts by the Latin letter they pass for.
var lookalikes = buildLookalikes(map[rune]string{
	'a': "аαΑ", 'b': "вВβΒ", 'c': "сϲ", 'd': "ԁ", 'e': "еёεΕ", 'g': "ɡ", 'h': "һнНΗ", 'i': "іїıιΙ", 'j': "ј",
	'k': "кκΚ", 'l': "ӏ", 'm': "мΜ", 'n': "ոηΝ", 'o': "оοΟօ", 'p': "рρΡ", 'q': "ԛ", 's': "ѕ", 't': "тτΤ",
	'u': "υս", 'v': "νѵ", 'w': "ԝω", 'x': "хχΧ", 'y': "уγΥ", 'z': "Ζ",
})

func buildLookalikes(table map[rune]string) map[rune]rune {
	m := map[rune]rune{}
	for to, from := range table {
		for _, r := range from {
			m[r] = to
			if _, taken := m[unicode.ToUpper(r)]; !taken && unicode.Is(unicode.Cyrillic, r) {
				m[unicode.ToUpper(r)] = to
			}
		}
	}
	return m
}

// latin gives a letter in lower case, full-width, mathematical and look-alike forms as
// the Latin letter they pass for.
func latin(r rune) rune {
	switch {
	case r < 0x80:
		return unicode.ToLower(r)
	case r >= 0xFF21 && r <= 0xFF5A:
		return unicode.ToLower(r - 0xFEE0)
	case r >= 0x1D400 && r <= 0x1D6A3: // thirteen alphabets of A–Z, a–z
		return 'a' + (r-0x1D400)%26
	}
	if l, ok := lookalikes[r]; ok {
		return l
	}
	return unicode.ToLower(r)
}
