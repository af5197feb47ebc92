package schema

import (
	"errors"
	"slices"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// schema is one schema object with its keywords.
type schema struct {
	at node.Target
	// own stands apart, since fields that refer to it outlive the tree that s holds.
	own   *facts
	plain bool // it has nothing inside but what it refers to

	ref        *schema
	all        []*schema // allOf
	oneOf      []*schema
	anyOf      []*schema
	maybe      []*schema // if, then, else, dependentSchemas: they may apply or not
	properties *yaml.Node
	items      []*schema // of arrays: items, prefixItems and their like
	values     []*schema // of maps: additionalProperties, patternProperties
	required   []string
	closed     bool

	standing
	known *facts // once worked out, with all it is composed of
	form  *shape
}

// base is the schema that s has its inside from, where that is another one (`$ref`,
// or allOf with one entry), so that all users share one shape.
func (s *schema) base() *schema {
	for hops := 0; s.plain && hops < node.MaxHops; hops++ {
		if s.ref != nil {
			s = s.ref
		} else {
			s = s.all[0]
		}
	}
	return s
}

// isPlain reports whether s has its inside from one other schema.
func (s *schema) isPlain() bool {
	others := len(s.all)
	if s.ref != nil {
		others++
	}
	return others == 1 && len(s.oneOf)+len(s.anyOf)+len(s.maybe)+len(s.items)+len(s.values)+len(s.required)+len(s.own.problems) == 0 &&
		s.properties == nil && !s.closed
}

// problem keeps a problem of reading the schema itself.
func (s *schema) problem(p surface.Note) { s.own.problems = s.own.problems.with(p) }

// maxProblems is how many problems are kept of one schema.
const maxProblems = 20

// problems are what could not be read, each once.
type problems []surface.Note

// with is the list with more added; the list itself stays as it is.
func (ps problems) with(more ...surface.Note) problems {
	for _, p := range more {
		if len(ps) < maxProblems && !slices.Contains(ps, p) {
			ps = append(slices.Clip(ps), p)
		}
	}
	return ps
}

// schema reads the keywords at at, once.
func (r *Reader) schema(at node.Target) *schema {
	if s, ok := r.schemas[at.Node]; ok {
		return s
	}
	s := &schema{at: at, own: &facts{}}
	r.schemas[at.Node] = s
	if !r.spend(1 + len(at.Pointer)/textUnit) {
		s.problem(s.overVisits())
		return s
	}
	if !node.IsMap(at.Node) {
		if _, isBool := node.Bool(at.Node); !isBool && !node.IsNull(at.Node) {
			s.problem(note(at, "a schema stands here that is neither an object nor a boolean; correct it"))
		}
		return s
	}
	for k, v := range at.Tree.Members(at.Node) {
		r.keyword(s, k.Value, v)
	}
	s.plain = s.isPlain()
	slices.Sort(s.required)
	slices.Sort(s.own.Types)
	s.own.Types = slices.Compact(s.own.Types)
	return s
}

// keyword reads one keyword that leads to other schemas, or leaves it to
// assertion.
func (r *Reader) keyword(s *schema, key string, v *yaml.Node) {
	switch key {
	case "$ref", "$dynamicRef":
		r.reference(s, key, v)
	case "allOf":
		s.all = r.list(s, key, v)
	case "oneOf":
		s.oneOf = r.list(s, key, v)
	case "anyOf":
		s.anyOf = r.list(s, key, v)
	case "if", "then", "else":
		s.maybe = append(s.maybe, r.child(s, key, v))
	case "dependentSchemas":
		s.maybe = append(s.maybe, r.named(s, key, v)...)
	case "properties":
		s.properties = r.object(s, key, v)
	case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
		if node.IsSeq(v) {
			s.items = append(s.items, r.list(s, key, v)...)
		} else {
			s.items = append(s.items, r.child(s, key, v))
		}
	case "additionalProperties", "unevaluatedProperties":
		if allowed, ok := node.Bool(v); ok {
			s.closed = s.closed || !allowed
		} else {
			s.values = append(s.values, r.child(s, key, v))
		}
	case "patternProperties":
		s.values = append(s.values, r.named(s, key, v)...)
	case "required":
		for _, item := range node.Items(v) {
			if name, ok := node.String(item); ok {
				s.required = append(s.required, name)
			}
		}
	default:
		r.assertion(s, key, v)
	}
}

func (r *Reader) reference(s *schema, key string, v *yaml.Node) {
	ref, ok := node.String(v)
	if !ok {
		s.problem(r.wrong(s, key, v, "a text"))
		return
	}
	pos := s.at.Tree.Pos(v, node.Join(s.at.Pointer, key))
	target, err := r.resolver.Hop(s.at.Tree, ref)
	if err != nil {
		s.problem(surface.Note{Text: err.Error(), Pos: pos})
		return
	}
	if _, more := target.Tree.Ref(target.Node); more {
		var refErr *node.RefError
		_, err := r.resolver.Follow(target)
		if errors.As(err, &refErr) && (refErr.Reason == node.Circular || refErr.Reason == node.TooFar) {
			s.problem(surface.Note{Text: err.Error(), Pos: pos})
			return
		}
	}
	s.ref = r.schema(target)
}

func (r *Reader) child(s *schema, key string, v *yaml.Node) *schema {
	return r.schema(node.Target{Tree: s.at.Tree, Node: v, Pointer: s.at.Pointer + "/" + key})
}

// list reads the schemas of a list.
func (r *Reader) list(s *schema, key string, v *yaml.Node) []*schema {
	if !node.IsSeq(v) {
		s.problem(r.wrong(s, key, v, "a list"))
		return nil
	}
	pointer := s.at.Pointer + "/" + key
	var list []*schema
	for i, item := range v.Content {
		list = append(list, r.schema(node.Target{Tree: s.at.Tree, Node: item, Pointer: node.JoinIndex(pointer, i)}))
	}
	return list
}

// named reads the schemas of an object's members.
func (r *Reader) named(s *schema, key string, v *yaml.Node) []*schema {
	pointer := s.at.Pointer + "/" + key
	var list []*schema
	for k, v := range s.at.Tree.Members(r.object(s, key, v)) {
		list = append(list, r.schema(node.Target{Tree: s.at.Tree, Node: v, Pointer: node.Join(pointer, k.Value)}))
	}
	return list
}

func (r *Reader) object(s *schema, key string, v *yaml.Node) *yaml.Node {
	if node.IsMap(v) {
		return v
	}
	if !node.IsNull(v) {
		s.problem(r.wrong(s, key, v, "an object"))
	}
	return nil
}

func (r *Reader) wrong(s *schema, key string, v *yaml.Node, want string) surface.Note {
	at := node.Target{Tree: s.at.Tree, Node: v, Pointer: node.Join(s.at.Pointer, key)}
	return note(at, "%s is not %s and was not read; correct it", key, want)
}
