package schema

import (
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// flattener walks the shapes below one schema.
type flattener struct {
	*Reader
	in    string
	lists bool // enter lists alone
	out   []*surface.Field
	path  []*schema        // those being walked: met again, they are circular
	met   map[*schema]bool // those walked before
	cut   []*schema        // those too deep to enter
	notes problems
	full  bool
}

// children adds the fields inside a value of schema s, which stands at parent.
func (f *flattener) children(s *schema, parent string, depth int) {
	f.take(f.facts(s).problems) // those of s itself: what follows is about its base
	s = s.base()
	if f.full || slices.Contains(f.path, s) || f.met[s] && len(f.out) >= repeatFields {
		return
	}
	form := f.shape(s)
	f.take(f.facts(s).problems)
	f.take(form.problems)
	if len(form.properties)+len(form.items)+len(form.values) == 0 {
		return
	}
	if depth > maxDepth {
		f.cut = append(f.cut, s)
		return
	}
	if f.met == nil {
		f.met = map[*schema]bool{}
	}
	f.met[s] = true
	f.path = append(f.path, s)
	f.properties(s, form, parent, depth)
	if !f.lists || depth == 1 {
		f.inside(form.items, parent+"[]", depth)
	}
	if !f.lists {
		f.inside(form.values, join(parent, "*"), depth)
	}
	f.path = f.path[:len(f.path)-1]
}

func (f *flattener) inside(schemas []*schema, parent string, depth int) {
	for _, s := range schemas {
		f.children(s, parent, depth)
	}
}

func (f *flattener) properties(s *schema, form *shape, parent string, depth int) {
	for i := range form.properties {
		p := &form.properties[i]
		_, required := slices.BinarySearch(form.required, p.name)
		path := join(parent, p.name)
		if !f.add(s, surface.Field{Name: p.name, Path: path, Parent: parent, In: f.in, Depth: depth,
			Required: required, Pos: p.pos, Schema: &p.facts.Schema}) {
			return
		}
		for _, inner := range p.schemas {
			if f.lists {
				f.list(inner, path, depth)
			} else {
				f.children(inner, path, depth+1)
			}
		}
	}
}

// list enters the items of an array property of an answer itself.
func (f *flattener) list(s *schema, path string, depth int) {
	f.take(f.facts(s).problems)
	form := f.shape(s.base())
	f.take(form.problems)
	// Depth 1 is the answer's own level or that of its items; only from there a
	// list belongs to the answer.
	if depth == 1 && len(f.path) == 1 {
		f.inside(form.items, path+"[]", depth+1)
	}
}

// add appends a field; it returns false where no more may be.
func (f *flattener) add(s *schema, field surface.Field) bool {
	f.fields += 1 + len(field.Path)/textUnit
	if len(f.out) >= maxFields || f.fields > maxDocumentFields {
		f.full = true
		f.take(problems{note(s.at, "there are more than %d fields (or %d in the document); those from here on were not read; split the schema", maxFields, maxDocumentFields)})
		return false
	}
	if len(f.slab) == 0 {
		f.slab = make([]surface.Field, 256)
	}
	f.slab[0] = field
	f.out = append(f.out, &f.slab[0])
	f.slab = f.slab[1:]
	return true
}

func (f *flattener) take(more problems) {
	f.notes = f.notes.with(more...)
}

func (f *flattener) result(s *schema) Result {
	for _, deep := range f.cut {
		// What is too deep on one way may have been entered on another.
		if !f.met[deep] {
			f.take(problems{note(deep.at, "fields are nested more than %d deep here; the rest was not read; flatten the schema", maxDepth)})
		}
	}
	facts, form := f.facts(s), f.shape(s.base())
	is := func(t string) bool { return slices.Contains(facts.Types, t) }
	result := Result{
		Fields: f.out, Problems: f.notes, Texts: facts.allTexts(),
		Properties: len(form.properties), Closed: form.closed, HasRequired: form.hasRequired,
		IsArray:  is("array") || len(facts.Types) == 0 && len(form.items) > 0,
		IsObject: is("object") || len(facts.Types) == 0 && len(form.properties)+len(form.values) > 0,
	}
	for _, p := range form.properties {
		result.HasArray = result.HasArray || slices.Contains(p.facts.Types, "array") ||
			len(p.facts.Types) == 0 && slices.ContainsFunc(p.schemas, func(s *schema) bool { return len(f.shape(s.base()).items) > 0 })
	}
	result.HasArray = result.HasArray && result.IsObject
	return result
}

func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}
