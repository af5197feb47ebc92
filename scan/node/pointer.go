package node

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"
)

// maxAnchorDepth is how deep $anchor and $id are looked for.
const maxAnchorDepth = 200

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape is a member's name as a token of a JSON Pointer (RFC 6901, section 3).
func Escape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return escaper.Replace(name)
}

// Join appends the escaped name to pointer.
func Join(pointer, name string) string { return pointer + "/" + Escape(name) }

// JoinIndex appends an element's index to pointer.
func JoinIndex(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// place is a node and the pointer it stands at.
type place struct {
	node    *yaml.Node
	pointer string
}

// At is the node at a URI fragment's JSON Pointer ("/a/b~1c%20d") and the plain
// pointer it stands at; nil where there is none. Answers are kept.
func (t *Tree) At(fragment string) (*yaml.Node, string) {
	p, ok := t.places[fragment]
	if !ok {
		p = t.find(fragment)
		t.places[fragment] = p
	}
	return p.node, p.pointer
}

func (t *Tree) find(fragment string) place {
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment == "" {
		return place{node: t.Root}
	}
	if fragment[0] != '/' {
		return place{}
	}
	n := t.Root
	for token := range strings.SplitSeq(fragment[1:], "/") {
		if n = t.step(n, unescaper.Replace(token)); n == nil {
			return place{}
		}
	}
	return place{node: n, pointer: fragment}
}

func (t *Tree) step(n *yaml.Node, name string) *yaml.Node {
	if IsSeq(n) {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(n.Content) {
			return nil
		}
		return n.Content[i]
	}
	return t.Get(n, name)
}

// named is the schema that calls itself name by $anchor, $dynamicAnchor or $id.
func (t *Tree) named(name string) (*yaml.Node, string) {
	if t.anchors == nil {
		t.anchors = map[string]place{}
		t.collect(t.Root, "", 0, map[*yaml.Node]bool{})
	}
	p := t.anchors[name]
	return p.node, p.pointer
}

func (t *Tree) collect(n *yaml.Node, pointer string, depth int, seen map[*yaml.Node]bool) {
	if n == nil || len(n.Content) == 0 || seen[n] || depth > maxAnchorDepth {
		return
	}
	seen[n] = true
	if IsSeq(n) {
		for i, c := range n.Content {
			if len(c.Content) > 0 {
				t.collect(c, JoinIndex(pointer, i), depth+1, seen)
			}
		}
		return
	}
	for k, v := range t.Members(n) {
		switch k.Value {
		case "$anchor", "$dynamicAnchor":
			t.name("#"+v.Value, n, pointer)
		case "$id":
			t.name(v.Value, n, pointer)
		}
		if len(v.Content) > 0 {
			t.collect(v, Join(pointer, k.Value), depth+1, seen)
		}
	}
}

func (t *Tree) name(name string, n *yaml.Node, pointer string) {
	if _, taken := t.anchors[name]; !taken && len(name) > 1 {
		t.anchors[name] = place{node: n, pointer: pointer}
	}
}
