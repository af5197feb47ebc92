// Package node is what the two readers share below their formats: positioned document
// trees (YAML nodes, from YAML or JSON), which are read without trusting their shape.
// It has three jobs:
//
//   - trees and references: members, scalars and JSON Pointers ([Tree]), `$ref`s
//     ([Resolver]), the aliases and merge keys of YAML ([Expand]);
//   - fingerprints of definitions with all that they refer to ([Fingerprinter]);
//   - JSON: decoding with positions ([DecodeJSON]), and the errors of texts that are
//     none ([CheckUTF8], [SyntaxError]).
//
// A tree from YAML goes through [Expand] once; after that it holds no aliases and
// no merge keys, and the other functions need not care. What had aliases is then a
// graph: whoever walks it needs a budget and must expect to come back to where it
// was.
package node

import (
	"iter"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// indexFrom is the number of keys from which a mapping gets an index.
const indexFrom = 32

// Tree is one document: its root and what has been learned about its nodes. It is
// not safe for use by several goroutines.
type Tree struct {
	// File is written into positions: empty for the scanned document itself.
	File string
	// Root is the document's top value, never a document node.
	Root *yaml.Node

	index   map[*yaml.Node]map[string]int
	places  map[string]place
	anchors map[string]place
}

// New returns the tree under root, which may be a document node or nil.
func New(file string, root *yaml.Node) *Tree {
	for root != nil && root.Kind == yaml.DocumentNode {
		if len(root.Content) == 0 {
			root = nil
			break
		}
		root = root.Content[0]
	}
	return &Tree{File: file, Root: root,
		index: map[*yaml.Node]map[string]int{}, places: map[string]place{}}
}

// IsMap reports whether n is a mapping.
func IsMap(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// IsSeq reports whether n is a sequence.
func IsSeq(n *yaml.Node) bool { return n != nil && n.Kind == yaml.SequenceNode }

// IsNull reports whether n is absent or null.
func IsNull(n *yaml.Node) bool {
	return n == nil || n.Kind == 0 || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// Lookup returns the key and the value of the last member of m named key; nil, nil
// where m is no mapping or has none.
func (t *Tree) Lookup(m *yaml.Node, key string) (k, v *yaml.Node) {
	if !IsMap(m) {
		return nil, nil
	}
	if len(m.Content) > 2*indexFrom {
		i, ok := t.indexOf(m)[key]
		if !ok {
			return nil, nil
		}
		return m.Content[i], m.Content[i+1]
	}
	for i := len(m.Content) &^ 1; i >= 2; i -= 2 {
		if k := m.Content[i-2]; k.Value == key && k.Kind == yaml.ScalarNode {
			return k, m.Content[i-1]
		}
	}
	return nil, nil
}

// Get is the value that [Tree.Lookup] finds.
func (t *Tree) Get(m *yaml.Node, key string) *yaml.Node {
	_, v := t.Lookup(m, key)
	return v
}

// Members are the keys and values of m in document order; none where m is no
// mapping. Keys that are not scalars are left out. Of a key that stands there
// several times only the last counts.
func (t *Tree) Members(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(k, v *yaml.Node) bool) {
		if !IsMap(m) {
			return
		}
		for i := 0; i+1 < len(m.Content); i += 2 {
			k := m.Content[i]
			if k.Kind != yaml.ScalarNode || !t.isLast(m, i) {
				continue
			}
			if !yield(k, m.Content[i+1]) {
				return
			}
		}
	}
}

// Duplicates are the keys of m that a later one of the same name overrules.
func (t *Tree) Duplicates(m *yaml.Node) []*yaml.Node {
	if !IsMap(m) {
		return nil
	}
	var dups []*yaml.Node
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Kind == yaml.ScalarNode && !t.isLast(m, i) {
			dups = append(dups, k)
		}
	}
	return dups
}

// isLast reports whether no key after position i of m has the same name.
func (t *Tree) isLast(m *yaml.Node, i int) bool {
	name := m.Content[i].Value
	if len(m.Content) > 2*indexFrom {
		return t.indexOf(m)[name] == i
	}
	for j := i + 2; j+1 < len(m.Content); j += 2 {
		if k := m.Content[j]; k.Value == name && k.Kind == yaml.ScalarNode {
			return false
		}
	}
	return true
}

func (t *Tree) indexOf(m *yaml.Node) map[string]int {
	index, ok := t.index[m]
	if !ok {
		index = make(map[string]int, len(m.Content)/2)
		for i := 0; i+1 < len(m.Content); i += 2 {
			if k := m.Content[i]; k.Kind == yaml.ScalarNode {
				index[k.Value] = i
			}
		}
		t.index[m] = index
	}
	return index
}

// Items are the elements of n; none where n is no sequence.
func Items(n *yaml.Node) []*yaml.Node {
	if !IsSeq(n) {
		return nil
	}
	return n.Content
}

// Pos is the position of n, which stands at pointer.
func (t *Tree) Pos(n *yaml.Node, pointer string) surface.Position {
	if n == nil {
		return surface.Position{File: t.File, Pointer: pointer}
	}
	return surface.Position{File: t.File, Pointer: pointer, Line: n.Line, Column: n.Column}
}

// Text is the member of m named key as text with its position; empty where it is
// absent, null or no scalar. m stands at pointer.
func (t *Tree) Text(m *yaml.Node, pointer, key string) surface.Text {
	v := t.Get(m, key)
	s, ok := String(v)
	if !ok {
		return surface.Text{}
	}
	return surface.Text{Value: s, Pos: t.Pos(v, pointer+"/"+key)}
}

// typeNames are the types of values by tag.
var typeNames = map[string]string{
	"!!map": "an object", "!!seq": "an array", "!!str": "a string", "!!int": "a number",
	"!!float": "a number", "!!bool": "a boolean", "!!null": "null",
}

// TypeName is the type of n as messages have it: "an object", "null". A node that is
// absent is null; a scalar of a type that JSON has none for, such as a date, is a
// string.
func TypeName(n *yaml.Node) string {
	switch {
	case IsNull(n):
		return typeNames["!!null"]
	case IsMap(n):
		return typeNames["!!map"]
	case IsSeq(n):
		return typeNames["!!seq"]
	}
	if name, ok := typeNames[n.ShortTag()]; ok {
		return name
	}
	return typeNames["!!str"]
}
