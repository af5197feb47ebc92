package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HiddenSpan is a run of characters that a reader does not see or that change the
// direction of what is read. Start and End are byte offsets, End exclusive; First is
// the run's first character.
type HiddenSpan struct {
	Start, End int
	First      rune
}

// Hidden finds the invisible and direction-changing characters of text, as AR101
// defines them (rules page, section 1): every default-ignorable code point of
// Unicode. Left out are those that a script or an emoji needs: joiners and variation
// selectors in emoji sequences, the tags of a flag sequence, joiners between letters of
// scripts that use them.
func Hidden(text string) []HiddenSpan {
	if isASCII(text) {
		return nil
	}
	var spans []HiddenSpan
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		next := i + n
		switch {
		case r == blackFlag:
			next += flagTags(text[next:])
		case defaultIgnorable(r) && !needed(r, text[:i], text[next:]):
			if last := len(spans) - 1; last >= 0 && spans[last].End == i {
				spans[last].End = next
			} else {
				spans = append(spans, HiddenSpan{Start: i, End: next, First: r})
			}
		}
		i = next
	}
	return spans
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
	textSelector       = '\uFE0E'
	emojiSelector      = '\uFE0F'
	keycap             = '\u20E3'
	softHyphen         = '\u00AD' // the lowest default-ignorable code point
	blackFlag          = '\U0001F3F4'
	tagEnd             = '\U000E007F'
	maxFlagTags        = 6 // a region and a subdivision: more is a message, not a flag
)

// notIgnorable are the format characters that Unicode shows and so takes out of
// Default_Ignorable_Code_Point (UAX #44): interlinear annotation, Egyptian quadrats.
var notIgnorable = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0xFFF9, Hi: 0xFFFB, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x13430, Hi: 0x13440, Stride: 1}},
}

// defaultIgnorable derives Default_Ignorable_Code_Point, which package unicode does
// not have, as UAX #44 derives it.
func defaultIgnorable(r rune) bool {
	if r < softHyphen {
		return false
	}
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.In(r, notIgnorable, unicode.Prepended_Concatenation_Mark)
}

// flagTags gives the length in bytes of the tags after a black flag that make it a
// region's flag, or 0.
func flagTags(s string) int {
	size := 0
	for count := 0; count <= maxFlagTags; count++ {
		r, n := utf8.DecodeRuneInString(s[size:])
		size += n
		switch {
		case r == tagEnd && count > 0:
			return size
		case r < 0xE0030 || r > 0xE0039 && r < 0xE0061 || r > 0xE007A:
			return 0
		}
	}
	return 0
}

// needed says whether an emoji sequence or a script needs the ignorable r between
// before and after.
func needed(r rune, before, after string) bool {
	prev, size := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case r == emojiSelector || r == textSelector:
		return isEmoji(prev) || next == keycap && strings.ContainsRune("0123456789#*", prev)
	case unicode.Is(unicode.Mongolian, r):
		return unicode.IsLetter(prev) && unicode.Is(unicode.Mongolian, prev)
	case r == zeroWidthJoiner && isEmoji(next):
		if prev == emojiSelector {
			prev, _ = utf8.DecodeLastRuneInString(before[:len(before)-size])
		}
		return isEmoji(prev)
	case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return strings.ContainsRune(viramas, prev) || joins(baseLetter(before)) && (joins(next) || unicode.Is(unicode.Inherited, next) && unicode.IsMark(next))
	}
	return false
}

// viramas take a joiner at the end of a word too: it says how they are drawn.
const viramas = "\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2"

// baseLetter gives the last letter of s, its marks (vowel signs, viramas) skipped.
func baseLetter(s string) rune {
	for {
		r, n := utf8.DecodeLastRuneInString(s)
		if n == 0 || !unicode.IsMark(r) || defaultIgnorable(r) {
			return r
		}
		s = s[:len(s)-n]
	}
}

// joiningScripts are the scripts whose spelling uses joiners.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Adlam,
	unicode.Hanifi_Rohingya, unicode.Thaana, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Myanmar, unicode.Khmer, unicode.Tibetan, unicode.Balinese, unicode.Javanese,
	unicode.Sundanese, unicode.Grantha, unicode.Newa, unicode.Sharada, unicode.Chakma, unicode.Meetei_Mayek,
}

func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r, joiningScripts...)
}

// emoji are the blocks that hold emoji and the symbols drawn as emoji on request.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00A9, Hi: 0x00AE, Stride: 5}, {Lo: 0x203C, Hi: 0x203C, Stride: 1}, {Lo: 0x2049, Hi: 0x2049, Stride: 1},
		{Lo: 0x2122, Hi: 0x2122, Stride: 1}, {Lo: 0x2139, Hi: 0x2139, Stride: 1}, {Lo: 0x2190, Hi: 0x21FF, Stride: 1},
		{Lo: 0x2300, Hi: 0x23FF, Stride: 1}, {Lo: 0x24C2, Hi: 0x24C2, Stride: 1}, {Lo: 0x25A0, Hi: 0x27BF, Stride: 1},
		{Lo: 0x2934, Hi: 0x2935, Stride: 1}, {Lo: 0x2B00, Hi: 0x2BFF, Stride: 1}, {Lo: 0x3030, Hi: 0x303D, Stride: 13},
		{Lo: 0x3297, Hi: 0x3299, Stride: 2},
	},
	R32:         []unicode.Range32{{Lo: 0x1F000, Hi: 0x1FAFF, Stride: 1}},
	LatinOffset: 1,
}

func isEmoji(r rune) bool { return unicode.Is(emoji, r) }

// MixesScripts says whether a word of the name has Latin letters and Cyrillic or Greek
// ones, as look-alikes do. A capital after a small letter begins a new word.
func MixesScripts(name string) bool {
	if isASCII(name) {
		return false
	}
	for _, word := range splitRunes([]rune(name)) {
		var latin, other bool
		for _, r := range word {
			latin = latin || unicode.Is(unicode.Latin, r)
			other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek)
		}
		if latin && other {
			return true
		}
	}
	return false
}
