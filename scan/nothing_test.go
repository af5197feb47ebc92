package scan

import (
	"errors"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestNothing(t *testing.T) {
	noted := []surface.Note{{Text: "the list stops at a cursor"}}
	tests := []struct {
		name string
		doc  surface.Document
		want string // empty for no error
	}{
		{"an operation", surface.Document{Kind: surface.OpenAPI, Tools: []*surface.Tool{{}}}, ""},
		{"no operations", surface.Document{Kind: surface.OpenAPI}, "it holds no operations, so there is nothing to scan (give an OpenAPI document"},
		{"no tools", surface.Document{Kind: surface.MCP}, "it holds no tools, so there is nothing to scan (give the result of tools/list)"},
		{"no tools, and why", surface.Document{Kind: surface.MCP, Notes: noted}, "it holds no tools, so there is nothing to scan (the list stops at a cursor)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Nothing(&test.doc)
			var read *surface.ReadError
			switch {
			case test.want == "" && err != nil:
				t.Errorf("got %v, want no error", err)
			case test.want != "" && (!errors.As(err, &read) || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
