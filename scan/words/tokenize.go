package words

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest tag, link target, entity and aside, in bytes: what does not end within
// them is text. Without them a hostile text would be searched to its end at every mark.
const (
	maxTag    = 500
	maxLink   = 2000
	maxEntity = 12
	maxAside  = 20
)

// tokenizer takes a text apart in one pass, so that words keep their places.
type tokenizer struct {
	src     string
	pos     int
	words   []word
	pending boundary // the strongest break since the last word
	code    bool     // inside backticks
}

func (t *tokenizer) run() {
	for t.pos < len(t.src) {
		if t.markup() {
			continue
		}
		r, size := utf8.DecodeRuneInString(t.src[t.pos:])
		if isWordRune(r) {
			t.word()
			continue
		}
		t.punctuation(r, size)
		t.pos += size
	}
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func (t *tokenizer) divide(b boundary) { t.pending = max(t.pending, b) }

// ahead returns at most n bytes after the character at pos.
func (t *tokenizer) ahead(n int) string {
	return t.src[min(len(t.src), t.pos+1):min(len(t.src), t.pos+1+n)]
}

// punctuationBreaks are the breaks that a character makes by itself.
var punctuationBreaks = map[rune]boundary{
	',': comma, '،': comma, '、': comma,
	';': clause, ':': clause, '(': clause, ')': clause, '{': clause, '}': clause,
	'|': clause, '–': clause, '—': clause, '…': clause, '•': clause, '→': clause,
	'!': sentence, '?': sentence, '。': sentence, '؟': sentence,
}

func (t *tokenizer) punctuation(r rune, size int) {
	next := t.pos + size
	switch {
	case r == '\n':
		t.divide(lineBreak(t.src[next:]))
	case r == '.':
		t.divide(t.fullStop(next))
	case r == '-':
		t.divide(t.dash())
	case r == '?' && len(t.words) > 0 && t.pending == joined:
		t.words[len(t.words)-1].question = true
		t.divide(sentence)
	case r == '`':
		t.code = !t.code
	case r == '&':
		t.emit("and", t.pos, next)
	case r == ':' && next < len(t.src) && !isSpaceByte(t.src[next]):
		// a:b is one term.
	case (r == '(' || r == ')') && t.aroundOneWord(r):
		// "does not (yet) support": the aside divides nothing.
	default:
		t.divide(punctuationBreaks[r])
	}
}

// lineBreak says how a line end divides, by the start of the next line.
func lineBreak(rest string) boundary {
	rest = strings.TrimLeft(rest, " \t\r")
	if rest == "" || strings.ContainsRune("\n#>|-*+=~`", rune(rest[0])) {
		return sentence
	}
	digits := strings.TrimLeft(rest, "0123456789")
	if len(digits) < len(rest) && digits != "" && strings.ContainsRune(".)", rune(digits[0])) {
		return sentence
	}
	if r, _ := utf8.DecodeRuneInString(rest); unicode.IsUpper(r) {
		return comma
	}
	return joined
}

// abbreviations do not end a sentence.
var abbreviations = NewSet("e g i eg ie etc vs approx incl resp max min no cf")

// fullStop says whether the point before next ends a sentence.
func (t *tokenizer) fullStop(next int) boundary {
	if next < len(t.src) && !strings.ContainsRune(" \t\r\n\"')]*_`<", rune(t.src[next])) {
		return joined // v1.2, example.com
	}
	if n := len(t.words); n > 0 && abbreviations[t.words[n-1].text] {
		rest := strings.TrimLeft(t.src[min(next, len(t.src)):], " ")
		if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsUpper(r) && rest != "" {
			return comma
		}
	}
	return sentence
}

// isSpaceByte says whether a byte is white space of ASCII; the bytes of longer
// characters are none.
func isSpaceByte(c byte) bool { return c < utf8.RuneSelf && unicode.IsSpace(rune(c)) }

// dash tells a dash between spaces, and a double one, from a hyphen.
func (t *tokenizer) dash() boundary {
	before := t.pos == 0 || isSpaceByte(t.src[t.pos-1])
	after := t.pos+1 >= len(t.src) || isSpaceByte(t.src[t.pos+1])
	double := strings.HasPrefix(t.src[t.pos:], "-- ")
	if before && after || double {
		return clause
	}
	return joined
}

// aroundOneWord says whether the parenthesis r at pos encloses a single word.
func (t *tokenizer) aroundOneWord(r rune) bool {
	inner := ""
	if r == '(' {
		inner, _, _ = strings.Cut(t.ahead(maxAside), ")")
	} else {
		before := t.src[max(0, t.pos-maxAside):t.pos]
		inner = before[strings.LastIndexByte(before, '(')+1:]
	}
	if inner == "" || len(inner) >= maxAside-1 {
		return false
	}
	return strings.IndexFunc(inner, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// markup skips what is not text at pos: tags, comments, link targets, addresses,
// entities. It reports whether there was any.
func (t *tokenizer) markup() bool {
	rest := t.src[t.pos:]
	switch rest[0] {
	case '<':
		return t.tag(rest)
	case '&':
		return t.entity(rest)
	case ']':
		if end := strings.IndexByte(rest[:min(len(rest), maxLink)], ')'); strings.HasPrefix(rest, "](") && end > 0 {
			t.pos += end + 1
			return true
		}
	case 'h', 'H':
		return t.address(rest)
	}
	return false
}

// blockTags divide as a paragraph does; all other tags divide nothing.
var blockTags = NewSet("p br li ul ol div h1 h2 h3 h4 h5 h6 table tr td th pre blockquote hr section dl dt dd")

func (t *tokenizer) tag(rest string) bool {
	if strings.HasPrefix(rest, "<!--") {
		end := strings.Index(rest, "-->")
		if end < 0 {
			t.pos = len(t.src)
			return true
		}
		t.pos += end + len("-->")
		return true
	}
	end := strings.IndexByte(rest[:min(len(rest), maxTag)], '>')
	if end < 2 {
		return false
	}
	name := strings.TrimLeft(rest[1:end], "/")
	if name == "" || !unicode.IsLetter(rune(name[0])) {
		return false
	}
	if cut := strings.IndexFunc(name, func(r rune) bool { return !isWordRune(r) }); cut >= 0 {
		name = name[:cut]
	}
	if blockTags[strings.ToLower(name)] {
		t.divide(sentence)
	}
	t.pos += end + 1
	return true
}

// entity replaces a named or numbered character by what it divides.
func (t *tokenizer) entity(rest string) bool {
	end := strings.IndexByte(rest[:min(len(rest), maxEntity)], ';')
	if end < 2 {
		return false
	}
	text := html.UnescapeString(rest[:end+1])
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || r == '&' && rest[1] != 'a' && rest[1] != '#' {
		return false
	}
	if r == '&' {
		t.emit("and", t.pos, t.pos+end+1)
	} else {
		t.divide(punctuationBreaks[r])
	}
	t.pos += end + 1
	return true
}

// address skips a web address.
func (t *tokenizer) address(rest string) bool {
	head := strings.ToLower(rest[:min(len(rest), len("https://"))])
	if !strings.HasPrefix(head, "http://") && head != "https://" {
		return false
	}
	end := strings.IndexAny(rest, " \t\r\n)>]\"'`,")
	if end < 0 {
		end = len(rest)
	}
	for end > 0 && strings.IndexByte(".;:!?", rest[end-1]) >= 0 {
		end--
	}
	t.pos += end
	return true
}
