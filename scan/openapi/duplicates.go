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
// before aliases are replaced, so that it meets every node once.
func duplicates(file string, doc *yaml.Node) []surface.Note {
	d := &duplicateFinder{tree: node.New(file, doc)}
	d.walk(d.tree.Root)
	if d.more > 0 {
		d.notes = append(d.notes, surface.Note{Text: fmt.Sprintf("%d more keys stand twice in one object", d.more)})
	}
	return d.notes
}

type duplicateFinder struct {
	tree  *node.Tree
	path  []string
	notes []surface.Note
	more  int
}

func (d *duplicateFinder) walk(n *yaml.Node) {
	if n == nil {
		return
	}
	for _, k := range d.tree.Duplicates(n) {
		d.note(k)
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

func (d *duplicateFinder) note(k *yaml.Node) {
	if k.Tag == "!!merge" {
		return
	}
	if len(d.notes) == maxNotes {
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
