package mcplist

import (
	"fmt"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// values reads what stands in an array: tools, or the objects that lists stand in.
func (r *reader) values(at place) error {
	list := false
	for i, n := range at.node.Content {
		p := place{n, node.JoinIndex(at.pointer, i)}
		switch {
		case r.isEnvelope(n):
			if err := r.object(p); err != nil {
				return err
			}
		case node.IsSeq(n):
			if err := r.values(p); err != nil {
				return err
			}
		default:
			list = true
			if err := r.entry(p, nil); err != nil {
				return err
			}
		}
	}
	if list || len(at.node.Content) == 0 {
		r.lists++
		r.cursor = place{}
	}
	return nil
}

// value reads one value at the top of a document.
func (r *reader) value(at place) error {
	if node.IsSeq(at.node) {
		return r.values(at)
	}
	return r.object(at)
}

// isEnvelope reports whether an object is around a list, not a tool itself.
func (r *reader) isEnvelope(n *yaml.Node) bool {
	if node.IsSeq(r.tree.Get(n, "tools")) {
		return true
	}
	if r.tree.Get(n, "name") != nil {
		return false
	}
	for _, key := range []string{"jsonrpc", "result", "error", "tools"} {
		if r.tree.Get(n, key) != nil {
			return true
		}
	}
	return false
}

// object reads an object at the top of a document: a list, a response, one tool.
func (r *reader) object(at place) error {
	if err := r.other(at, surface.LikeLists); err != nil {
		return err
	}
	r.duplicates(at)
	r.server(at.node)
	key, tools := r.tree.Lookup(at.node, "tools")
	if key != nil {
		return r.list(place{tools, node.Join(at.pointer, "tools")}, at)
	}
	if key, result := r.tree.Lookup(at.node, "result"); key != nil {
		return r.result(place{result, node.Join(at.pointer, "result")}, at)
	}
	if _, failure := r.tree.Lookup(at.node, "error"); !node.IsNull(failure) {
		r.failed(place{failure, node.Join(at.pointer, "error")})
		return nil
	}
	if r.isTool(at.node) {
		r.lists++
		return r.entry(at, nil)
	}
	if r.tree.Get(at.node, "jsonrpc") != nil && r.tree.Get(at.node, "method") != nil {
		return nil // a request or notification of a recorded session
	}
	if err := r.other(at, otherDocuments); err != nil {
		return err
	}
	r.note(at.node, at.pointer, "the object has no tools; leave it out")
	return nil
}

// isTool reports whether an object that stands alone is a tool.
func (r *reader) isTool(n *yaml.Node) bool {
	if r.tree.Get(n, "name") == nil {
		return r.isFunction(n)
	}
	for _, key := range []string{"description", "inputSchema", "input_schema", "annotations"} {
		if r.tree.Get(n, key) != nil {
			return true
		}
	}
	return r.isFunction(n)
}

// isFunction reports whether n is a function in the manner of chat APIs, which
// name a tool's parts otherwise.
func (r *reader) isFunction(n *yaml.Node) bool {
	if node.IsMap(r.tree.Get(n, "function")) {
		return true
	}
	kind, _ := node.String(r.tree.Get(n, "type"))
	return kind == "function" && r.tree.Get(n, "parameters") != nil
}

// result reads a response's result.
func (r *reader) result(at, response place) error {
	if node.IsSeq(at.node) {
		return r.list(at, response)
	}
	r.server(at.node)
	r.duplicates(at)
	if key, tools := r.tree.Lookup(at.node, "tools"); key != nil {
		return r.list(place{tools, node.Join(at.pointer, "tools")}, at, response)
	}
	if r.tree.Get(at.node, "protocolVersion") == nil && r.tree.Get(at.node, "serverInfo") == nil {
		r.note(at.node, at.pointer, "the response has no tools; leave it out, or check that it answers tools/list")
	}
	return nil
}

// list reads the tools at one place; owners are the objects around it.
func (r *reader) list(at place, owners ...place) error {
	if !node.IsSeq(at.node) && !node.IsNull(at.node) {
		r.doc.Partial = true
		r.note(at.node, at.pointer, "the tools are %s, not an array, and were not read; %s", node.TypeName(at.node), expected)
		return nil
	}
	r.lists++
	r.cursor = place{}
	if c := r.tree.Get(owners[0].node, "nextCursor"); !node.IsNull(c) && c.Value != "" {
		r.cursor = place{c, node.Join(owners[0].pointer, "nextCursor")}
	}
	for i, n := range node.Items(at.node) {
		if err := r.entry(place{n, node.JoinIndex(at.pointer, i)}, owners); err != nil {
			return err
		}
	}
	return nil
}

// entry takes one element of a list.
func (r *reader) entry(at place, owners []place) error {
	if !node.IsMap(at.node) {
		r.doc.Partial = true
		r.note(at.node, at.pointer, "an entry of the list is %s, not a tool, and was not read; correct or remove it", node.TypeName(at.node))
		return nil
	}
	if r.isFunction(at.node) {
		return readError(at.node, "a function of a chat API, not an MCP tool", "an MCP tool is an object with name, description and inputSchema; "+expected)
	}
	if len(r.entries) == maxTools {
		return readError(at.node, fmt.Sprintf("more than %d tools", maxTools), "scan the list in parts")
	}
	r.entries = append(r.entries, entry{at, owners})
	return nil
}

// failed keeps the first error response: without a list beside it, it is the
// error of the reading.
func (r *reader) failed(at place) {
	message, ok := node.String(r.tree.Get(at.node, "message"))
	if !ok {
		message, ok = node.String(at.node)
	}
	text := "the server answered with an error"
	if ok {
		text += ": " + quote(message)
	}
	r.note(at.node, at.pointer, "%s; if this was a page of the list, ask for it again", text)
	if r.failure == nil {
		r.failure = readError(at.node, text, "make the server answer tools/list (after initialize), and give that response")
	}
}

// server takes the server's name from an object that may give it.
func (r *reader) server(n *yaml.Node) {
	for _, key := range []string{"serverInfo", "server"} {
		v := r.tree.Get(n, key)
		if node.IsMap(v) {
			v = r.tree.Get(v, "name")
		}
		if s, ok := node.String(v); ok && r.doc.Title == "" {
			r.doc.Title = s
		}
	}
}

// duplicates notes the keys around a list that stand there twice.
func (r *reader) duplicates(at place) {
	for _, k := range r.tree.Duplicates(at.node) {
		last, _ := r.tree.Lookup(at.node, k.Value)
		r.note(k, node.Join(at.pointer, k.Value), "the key %s stands here and on line %d, column %d; only the last was read: remove one", quote(k.Value), last.Line, last.Column)
	}
}

// names are the explicit names of the document, each without a tool yet.
func (r *reader) names() map[string]*surface.Tool {
	names := make(map[string]*surface.Tool, len(r.entries))
	for _, e := range r.entries {
		if name, ok := node.String(r.tree.Get(e.node, "name")); ok {
			names[name] = nil
		}
	}
	return names
}
