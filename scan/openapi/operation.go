package openapi

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// operation reads one operation into a tool. It always gives one.
func (r *reader) operation(op operation) *surface.Tool {
	r.reasons = surface.NewNoteList(surface.MaxReasons)
	tool := &surface.Tool{Method: op.method, Path: op.path, Pos: op.at.Tree.Pos(op.key, op.at.Pointer)}
	at, _ := r.follow(op.at)
	if !node.IsMap(at.Node) {
		r.incomplete(noteAt(node.Target{Tree: op.at.Tree, Node: op.key, Pointer: op.at.Pointer},
			"the operation is %s, not an object; describe it", node.TypeName(at.Node)))
	}
	tree, pointer := at.Tree, at.Pointer
	name, summary, description := tree.Text(at.Node, pointer, "operationId"), tree.Text(at.Node, pointer, "summary"), tree.Text(at.Node, pointer, "description")
	if r.spend((len(name.Value)+len(summary.Value)+len(description.Value))/textUnit, at) {
		tool.Name, tool.Summary, tool.Description = name, summary, description
	}
	tool.ID = r.id(tool)
	demand := r.security(at)
	tool.Security = demand.Security
	r.input(tool, at, op.items)
	r.responses(tool, at)
	r.fingerprint(tool, at, op.items, demand)
	tool.Incomplete = r.reasons.Notes()
	return tool
}

// id is the tool's name, or words from its method and path, made unique.
func (r *reader) id(tool *surface.Tool) string {
	id := surface.Clip(tool.Name.Value, maxID)
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
