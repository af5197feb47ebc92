package mcplist

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// tool reads one tool.
func (r *reader) tool(e entry) *surface.Tool {
	t := &surface.Tool{Method: surface.MethodMCP, Pos: r.tree.Pos(e.node, e.pointer)}
	t.Name = r.text(e.place, "name")
	t.Title = r.text(e.place, "title")
	t.Description = r.text(e.place, "description")
	r.annotations(t, e.place)
	t.Security = r.security(e)
	r.toolDuplicates(e.place)
	schemas := r.schemas(e.place)
	t.Fingerprint, t.DefinitionBytes = r.prints.Of(r.definition(e.node, schemas)...)
	r.anchor(schemas)
	r.input(t, schemas[input])
	r.output(t, schemas[output])
	return t
}

// text is a string member of the object at one place. Another type is no text, and
// makes the tool incomplete.
func (r *reader) text(at place, key string) surface.Text {
	v := r.tree.Get(at.node, key)
	if node.IsNull(v) {
		return surface.Text{}
	}
	pointer := node.Join(at.pointer, key)
	if v.Tag != "!!str" {
		r.incomplete(v, pointer, "%s is %s and was not read; make it a string", key, node.TypeName(v))
		return surface.Text{}
	}
	return surface.Text{Value: v.Value, Pos: r.tree.Pos(v, pointer)}
}

// incomplete adds a reason why the tool at hand was not read whole.
func (r *reader) incomplete(n *yaml.Node, pointer, format string, args ...any) {
	r.reasons.Add(surface.Note{Text: fmt.Sprintf(format, args...), Pos: r.tree.Pos(n, pointer)})
}

// identify gives a tool its ID and path. first holds the explicit names of the
// document, with the tool that has taken each as its ID.
func (r *reader) identify(t *surface.Tool, i int, first map[string]*surface.Tool) {
	t.ID = t.Name.Value
	if t.ID == "" {
		r.incomplete(r.entries[i].node, r.entries[i].pointer, "the tool has no name; give it one")
		t.ID = fmt.Sprintf("tool_%d", i+1)
	}
	other := first[t.ID]
	if other != nil && t.Name.Value != "" {
		p := other.Name.Pos
		r.note(r.tree.Get(r.entries[i].node, "name"), t.Name.Pos.Pointer, "the name %s is taken by the tool on line %d, column %d; rename one, or remove what was listed twice", quote(t.ID), p.Line, p.Column)
	}
	t.Path = "mcp://tools/" + t.ID
	if _, named := first[t.ID]; other != nil || named && t.Name.Value == "" {
		t.ID = r.unused(t.ID, first)
	}
	first[t.ID] = t
}

// unused is the first of base_2, base_3, … that is no ID and no name.
func (r *reader) unused(base string, first map[string]*surface.Tool) string {
	for n := max(r.suffixes[base], 2); ; n++ {
		id := fmt.Sprintf("%s_%d", base, n)
		if _, taken := first[id]; !taken {
			r.suffixes[base] = n + 1
			return id
		}
	}
}

// annotations reads a tool's hints. One that is no boolean is no hint.
func (r *reader) annotations(t *surface.Tool, tool place) {
	v := r.tree.Get(tool.node, "annotations")
	at := place{v, node.Join(tool.pointer, "annotations")}
	if node.IsNull(v) {
		return
	}
	if !node.IsMap(v) {
		r.note(v, at.pointer, "the annotations of %s are %s and were ignored; make them an object", quote(t.Name.Value), node.TypeName(v))
		return
	}
	if t.Title.Value == "" {
		t.Title = r.text(at, "title")
	}
	a := &t.Annotations
	a.ReadOnly, a.ReadOnlyPos = r.hint(at, "readOnlyHint")
	a.Destructive, a.DestructivePos = r.hint(at, "destructiveHint")
}

// hint is one annotation and the place of its key; nil where none is given.
func (r *reader) hint(annotations place, key string) (*bool, surface.Position) {
	k, v := r.tree.Lookup(annotations.node, key)
	if node.IsNull(v) {
		return nil, surface.Position{}
	}
	pointer := node.Join(annotations.pointer, key)
	b, ok := node.Bool(v)
	if !ok {
		r.note(v, pointer, "%s is %s and was ignored; write true or false without quotes", key, node.TypeName(v))
		return nil, surface.Position{}
	}
	return &b, r.tree.Pos(k, pointer)
}

// toolDuplicates looks for keys that stand twice anywhere in a tool: hosts differ
// in which they read, so the tool is not read whole.
func (r *reader) toolDuplicates(tool place) {
	path := []string{tool.pointer}
	var walk func(n *yaml.Node)
	// Pointers are put together only for what is told: a name may be a megabyte long.
	below := func(token string, n *yaml.Node) {
		if len(n.Content) > 0 {
			path = append(path, token)
			walk(n)
			path = path[:len(path)-1]
		}
	}
	walk = func(n *yaml.Node) {
		for _, k := range r.tree.Duplicates(n) {
			last, _ := r.tree.Lookup(n, k.Value)
			r.incomplete(k, strings.Join(append(path, node.Escape(k.Value)), "/"),
				"the key %s stands here and on line %d, column %d; only the last was read: remove one", quote(k.Value), last.Line, last.Column)
		}
		for k, v := range r.tree.Members(n) {
			below(node.Escape(k.Value), v)
		}
		for i, v := range node.Items(n) {
			below(strconv.Itoa(i), v)
		}
	}
	walk(tool.node)
}
