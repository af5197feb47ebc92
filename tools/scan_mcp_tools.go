package tools

import (
	"context"
	"encoding/json"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

const scanMCPToolsDescription = `Judges whether an agent may be given an MCP server's tools: scores every tool of a tools/list result by the AgentReady rules; answers PASS or FAIL, the cost by rule, and the worst tools with fixes. Use it before adding a server to an agent and after changing its tools; see one tool in full with ` + "`only`" + `. Do not use it for an OpenAPI document (scan_openapi) or to run the tools.`

var scanMCPToolsInput = `{
"type": "object",
"additionalProperties": false,
"properties": {
	"path": {"type": "string", "maxLength": 4096, "description": "File under the server's roots. Give this, tools or document"},
	"tools": {"type": "array", "items": {"type": "object"}, "description": "The tools as tools/list returns them"},
	"document": {"type": "string", "description": "A tools/list result as JSON text"},
	"only": {"type": "string", "maxLength": 1000, "description": "One tool's id: all its findings with evidence"},` + scanArgumentsSchema() + `
}}`

// scanMCPTools is the input of scan_mcp_tools. Tools stays as it was sent: its
// number literals and repeated names are part of what is judged.
type scanMCPTools struct {
	scanArguments
	Tools json.RawMessage `json:"tools"`
}

func newScanMCPTools(name string, deps Deps) Tool {
	s := scanner{deps: deps, kind: surface.MCP}
	return Tool{
		Definition: define(name, "Scan an MCP tool list", scanMCPToolsDescription, scanMCPToolsInput, scanAnswerSchema, readsOnly()),
		Scans:      true,
		Texts:      map[string]string{"tools": "document", "document": "document"},
		Run: typed(func(ctx context.Context, in scanMCPTools) (*scanAnswer, error) {
			return s.run(ctx, in.scanArguments, in.Tools)
		}),
	}
}
