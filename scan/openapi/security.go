package openapi

import (
	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// demand is what an operation asks of its caller, and the names of the security
// schemes by which it may.
type demand struct {
	surface.Security
	schemes []string
	// inherited is true where the root asks it.
	inherited bool
}

// security is what protects the operation: its own requirements, else the root's
// (OpenAPI 3.1, Security Requirement Object).
func (r *reader) security(at node.Target) demand {
	root := node.Target{Tree: r.root, Node: r.root.Root}
	for i, holder := range []node.Target{at, root} {
		key, list := holder.Tree.Lookup(holder.Node, "security")
		where := node.Target{Tree: holder.Tree, Node: key, Pointer: holder.Pointer + "/security"}
		switch {
		case key == nil:
		case node.IsNull(list):
			r.note(where.Tree.Pos(key, where.Pointer), "security is null and was taken as absent; write [] for none, or leave it out")
		case !node.IsSeq(list):
			r.incomplete(noteAt(where, "security is %s, not an array, and was taken as absent; write [] for none", node.TypeName(list)))
		default:
			d := r.requirements(where, list)
			d.inherited = i > 0
			return d
		}
	}
	return demand{}
}

// requirements reads alternatives: any that asks for nothing lets everyone in.
func (r *reader) requirements(where node.Target, list *yaml.Node) demand {
	d := demand{Security: surface.Security{Effective: len(list.Content) > 0, Pos: where.Tree.Pos(where.Node, where.Pointer)}}
	schemes, scopes := map[string]bool{}, map[string]bool{}
	for i, alternative := range list.Content {
		at := node.Target{Tree: where.Tree, Node: alternative, Pointer: node.JoinIndex(where.Pointer, i)}
		if !r.spend(costPart, at) {
			break
		}
		if !node.IsMap(alternative) {
			r.incomplete(noteAt(at, "a security requirement is %s, not an object; correct it", node.TypeName(alternative)))
		}
		named := false
		for scheme, asked := range at.Tree.Members(alternative) {
			named = true
			if !r.spend(costPart*(1+len(node.Items(asked))), at) {
				break
			}
			d.schemes = addOnce(d.schemes, schemes, scheme)
			for _, scope := range node.Items(asked) {
				d.Scopes = addOnce(d.Scopes, scopes, scope)
			}
		}
		d.Effective = d.Effective && named
	}
	return d
}

// addOnce appends the text of n, where it is one and not in seen.
func addOnce(list []string, seen map[string]bool, n *yaml.Node) []string {
	text, ok := node.String(n)
	if !ok || seen[text] {
		return list
	}
	seen[text] = true
	return append(list, text)
}

// schemesAt is where security schemes are defined: in OpenAPI 3, and in Swagger 2.0.
const (
	schemesAt        = "/components/securitySchemes"
	swaggerSchemesAt = "/securityDefinitions"
)

// scheme is the definition of a security scheme; its Node is nil where there is none.
func (r *reader) scheme(name string) node.Target {
	pointer := schemesAt
	if r.version.swagger {
		pointer = swaggerSchemesAt
	}
	all, _ := r.root.At(pointer)
	return member(node.Target{Tree: r.root, Node: all, Pointer: pointer}, name)
}

// fingerprint covers the operation, what it inherits from its path and from the
// root, the security schemes it asks for, and all that these refer to.
func (r *reader) fingerprint(tool *surface.Tool, at node.Target, items []node.Target, asked demand) {
	call := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: tool.Method + " " + tool.Path}
	parts := []node.Target{{Tree: at.Tree, Node: call}, at}
	for _, item := range items {
		if p := member(item, "parameters"); p.Node != nil {
			parts = append(parts, p)
		}
	}
	if asked.inherited {
		parts = append(parts, member(node.Target{Tree: r.root, Node: r.root.Root}, "security"))
	}
	for _, name := range asked.schemes {
		if s := r.scheme(name); s.Node != nil {
			parts = append(parts, s)
		}
	}
	tool.Fingerprint, tool.DefinitionBytes = r.prints.Of(parts...)
}
