// Package words takes identifiers and prose apart: words, plurals, the verb
// lexicon of the rules page (section 3), negation, and characters that a person
// does not see. It is a leaf and knows no rule.
package words

import (
	"slices"
	"strings"
	"unicode"
)

// Split takes an identifier apart into lower-cased words: at camelCase, at `_ - . / : #`
// and any other character that is no letter, and at digits. Phrasal verbs ("sign
// in", "roll back") become one word.
func Split(identifier string) []string {
	return joinPhrasal(splitRunes([]rune(identifier)))
}

func splitRunes(rs []rune) []string {
	var out []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, strings.ToLower(string(rs[start:end])))
		}
		start = -1
	}
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			flush(i)
		case start < 0:
			start = i
		case startsWord(rs, i):
			flush(i)
			start = i
		}
	}
	flush(len(rs))
	return out
}

// startsWord says whether a capital at i begins a new word: after a small letter, or
// as the last capital of a run before a small letter (HTML|Parser). The plural of an
// acronym (URLs) stays whole.
func startsWord(rs []rune, i int) bool {
	if !unicode.IsUpper(rs[i]) {
		return false
	}
	if !unicode.IsUpper(rs[i-1]) {
		return true
	}
	next := i + 1
	if next >= len(rs) || !unicode.IsLower(rs[next]) {
		return false
	}
	pluralOfAcronym := rs[next] == 's' && (next+1 >= len(rs) || !unicode.IsLower(rs[next+1]))
	return !pluralOfAcronym
}

// phrasal are verbs of several words that count as one.
var phrasal = [][]string{
	{"sign", "in"}, {"sign", "out"}, {"sign", "up"}, {"log", "in"}, {"log", "out"},
	{"look", "up"}, {"check", "out"}, {"roll", "back"}, {"drag", "and", "drop"},
}

func joinPhrasal(ws []string) []string {
	for i := 0; i < len(ws); i++ {
		for _, p := range phrasal {
			if n := i + len(p); n <= len(ws) && slices.Equal(ws[i:n], p) {
				ws = slices.Replace(ws, i, n, strings.Join(p, ""))
			}
		}
	}
	return ws
}

// prepositions end an object: in "refund for order" the object is "refund".
var prepositions = NewSet("of for to from in on by with at as into onto via per within without between under over after before during against about using through upon across where when that which whose")

// IsPreposition says whether w ends the object before it.
func IsPreposition(w string) bool { return prepositions[w] }

// invariant are words that end in s and are no plurals.
var invariant = NewSet("status address access process progress success business class bus gas lens news series species canvas alias atlas bonus corpus census radius basis analysis this its has is was as us https dns sms css js aws gps pos tls rss ios os kubernetes sos mms nas chaos bias yes plus minus always perhaps previous various")

// single are plurals in form that name one thing.
var single = NewSet("settings details stats statistics analytics preferences news contents coordinates basics logistics whereabouts headquarters")

var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman", "data": "data",
	"indices": "index", "vertices": "vertex", "matrices": "matrix", "criteria": "criterion",
	"aliases": "alias", "statuses": "status", "buses": "bus", "bonuses": "bonus", "analyses": "analysis",
	"menus": "menu", "gpus": "gpu", "cpus": "cpu", "skus": "sku", "caches": "cache", "movies": "movie",
	"cookies": "cookie",
}

// sibilant are endings whose plural adds "es".
var sibilant = []string{"sses", "shes", "ches", "xes", "zzes"}

// Singular folds a plural noun: "replies" to "reply", "addresses" to "address". A
// word that is no plural comes back as it is.
func Singular(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	if len(w) < 3 || !strings.HasSuffix(w, "s") || invariant[w] {
		return w
	}
	if strings.HasSuffix(w, "ies") && len(w) > 4 {
		return w[:len(w)-3] + "y"
	}
	for _, e := range sibilant {
		if strings.HasSuffix(w, e) {
			return w[:len(w)-2]
		}
	}
	if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
		return w
	}
	return w[:len(w)-1]
}

// IsPlural says whether w names several things; "settings" and the like do not.
func IsPlural(w string) bool { return !single[w] && Singular(w) != w }
