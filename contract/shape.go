package contract

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// shape knows which parts of a document are malformed, so that the rules judge the
// others. A nil shape knows of none.
type shape struct {
	broken map[*Value]bool // values with an AAC301 at them or below
}

// sound says whether the value is there and nothing at it or below is malformed.
func (s *shape) sound(v *Value) bool { return v != nil && (s == nil || !s.broken[v]) }

// text gives a sound string, else nothing.
func (s *shape) text(v *Value) string {
	if !s.sound(v) {
		return ""
	}
	text, _ := v.Text()
	return text
}

// checkShape reports as AAC301 where the document does not fit the schema of that
// name: one problem a value, and one a missing member. The schemas are the one source
// of these problems; their words (x-value, description) make the messages.
func checkShape(name string, v *Value, r *Report) *shape {
	s := &shape{broken: map[*Value]bool{}}
	set := schemas()
	err := set.compiled[name].Validate(v.plain())
	if err == nil {
		return s
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		s.report(r, v, fmt.Sprintf("the document cannot be checked: %v", err), "write it as its schema says")
		return s
	}
	seen := map[fault]bool{}
	for _, leaf := range leaves(invalid, nil) {
		s.leaf(set, v, leaf, seen, r)
	}
	return s
}

// fault tells problems apart: a value that is wrong, or a member that it lacks. A
// string that breaks two keywords is one wrong string.
type fault struct {
	at      *Value
	missing string
}

func (s *shape) leaf(set *schemaSet, root *Value, leaf *jsonschema.ValidationError, seen map[fault]bool, r *Report) {
	at := root.at(leaf.InstanceLocation)
	schema, keyword := set.keyword(leaf.AbsoluteKeywordLocation)
	if keyword != "required" {
		if !seen[fault{at: at}] {
			seen[fault{at: at}] = true
			value, _ := described(schema)
			s.report(r, at, fmt.Sprintf("%s is %s, not %s", at.label(), at.shown(), value), "write "+value)
		}
		return
	}
	for _, item := range schema.Get("required").Items {
		member, _ := item.Text()
		if f := (fault{at, member}); at.Get(member) == nil && !seen[f] {
			seen[f] = true
			value, meaning := described(schema.Get("properties").Get(member))
			s.report(r, at, fmt.Sprintf("%s has no member `%s`", at.label(), member), fmt.Sprintf("add `%s`: %s. %s", member, value, meaning))
		}
	}
}

func (s *shape) report(r *Report, at *Value, message, fix string) {
	for v := at; v != nil && !s.broken[v]; v = v.parent {
		s.broken[v] = true
	}
	r.Add(SchemaProblem, at, message, fix)
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
		return "`" + printable(v.name) + "`"
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

// root gives the document's outermost value.
func (v *Value) root() *Value {
	for v != nil && v.parent != nil {
		v = v.parent
	}
	return v
}

// at follows a JSON Pointer below the value; nil where it leads nowhere. The pointers
// of schema errors are also percent-encoded, which changes no name a schema knows.
func (v *Value) at(pointer string) *Value {
	for _, token := range pointerTokens(pointer) {
		switch v.Type() {
		case Object:
			v = v.Get(token)
		case Array:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v.Items) {
				return nil
			}
			v = v.Items[i]
		default:
			return nil
		}
	}
	return v
}
