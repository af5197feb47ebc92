// Package mcplist reads MCP tool lists, in every shape a person has at hand, into
// the surface model.
package mcplist

import (
	"context"
	"fmt"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/schema"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Limits of a list. Those of the JSON itself are in package node, those of notes in
// package surface.
const (
	maxTools  = 20_000 // tools of a document
	maxScopes = 1_000  // scopes of one tool; the rest is left out
)

// Read reads one MCP tool list, which is JSON: {"tools": […]}, a bare array of
// tools, one tool, a JSON-RPC response to tools/list, or several of these in an
// array or one after the other, whose tools are joined in order. name becomes the
// document's name. The server's name is read where the list or an initialize
// response beside it gives one.
//
// Positions are those of the text as it came. In a document of several values the
// pointers are those of an array of them. Whatever of a tool has the wrong type is
// left out and named in its Incomplete; what cannot be joined to the list is in the
// document's notes. A list without tools is no error.
//
// Errors are *[surface.ReadError]s (no JSON, no list in it, the server's own
// error), or the context's.
func Read(ctx context.Context, name string, data []byte) (*surface.Document, error) {
	r, err := open(ctx, name, data)
	if err != nil {
		return nil, err
	}
	return r.finish()
}

// open finds the tools of a list.
func open(ctx context.Context, name string, data []byte) (*reader, error) {
	if err := expectJSON(data); err != nil {
		return nil, err
	}
	values, err := node.DecodeJSON(ctx, data)
	if err != nil {
		return nil, err
	}
	root := &yaml.Node{Kind: yaml.SequenceNode, Content: values, Line: 1, Column: 1}
	if len(values) == 1 {
		root = values[0]
	}
	r := newReader(ctx, name, root)
	if len(values) == 1 {
		err = r.value(place{root, ""})
	} else {
		err = r.values(place{root, ""})
	}
	return r, err
}

// place is a node and the pointer it stands at.
type place struct {
	node    *yaml.Node
	pointer string
}

// reader holds what is known while a document is read.
type reader struct {
	ctx  context.Context
	doc  *surface.Document
	tree *node.Tree
	// nowhere is a tree in which no reference leads anywhere.
	nowhere *node.Tree
	// prints makes the fingerprints of tools, flat the fields of their schemas.
	prints *node.Fingerprinter
	flat   *schema.Reader

	// entries are the tools found, in order.
	entries []entry
	// lists counts the lists found, those without tools too.
	lists int
	// cursor is the nextCursor of the last list; its node is nil where it has none.
	cursor place
	// failure is the first error response.
	failure *surface.ReadError
	// guards are the security of the objects around lists, once read.
	guards map[*yaml.Node]guard
	// suffixes are the next numbers to try for names that are taken.
	suffixes map[string]int
	// notes are those of the document, reasons why the tool at hand is incomplete.
	notes, reasons *surface.NoteList
}

// entry is one tool of a list, with the objects the list stands in, innermost
// first.
type entry struct {
	place
	owners []place
}

func newReader(ctx context.Context, name string, root *yaml.Node) *reader {
	return &reader{
		ctx:      ctx,
		doc:      &surface.Document{Kind: surface.MCP, Name: name},
		tree:     node.New("", root),
		nowhere:  node.New("", nil),
		prints:   node.NewFingerprinter(&node.Resolver{}),
		flat:     schema.NewReader(&node.Resolver{}),
		guards:   map[*yaml.Node]guard{},
		suffixes: map[string]int{},
		notes:    surface.NewNoteList(surface.MaxNotes),
	}
}

// finish reads the tools that were found.
func (r *reader) finish() (*surface.Document, error) {
	if r.lists == 0 {
		return nil, r.noList()
	}
	first := r.names()
	for i, e := range r.entries {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		r.reasons = surface.NewNoteList(surface.MaxReasons)
		t := r.tool(e)
		r.identify(t, i, first)
		t.Incomplete = r.reasons.Notes()
		r.doc.Tools = append(r.doc.Tools, t)
	}
	if r.cursor.node != nil {
		r.doc.Partial = true
		r.note(r.cursor.node, r.cursor.pointer, "the list is partial: it stops at a nextCursor; call tools/list again with that cursor until none is returned, and give all the responses together")
	}
	r.doc.Notes = r.notes.Notes()
	return r.doc, nil
}

// note adds a remark about what stands at n.
func (r *reader) note(n *yaml.Node, pointer, format string, args ...any) {
	r.notes.Add(surface.Note{Text: fmt.Sprintf(format, args...), Pos: r.tree.Pos(n, pointer)})
}
