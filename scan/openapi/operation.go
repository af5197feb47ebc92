package openapi

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// operation reads one operation into a tool. It always gives one.
func (r *reader) operation(op operation) *surface.Tool {
	tool := &surface.Tool{Method: op.method, Path: op.path, Pos: op.at.Tree.Pos(op.key, op.at.Pointer)}
	at, _ := r.follow(tool, op.at)
	if !node.IsMap(at.Node) {
		r.incomplete(tool, noteAt(node.Target{Tree: op.at.Tree, Node: op.key, Pointer: op.at.Pointer},
			"the operation is %s, not an object; describe it", kindOf(at.Node)))
	}
	tree, pointer := at.Tree, at.Pointer
	tool.Name = tree.Text(at.Node, pointer, "operationId")
	tool.Summary = tree.Text(at.Node, pointer, "summary")
	tool.Description = tree.Text(at.Node, pointer, "description")
	tool.ID = r.id(tool)
	tool.Security = r.security(tool, at)
	r.input(tool, at, op.items)
	r.responses(tool, at)
	r.fingerprint(tool, at, op.items)
	return tool
}

// id is the tool's name, or words from its method and path, made unique.
func (r *reader) id(tool *surface.Tool) string {
	id := tool.Name.Value
	if id == "" {
		id = pathWords(tool.Method, tool.Path)
	}
	if tool.Name.Value != "" && r.names[id] {
		r.note(tool.Name.Pos, "the operationId %q is used by several operations; give each its own", id)
	}
	r.names[id] = r.names[id] || tool.Name.Value != ""
	r.ids[id]++
	if r.ids[id] == 1 {
		return id
	}
	for {
		unique := fmt.Sprintf("%s_%d", id, r.ids[id])
		if r.ids[unique] == 0 {
			r.ids[unique]++
			return unique
		}
		r.ids[id]++
	}
}

// pathWords are method and path as lower-case words: get_users_user_id.
func pathWords(method, path string) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(method))
	begin, lower := true, false
	for _, c := range path {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			begin = true
			continue
		}
		if begin || lower && unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
		begin, lower = false, unicode.IsLower(c)
	}
	return b.String()
}

// fingerprint covers the operation, what it inherits from its path and from the
// root, and all that these refer to.
func (r *reader) fingerprint(tool *surface.Tool, at node.Target, items []node.Target) {
	call := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: tool.Method + " " + tool.Path}
	parts := []node.Target{{Tree: at.Tree, Node: call}, at}
	for _, item := range items {
		if p := member(item, "parameters"); p.Node != nil {
			parts = append(parts, p)
		}
	}
	if at.Tree.Get(at.Node, "security") == nil {
		parts = append(parts, member(node.Target{Tree: r.root, Node: r.root.Root}, "security"))
	}
	tool.Fingerprint, tool.DefinitionBytes = r.prints.Of(parts...)
}

// security is what protects the operation: its own requirements, else the root's
// (OpenAPI 3.1, Security Requirement Object).
func (r *reader) security(tool *surface.Tool, at node.Target) surface.Security {
	for _, holder := range []node.Target{at, {Tree: r.root, Node: r.root.Root}} {
		key, list := holder.Tree.Lookup(holder.Node, "security")
		if key == nil {
			continue
		}
		where := node.Target{Tree: holder.Tree, Node: key, Pointer: holder.Pointer + "/security"}
		if !node.IsSeq(list) {
			r.incomplete(tool, noteAt(where, "security is %s, not a list, and was taken as absent; write [] for none", kindOf(list)))
			continue
		}
		return r.requirements(tool, where, list)
	}
	return surface.Security{}
}

// requirements reads alternatives: any that asks for nothing lets everyone in.
func (r *reader) requirements(tool *surface.Tool, where node.Target, list *yaml.Node) surface.Security {
	s := surface.Security{Effective: len(list.Content) > 0, Pos: where.Tree.Pos(where.Node, where.Pointer)}
	seen := map[string]bool{}
	for i, alternative := range list.Content {
		if !node.IsMap(alternative) {
			r.incomplete(tool, noteAt(node.Target{Tree: where.Tree, Node: alternative, Pointer: node.JoinIndex(where.Pointer, i)},
				"a security requirement is %s, not an object; correct it", kindOf(alternative)))
		}
		named := false
		for _, scopes := range where.Tree.Members(alternative) {
			named = true
			for _, scope := range node.Items(scopes) {
				if text, ok := node.String(scope); ok && !seen[text] {
					seen[text] = true
					s.Scopes = append(s.Scopes, text)
				}
			}
		}
		s.Effective = s.Effective && named
	}
	return s
}
