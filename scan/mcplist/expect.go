package mcplist

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// expected tells a person what to give instead.
const expected = `give what a server answers to tools/list: {"tools": […]}, the JSON-RPC response around it, or the bare array of tools`

// textStarts are beginnings of texts that are no JSON but that people have at hand.
var textStarts = []struct{ start, what, hint string }{
	{"data:", "a stream of events", "keep only what follows each `data:`"},
	{"event:", "a stream of events", "keep only what follows each `data:`"},
	{"id:", "a stream of events", "keep only what follows each `data:`"},
	{"HTTP/", "a whole HTTP response", "keep only its body"},
	{"<", "HTML or XML", expected},
	{"Content-Length:", "a framed message", "keep only the JSON that follows the header"},
}

// expectJSON refuses a document that is empty or begins like no list, before the
// decoder complains about its first character. The error repeats nothing of it: a
// caller may have named any file.
func expectJSON(data []byte) error {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 {
		return &surface.ReadError{Message: "the document is empty", Hint: expected}
	}
	if text[0] == '{' || text[0] == '[' || text[0] >= 0x80 {
		return nil
	}
	for _, s := range textStarts {
		if bytes.HasPrefix(text, []byte(s.start)) {
			return &surface.ReadError{Message: "JSON is expected, not " + s.what, Hint: s.hint}
		}
	}
	return &surface.ReadError{
		Message: "JSON is expected: an MCP tool list begins with { or [",
		Hint:    expected + "; YAML is not read as a tool list",
	}
}

// otherDocuments are objects that are no tool list where they have no tools.
var otherDocuments = slices.Concat(surface.Others, []surface.Other{
	{Key: "openapi", What: "an OpenAPI document", Hint: "scan it as OpenAPI"},
	{Key: "swagger", What: "an OpenAPI document", Hint: "scan it as OpenAPI"},
})

// other is the error for an object that is known to be one of those, else nil.
func (r *reader) other(at place, known []surface.Other) error {
	for _, o := range known {
		if k, _ := r.tree.Lookup(at.node, o.Key); k != nil {
			return readError(k, "not an MCP tool list but "+o.What, o.Hint)
		}
	}
	return nil
}

// noList is the error for a document in which no list was found.
func (r *reader) noList() error {
	if r.failure != nil {
		return r.failure
	}
	if notes := r.notes.Notes(); len(notes) > 0 {
		n := notes[0]
		return &surface.ReadError{Message: "no tool list found: " + n.Text, Hint: expected, Line: n.Pos.Line, Column: n.Pos.Column}
	}
	return &surface.ReadError{Message: "no tool list found", Hint: expected}
}

func readError(at *yaml.Node, message, hint string) *surface.ReadError {
	return &surface.ReadError{Message: message, Hint: hint, Line: at.Line, Column: at.Column}
}

// maxQuote is how many characters of a stranger's text a message repeats.
const maxQuote = 80

// quote cuts and escapes a stranger's text for a message.
func quote(s string) string {
	return strconv.Quote(surface.Clip(s, maxQuote))
}
