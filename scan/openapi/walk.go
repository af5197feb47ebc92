package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// methods are the keys of a path item that are operations.
var methods = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "options": true,
	"head": true, "patch": true, "trace": true, "query": true}

// paths reads every operation of the document.
func (r *reader) paths() error {
	key, value := r.root.Lookup(r.root.Root, "paths")
	at := node.Target{Tree: r.root, Node: value, Pointer: "/paths"}
	if key == nil {
		r.noPaths()
		return nil
	}
	at, err := r.resolver.Follow(at)
	if err != nil {
		r.doc.Partial = true
		r.note(at.Tree.Pos(key, "/paths"), "%s", err)
	}
	if !node.IsMap(at.Node) {
		r.note(at.Tree.Pos(key, "/paths"), "paths is %s, not an object of paths; no operations were read", kindOf(at.Node))
		return nil
	}
	for k, v := range at.Tree.Members(at.Node) {
		if strings.HasPrefix(k.Value, "x-") || k.Value == "$ref" {
			continue
		}
		item := node.Target{Tree: at.Tree, Node: v, Pointer: node.Join(at.Pointer, k.Value)}
		if err := r.pathItem(k, item); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) noPaths() {
	if key, webhooks := r.root.Lookup(r.root.Root, "webhooks"); webhooks != nil {
		r.note(r.root.Pos(key, "/webhooks"), "the document has only webhooks: requests that the API sends, which no agent calls; no operations were read")
		return
	}
	r.note(r.root.Pos(r.root.Root, ""), "the document has no `paths`, so it offers no operations")
}

// operation is one operation where it was found.
type operation struct {
	key    *yaml.Node
	method string
	path   string
	at     node.Target
	// items are the path items whose parameters apply to it, the nearest first.
	items []node.Target
}

// pathItem reads the operations of one path: those of the path item, and those of
// what it refers to.
func (r *reader) pathItem(key *yaml.Node, at node.Target) error {
	items := []node.Target{at}
	target, err := r.resolver.Follow(at)
	switch {
	case err != nil:
		r.doc.Partial = true
		r.note(at.Tree.Pos(key, at.Pointer), "the operations of path %q were not read: %s", key.Value, err)
	case target.Node != at.Node:
		items = append(items, target)
	}
	if !node.IsMap(target.Node) && !node.IsNull(target.Node) {
		r.note(at.Tree.Pos(key, at.Pointer), "path %q is %s, not an object; it was not read", key.Value, kindOf(target.Node))
	}
	var all []operation
	for _, item := range items {
		for _, op := range r.operations(item) {
			if !slices.ContainsFunc(all, func(o operation) bool { return o.method == op.method }) {
				op.path, op.items = key.Value, items
				all = append(all, op)
			}
		}
	}
	for _, op := range all {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		tool := r.operation(op)
		tool.SiblingMethods = siblings(all, op.method)
		r.doc.Tools = append(r.doc.Tools, tool)
	}
	return r.ctx.Err()
}

// operations are those written in a path item itself.
func (r *reader) operations(item node.Target) []operation {
	var list []operation
	for k, v := range item.Tree.Members(item.Node) {
		at := node.Target{Tree: item.Tree, Node: v, Pointer: node.Join(item.Pointer, k.Value)}
		if methods[strings.ToLower(k.Value)] {
			list = append(list, operation{key: k, method: strings.ToUpper(k.Value), at: at})
			continue
		}
		if k.Value != "additionalOperations" {
			continue
		}
		for k, v := range item.Tree.Members(v) {
			at := node.Target{Tree: item.Tree, Node: v, Pointer: node.Join(at.Pointer, k.Value)}
			list = append(list, operation{key: k, method: strings.ToUpper(k.Value), at: at})
		}
	}
	return list
}

func siblings(all []operation, method string) []string {
	var list []string
	for _, op := range all {
		if op.method != method {
			list = append(list, op.method)
		}
	}
	slices.Sort(list)
	return list
}

// note adds a remark about the document.
func (r *reader) note(pos surface.Position, format string, args ...any) {
	r.doc.Notes = append(r.doc.Notes, surface.Note{Text: fmt.Sprintf(format, args...), Pos: pos})
}

// failed keeps which remarks are about what lies outside the document.
func (r *reader) failed(err *node.RefError) {
	switch err.Reason {
	case node.Remote, node.NotAllowed, node.Unreadable:
		r.outside[err.Error()] = true
	}
}

// incomplete says that a part of a tool was not read. What lies outside the
// document is a remark about the document too, once.
func (r *reader) incomplete(tool *surface.Tool, notes ...surface.Note) {
	for _, n := range notes {
		if slices.Contains(tool.Incomplete, n) {
			continue
		}
		tool.Incomplete = append(tool.Incomplete, n)
		if r.outside[n.Text] && !r.noted[n.Text] {
			r.noted[n.Text] = true
			r.doc.Notes = append(r.doc.Notes, n)
		}
	}
}

// noteAt is a remark about a node.
func noteAt(at node.Target, format string, args ...any) surface.Note {
	return surface.Note{Text: fmt.Sprintf(format, args...), Pos: at.Tree.Pos(at.Node, at.Pointer)}
}

// follow goes where at refers to; where it cannot, it says so on the tool.
func (r *reader) follow(tool *surface.Tool, at node.Target) (node.Target, bool) {
	target, err := r.resolver.Follow(at)
	if err != nil {
		r.incomplete(tool, noteAt(at, "%s", err))
		return at, false
	}
	return target, true
}

// member is a member of at; its Node is nil where there is none.
func member(at node.Target, name string) node.Target {
	return node.Target{Tree: at.Tree, Node: at.Tree.Get(at.Node, name), Pointer: node.Join(at.Pointer, name)}
}

// object goes to the object that at is or refers to; ok is false where there is
// none, which is said on the tool unless it is absent or null.
func (r *reader) object(tool *surface.Tool, at node.Target, what string) (node.Target, bool) {
	if node.IsNull(at.Node) {
		return at, false
	}
	target, ok := r.follow(tool, at)
	if ok && !node.IsMap(target.Node) {
		r.incomplete(tool, noteAt(target, "%s is %s, not an object, and was not read; correct it", what, kindOf(target.Node)))
		return target, false
	}
	return target, ok
}
