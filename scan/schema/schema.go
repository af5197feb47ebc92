// Package schema flattens a JSON Schema (as OpenAPI and MCP use it) into the
// fields of the surface model.
//
// A schema is read in three steps, each done once for a schema however often it is
// used: its keywords (read.go); what it says of a value together with what it
// refers to and is composed of (facts.go); which properties, items and map values
// it has by the same composition (shape.go). Flattening (flatten.go) walks shapes.
package schema

import (
	"fmt"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Limits. What one cuts off is a problem of the result, so that nothing cut is
// reported as clean.
const (
	// maxDepth is how deep fields may be nested in fields.
	maxDepth = 32
	// maxComposition is how deep references, allOf, oneOf, anyOf and lists may be nested.
	maxComposition = 64
	// maxFields is how many fields one schema is flattened to.
	maxFields = 2_000
	// repeatFields is how many fields a schema may have until one that was met
	// before is not spelled out again under another name.
	repeatFields = 500
	// maxDocumentFields is how many fields all schemas of a document are flattened to.
	maxDocumentFields = 500_000
	// maxCircle is how many schemas may be composed of each other.
	maxCircle = 1_000
	// textUnit is how many bytes of a pointer or a path cost as much as a schema or a
	// field: names may be of any length, and everything below one repeats it.
	textUnit = 128
	// enumUnit is how many values of an enumeration cost as much as a schema.
	enumUnit = 8
	// maxVisits is how many schemas and inherited properties are read in a document.
	maxVisits = 3_000_000
)

// Result is what flattening a schema gives.
type Result struct {
	// Fields are in document order, an object's field before its children. They are
	// shared by all results of the same schema and must not be changed.
	Fields []*surface.Field
	// Properties counts the properties of the schema itself, in all compositions.
	Properties int
	// Closed is true where additionalProperties is false, HasRequired where
	// `required` has an entry.
	Closed, HasRequired bool
	// IsArray and IsObject say what the value is; HasArray, that it is an object
	// with a property that is an array.
	IsArray, IsObject, HasArray bool
	// Texts are the titles and descriptions of the schema itself and of what it is
	// composed of.
	Texts []surface.Text
	// Problems say what could not be read, each once.
	Problems []surface.Note
}

// Reader flattens the schemas of one document, and of those it refers to. It is
// not safe for use by several goroutines.
type Reader struct {
	resolver *node.Resolver
	schemas  map[*yaml.Node]*schema
	requests map[use]Result
	answers  map[*schema]Result
	slab     []surface.Field
	visits   int
	fields   int
}

type use struct {
	*schema
	in string
}

// NewReader returns one that follows references by resolver.
func NewReader(resolver *node.Resolver) *Reader {
	return &Reader{
		resolver: resolver,
		schemas:  map[*yaml.Node]*schema{},
		requests: map[use]Result{},
		answers:  map[*schema]Result{},
	}
}

// Request flattens the schema at a request's root to its fields at any depth; in
// is written into them (body, formData, input).
func (r *Reader) Request(at node.Target, in string) Result {
	s := r.schema(at).base()
	key := use{s, in}
	result, ok := r.requests[key]
	if !ok {
		f := flattener{Reader: r, in: in}
		f.children(s, "", 1)
		result = f.result(s)
		r.requests[key] = result
	}
	return result
}

// Children flattens what is inside a field that exists already, as a parameter
// does: the fields of the schema at at stand below the path parent.
func (r *Reader) Children(at node.Target, in, parent string) Result {
	s := r.schema(at)
	f := flattener{Reader: r, in: in}
	f.children(s, parent, 2)
	return f.result(s)
}

// Response flattens the schema of an answer to its own fields and those of its
// list items: those of the items where it is an array, and of the items of its
// array properties. Other nested objects are not entered.
func (r *Reader) Response(at node.Target) Result {
	s := r.schema(at).base()
	result, ok := r.answers[s]
	if !ok {
		f := flattener{Reader: r, in: "response", lists: true}
		f.children(s, "", 1)
		result = f.result(s)
		r.answers[s] = result
	}
	return result
}

// Facts is what the schema at at says of its value, and what of it could not be
// read. The schema is shared and must not be changed.
func (r *Reader) Facts(at node.Target) (*surface.Schema, []surface.Note) {
	s := r.schema(at)
	facts := r.facts(s)
	return &facts.Schema, facts.problems
}

// spend takes n visits from the document's budget.
func (r *Reader) spend(n int) bool {
	r.visits += n
	return r.visits <= maxVisits
}

func (s *schema) overVisits() surface.Note {
	return note(s.at, "the document has more than %d schemas and inherited properties; those from here on were not read; split the document", maxVisits)
}

func note(at node.Target, format string, args ...any) surface.Note {
	return surface.Note{Text: fmt.Sprintf(format, args...), Pos: at.Tree.Pos(at.Node, at.Pointer)}
}
