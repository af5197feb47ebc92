package mcplist

import (
	"context"
	"encoding/json"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Definition is a tool as its list has it.
type Definition struct {
	*surface.Tool
	// Value is the whole definition, as encoding/json decodes it with UseNumber. Of a
	// member that stands twice it has the last.
	Value any
}

// Definitions reads a list as [Read] does, and keeps what its tools say word for word.
func Definitions(ctx context.Context, name string, data []byte) ([]Definition, *surface.Document, error) {
	r, err := open(ctx, name, data)
	if err != nil {
		return nil, nil, err
	}
	list := make([]Definition, len(r.entries))
	for i, e := range r.entries { // before reading, which rewrites references
		list[i].Value = r.plain(e.node)
	}
	doc, err := r.finish()
	if err != nil {
		return nil, nil, err
	}
	for i, t := range doc.Tools {
		list[i].Tool = t
	}
	return list, doc, nil
}

// plain is a node's value.
func (r *reader) plain(n *yaml.Node) any {
	switch {
	case node.IsMap(n):
		object := map[string]any{}
		for k, v := range r.tree.Members(n) {
			object[k.Value] = r.plain(v)
		}
		return object
	case node.IsSeq(n):
		array := []any{}
		for _, v := range node.Items(n) {
			array = append(array, r.plain(v))
		}
		return array
	case node.IsNull(n):
		return nil
	case n.Tag == "!!str":
		return n.Value
	}
	if b, ok := node.Bool(n); ok {
		return b
	}
	return json.Number(n.Value)
}
