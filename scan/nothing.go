package scan

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// toOffer says what to give in place of a document that offers nothing.
var toOffer = map[surface.Kind]string{
	surface.OpenAPI: "give an OpenAPI document with `paths`",
	surface.MCP:     "give the result of tools/list",
}

// Nothing is the error for a document that offers nothing, a *[surface.ReadError]; nil
// where it offers something. A scan of nothing would pass every gate, so every caller
// of [Scan] asks first.
func Nothing(doc *surface.Document) error {
	if len(doc.Tools) > 0 {
		return nil
	}
	hint := toOffer[doc.Kind]
	if len(doc.Notes) > 0 {
		hint = doc.Notes[0].Text
	}
	what := agentready.Plural(agentready.Noun(string(doc.Kind)))
	return &surface.ReadError{Message: fmt.Sprintf("it holds no %s, so there is nothing to scan", what), Hint: hint}
}
