// Package mcplist reads MCP tool lists, in every shape a person has at hand, into
// the surface model.
package mcplist

import (
	"context"
	"errors"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Read reads one list.
func Read(ctx context.Context, name string, data []byte) (*surface.Document, error) {
	return nil, errors.New("mcplist: being written")
}
