package schema

import (
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// shape is what a schema has inside, by all it is composed of.
type shape struct {
	properties  []property
	index       map[string]int // of properties, where there are many
	items       []*schema
	values      []*schema
	required    []string // sorted
	hasRequired bool
	closed      bool
	problems    problems
}

// property is one property with all schemas that describe it.
type property struct {
	name    string
	pos     surface.Position
	facts   *facts
	schemas []*schema
}

// indexFrom is the number of properties from which a shape gets an index.
const indexFrom = 16

// shape is what s has inside together with all it is composed of.
func (r *Reader) shape(s *schema) *shape {
	if s.form == nil {
		if s.circle == nil {
			findCircles(s)
		}
		s.form = composed(s, r.shape, r.composeShape)
	}
	return s.form
}

// composeShape combines what s has inside with what its parts have.
func (r *Reader) composeShape(s *schema, of func(*schema) *shape) *shape {
	all := r.ownShape(s)
	if s.circle.problem != nil { // which the facts have
		return all
	}
	if !s.alone() && !r.spend(1+len(all.properties)) {
		all.problems = all.problems.with(s.overVisits())
		return all
	}
	for _, part := range s.both() {
		if form := of(part); form != nil {
			r.addBoth(s, all, form)
		}
	}
	for _, branches := range [][]*schema{s.oneOf, s.anyOf} {
		if len(branches) > 0 && !isMet(s, branches, of) {
			r.addBoth(s, all, r.union(s, branches, of))
		}
	}
	for _, part := range s.maybe {
		if form := of(part); form != nil {
			r.addMaybe(s, all, form)
		}
	}
	return all
}

func (r *Reader) ownShape(s *schema) *shape {
	out := &shape{items: s.items, values: s.values, required: s.required, closed: s.closed, hasRequired: len(s.required) > 0}
	if s.properties == nil {
		return out
	}
	pointer := s.at.Pointer + "/properties"
	out.properties = make([]property, 0, len(s.properties.Content)/2)
	for k, v := range s.at.Tree.Members(s.properties) {
		at := node.Target{Tree: s.at.Tree, Node: v, Pointer: node.Join(pointer, k.Value)}
		child := r.schema(at)
		out.add(property{name: k.Value, pos: s.at.Tree.Pos(k, at.Pointer), facts: r.facts(child), schemas: []*schema{child}})
	}
	return out
}

// find is the position of a property, or -1.
func (s *shape) find(name string) int {
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(s.properties, func(p property) bool { return p.name == name })
}

func (s *shape) add(p property) {
	s.properties = append(s.properties, p)
	switch {
	case s.index != nil:
		s.index[p.name] = len(s.properties) - 1
	case len(s.properties) > indexFrom:
		s.index = make(map[string]int, 2*indexFrom)
		for i, p := range s.properties {
			s.index[p.name] = i
		}
	}
}

// addBoth adds to a what b has, where both apply.
func (r *Reader) addBoth(s *schema, a, b *shape) {
	r.addProperties(s, a, b, func(p *property, q property) {
		f := both(*p.facts, *q.facts)
		p.facts = &f
	})
	if len(b.required) > 0 {
		a.required = append(slices.Clip(a.required), b.required...)
		slices.Sort(a.required)
	}
	a.hasRequired = a.hasRequired || b.hasRequired
	a.closed = a.closed || b.closed
}

// addMaybe adds to a what b has, where b may apply or not.
func (r *Reader) addMaybe(s *schema, a, b *shape) {
	r.addProperties(s, a, b, func(*property, property) {})
}

func (r *Reader) addProperties(s *schema, a, b *shape, combine func(*property, property)) {
	a.problems = a.problems.with(b.problems...)
	a.items = append(slices.Clip(a.items), b.items...)
	a.values = append(slices.Clip(a.values), b.values...)
	if !r.spend(len(b.properties)+len(b.items)+len(b.values)) || len(a.properties) > maxFields {
		if len(b.properties) > 0 {
			a.problems = a.problems.with(note(s.at, "a schema is composed of too many properties; those beyond %d were not read; split it", len(a.properties)))
		}
		return
	}
	for _, q := range b.properties {
		i := a.find(q.name)
		if i < 0 {
			a.add(q)
			continue
		}
		p := &a.properties[i]
		combine(p, q)
		for _, other := range q.schemas {
			if !slices.Contains(p.schemas, other) {
				p.schemas = append(slices.Clip(p.schemas), other)
			}
		}
	}
}

// union is what schemas have of which one applies: a property is required where
// all require it, and limited where all that have it limit it.
func (r *Reader) union(s *schema, branches []*schema, of func(*schema) *shape) *shape {
	out := &shape{closed: true}
	seen := map[string][]facts{}
	first := true
	for _, b := range branches {
		form := of(b)
		if form == nil {
			form = &shape{}
		}
		if b.isNull() {
			continue
		}
		r.addProperties(s, out, form, func(*property, property) {})
		for _, p := range form.properties {
			seen[p.name] = append(seen[p.name], *p.facts)
		}
		if out.required = common(out.required, form.required); first {
			out.required = form.required
		}
		out.hasRequired = out.hasRequired || form.hasRequired
		out.closed = out.closed && form.closed
		first = false
	}
	out.closed = out.closed && !first
	for i := range out.properties {
		if p := &out.properties[i]; len(seen[p.name]) > 1 {
			f := anyOf(seen[p.name])
			p.facts = &f
		}
	}
	return out
}

// common are the names in both of two sorted lists.
func common(a, b []string) []string {
	var out []string
	for _, name := range a {
		if _, ok := slices.BinarySearch(b, name); ok {
			out = append(out, name)
		}
	}
	return out
}
