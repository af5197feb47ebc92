package openapi

import (
	"fmt"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
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
		r.note(at.Tree.Pos(key, "/paths"), "paths is %s, not an object of paths; no operations were read", node.TypeName(at.Node))
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
		r.note(at.Tree.Pos(key, at.Pointer), "path %q is %s, not an object; it was not read", key.Value, node.TypeName(target.Node))
	}
	var all []operation
	taken := map[string]bool{}
	for _, item := range items {
		for _, op := range r.operations(item) {
			if !taken[op.method] {
				taken[op.method] = true
				op.path, op.items = key.Value, items
				all = append(all, op)
			}
		}
	}
	if len(r.doc.Tools)+len(all) > maxOperations {
		return rootError(key, fmt.Sprintf("more than %d operations", maxOperations), "scan the document in parts")
	}
	for _, op := range all {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		tool := r.operation(op)
		tool.PutOnPath = taken["PUT"]
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
