// Package scan judges what a document offers to agents: it classifies every tool,
// applies the AgentReady rules and Plumbline's own, and scores the result.
//
// Data flows one way: [Read] turns bytes into a surface, [Scan] turns the surface
// into an export, and [agentready.Policy] decides on the export.
package scan

import (
	"context"
	"io/fs"
	"time"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/openapi"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Input is one document to read.
type Input struct {
	// Name is the source name of the export: a file's base name, "stdin".
	Name string
	Data []byte
	// Kind says what the document is; empty to find out from its root.
	Kind surface.Kind
	// Files, where not nil, allows `$ref`s to other files inside it; Path is where
	// the document lies in it.
	Files fs.FS
	Path  string
}

// Read reads a document into the model. Errors are *[surface.ReadError]s, or the
// context's.
func Read(ctx context.Context, in Input) (*surface.Document, error) {
	kind := in.Kind
	if kind == "" {
		kind = detect(in.Data)
	}
	if kind == surface.MCP {
		return mcplist.Read(ctx, in.Name, in.Data)
	}
	return openapi.Read(ctx, in.Name, in.Data, openapi.Options{Files: in.Files, Path: in.Path})
}

// Options are what a scan needs beside the document.
type Options struct {
	// Now is written as generated_at.
	Now time.Time
	// Progress, where not nil, is told after each tool how many of how many are done.
	Progress func(done, total int)
}

// Scan classifies and judges every tool of doc. The same document and options give
// the same export. It fails only when ctx is cancelled.
func Scan(ctx context.Context, doc *surface.Document, opts Options) (*agentready.Export, error) {
	panic("being written")
}

func detect(data []byte) surface.Kind { return surface.OpenAPI }
