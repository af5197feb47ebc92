package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// apostrophes are the characters that stand inside contractions.
const apostrophes = "'’ʼ‘"

// word reads the word at pos, with its apostrophe if it has one, and emits it in
// its parts.
func (t *tokenizer) word() {
	start := t.pos
	t.skipWordRunes()
	stem := t.src[start:t.pos]
	suffix := t.contraction()
	if suffix == "" {
		t.emitIdentifier(stem, start)
		return
	}
	stem = strings.ToLower(stem)
	if suffix == "t" && strings.HasSuffix(stem, "n") {
		t.emitNegated(strings.TrimSuffix(stem, "n"), start)
		return
	}
	t.emit(stem, start, start+len(stem))
	if full := contractionEnds[suffix]; full != "" {
		t.emit(full, start, t.pos)
	} else if suffix == "s" && takesIs[stem] {
		t.emit("is", start, t.pos)
	} else {
		t.words[len(t.words)-1].genitive = true
	}
}

func (t *tokenizer) skipWordRunes() {
	for t.pos < len(t.src) {
		r, size := utf8.DecodeRuneInString(t.src[t.pos:])
		if !isWordRune(r) {
			return
		}
		t.pos += size
	}
}

// contraction reads an apostrophe (as a character or an entity) and the letters
// after it, which it returns; "" where there are none.
func (t *tokenizer) contraction() string {
	rest := t.src[t.pos:]
	mark := 0
	if r, size := utf8.DecodeRuneInString(rest); size > 0 && strings.ContainsRune(apostrophes, r) {
		mark = size
	}
	for _, entity := range []string{"&#39;", "&apos;", "&rsquo;", "&#x27;"} {
		if strings.HasPrefix(rest, entity) {
			mark = len(entity)
		}
	}
	if mark == 0 {
		return ""
	}
	start := t.pos + mark
	saved := t.pos
	t.pos = start
	t.skipWordRunes()
	suffix := strings.ToLower(t.src[start:t.pos])
	if suffix == "" || len(suffix) > 2 {
		t.pos = saved // a closing quote
		return ""
	}
	return suffix
}

// contractionEnds are the words behind an apostrophe.
var contractionEnds = map[string]string{"re": "are", "ll": "will", "ve": "have", "d": "would", "m": "am"}

// takesIs are the words after which 's is "is" and not a genitive.
var takesIs = NewSet("it there that what who here he she where this")

// shortened are the auxiliaries that lose letters before "n't".
var shortened = map[string]string{"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}

// bareNegations are contractions written without their apostrophe, and cannot.
var bareNegations = map[string]string{
	"cannot": "can", "cant": "can", "dont": "do", "doesnt": "does", "didnt": "did", "isnt": "is",
	"arent": "are", "wasnt": "was", "werent": "were", "wont": "will", "shouldnt": "should",
	"mustnt": "must", "hasnt": "has", "havent": "have",
}

func (t *tokenizer) emitNegated(auxiliary string, start int) {
	if full := shortened[auxiliary]; full != "" {
		auxiliary = full
	}
	if auxiliary != "" {
		t.emit(auxiliary, start, t.pos)
	}
	t.emit("not", start, t.pos)
}

// emitIdentifier emits a word, at inner capitals in parts where it looks like an
// identifier: in backticks, or with a lower-case start.
func (t *tokenizer) emitIdentifier(text string, start int) {
	if auxiliary := bareNegations[strings.ToLower(text)]; auxiliary != "" {
		t.emitNegated(auxiliary, start)
		return
	}
	first, _ := utf8.DecodeRuneInString(text)
	if !t.code && !unicode.IsLower(first) {
		t.emit(strings.ToLower(text), start, start+len(text))
		return
	}
	from, wasLower := 0, false
	for i, r := range text {
		if wasLower && unicode.IsUpper(r) {
			t.emit(strings.ToLower(text[from:i]), start+from, start+i)
			from = i
		}
		wasLower = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	t.emit(strings.ToLower(text[from:]), start+from, start+len(text))
}

func (t *tokenizer) emit(text string, start, end int) {
	if t.pending == sentence {
		t.code = false // an unclosed backtick ends with its sentence
	}
	n := len(t.words)
	tied := n > 0 && (t.words[n-1].end == start || t.words[n-1].end == start-1 && t.src[start-1] == '_')
	t.words = append(t.words, word{text: text, hash: hashWord(text), start: start, end: end, before: t.pending, tied: tied})
	t.pending = joined
}
