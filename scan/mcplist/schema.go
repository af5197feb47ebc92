package mcplist

import (
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// The schemas of a tool, by their place in toolSchemas.
const (
	input = iota
	output
)

// schemaKeys are the names a tool's schemas stand under: MCP's, then the spelling
// that some hosts' APIs use for the same object.
var schemaKeys = [...][]string{
	input:  {"inputSchema", "input_schema"},
	output: {"outputSchema", "output_schema"},
}

// toolSchema is one schema of a tool, of whatever type; node is nil where the tool
// has none.
type toolSchema struct {
	place
	key  *yaml.Node
	refs []localRef
}

// localRef is the value of a `$ref`, and the pointer it leads to.
type localRef struct {
	value   *yaml.Node
	pointer string
	// inside is true where the pointer is one in the schema itself, which is where
	// it belongs; otherwise it is one in the document.
	inside bool
}

// schemas finds the schemas of the tool at one place.
func (r *reader) schemas(tool place) [len(schemaKeys)]toolSchema {
	var found [len(schemaKeys)]toolSchema
	for i, keys := range schemaKeys {
		for _, key := range keys {
			k, v := r.tree.Lookup(tool.node, key)
			if node.IsNull(v) {
				continue
			}
			s := &found[i]
			s.key = k
			s.place = place{v, node.Join(tool.pointer, key)}
			if node.IsMap(v) {
				s.refs = localRefs(node.New("", v), r.tree, v, nil)
			} else {
				r.incomplete(v, s.pointer, "%s is %s and was not read; make it a JSON Schema object", key, node.TypeName(v))
			}
			break
		}
	}
	return found
}

// localRefs finds what the references below n lead to. They are resolved from the
// root of the schema they stand in, as MCP has it; where nothing stands there, from
// the document's.
func localRefs(schema, document *node.Tree, n *yaml.Node, refs []localRef) []localRef {
	resolver := &node.Resolver{}
	for _, key := range []string{"$ref", "$dynamicRef"} {
		v := schema.Get(n, key)
		if v == nil || v.Tag != "!!str" {
			continue
		}
		if to, err := resolver.Hop(schema, v.Value); err == nil {
			refs = append(refs, localRef{v, to.Pointer, true})
		} else if to, err := resolver.Hop(document, v.Value); err == nil {
			refs = append(refs, localRef{v, to.Pointer, false})
		}
	}
	for _, c := range n.Content {
		if len(c.Content) > 0 {
			refs = localRefs(schema, document, c, refs)
		}
	}
	return refs
}

// definition is what a tool's fingerprint covers: the tool, whose references into
// itself lead nowhere new, so that it is the same in every list; and what its
// schemas take from the document around it.
func (r *reader) definition(tool *yaml.Node, schemas [len(schemaKeys)]toolSchema) []node.Target {
	parts := []node.Target{{Tree: r.nowhere, Node: tool}}
	for _, s := range schemas {
		for _, ref := range s.refs {
			if !ref.inside {
				parts = append(parts, node.Target{Tree: r.tree, Node: &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map",
					Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: "$ref"}, ref.value}}})
			}
		}
	}
	return parts
}

// anchor rewrites the references of schemas to lead from the document's root, so
// that one tree serves all. It changes the tree: fingerprints come before.
func (r *reader) anchor(schemas [len(schemaKeys)]toolSchema) {
	for _, s := range schemas {
		for _, ref := range s.refs {
			pointer := ref.pointer
			if ref.inside {
				pointer = s.pointer + pointer
			}
			ref.value.Value = "#" + strings.ReplaceAll(pointer, "%", "%25")
		}
	}
}

// input reads what a tool takes.
func (r *reader) input(t *surface.Tool, s toolSchema) {
	if s.node == nil {
		return
	}
	t.Input = surface.Input{Declared: true, Pos: r.tree.Pos(s.key, s.pointer)}
	if !node.IsMap(s.node) {
		return
	}
	fields := r.flat.Request(node.Target{Tree: r.tree, Node: s.node, Pointer: s.pointer}, "input")
	t.Fields = fields.Fields
	t.Input.Properties, t.Input.Closed, t.Input.HasRequired = fields.Properties, fields.Closed, fields.HasRequired
	t.Input.Texts = fields.Texts
	r.problems(fields.Problems)
}

// output reads what a tool answers.
func (r *reader) output(t *surface.Tool, s toolSchema) {
	if !node.IsMap(s.node) {
		return
	}
	answer := r.flat.Response(node.Target{Tree: r.tree, Node: s.node, Pointer: s.pointer})
	t.Responses = []surface.Response{{
		Status: "result", HasSchema: true,
		IsArray: answer.IsArray, HasArray: answer.HasArray, IsObject: answer.IsObject,
		Fields: answer.Fields, Texts: answer.Texts, Pos: r.tree.Pos(s.key, s.pointer),
	}}
	r.problems(answer.Problems)
}

// problems makes the tool at hand incomplete by what of a schema could not be read.
func (r *reader) problems(problems []surface.Note) {
	for _, p := range problems {
		r.reasons.Add(p)
	}
}
