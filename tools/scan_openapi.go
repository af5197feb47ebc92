package tools

import (
	"context"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

const scanOpenAPIDescription = `Judges whether an agent may be given an API: scores every operation of an OpenAPI or Swagger document by the AgentReady rules; answers PASS or FAIL, the cost by rule, and the worst operations with fixes. Use it before wiring an API to an agent and after changing the document; see one operation in full with ` + "`only`" + `. Do not use it for an MCP tool list (scan_mcp_tools) or to call the API.`

var scanOpenAPIInput = `{
"type": "object",
"additionalProperties": false,
"properties": {
	"path": {"type": "string", "maxLength": 4096, "description": "File under the server's roots. Give this or document"},
	"document": {"type": "string", "description": "The document's JSON or YAML text"},
	"only": {"type": "string", "maxLength": 1000, "description": "One operation's id: all its findings with evidence"},` + scanArgumentsSchema() + `
}}`

// scanOpenAPI is the input of scan_openapi.
type scanOpenAPI struct{ scanArguments }

func newScanOpenAPI(name string, deps Deps) Tool {
	s := scanner{deps: deps, kind: surface.OpenAPI}
	return Tool{
		Definition: define(name, "Scan an OpenAPI document", scanOpenAPIDescription, scanOpenAPIInput, scanAnswerSchema, readsOnly()),
		Scans:      true,
		Texts:      map[string]string{"document": "document"},
		Run: typed(func(ctx context.Context, in scanOpenAPI) (*scanAnswer, error) {
			return s.run(ctx, in.scanArguments, nil)
		}),
	}
}
