package openapi

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// note adds a remark about the document.
func (r *reader) note(pos surface.Position, format string, args ...any) {
	r.notes.Add(surface.Note{Text: fmt.Sprintf(format, args...), Pos: pos})
}

// failed keeps which remarks are about what lies outside the document.
func (r *reader) failed(err *node.RefError) {
	switch err.Reason {
	case node.Remote, node.NotAllowed, node.Unreadable:
		r.outside[err.Error()] = true
	}
}

// incomplete says that a part of the tool at hand was not read. What lies outside
// the document is a remark about the document too, once.
func (r *reader) incomplete(notes ...surface.Note) {
	for _, n := range notes {
		r.reasons.Add(n)
		if r.outside[n.Text] && !r.noted[n.Text] {
			r.noted[n.Text] = true
			r.notes.Add(n)
		}
	}
}

// noteAt is a remark about a node.
func noteAt(at node.Target, format string, args ...any) surface.Note {
	return surface.Note{Text: fmt.Sprintf(format, args...), Pos: at.Tree.Pos(at.Node, at.Pointer)}
}

// spend takes the cost of a part of the tool at hand from the document's budget;
// false says that it must not be read. Operations may share their parts by `$ref`,
// so a small document can have any number of them.
func (r *reader) spend(cost int, at node.Target) bool {
	r.parts += cost
	if r.parts <= maxParts {
		return true
	}
	r.incomplete(noteAt(at, "the operations of the document have too many parts together; those from here on were not read; split the document"))
	return false
}

// follow goes where at refers to; where it cannot, it says so on the tool.
func (r *reader) follow(at node.Target) (node.Target, bool) {
	target, err := r.resolver.Follow(at)
	if err != nil {
		r.incomplete(noteAt(at, "%s", err))
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
func (r *reader) object(at node.Target, what string) (node.Target, bool) {
	if node.IsNull(at.Node) {
		return at, false
	}
	target, ok := r.follow(at)
	if ok && !node.IsMap(target.Node) {
		r.incomplete(noteAt(target, "%s is %s, not an object, and was not read; correct it", what, node.TypeName(target.Node)))
		return target, false
	}
	return target, ok
}
