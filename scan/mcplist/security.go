package mcplist

import (
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// securityKeys are the members that protect a tool, with how each is read.
var securityKeys = []struct {
	key  string
	read func(*reader, *yaml.Node, *surface.Security)
}{
	{"security", (*reader).requirements},
	{"securitySchemes", (*reader).alternatives},
	{"permissions", (*reader).grants},
	{"scopes", (*reader).grants},
	{"requiresAuth", (*reader).demand},
}

// guard is the security of one object; given is false where it says nothing of it.
type guard struct {
	surface.Security
	given bool
}

// security is what protects a tool: what it says itself, else its _meta, else the
// objects around the list, the innermost first. The first that says anything
// decides, so that a tool can open itself in a closed list.
func (r *reader) security(e entry) surface.Security {
	if g := r.guarded(e.place); g.given {
		return g.Security
	}
	for _, o := range e.owners {
		g, known := r.guards[o.node]
		if !known {
			g = r.guarded(o)
			r.guards[o.node] = g
		}
		if g.given {
			return g.Security
		}
	}
	return surface.Security{}
}

// guarded reads the security members of an object, else those of its _meta.
func (r *reader) guarded(at place) guard {
	if g := r.members(at); g.given {
		return g
	}
	return r.members(place{r.tree.Get(at.node, "_meta"), node.Join(at.pointer, "_meta")})
}

func (r *reader) members(at place) (g guard) {
	for _, member := range securityKeys {
		k, v := r.tree.Lookup(at.node, member.key)
		if node.IsNull(v) {
			continue
		}
		if !g.given {
			g.Pos = r.tree.Pos(k, node.Join(at.pointer, member.key))
		}
		g.given = true
		member.read(r, v, &g.Security)
	}
	return g
}

// requirements reads alternatives in the manner of OpenAPI, in which a scheme's
// name leads to a list of scopes.
func (r *reader) requirements(n *yaml.Node, s *surface.Security) {
	r.alternatives(n, s)
	for _, a := range append([]*yaml.Node{n}, node.Items(n)...) {
		for _, v := range r.tree.Members(a) {
			if node.IsSeq(v) {
				r.scopes(v, s)
			}
		}
	}
}

// alternatives reads a list of schemes, or one object of them, of which each lets a
// caller in. One that asks for nothing leaves the tool open.
func (r *reader) alternatives(n *yaml.Node, s *surface.Security) {
	list := []*yaml.Node{n}
	if node.IsSeq(n) {
		list = n.Content
	}
	closed := len(list) > 0
	for _, a := range list {
		closed = closed && !r.isOpen(a)
		r.nestedScopes(a, s)
	}
	s.Effective = s.Effective || closed
}

// isOpen reports whether an alternative asks a caller for nothing.
func (r *reader) isOpen(n *yaml.Node) bool {
	if isEmpty(n) {
		return true
	}
	types := []*yaml.Node{r.tree.Get(n, "type")}
	for _, v := range r.tree.Members(n) {
		types = append(types, r.tree.Get(v, "type"))
	}
	return slices.ContainsFunc(types, func(v *yaml.Node) bool { return v != nil && isEmpty(v) })
}

// nothing are words for no authentication, lower case.
var nothing = []string{"", "false", "no", "none", "noauth", "anonymous"}

// isEmpty reports whether a value says that there is nothing: null, false or a word
// for it, an empty list or object.
func isEmpty(n *yaml.Node) bool {
	if node.IsNull(n) {
		return true
	}
	if n.Kind != yaml.ScalarNode {
		return len(n.Content) == 0
	}
	return slices.Contains(nothing, strings.ToLower(n.Value))
}

// nestedScopes collects what stands under a `scopes` or `permissions` below n.
func (r *reader) nestedScopes(n *yaml.Node, s *surface.Security) {
	for k, v := range r.tree.Members(n) {
		if k.Value == "scopes" || k.Value == "permissions" {
			r.scopes(v, s)
			continue
		}
		r.nestedScopes(v, s)
	}
}

// demand reads requiresAuth: what is not empty asks for something.
func (r *reader) demand(n *yaml.Node, s *surface.Security) {
	s.Effective = s.Effective || !isEmpty(n)
	r.nestedScopes(n, s)
}

// grants reads permissions or scopes, which ask for something where they name any.
func (r *reader) grants(n *yaml.Node, s *surface.Security) {
	if isEmpty(n) {
		return
	}
	s.Effective = true
	r.scopes(n, s)
}

// scopes adds the scopes named by n: strings, or objects with a name or with
// scopes, alone or in a list, or the keys of an object, as OAuth flows have them.
func (r *reader) scopes(n *yaml.Node, s *surface.Security) {
	for _, c := range node.Items(n) {
		if !node.IsMap(c) {
			r.scopes(c, s)
			continue
		}
		for _, key := range []string{"name", "scope", "scopes"} {
			r.scopes(r.tree.Get(c, key), s)
		}
	}
	for k := range r.tree.Members(n) {
		addScope(s, k.Value)
	}
	if n != nil && n.Tag == "!!str" {
		addScope(s, n.Value)
	}
}

// addScope adds each word of text once: OAuth writes several scopes as one string.
func addScope(s *surface.Security, text string) {
	for scope := range strings.FieldsSeq(text) {
		if len(s.Scopes) < maxScopes && !slices.Contains(s.Scopes, scope) {
			s.Scopes = append(s.Scopes, scope)
		}
	}
}
