package server

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// wordings say in a client's words what the engine says in its own: of the names by which
// it was made to find nothing, and of the types of its Go code.
var wordings = []struct {
	said *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`(?s)^handler not found for resource URI '(?:` + absent + `)?(.*)': .*$`), "resource $1 not found: there is none, or it is not yours to see"},
	{regexp.MustCompile(`(?s)^prompt '(\S+)` + withoutArgument + `(\S+)' not found: .*$`), "the prompt $1 needs its argument $2: it is missing or empty"},
	{regexp.MustCompile(`(?s)^.*(?:json: |Go struct field|Go value of type).*$`), "a parameter is not of the type that the method takes"},
}

// reword words an error of the engine, and gives a contract that a prompt does not find the
// code of a wrong argument: a handler cannot.
func reword(details *mcp.JSONRPCErrorDetails) {
	for _, w := range wordings {
		if w.said.MatchString(details.Message) {
			details.Message = w.said.ReplaceAllString(details.Message, w.text)
			break
		}
	}
	if details.Code == mcp.INTERNAL_ERROR && strings.HasPrefix(details.Message, string(tools.UnknownContract)+": ") {
		details.Code = mcp.INVALID_PARAMS
	}
}

// worded is an answer of the engine with its error worded.
func worded(reply mcp.JSONRPCMessage) mcp.JSONRPCMessage {
	if failed, ok := reply.(mcp.JSONRPCError); ok {
		reword(&failed.Error)
		return failed
	}
	return reply
}

// wordedWriter words the errors that the engine's transport writes, each of which is one
// piece by itself.
type wordedWriter struct{ *steadyWriter }

// Write writes p, or the error that it is in other words.
func (w wordedWriter) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(p, []byte(`{"jsonrpc"`)) || !bytes.Contains(p, []byte(`"error":{`)) {
		return w.steadyWriter.Write(p)
	}
	var reply struct {
		JSONRPC string                   `json:"jsonrpc"`
		ID      json.RawMessage          `json:"id"`
		Error   *mcp.JSONRPCErrorDetails `json:"error"`
		Result  json.RawMessage          `json:"result,omitempty"`
	}
	if json.Unmarshal(p, &reply) != nil || reply.Error == nil || reply.Result != nil {
		return w.steadyWriter.Write(p)
	}
	reword(reply.Error)
	text, err := encodeLine(reply)
	if err != nil {
		return w.steadyWriter.Write(p)
	}
	_, err = w.steadyWriter.Write(text)
	return len(p), err
}
