// Package openapi reads OpenAPI descriptions (Swagger 2.0, OpenAPI 3.0 to 3.2,
// JSON or YAML) into the surface model. It is the only importer of libopenapi, and
// uses its parser alone: its model builders can bring a process down.
package openapi

import (
	"context"
	"io/fs"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/schema"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Limits of one document and of each file it refers to. They keep 100 MB of
// anything within ten seconds and one gigabyte.
const (
	// maxJSONBytes is the size of a JSON document.
	maxJSONBytes = 128 << 20
	// maxJSONMemory is what a JSON document may take once parsed: by this estimate
	// some four million keys and values.
	maxJSONMemory = 1_000_000_000
	// maxJSONDepth is how deep its objects and lists may be nested.
	maxJSONDepth = 1_000
	// maxYAMLBytes is the size of a YAML document; YAML costs several times more to
	// parse than JSON.
	maxYAMLBytes = 32 << 20
	// maxYAMLMarks is how many line breaks, commas, colons and brackets a YAML
	// document may have; maxFlowMarks counts those of flow style alone.
	maxYAMLMarks = 3_000_000
	maxFlowMarks = 1_000_000
	// maxFlowYAML is the size up to which a document that begins like JSON and is
	// none is tried as YAML.
	maxFlowYAML = 1 << 20
	// maxFiles is how many other files a document may refer to, maxFileBytes how
	// large they may be together.
	maxFiles     = 500
	maxFileBytes = 16 << 20
	// maxDuplicates is how many duplicate keys are named one by one.
	maxDuplicates = 20
	// maxOperations is how many operations a document may have.
	maxOperations = 20_000
	// maxParts is what the parts of all operations may cost together, each time that
	// an operation has them: a field costs 1.
	maxParts = 5_000_000
	// costPart is the cost of a parameter, a media type, a header or a scope,
	// costAnswer that of a response.
	costPart   = 5
	costAnswer = 20
	// textUnit is how many bytes of an operation's texts cost 1.
	textUnit = 20
	// maxID is how many characters of an operationId an ID repeats.
	maxID = 500
)

// Options say what a reading may touch beside the bytes it is given.
type Options struct {
	// Files, where not nil, allows `$ref`s to other files, inside it alone.
	Files fs.FS
	// Path is where the document itself lies in Files (slash-separated).
	Path string
}

// Read reads one document. A document that has no operations is no error: it gives
// no tools, and a note says why. What an operation's reading had to leave out is in
// its Incomplete. Errors are *[surface.ReadError]s, or the context's.
func Read(ctx context.Context, name string, data []byte, opts Options) (*surface.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := rejectList(data); err != nil {
		return nil, err
	}
	tree, notes, err := parse("", name, data)
	if err != nil {
		return nil, err
	}
	version, err := findVersion(tree)
	if err != nil {
		return nil, err
	}
	title, _ := node.String(tree.Get(tree.Get(tree.Root, "info"), "title"))
	r := newReader(ctx, tree, opts)
	r.doc = &surface.Document{Kind: surface.OpenAPI, Name: name, Title: title}
	r.version = version
	for _, n := range notes {
		r.notes.Add(n)
	}
	if err := r.paths(); err != nil {
		return nil, err
	}
	r.doc.Notes = r.notes.Notes()
	return r.doc, nil
}

// reader is the state of one reading.
type reader struct {
	ctx      context.Context
	doc      *surface.Document
	root     *node.Tree
	version  version
	resolver *node.Resolver
	schemas  *schema.Reader
	prints   *node.Fingerprinter
	ids      map[string]int  // how often each was wanted
	names    map[string]bool // operationIds met
	params   map[paramKey]param
	notes    *surface.NoteList // of the document
	reasons  *surface.NoteList // why the tool at hand is incomplete
	parts    int               // what the parts read so far cost
	outside  map[string]bool   // texts of notes about what lies outside the document
	noted    map[string]bool   // those written already
}

func newReader(ctx context.Context, tree *node.Tree, opts Options) *reader {
	r := &reader{
		ctx:     ctx,
		root:    tree,
		ids:     map[string]int{},
		names:   map[string]bool{},
		params:  map[paramKey]param{},
		notes:   surface.NewNoteList(surface.MaxNotes),
		outside: map[string]bool{},
		noted:   map[string]bool{},
	}
	files := newFiles(ctx, tree, opts)
	r.resolver = &node.Resolver{Open: files.open, Failed: r.failed}
	r.schemas = schema.NewReader(r.resolver)
	r.prints = node.NewFingerprinter(r.resolver)
	return r
}
