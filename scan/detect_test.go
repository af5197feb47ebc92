package scan

import (
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestDetect(t *testing.T) {
	for text, want := range map[string]surface.Kind{
		`{"openapi":"3.1.0","paths":{}}`:                     surface.OpenAPI,
		`{"info":{"title":"x"},"swagger":"2.0"}`:             surface.OpenAPI,
		"\ufeff \n{\"openapi\":\"3.1.0\"}":                   surface.OpenAPI,
		`{"paths":{"/a":{}},"info":{}}`:                      surface.OpenAPI,
		`{"name":"x","openapi":"3.1.0"}`:                     surface.OpenAPI,
		`{"info":{"tools":[]},"x":["tools"],"y":"tools"}`:    surface.OpenAPI,
		"openapi: 3.1.0\ntags:\n- name: a\n  tools: []\n":    surface.OpenAPI,
		"# a comment: tools\ntags:\n- name: a\nswagger: 2.0": surface.OpenAPI,
		"---\n\"openapi\" : 3.0.3\n":                         surface.OpenAPI,
		"info:\n  tools: x\n  jsonrpc: y\n":                  surface.OpenAPI,
		"{openapi: 3.1.0}":                                   surface.OpenAPI,
		"":                                                   surface.OpenAPI,
		"{}":                                                 surface.OpenAPI,
		"\x00\x01":                                           surface.OpenAPI,

		`{"tools":[]}`:                                    surface.MCP,
		`{"server":"x","tools":[]}`:                       surface.MCP,
		`{"info":{"openapi":"3.1.0"},"tools":[]}`:         surface.MCP,
		`{"jsonrpc":"2.0","id":1,"result":{}}`:            surface.MCP,
		`{"id":1,"result":{"tools":[]}}`:                  surface.MCP,
		`{"id":1,"error":{"message":"no"}}`:               surface.MCP,
		`[]`:                                              surface.MCP,
		" [{\"name\":\"a\"}]":                             surface.MCP,
		`{"name":"a","description":"b"}`:                  surface.MCP,
		`{"description":"b","inputSchema":{}}`:            surface.MCP,
		`{"mcpServers":{}}`:                               surface.MCP,
		"{\"id\":1,\"result\":{}}\n{\"openapi\":\"3.1\"}": surface.MCP,
		`{"tools":[{"name":`:                              surface.MCP,
		"event: message\ndata: {}\n":                      surface.MCP,
		"tools:\n  - name: a\n":                           surface.MCP,
		"- name: a\n  openapi: b\n":                       surface.MCP,
	} {
		if got := detect([]byte(text)); got != want {
			t.Errorf("%.60q is %s, want %s", text, got, want)
		}
	}
}

// What follows a key that is sure is not looked at: it may be large, or broken.
func TestDetectStopsAtTheFirstSureKey(t *testing.T) {
	rest := strings.Repeat(" ", 1<<20) + "\x00 not JSON"
	large := testing.AllocsPerRun(10, func() { detect([]byte(`{"openapi":"3.1.0","a":` + rest)) })
	small := testing.AllocsPerRun(10, func() { detect([]byte(`{"openapi":"3.1.0"}` + strings.Repeat(" ", 1<<20))) })
	if large > small+2 {
		t.Errorf("%v allocations, %v for a small document", large, small)
	}
	if got := detect([]byte(`{"tools":` + rest)); got != surface.MCP {
		t.Errorf("a broken tool list is %s", got)
	}
}
