package contract

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Limits of judging shapes. Junk makes a problem of each of its values.
const (
	// maxShapeValues is how many values a contract, a round or a done report may hold
	// to be judged. Cases beyond belong into a file.
	maxShapeValues = 50_000
	// maxShapeProblems is after how many problems the rest of an object, and any further
	// revision or round of a chain, is not judged.
	maxShapeProblems = 1_000
	// maxFaultyValues is how many values the malformed revisions and rounds of a chain
	// may hold together, before the same happens: to find what is wrong with them costs
	// far more than to find that nothing is.
	maxFaultyValues = 4 * maxShapeValues
)

// shape knows which parts of a document are malformed, so that the rules judge the
// others. A nil shape knows of none.
type shape struct {
	broken   map[*Value]bool // values with an AAC301 at them or below
	unjudged map[*Value]bool // objects that are too large: nothing in them is sound
	cut      map[*Value]int  // how many items of a list were judged, where not all
	seen     map[fault]bool
	faulty   int // values of the malformed objects
}

// sound says whether the value is there and nothing at it or below is malformed.
func (s *shape) sound(v *Value) bool {
	if v == nil || s == nil {
		return v != nil
	}
	return !s.broken[v] && s.judged(v)
}

// judged says whether the value stands in what was judged.
func (s *shape) judged(v *Value) bool {
	if len(s.unjudged)+len(s.cut) == 0 {
		return true
	}
	for ; v != nil; v = v.parent {
		if end, cut := s.cut[v.parent]; s.unjudged[v] || cut && int(v.index) >= end {
			return false
		}
	}
	return true
}

// text gives a sound string, else nothing.
func (s *shape) text(v *Value) string {
	if !s.sound(v) {
		return ""
	}
	text, _ := v.Text()
	return text
}

// pieces are the lists of a chain whose items are objects of other schemas. They are
// judged one by one, so that the work is bounded by that for one of them.
var pieces = []struct{ list, schema string }{{"revisions", SchemaContract}, {"rounds", SchemaRound}}

// checkShape reports as AAC301 where the document does not fit the schema of that
// name: one problem a value, and one a missing member. The schemas are the one source
// of these problems; their words (x-value, description) make the messages.
func checkShape(name string, v *Value, r *Report) *shape {
	s := &shape{broken: map[*Value]bool{}, unjudged: map[*Value]bool{}, cut: map[*Value]int{}, seen: map[fault]bool{}}
	if name != SchemaChain {
		s.piece(name, v, r)
		return s
	}
	frame, skipped := v.plainFrame()
	s.validate(name, v, frame, skipped, r)
	for _, p := range pieces {
		s.list(p.schema, v.Get(p.list), r)
	}
	return s
}

// plainFrame gives a chain as [Value.plain] does, but one item for those of each list
// that are judged one by one; skipped are the pointers below which nothing counts.
func (v *Value) plainFrame() (frame any, skipped []string) {
	if v.Type() != Object {
		return v.plain(), nil
	}
	members := make(map[string]any, len(v.Members))
	for _, m := range v.Members {
		list := slices.ContainsFunc(pieces, func(p struct{ list, schema string }) bool { return p.list == m.Name })
		if list && len(m.Value.Items) > 0 {
			members[m.Name] = []any{nil}
			skipped = append(skipped, "/"+m.Name+"/")
		} else {
			members[m.Name] = m.Value.plain()
		}
	}
	return members, skipped
}

// list judges the items of a list one by one, until too much is malformed.
func (s *shape) list(name string, list *Value, r *Report) {
	for i, item := range list.items() {
		if len(s.seen) >= maxShapeProblems || s.faulty > maxFaultyValues {
			s.cut[list] = i
			s.problem(fault{at: item}, fmt.Sprintf("too many values before this are malformed: from here on `%s` is not judged", list.name()), "mend those first", r)
			return
		}
		s.piece(name, item, r)
	}
}

// judgedItems gives the items of a list that were judged.
func (s *shape) judgedItems(list *Value) []*Value {
	items := list.items()
	if end, cut := s.cut[list]; cut {
		return items[:end]
	}
	return items
}

// piece judges one object, if it is not too large.
func (s *shape) piece(name string, v *Value, r *Report) {
	values := v.count(maxShapeValues)
	switch {
	case values > maxShapeValues:
		s.unjudged[v] = true
		s.problem(fault{at: v}, fmt.Sprintf("%s holds more than %d values: it is not judged", v.label(), maxShapeValues), "put cases into a file, and leave out what no rule needs", r)
	case !fits(schemas().compiled[name], v):
		s.faulty += values
		s.validate(name, v, v.plain(), nil, r)
	}
}

// count counts the value and those below it, up to a few beyond the limit.
func (v *Value) count(limit int) int {
	n := 1
	for i := 0; i < len(v.Items) && n <= limit; i++ {
		n += v.Items[i].count(limit - n)
	}
	for i := 0; i < len(v.Members) && n <= limit; i++ {
		n += v.Members[i].Value.count(limit - n)
	}
	return n
}

// validate reports what the schema says of the value, given as plain.
func (s *shape) validate(name string, v *Value, plain any, skipped []string, r *Report) {
	set := schemas()
	err := set.compiled[name].Validate(plain)
	if err == nil {
		return
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		s.problem(fault{at: v}, fmt.Sprintf("the document cannot be judged: %v", err), "write it as its schema says", r)
		return
	}
	for _, leaf := range sortedLeaves(invalid) {
		below := func(prefix string) bool { return strings.HasPrefix(leaf.InstanceLocation, prefix) }
		if slices.ContainsFunc(skipped, below) {
			continue
		}
		if len(s.seen) >= maxShapeProblems {
			s.unjudged[v] = true
			r.Add(SchemaProblem, v, fmt.Sprintf("more than %d values of %s are malformed: the rest of it is not judged", maxShapeProblems, v.label()), "mend those first")
			return
		}
		s.leaf(set, v, leaf, r)
	}
}

// sortedLeaves gives the errors that have no finer cause in an order that is always the
// same, so that those beyond the limit are too; the library takes members as they come.
func sortedLeaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	all := leaves(e, nil)
	slices.SortFunc(all, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(
			cmp.Compare(len(a.InstanceLocation), len(b.InstanceLocation)), // item 2 before item 10
			cmp.Compare(a.InstanceLocation, b.InstanceLocation),
			cmp.Compare(a.AbsoluteKeywordLocation, b.AbsoluteKeywordLocation),
		)
	})
	return all
}

// fault tells problems apart: a value that is wrong, or a member that it lacks. A
// string that breaks two keywords is one wrong string.
type fault struct {
	at      *Value
	missing string
}

func (s *shape) leaf(set *schemaSet, root *Value, leaf *jsonschema.ValidationError, r *Report) {
	at := root.At(leaf.InstanceLocation)
	schema, keyword := set.keyword(leaf.AbsoluteKeywordLocation)
	if keyword != "required" {
		said := described(schema)
		s.problem(fault{at: at}, fmt.Sprintf("%s is %s, not %s", at.label(), at.shown(), said.value), cmp.Or(said.fix, "write "+said.value), r)
		return
	}
	for _, item := range schema.Get("required").items() {
		member, _ := item.Text()
		if at.Get(member) == nil {
			said := described(schema.Get("properties").Get(member))
			s.problem(fault{at, member}, fmt.Sprintf("%s has no member `%s`", at.label(), member), fmt.Sprintf("add `%s`: %s", member, cmp.Or(said.fix, said.value+". "+said.meaning)), r)
		}
	}
}

// problem reports a fault once.
func (s *shape) problem(f fault, message, fix string, r *Report) {
	if s.seen[f] {
		return
	}
	s.seen[f] = true
	for v := f.at; v != nil && !s.broken[v]; v = v.parent {
		s.broken[v] = true
	}
	r.Add(SchemaProblem, f.at, message, fix)
}

// leaves appends the errors that have no finer cause.
func leaves(e *jsonschema.ValidationError, to []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return append(to, e)
	}
	for _, cause := range e.Causes {
		to = leaves(cause, to)
	}
	return to
}

// label names the value in a message: by its member's name, or by its place in a list.
func (v *Value) label() string {
	switch {
	case v.parent == nil:
		return "the document"
	case v.parent.kind == Array:
		return fmt.Sprintf("item %d of %s", v.index, v.parent.label())
	default:
		return "`" + printable(v.name()) + "`"
	}
}

// shown shows the value in a message: scalars themselves, others by their type.
func (v *Value) shown() string {
	switch v.kind {
	case String:
		return quoteName(v.text)
	case Array, Object:
		if len(v.Items)+len(v.Members) == 0 {
			return strings.Replace(v.kind.String(), "an", "an empty", 1)
		}
		return v.kind.String()
	default:
		return string(v.Canonical())
	}
}

// printable is a name without its quotes, escaped and cut as in [quoteName].
func printable(name string) string {
	quoted := quoteName(name)
	return quoted[1 : len(quoted)-1]
}
