package contract

import (
	"fmt"
	"slices"
)

// ChangeKind says what a change does to the standard (objects page, section 8).
type ChangeKind string

// The kinds of changes. The first three answer an extension.
const (
	Grow          ChangeKind = "grow"   // a case, row file, entry or criterion was added
	Close         ChangeKind = "close"  // a criterion became structural
	Narrow        ChangeKind = "narrow" // a statement changed
	Shrink        ChangeKind = "shrink" // something was removed
	Weaken        ChangeKind = "weaken" // a criterion became judgment or lost a check
	ChecksChanged ChangeKind = "checks"
	BudgetChanged ChangeKind = "budget"
	OwnerChanged  ChangeKind = "owner"
	OtherChange   ChangeKind = "other"
)

// The answers of a revision beside grow, close and narrow.
const (
	mixed    = "mixed" // more than one of grow, close and narrow
	noAnswer = "none"
)

// Change is one difference between two revisions. What, From and To hold texts of the
// contract in quotes, escaped, so that each can be shown on one line.
type Change struct {
	Kind      ChangeKind `json:"kind"`
	Criterion string     `json:"criterion,omitempty"` // its id; empty for the contract itself
	What      string     `json:"what"`
	// From and To are what stood there before and stands there now, as far as What does not
	// say it, each of about maxContent characters at most. Of what has members only those
	// that differ are told. From is empty for what was added, To for what was removed.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// Answer reads the answer to an extension from the changes of a revision: grow, close
// or narrow, "mixed" for several of them, "none" for none.
func Answer(changes []Change) string {
	answer := noAnswer
	for _, c := range changes {
		switch kind := string(c.Kind); {
		case !slices.Contains(answers, c.Kind) || kind == answer:
		case answer == noAnswer:
			answer = kind
		default:
			return mixed
		}
	}
	return answer
}

var answers = []ChangeKind{Grow, Close, Narrow}

// Changes lists what differs from one revision to the next: first the contract's own
// fields, then its criteria in the order of the newer revision, then those removed.
// Criteria are the same by their ids. Files are compared by their fingerprints, not by
// their rows. Both contracts are valid ones.
func Changes(from, to *Contract) []Change {
	d := &differ{}
	d.head(from, to)
	was := map[string]*Criterion{}
	for i := range from.Criteria {
		was[from.Criteria[i].ID] = &from.Criteria[i]
	}
	var kept []string
	for i := range to.Criteria {
		cr := &to.Criteria[i]
		d.criterion = cr.ID
		if old := was[cr.ID]; old != nil {
			d.compare(old, cr)
			kept = append(kept, cr.ID)
			delete(was, cr.ID)
		} else {
			d.add(Grow, "criterion added: %s", quoteText(cr.Statement)).to(cr.Value, "id", "statement")
		}
	}
	var order []string
	for i := range from.Criteria {
		cr := &from.Criteria[i]
		d.criterion = cr.ID
		if was[cr.ID] == nil {
			order = append(order, cr.ID)
		} else {
			d.add(Shrink, "criterion removed: %s", quoteText(cr.Statement)).from(cr.Value, "id", "statement")
		}
	}
	d.criterion = ""
	if !slices.Equal(kept, order) {
		d.add(OtherChange, "the criteria stand in another order").texts(quoteAll(order), quoteAll(kept))
	}
	return d.changes
}

// differ collects changes of one criterion after the other.
type differ struct {
	changes   []Change
	criterion string
}

// add adds a change, whose From and To the caller may fill in until the next one is added.
func (d *differ) add(kind ChangeKind, format string, args ...any) *Change {
	d.changes = append(d.changes, Change{Kind: kind, Criterion: d.criterion, What: fmt.Sprintf(format, args...)})
	return &d.changes[len(d.changes)-1]
}

// text compares a text that a contract need not have.
func (d *differ) text(kind ChangeKind, what, from, to string) {
	if from != to {
		d.add(kind, "%s changed", what).texts(quoteSome(from), quoteSome(to))
	}
}

func (d *differ) head(from, to *Contract) {
	if from.Budget != to.Budget {
		d.add(BudgetChanged, "extensions: %d → %d", from.Budget, to.Budget)
	}
	d.text(OwnerChanged, "owner", from.Owner, to.Owner)
	d.text(OtherChange, "title", from.Title, to.Title)
	d.text(OtherChange, "authority", from.Authority, to.Authority)
	d.others(from.Value, to.Value, "contract", "budget", "criteria")
	d.others(from.Value.Get("contract"), to.Value.Get("contract"),
		"id", "revision", "fingerprint", "owner", "title", "authority")
	d.others(from.Value.Get("budget"), to.Value.Get("budget"), "extensions")
}

// others reports the members that differ and are none of the known ones, which are
// compared elsewhere.
func (d *differ) others(from, to *Value, known ...string) {
	was, is := byName(from), byName(to)
	for _, m := range to.Members {
		if old := was[m.Name]; !slices.Contains(known, m.Name) && !m.Value.Same(old) {
			how := map[bool]string{true: "added", false: "changed"}[old == nil]
			d.add(OtherChange, "member %s %s", quoteName(m.Name), how).texts(onLine(old), onLine(m.Value))
		}
	}
	for _, m := range from.Members {
		if !slices.Contains(known, m.Name) && is[m.Name] == nil {
			d.add(OtherChange, "member %s removed", quoteName(m.Name)).texts(onLine(m.Value), "")
		}
	}
}

// byName gives an object's members for many to be looked up.
func byName(v *Value) map[string]*Value {
	members := make(map[string]*Value, len(v.Members))
	for _, m := range v.Members {
		members[m.Name] = m.Value
	}
	return members
}

// compare compares two revisions of one criterion. What follows from a new kind (cases
// that a structural criterion has no more) is part of that change.
func (d *differ) compare(from, to *Criterion) {
	before := len(d.changes)
	d.text(Narrow, "statement", from.Statement, to.Statement)
	if from.Kind != to.Kind {
		d.add(kindChange(to.Kind), "kind: %s → %s", from.Kind, to.Kind)
	}
	if from.Kind == to.Kind || to.Kind == Enumerable || to.Kind == Bounded {
		d.cases(from.Cases, to.Cases)
		d.file("cases", from.CaseFile, to.CaseFile)
		d.file("domain", from.Domain, to.Domain)
		d.construction(from.Construction, to.Construction)
	}
	d.checks(from.Checks, to.Checks)
	d.text(OwnerChanged, "owner", from.Owner, to.Owner)
	d.text(OtherChange, "class", from.Class, to.Class)
	d.others(from.Value, to.Value, "id", "class", "kind", "statement", "owner", "cases", "domain", "construction", "checks")
	if len(d.changes) == before && !from.Value.Same(to.Value) {
		d.add(OtherChange, "the criterion is written otherwise").values(from.Value, to.Value)
	}
}

func kindChange(to Kind) ChangeKind {
	switch to {
	case Structural:
		return Close
	case Judgment:
		return Weaken
	default:
		return OtherChange
	}
}

// namedBy are the members by which the items of lists are the same.
var namedBy = []string{"id", "statement"}

// list compares lists whose items are the same by a name: what was added, removed,
// changed, or only moved. same compares two items of one name; it may report their
// parts itself and then calls them the same.
func list[T any](d *differ, what string, from, to []T, name func(T) string, value func(T) *Value, same func(from, to T) bool) {
	was := map[string]T{}
	for _, item := range from {
		was[name(item)] = item
	}
	kept := map[string]bool{}
	var order []string // of what both lists have, as the newer one has it
	for _, item := range to {
		old, known := was[name(item)]
		switch {
		case !known:
			d.add(Grow, "%s added: %s", what, quoteText(name(item))).to(value(item), namedBy...)
			continue
		case !same(old, item):
			d.add(OtherChange, "%s changed: %s", what, quoteText(name(item))).values(value(old), value(item))
		}
		kept[name(item)] = true
		order = append(order, name(item))
	}
	var before []string
	for _, item := range from {
		if kept[name(item)] {
			before = append(before, name(item))
		} else {
			d.add(Shrink, "%s removed: %s", what, quoteText(name(item))).from(value(item), namedBy...)
		}
	}
	if !slices.Equal(before, order) {
		d.add(OtherChange, "%s order changed", what).texts(quoteAll(before), quoteAll(order))
	}
}

func (d *differ) cases(from, to []Case) {
	list(d, "case", from, to, func(c Case) string { return c.ID }, func(c Case) *Value { return c.Value },
		func(from, to Case) bool { return from.Value.Same(to.Value) })
}

// construction compares entries by their statements. Entries with parts are compared
// part by part.
func (d *differ) construction(from, to []Entry) {
	statement, value := func(e Entry) string { return e.Statement }, func(e Entry) *Value { return e.Value }
	list(d, "entry", from, to, statement, value, func(from, to Entry) bool {
		before := len(d.changes)
		d.cases(from.Cases, to.Cases)
		d.file("cases", from.CaseFile, to.CaseFile)
		d.file("domain", from.Domain, to.Domain)
		return len(d.changes) > before || from.Value.Same(to.Value)
	})
}

// file compares references to a row file. Another file, or the same with other bytes,
// is a row file added: which rows it gained or lost is not in the contract.
func (d *differ) file(what string, from, to *ArtifactRef) {
	switch {
	case from == nil && to == nil:
	case to == nil:
		d.add(Shrink, "%s file removed: %s", what, quoteText(from.Path)).from(from.Value, "artifact")
	case from == nil:
		d.add(Grow, "%s file added: %s", what, quoteText(to.Path)).to(to.Value, "artifact")
	case from.Path != to.Path || from.Fingerprint != to.Fingerprint:
		d.add(Grow, "another %s file: its rows are not compared", what).values(from.Value, to.Value)
	case !from.Value.Same(to.Value):
		d.add(OtherChange, "%s file: what else is said of it changed", what).values(from.Value, to.Value)
	}
}

// label is how findings name the file.
func (ref *ArtifactRef) label() string { return ref.Path + "@" + ref.Fingerprint }

// toldOfChecks are the members of a check that its change names it by.
var toldOfChecks = []string{"type", "run", "text"}

// checks compares checks as wholes. Fewer checks, or fewer that can be run, prove less.
func (d *differ) checks(from, to []Check) {
	removed, added := without(from, to), without(to, from)
	for _, c := range added {
		d.add(ChecksChanged, "%s check added: %s", c.Type, quoteText(c.Run+c.Text)).to(c.Value, toldOfChecks...)
	}
	kind := ChecksChanged
	if len(to) < len(from) || running(to) < running(from) {
		kind = Weaken
	}
	for _, c := range removed {
		d.add(kind, "%s check removed: %s", c.Type, quoteText(c.Run+c.Text)).from(c.Value, toldOfChecks...)
	}
	if len(removed)+len(added) == 0 && !slices.EqualFunc(from, to, sameCheck) {
		d.add(ChecksChanged, "the checks stand in another order")
	}
}

func sameCheck(a, b Check) bool { return a.Value.Same(b.Value) }

// without gives the checks that others lacks, one that stands twice counted twice.
func without(checks, others []Check) []Check {
	count := map[string]int{}
	for _, c := range others {
		count[string(c.Value.Canonical())]++
	}
	var out []Check
	for _, c := range checks {
		key := string(c.Value.Canonical())
		if count[key]--; count[key] < 0 {
			out = append(out, c)
		}
	}
	return out
}

func running(checks []Check) int {
	n := 0
	for _, c := range checks {
		if c.Type.Runs() {
			n++
		}
	}
	return n
}
