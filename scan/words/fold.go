package words

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
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
	if strings.Contains(text, "](") {
		text = mdLink.ReplaceAllString(text, "$1")
	}
	var b strings.Builder
	b.Grow(len(text) + 8)
	f := folder{out: &b, spaced: true}
	for i, r := range text {
		if r < utf8.RuneSelf {
			f.ascii(byte(r), text[i+1:])
		} else {
			f.rune(r)
		}
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

func (f *folder) letter(r rune) {
	f.out.WriteRune(r)
	f.spaced = false
}

func (f *folder) ascii(c byte, rest string) {
	switch {
	case isWordByte(c):
		f.letter(rune(lowerByte(c)))
	case c == '*' || c == '`' || c == '\'':
		// Joins what stands around it: ig**no**re, don't.
	case c == '\n' && endsParagraph(rest):
		f.mark(paragraphEnd)
	case c == '.' && rest != "" && (isWordByte(rest[0]) || rest[0] >= utf8.RuneSelf):
		f.letter('.')
	case c == '.' && rest != "" && strings.IndexByte(`./\`, rest[0]) >= 0:
		f.space() // of a path: ../.ssh
	case c == ',':
		f.mark(foldedComma)
	case c == '.' || c == '!' || c == '?' || c == ';':
		f.mark(sentenceEnd)
	default:
		f.space()
	}
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func (f *folder) rune(r rune) {
	switch {
	case r == '’' || r == 'ʼ' || unicode.IsMark(r) || defaultIgnorable(r):
		// Joins what stands around it, too.
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		f.letter(latin(r))
	case r == '，':
		f.mark(foldedComma)
	case strings.ContainsRune("。！？", r):
		f.mark(sentenceEnd)
	default:
		f.space()
	}
}

// endsParagraph says whether a blank line, a heading or a list item follows the line
// break before rest.
func endsParagraph(rest string) bool {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case ' ', '\t', '\r':
		case '\n':
			return true
		case '-', '*', '#':
			return i+1 < len(rest) && (rest[i+1] == ' ' || rest[i+1] == '#')
		default:
			return false
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
