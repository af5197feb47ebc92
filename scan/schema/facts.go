package schema

import (
	"slices"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// facts is what a schema says of a value, with what is needed to combine it.
type facts struct {
	surface.Schema
	consts   []surface.Text
	problems problems
}

// assertion reads one keyword that says something of the value.
func (r *Reader) assertion(s *schema, key string, v *yaml.Node) {
	own := s.own
	switch key {
	case "type":
		own.Types = types(v)
	case "format":
		own.Format, _ = node.String(v)
	case "title":
		own.Title = s.text(key, v)
	case "description":
		own.Description = s.text(key, v)
	case "enum":
		own.Enum = append(own.Enum, s.texts(key, v)...)
		own.HasEnum = len(node.Items(v)) > 0
	case "const":
		own.HasConst = true
		own.consts = append(own.consts, s.text(key, v))
	case "pattern":
		_, own.HasPattern = node.String(v)
	case "default":
		own.HasDefault = true
	case "readOnly":
		own.ReadOnly, _ = node.Bool(v)
	// OpenAPI 3.0 has booleans for exclusive bounds, which say nothing without the
	// bound they change.
	case "minimum", "exclusiveMinimum":
		_, is := node.Number(v)
		own.HasLower = own.HasLower || is
	case "maximum", "exclusiveMaximum":
		_, is := node.Number(v)
		own.HasUpper = own.HasUpper || is
	}
}

func types(v *yaml.Node) []string {
	var list []string
	for _, item := range append([]*yaml.Node{v}, node.Items(v)...) {
		if name, ok := node.String(item); ok && name != "null" {
			list = append(list, name)
		}
	}
	return list
}

// text is a scalar as text, null included, since `const: null` is a value.
func (s *schema) text(key string, v *yaml.Node) surface.Text {
	pos := s.at.Tree.Pos(v, s.at.Pointer+"/"+key)
	value, ok := node.String(v)
	if !ok && key == "const" && node.IsNull(v) {
		value, ok = "null", true
	}
	if !ok {
		return surface.Text{}
	}
	return surface.Text{Value: value, Pos: pos}
}

func (s *schema) texts(key string, v *yaml.Node) []surface.Text {
	var list []surface.Text
	pointer := s.at.Pointer + "/" + key
	for i, item := range node.Items(v) {
		value, ok := node.String(item)
		if !ok && node.IsNull(item) {
			value, ok = "null", true
		}
		if ok {
			list = append(list, surface.Text{Value: value, Pos: s.at.Tree.Pos(item, node.JoinIndex(pointer, i))})
		}
	}
	return list
}

// facts is what s says of a value together with all it is composed of.
func (r *Reader) facts(s *schema) *facts {
	if s.known == nil {
		if s.circle == nil {
			findCircles(s)
		}
		s.known = composed(s, r.facts, r.composeFacts)
	}
	return s.known
}

// composeFacts combines what s says with what its parts say.
func (r *Reader) composeFacts(s *schema, of func(*schema) *facts) *facts {
	if s.simple() {
		return s.own
	}
	all := *s.own
	if s.circle.problem != nil {
		all.problems = all.problems.with(*s.circle.problem)
		return &all
	}
	if !s.alone() && !r.spend(1) {
		all.problems = all.problems.with(s.overVisits())
		return &all
	}
	take := func(part *schema) *facts {
		f := of(part)
		if f == nil {
			return &facts{}
		}
		all.problems = all.problems.with(f.problems...)
		return f
	}
	for _, part := range s.both() {
		all = both(all, *take(part))
	}
	for _, branches := range [][]*schema{s.oneOf, s.anyOf} {
		all = both(all, r.either(s, branches, of, take))
	}
	if len(s.items) > 0 {
		all.describeBy(take(s.items[0]))
	}
	for _, part := range slices.Concat(s.items, s.values, s.maybe) {
		if f := of(part); f != nil {
			all.addTexts(f.allTexts())
		}
	}
	return &all
}

// both are the parts that a value must hold to as well.
func (s *schema) both() []*schema {
	if s.ref == nil {
		return s.all
	}
	return append([]*schema{s.ref}, s.all...)
}

// describeBy takes over the texts of a list's items, which the list's field stands
// for.
func (f *facts) describeBy(items *facts) {
	if len(f.Enum) == 0 {
		f.Enum = items.Enum
	}
	if f.Description.Value == "" {
		f.Description = items.Description
	}
}

// maxTexts is how many further texts are kept of one schema.
const maxTexts = 100

// addTexts keeps texts that the value has beside its title and description, each
// once.
func (f *facts) addTexts(texts []surface.Text) {
	for _, t := range texts {
		if len(f.Texts) < maxTexts && t != f.Title && t != f.Description && !slices.Contains(f.Texts, t) {
			f.Texts = append(slices.Clip(f.Texts), t)
		}
	}
}

// allTexts are the title, the description and the further texts, where they are given.
func (f *facts) allTexts() []surface.Text {
	var all []surface.Text
	for _, t := range append([]surface.Text{f.Title, f.Description}, f.Texts...) {
		if t.Value != "" {
			all = append(all, t)
		}
	}
	return all
}

// both combines what is said by two schemas that both apply; the first is asked
// first.
func both(a, b facts) facts {
	if len(a.Types) == 0 {
		a.Types = b.Types
	}
	if a.Format == "" {
		a.Format = b.Format
	}
	if a.Title.Value == "" {
		a.Title = b.Title
	}
	if a.Description.Value == "" {
		a.Description = b.Description
	}
	if !a.HasEnum && (b.HasEnum || len(a.Enum) == 0) {
		a.Enum, a.HasEnum = b.Enum, b.HasEnum
	}
	if !a.HasConst {
		a.HasConst, a.consts = b.HasConst, b.consts
	}
	a.HasPattern = a.HasPattern || b.HasPattern
	a.HasDefault = a.HasDefault || b.HasDefault
	a.ReadOnly = a.ReadOnly || b.ReadOnly
	a.HasLower = a.HasLower || b.HasLower
	a.HasUpper = a.HasUpper || b.HasUpper
	a.addTexts(b.allTexts())
	return a
}

// either combines what is said by schemas of which one applies. A null branch says
// that the value may be absent, nothing of the value.
func (r *Reader) either(s *schema, branches []*schema, of, take func(*schema) *facts) facts {
	if isMet(s, branches, of) {
		return facts{}
	}
	var list []facts
	enum := 0
	for _, b := range branches {
		if f := take(b); !b.isNull() {
			list = append(list, *f)
			enum += len(f.Enum)
		}
	}
	out := anyOf(list)
	if len(list) > 1 && !r.spend(enum/enumUnit) {
		out.problems = out.problems.with(s.overVisits())
	}
	return out
}

// isMet reports whether one of the branches is the schema that is being worked out,
// other than s, which has the branches: that one applies, so the others need not. A
// cat that is a pet, which is a cat or a dog, has nothing of a dog.
func isMet[T any](s *schema, branches []*schema, of func(*schema) *T) bool {
	return slices.ContainsFunc(branches, func(b *schema) bool {
		b = b.base()
		return b.circle == s.circle && b != s && of(b) == nil
	})
}

func (s *schema) isNull() bool {
	name, ok := node.String(s.at.Tree.Get(s.at.Node, "type"))
	if ok && name == "null" {
		return true
	}
	c := s.at.Tree.Get(s.at.Node, "const")
	return c != nil && node.IsNull(c)
}

// anyOf holds for a value of any of the branches: a limit counts where each branch
// that a limited type may come from has it.
func anyOf(list []facts) facts {
	if len(list) == 0 {
		return facts{}
	}
	var out facts
	closed := true
	for _, f := range list {
		out.Types = append(out.Types, f.Types...)
		out.Enum = append(append(out.Enum, f.Enum...), f.consts...)
		closed = closed && (f.HasEnum || f.HasConst)
		if out.Title.Value == "" {
			out.Title = f.Title
		}
		if out.Description.Value == "" {
			out.Description = f.Description
		}
		out.HasDefault = out.HasDefault || f.HasDefault
	}
	for _, f := range list {
		out.addTexts(f.allTexts())
	}
	slices.Sort(out.Types)
	out.Types = slices.Compact(out.Types)
	out.HasEnum = closed
	out.Format = list[0].Format
	for _, f := range list {
		if f.Format != out.Format {
			out.Format = ""
		}
	}
	numbers := only(list, "integer", "number")
	out.HasLower = limited(numbers, func(f facts) bool { return f.HasLower })
	out.HasUpper = limited(numbers, func(f facts) bool { return f.HasUpper })
	out.HasPattern = every(only(list, "string"), func(f facts) bool { return f.HasPattern })
	out.ReadOnly = every(list, func(f facts) bool { return f.ReadOnly })
	return out
}

// only are the facts of values that may be of one of the types.
func only(list []facts, types ...string) []facts {
	var out []facts
	for _, f := range list {
		if len(f.Types) == 0 || slices.ContainsFunc(types, func(t string) bool { return slices.Contains(f.Types, t) }) {
			out = append(out, f)
		}
	}
	return out
}

// limited reports whether each of list has a bound or is an enumeration, and one
// has a bound.
func limited(list []facts, bound func(facts) bool) bool {
	return slices.ContainsFunc(list, bound) &&
		every(list, func(f facts) bool { return bound(f) || f.HasEnum || f.HasConst })
}

func every(list []facts, holds func(facts) bool) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(f facts) bool { return !holds(f) })
}
