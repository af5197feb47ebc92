package words

import (
	"fmt"
	"strings"
)

// maxGap is how many words `...` in a pattern may stand for.
const maxGap = 3

// filterBits is the size of the filter over first words; a few dozen words in it
// let about one word in a hundred through for nothing.
const filterBits = 4096

// Phrases is a compiled list of phrase patterns. The zero value matches nothing.
type Phrases struct {
	index        *phraseIndex
	spoken       bool
	outsideCases bool
}

// phraseIndex finds the patterns that may begin with a word. The filter spares
// nearly all words the map.
type phraseIndex struct {
	filter [filterBits / 64]uint64
	first  map[string][]pattern
}

// pattern is a sequence of elements.
type pattern []element

// element is one part of a pattern: alternatives of one or more words, a gap, or the
// end of a noun.
type element struct {
	alternatives [][]string
	optional     bool
	gap          bool
	nounEnd      bool
}

// MustPhrases compiles patterns. A pattern is words divided by spaces; `a|b` is
// either, a trailing `?` makes a word optional, `...` stands for up to three words,
// none of which is a negation; `$` at the end holds where the noun before it ends
// ("current account" and "current account's", but not "current account balance").
// Contractions and hyphens are taken apart as
// [ParseProse] does. It panics on a bad pattern, which is a mistake in this program.
func MustPhrases(patterns ...string) Phrases {
	index := &phraseIndex{first: map[string][]pattern{}}
	for _, text := range patterns {
		p, err := compile(text)
		if err != nil {
			panic(fmt.Sprintf("words: pattern %q: %v", text, err))
		}
		index.add(p)
	}
	return Phrases{index: index}
}

// Spoken returns the phrases as they are spoken: an identifier of several words that
// holds one (the state `requires_confirmation`) does not mention it.
func (ph Phrases) Spoken() Phrases {
	ph.spoken = true
	return ph
}

// OutsideCases returns the phrases as they stand outside of the cases that a text names
// ("use this when you need a list").
func (ph Phrases) OutsideCases() Phrases {
	ph.outsideCases = true
	return ph
}

// caseWords begin the case in which something is done.
var caseWords = NewSet("when whenever if once where")

// maxFronted is how many words a case at the head of a clause goes on where no comma
// ends it ("if acting for an app you must have …").
const maxFronted = 4

// inCase says whether word i stands in such a case, which goes on to the next break.
func inCase(words []word, i int) bool {
	for k := i; k >= 0 && i-k <= maxScope; k-- {
		switch {
		case caseWords[words[k].text]:
			return words[k].before == joined || i-k <= maxFronted
		case words[k].before != joined:
			return false
		}
	}
	return false
}

// isIdentifier says whether all of [from, to) stands in one identifier of several words.
func isIdentifier(words []word, from, to int) bool {
	for i := from + 1; i < to; i++ {
		if !words[i].tied {
			return false
		}
	}
	return to-from > 1 || words[from].tied || to < len(words) && words[to].tied
}

func compile(text string) (pattern, error) {
	var p pattern
	text, nounEnd := strings.CutSuffix(text, " $")
	for _, part := range strings.Fields(text) {
		if part == "..." {
			p = append(p, element{gap: true})
			continue
		}
		e := element{}
		part, e.optional = strings.CutSuffix(part, "?")
		for _, alternative := range strings.Split(part, "|") {
			sequence := ParseProse(alternative).Words()
			if len(sequence) == 0 {
				return nil, fmt.Errorf("%q has an empty alternative", part)
			}
			e.alternatives = append(e.alternatives, sequence)
		}
		p = append(p, e)
	}
	if len(p) == 0 || p[0].gap || p[len(p)-1].gap {
		return nil, fmt.Errorf("it must begin and end with a word")
	}
	if !p.hasFixedWord() {
		return nil, fmt.Errorf("all of its words are optional")
	}
	if nounEnd {
		p = append(p, element{nounEnd: true})
	}
	return p, nil
}

func (p pattern) hasFixedWord() bool {
	for _, e := range p {
		if !e.optional && !e.gap && !e.nounEnd {
			return true
		}
	}
	return false
}

// add files the pattern under every word that it may begin with.
func (x *phraseIndex) add(p pattern) {
	for i, e := range p {
		if e.gap {
			return
		}
		for _, sequence := range e.alternatives {
			first := sequence[0]
			x.first[first] = append(x.first[first], p[i:])
			bit := hashWord(first) % filterBits
			x.filter[bit/64] |= 1 << (bit % 64)
		}
		if !e.optional {
			return
		}
	}
}

// each calls yield for every place [from, to) at which a phrase stands, until it
// returns false.
func (ph Phrases) each(words []word, yield func(from, to int) bool) {
	if ph.index == nil {
		return
	}
	for i := range words {
		bit := words[i].hash % filterBits
		if ph.index.filter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		for _, p := range ph.index.first[words[i].text] {
			to, ok := p.match(words, i, i)
			if !ok || ph.spoken && isIdentifier(words, i, to) || ph.outsideCases && inCase(words, i) {
				continue
			}
			if !yield(i, to) {
				return
			}
		}
	}
}

// matchAt returns the end of the longest phrase that begins at word i.
func (ph Phrases) matchAt(words []word, i int) (to int, ok bool) {
	if i >= len(words) {
		return 0, false
	}
	for _, p := range ph.index.first[words[i].text] {
		if end, matched := p.match(words, i, i); matched {
			to, ok = max(to, end), true
		}
	}
	return to, ok
}

// match matches the pattern's elements from word i on; a phrase does not cross a
// break. start is where the whole phrase began.
func (p pattern) match(words []word, start, i int) (to int, ok bool) {
	if len(p) == 0 {
		return i, true
	}
	e, rest := p[0], p[1:]
	if e.nounEnd {
		return i, endsNoun(words, i)
	}
	if e.gap {
		return rest.matchAfterGap(words, start, i)
	}
	for _, sequence := range e.alternatives {
		if !hasSequence(words, start, i, sequence) {
			continue
		}
		if to, ok := rest.match(words, start, i+len(sequence)); ok {
			return to, true
		}
	}
	if e.optional {
		return rest.match(words, start, i)
	}
	return 0, false
}

func (p pattern) matchAfterGap(words []word, start, i int) (to int, ok bool) {
	for skipped := 0; skipped <= maxGap; skipped++ {
		if to, ok := p.match(words, start, i+skipped); ok {
			return to, true
		}
		next := i + skipped
		if next >= len(words) || words[next].before != joined || gapStops[words[next].text] {
			return 0, false
		}
	}
	return 0, false
}

// functionWords follow a noun without being part of it.
var functionWords = NewSet("of for to from in on by with at as into onto via per is are was were has have had and or but when if " +
	"that which who whose can could may might must shall should will would do does not only be been the a an this it its you " +
	"your we they before after during until unless without within where while then so than using including based instead")

// endsNoun says whether a noun ends before word i.
func endsNoun(words []word, i int) bool {
	return i >= len(words) || words[i].before != joined || words[i-1].genitive || functionWords[words[i].text]
}

func hasSequence(words []word, start, i int, sequence []string) bool {
	if i+len(sequence) > len(words) {
		return false
	}
	for k, text := range sequence {
		w := words[i+k]
		if w.text != text || (i+k > start && w.before != joined) {
			return false
		}
	}
	return true
}

// hashWord is FNV-1a.
func hashWord(text string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(text); i++ {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}
