package scan

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// sentence is the first sentence of a tool's summary, or of its description where it
// has no summary: lower-cased words and punctuation (rules page, section 3, step 4).
type sentence []string

func firstSentence(t *surface.Tool) sentence {
	if s := words.FirstSentence(t.Summary.Value); len(s) > 0 {
		return sentence(s)
	}
	return sentence(words.FirstSentence(t.Description.Value))
}

// lead gives the verb that the sentence begins with.
func (s sentence) lead() (words.Verb, bool) {
	if len(s) == 0 || s.sendsHTTPRequest() {
		return words.Verb{}, false
	}
	v, ok := words.LookupVerbForm(s[0])
	if ok && v.Noun && !v.Handles() && len(s) > 1 && s[1] == "of" {
		return words.Verb{}, false // "Refunds of an order": no verb stands before "of"
	}
	return v, ok
}

var httpMethods = strings.Fields("get post put patch delete head options http")

// sendsHTTPRequest: "Send a GET request to …" says how, not what.
func (s sentence) sendsHTTPRequest() bool {
	i := slices.Index(s, "request")
	return i > 0 && i <= 4 && slices.Contains(httpMethods, s[i-1])
}

// actions gives what the sentence says the tool does: the verb it begins with and
// those joined to it by comma, slash, and, or.
func (s sentence) actions() []decision {
	v, ok := s.lead()
	if !ok {
		return nil
	}
	verbs, end := []words.Verb{v}, 1
	for {
		next, at, ok := s.joined(end)
		if !ok {
			break
		}
		verbs, end = append(verbs, next), at+1
	}
	object := s.object(end)
	var out []decision
	for _, v := range verbs {
		out = append(out, decision{action: joinedAction(v, object), verb: v})
	}
	return append(out, s.laterActions(end)...)
}

// joined finds a verb joined directly to the one that ends at a position.
func (s sentence) joined(at int) (words.Verb, int, bool) {
	i := at
	for i < len(s) && slices.Contains([]string{",", "/", "and", "or", "&", "then"}, s[i]) {
		i++
	}
	if i == at || i >= len(s) {
		return words.Verb{}, 0, false
	}
	v, ok := words.LookupVerbForm(s[i])
	return v, i, ok
}

// determiners stand after a verb, never after a noun: in "and delete them" the word
// before is a verb.
var determiners = strings.Fields("a an the it them this that these those its their all any each every one some your")

// pronouns leave no doubt that the word before them is a verb: "and email it".
var pronouns = []string{"it", "them"}

// laterActions finds verbs joined to the first after its object: "List old emails and
// delete them".
func (s sentence) laterActions(from int) []decision {
	var out []decision
	for i := from; i+2 < len(s); i++ {
		if !isJoin(s[i]) && s[i] != "then" || !slices.Contains(determiners, s[i+2]) {
			continue
		}
		if v, ok := words.LookupVerbForm(s[i+1]); ok && (v.Plain() || slices.Contains(pronouns, s[i+2])) {
			out = append(out, decision{action: joinedAction(v, s.object(i+2)), verb: v})
		}
	}
	return out
}

var objectEnds = strings.Fields(", / ; : ( ) and or & then if so but unless")

// object gives the words that a verb ending at a position acts on, without
// determiners, up to a preposition or punctuation.
func (s sentence) object(from int) []string {
	var out []string
	for _, w := range s[min(from, len(s)):] {
		if words.IsPreposition(w) || slices.Contains(objectEnds, w) {
			break
		}
		if !slices.Contains(determiners, w) {
			out = append(out, w)
		}
	}
	return out
}

// objectRead gives what the first verb acts on; of "a list of secrets" that is the
// secrets.
func (s sentence) objectRead() []string {
	o := s.object(1)
	if at := slices.Index(s, "of"); at > 0 && slices.Equal(o, []string{"list"}) {
		return s.object(at + 1)
	}
	return o
}

func (s sentence) startsWith(phrase string) bool {
	ws := strings.Fields(phrase)
	return len(s) >= len(ws) && slices.Equal([]string(s[:len(ws)]), ws)
}

// listPhrases follow the leading verb of a READ that is a LIST: "Returns a list of …".
var listPhrases = map[string][]string{
	"return":   {"list of", "a list of", "the list of"},
	"get":      {"list of", "a list of", "the list of", "all", "multiple"},
	"fetch":    {"list of", "a list of", "the list of", "all", "multiple"},
	"retrieve": {"list of", "a list of", "the list of", "all", "multiple"},
}

func (s sentence) beginsAsList() bool {
	v, ok := s.lead()
	return ok && (v.Word == "list" || slices.ContainsFunc(listPhrases[v.Word], s[1:].startsWith))
}

// commandFields are fields whose enum values say what a catch-all tool can do.
var commandFields = strings.Fields("action method operation command")

// commandActions reads the enum values of a command field as names: "delete",
// "delete_pending", "soft_delete".
func commandActions(t *surface.Tool) []decision {
	var out []decision
	for _, f := range t.Fields {
		if !slices.Contains(commandFields, strings.ToLower(f.Name)) {
			continue
		}
		for _, e := range f.Enum {
			if d, ok := parseName(e.Value, "").decide(words.Verb{}); ok {
				out = append(out, d, decision{action: atLeast(d.verb), verb: d.verb})
			}
		}
	}
	return out
}
