package contract

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// checkContract checks the rules that a schema cannot express. What is malformed is
// not in c, so each rule judges what is there.
func checkContract(c *Contract, r *Report) {
	checkFingerprint(c, r)
	ids, classes := map[string]bool{}, map[string]bool{}
	for i := range c.Criteria {
		cr := &c.Criteria[i]
		checkUnique(ids, cr.ID, cr.Value.Get("id"), "criterion of the contract", r)
		if cr.Class != "" && classes[cr.Class] {
			r.Add(SharedClass, cr.Value.Get("class"),
				fmt.Sprintf("another criterion has the class %s too, so coverage cannot tell them apart", quoteName(cr.Class)),
				"give each criterion a class of its own")
		}
		classes[cr.Class] = true
		checkCriterion(cr, r)
	}
}

// checkFingerprint needs the criteria as JSON only: malformed ones have a fingerprint.
func checkFingerprint(c *Contract, r *Report) {
	want := c.CriteriaFingerprint()
	if c.Fingerprint == "" || want == "" || c.Fingerprint == want {
		return
	}
	r.Add(FingerprintMismatch, c.Value.Get("contract").Get("fingerprint"),
		fmt.Sprintf("the fingerprint is %s, that of the criteria is %s: criteria changed without it", c.Fingerprint, want),
		fmt.Sprintf("set contract.fingerprint to %q, as `plumbline contract stamp FILE` does; for criteria changed on purpose after registering, raise contract.revision too, as its --revision N does", want))
}

func checkUnique(seen map[string]bool, id string, at *Value, what string, r *Report) {
	if id != "" && seen[id] {
		r.Add(DuplicateID, at, fmt.Sprintf("another %s has the id %s too", what, quoteName(id)), "give each an id of its own")
	}
	seen[id] = true
}

func checkCriterion(cr *Criterion, r *Report) {
	checkKindFields(cr.Value, cr.Kind, "criterion", r)
	checkChecks(cr, r)
	checkCases(cr.Cases, r)
	checkArtifacts(r, cr.CaseFile, cr.Domain)
	if cr.Kind == Enumerable {
		checkUniversal(cr.Statement, cr.Value.Get("statement"), r)
	}
	for _, e := range cr.Construction {
		checkEntry(&e, r)
	}
	for _, check := range cr.Checks {
		for _, file := range check.Files {
			checkArtifacts(r, &file)
		}
	}
}

func checkEntry(e *Entry, r *Report) {
	if e.Value.Type() == String {
		checkUniversal(e.Statement, e.Value, r)
		return
	}
	checkKindFields(e.Value, e.Kind, "entry", r)
	checkCases(e.Cases, r)
	checkArtifacts(r, e.CaseFile, e.Domain)
	if e.Kind == Enumerable {
		checkUniversal(e.Statement, e.Value.Get("statement"), r)
	}
}

// fieldOf is the field that each kind requires and no other may have.
var fieldOf = []struct {
	field string
	kind  Kind
}{{"cases", Enumerable}, {"domain", Bounded}, {"construction", Structural}}

func checkKindFields(v *Value, kind Kind, what string, r *Report) {
	if kind == "" {
		return
	}
	for _, f := range fieldOf {
		field := v.Get(f.field)
		switch {
		case f.kind == kind && field == nil:
			r.Add(KindFields, v, fmt.Sprintf("the %s is %s but has no %s", what, kind, f.field),
				fmt.Sprintf("add `%s`, or choose the kind by what can be proved", f.field))
		case f.kind != kind && field != nil:
			r.Add(KindFields, field, fmt.Sprintf("the %s is %s and has %s, which only %s has", what, kind, f.field, f.kind),
				fmt.Sprintf("remove `%s`, or make the kind %s", f.field, f.kind))
		}
	}
}

// allowedChecks are the types of checks that a kind may have.
var allowedChecks = map[Kind][]CheckType{
	Enumerable: {Command, Preview},
	Bounded:    {Command, Preview},
	Structural: {Command, Preview, Condition},
	Judgment:   {Condition},
}

// checkChecks is not judged where a check's type is unknown.
func checkChecks(cr *Criterion, r *Report) {
	unknown := func(c Check) bool { return c.Type == "" }
	if cr.Kind == "" || len(cr.Checks) == 0 || slices.ContainsFunc(cr.Checks, unknown) {
		return
	}
	count := map[CheckType]int{}
	for _, check := range cr.Checks {
		count[check.Type]++
		if !slices.Contains(allowedChecks[cr.Kind], check.Type) {
			r.Add(ChecksByKind, check.Value, fmt.Sprintf("a criterion of kind %s has a %s check", cr.Kind, check.Type),
				fmt.Sprintf("make it a %s check, or choose the kind by what can be proved", joinTypes(allowedChecks[cr.Kind])))
		}
		if cr.Kind == Structural && check.Type == Condition && count[Condition] > 1 {
			r.Add(ChecksByKind, check.Value, "a structural criterion has a second condition", "keep the one condition that states the invariant")
		}
	}
	if cr.Kind != Structural {
		return
	}
	if count[Command] == 0 {
		r.Add(ChecksByKind, cr.Value.Get("checks"), "a structural criterion has no command check", "add a command that fails when the construction is broken; a preview is not one")
	}
	if count[Condition] == 0 {
		r.Add(ChecksByKind, cr.Value.Get("checks"), "a structural criterion has no condition", "add one condition that states the invariant")
	}
}

func joinTypes(types []CheckType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, " or ")
}

func checkCases(cases []Case, r *Report) {
	seen := map[string]bool{}
	for _, c := range cases {
		at := c.Value
		if at.Type() == Object {
			at = at.Get("id")
		}
		checkUnique(seen, c.ID, at, "case of the list", r)
	}
}

func checkArtifacts(r *Report, refs ...*ArtifactRef) {
	for _, ref := range refs {
		if ref == nil {
			continue
		}
		// An empty path is a string and so sound: it is looked up, not read from ref.
		at := ref.Value.Get("artifact")
		if path, ok := at.Text(); ok && !safeArtifactPath(path) {
			r.Add(UnsafeArtifactPath, at, fmt.Sprintf("%s is not a plain path under the root", quoteName(path)),
				"write segments joined by /, none of them empty, . or .., without backslash or drive letter")
		}
	}
}

// checkSize checks that agents can be given the contract whole.
func checkSize(text []byte, v *Value, r *Report) {
	if len(text) > MaxContractBytes {
		r.Add(TooLarge, v, fmt.Sprintf("the contract has %d bytes, more than %d", len(text), MaxContractBytes),
			"put the cases into a file and refer to it: {\"artifact\": …, \"fingerprint\": …}")
	}
}

// checkHidden looks into every string, members' names included.
func checkHidden(v *Value, r *Report) {
	if v.Type() == String {
		reportHidden(v.text, v, "the string", r)
	}
	for _, item := range v.Items {
		checkHidden(item, r)
	}
	for _, m := range v.Members {
		reportHidden(m.Name, m.Value, "the member's name", r)
		checkHidden(m.Value, r)
	}
}

func reportHidden(text string, at *Value, what string, r *Report) {
	spans := words.Hidden(text)
	if len(spans) == 0 {
		return
	}
	r.Add(HiddenText, at,
		fmt.Sprintf("%s holds %U, which is invisible or changes the direction of text (at byte %d; such places: %d)", what, spans[0].First, spans[0].Start, len(spans)),
		"remove it, or write what it stands for in plain characters")
}

// HasHidden says whether a text holds characters that are invisible or change its
// direction, which AAC406 refuses in a contract.
func HasHidden(text string) bool { return words.Hidden(text) != nil }

// universalWords make a claim about more than a list holds (text section 5).
var universalWords = []string{"every", "all", "any", "no", "never", "always"}

func checkUniversal(statement string, at *Value, r *Report) {
	found := wholeWords(statement, universalWords)
	if len(found) == 0 {
		return
	}
	r.Add(UniversalWord, at, fmt.Sprintf("what is enumerable says `%s`, which claims more than a list can show", strings.Join(found, "`, `")),
		"name the finite set, or make the criterion bounded or structural")
}

// wholeWords gives those of the listed words that stand in text as whole words, letter
// case aside. "no-op" is one word and so not the word no.
func wholeWords(text string, list []string) []string {
	var found []string
	inside := false
	for i, r := range text {
		rest := text[i:]
		if !inside && !hasWordPrefix(rest, "no-op") {
			for _, word := range list {
				if hasWordPrefix(rest, word) && !slices.Contains(found, word) {
					found = append(found, word)
				}
			}
		}
		inside = isWordRune(r)
	}
	return found
}

// hasWordPrefix says whether text begins with the word, ASCII letter case aside, and
// the word ends there: before the end, or before no letter, digit, mark or `_`.
func hasWordPrefix(text, word string) bool {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return false
	}
	for _, next := range text[len(word):] {
		return !isWordRune(next)
	}
	return true
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
