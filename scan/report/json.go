package report

import (
	"io"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// writeJSON writes the exports as agentready.json: one as an object, several as an array.
func writeJSON(w io.Writer, items []Item, _ Options) error {
	exports := make([]*agentready.Export, len(items))
	for i, item := range items {
		exports[i] = item.Export
	}
	return agentready.Write(w, exports...)
}
