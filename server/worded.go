package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// notFoundText is what a client is told of a resource that is not there.
const notFoundText = "resource %s not found: there is none, or it is not yours to see"

// wordings say in a client's words what the engine says in its own: of the names by which
// it was made to find nothing, and of the types of its Go code.
var wordings = []struct {
	said *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`(?s)^handler not found for resource URI '(.*)': .*$`), fmt.Sprintf(notFoundText, "$1")},
	{regexp.MustCompile(`(?s)^prompt '(\S+)` + withoutArgument + `(\S+)' not found: .*$`), "the prompt $1 needs its argument $2: it is missing or empty"},
	{regexp.MustCompile(`(?s)^unparsable \S+ request: .*$`), "a parameter is not of the type that the method takes"},
}

// codeMark begins the text of a handler's error that is to be answered under a code of its
// own, and with a status over HTTP: the engine has one code for all errors of handlers.
const codeMark = "answer with "

var marked = regexp.MustCompile(`(?s)^` + codeMark + `(-\d+) as (\d+): (.*)$`)

// withCode makes a handler's error one that is answered under the code. [reword] takes the
// mark off.
func withCode(ctx context.Context, code int, err error) error {
	status := http.StatusOK
	if isModern(ctx) && code == mcp.INVALID_PARAMS {
		status = http.StatusBadRequest
	}
	return &plainError{fmt.Sprintf("%s%d as %d: %s", codeMark, code, status, err), err}
}

// isModern says whether a client's protocol version is one whose errors have a status.
func isModern(ctx context.Context) bool {
	return mcp.IsModernProtocol(mcpserver.RequestProtocolVersion(ctx))
}

// reword words an error of the engine, and gives it the code that it is marked with. The
// status is that of an answer over HTTP, 0 where the engine's is right.
func reword(details *mcp.JSONRPCErrorDetails) (status int) {
	if parts := marked.FindStringSubmatch(details.Message); parts != nil && details.Code == mcp.INTERNAL_ERROR {
		details.Code, _ = strconv.Atoi(parts[1]) // both are digits
		status, _ = strconv.Atoi(parts[2])
		details.Message = parts[3]
		return status
	}
	for _, w := range wordings {
		if w.said.MatchString(details.Message) {
			details.Message = w.said.ReplaceAllString(details.Message, w.text)
			break
		}
	}
	return 0
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

// WriteHeader leaves out a 200: it goes out with the first piece, which may tell that it is
// to be another.
func (w wordedWriter) WriteHeader(status int) {
	if status != http.StatusOK {
		w.steadyWriter.WriteHeader(status)
	}
}

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
	if status := reword(reply.Error); status != 0 {
		w.steadyWriter.WriteHeader(status)
	}
	text, err := encodeLine(reply)
	if err != nil {
		return w.steadyWriter.Write(p)
	}
	_, err = w.steadyWriter.Write(text)
	return len(p), err
}
