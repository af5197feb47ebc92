package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// duplicates notes the keys that a later one of the same object overrules. It runs
// before aliases are replaced, so that it meets every node once. Its error is that of
// a key which is too long.
func duplicates(file string, doc *yaml.Node) ([]surface.Note, error) {
	d := &duplicateFinder{tree: node.New(file, doc), last: map[string]int{}}
	d.walk(d.tree.Root)
	if d.more > 0 {
		d.notes = append(d.notes, surface.Note{Text: fmt.Sprintf("%d more keys stand twice in one object", d.more)})
	}
	return d.notes, d.err
}

type duplicateFinder struct {
	tree  *node.Tree
	path  []string
	notes []surface.Note
	more  int
	err   error
	last  map[string]int // of the object at hand: where each key stands last
}

func (d *duplicateFinder) walk(n *yaml.Node) {
	if n == nil {
		return
	}
	if n.Kind == yaml.MappingNode {
		d.keys(n)
	}
	for i, c := range n.Content {
		if len(c.Content) == 0 {
			continue
		}
		token := ""
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			token = n.Content[i-1].Value
		} else if n.Kind == yaml.SequenceNode {
			token = strconv.Itoa(i)
		}
		d.path = append(d.path, token)
		d.walk(c)
		d.path = d.path[:len(d.path)-1]
	}
}

const (
	// fewKeys is the number of keys up to which comparing each with each is cheaper
	// than a table.
	fewKeys = 24
	// manyKeys is the size up to which the table is used again.
	manyKeys = 1_000
)

func (d *duplicateFinder) keys(m *yaml.Node) {
	for i := 0; i+1 < len(m.Content) && d.err == nil; i += 2 {
		d.err = node.CheckKey(m.Content[i])
	}
	if len(m.Content) <= 2*fewKeys {
		for _, k := range d.tree.Duplicates(m) {
			d.note(k)
		}
		return
	}
	if len(d.last) > manyKeys {
		d.last = map[string]int{} // emptying a table takes as long as it is large
	}
	clear(d.last)
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Kind == yaml.ScalarNode {
			d.last[k.Value] = i
		}
	}
	if len(d.last) == len(m.Content)/2 {
		return
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Kind == yaml.ScalarNode && d.last[k.Value] != i {
			d.note(k)
		}
	}
}

func (d *duplicateFinder) note(k *yaml.Node) {
	if k.Tag == "!!merge" {
		return
	}
	if len(d.notes) == maxDuplicates {
		d.more++
		return
	}
	var pointer strings.Builder
	for _, token := range append(d.path, k.Value) {
		pointer.WriteString("/" + node.Escape(token))
	}
	d.notes = append(d.notes, surface.Note{
		Text: fmt.Sprintf("the key %q stands twice in one object; the last was read; remove or rename this one", k.Value),
		Pos:  d.tree.Pos(k, pointer.String()),
	})
}
