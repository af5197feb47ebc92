package scan

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// kindOfKey says what a document is by a key of its root. The first sure one
// decides. The others decide where there is none: by them the right reader is asked
// to say what is wrong.
var kindOfKey = map[string]struct {
	kind surface.Kind
	sure bool
}{
	"openapi": {surface.OpenAPI, true},
	"swagger": {surface.OpenAPI, true},
	"tools":   {surface.MCP, true},
	"result":  {surface.MCP, true},
	"jsonrpc": {surface.MCP, true},

	"paths":       {surface.OpenAPI, false},
	"error":       {surface.MCP, false},
	"serverInfo":  {surface.MCP, false},
	"mcpServers":  {surface.MCP, false},
	"name":        {surface.MCP, false}, // of one tool
	"inputSchema": {surface.MCP, false},
	"function":    {surface.MCP, false},
	// Lines of an event stream, in which servers answer over HTTP.
	"event": {surface.MCP, false},
	"data":  {surface.MCP, false},
}

// detect finds out what kind of document data is, from the keys of its root and
// without reading on once one is sure. An array is a tool list. What nothing tells
// is taken for OpenAPI.
func detect(data []byte) surface.Kind {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	var d detector
	switch {
	case bytes.HasPrefix(text, []byte("[")), bytes.HasPrefix(text, []byte("- ")):
		return surface.MCP
	case bytes.HasPrefix(text, []byte("{")):
		d.object(text)
	default:
		d.lines(text)
	}
	if d.kind == "" {
		return surface.OpenAPI
	}
	return d.kind
}

// detector keeps what the keys met so far tell.
type detector struct{ kind surface.Kind }

// key takes one key of the root; it returns true where no more are needed.
func (d *detector) key(name string) (sure bool) {
	k, known := kindOfKey[name]
	if known && (k.sure || d.kind == "") {
		d.kind = k.kind
	}
	return k.sure
}

// object reads the keys of a JSON object, as far as it is one.
func (d *detector) object(text []byte) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return
	}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return
		}
		if name, _ := token.(string); d.key(name) {
			return
		}
		var skipped json.RawMessage
		if dec.Decode(&skipped) != nil {
			return
		}
	}
}

// lines reads the keys that begin lines, as those at the root of YAML do.
func (d *detector) lines(text []byte) {
	for line := range bytes.Lines(text) {
		name, _, ok := bytes.Cut(line, []byte(":"))
		if ok && d.key(strings.Trim(strings.TrimRight(string(name), " \t"), `"'`)) {
			return
		}
	}
}
