// Package openapi reads OpenAPI descriptions (Swagger 2.0, OpenAPI 3.0 to 3.2,
// JSON or YAML) into the surface model. It is the only importer of libopenapi.
package openapi

import (
	"context"
	"errors"
	"io/fs"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Options say what a reading may touch beside the bytes it is given.
type Options struct {
	// Files, where not nil, allows `$ref`s to other files, inside it alone.
	Files fs.FS
	// Path is where the document itself lies in Files (slash-separated).
	Path string
}

// Read reads one document.
func Read(ctx context.Context, name string, data []byte, opts Options) (*surface.Document, error) {
	return nil, errors.New("openapi: being written")
}
