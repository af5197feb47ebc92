package mcplist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// stageError is an error of the session and the request it came of.
type stageError struct {
	method string
	err    error
}

func (e *stageError) Error() string { return e.method + ": " + e.err.Error() }

func (e *stageError) Unwrap() error { return e.err }

// during is the request that an error came of.
func during(err error) string {
	var stage *stageError
	if errors.As(err, &stage) {
		return stage.method
	}
	return string(mcp.MethodInitialize)
}

// unanswered says whether an error came of the way to the server, not of what it answered.
func unanswered(err error) bool {
	var broken *transport.Error
	return errors.As(err, &broken) || errors.Is(err, errNoStream)
}

// explain words the error for people.
func (e *stageError) explain(s Server) *surface.ReadError {
	var elsewhere *surface.ReadError
	var lost *url.Error
	switch {
	case errors.As(e.err, &elsewhere):
		return elsewhere
	case errors.As(e.err, &lost): // its own words repeat the URL
		return &surface.ReadError{Message: fmt.Sprintf("the server cannot be reached: %v", lost.Err), Hint: "check the URL, and whether the server runs"}
	case e.method == string(mcp.MethodToolsList) && errors.Is(e.err, mcp.ErrMethodNotFound):
		return &surface.ReadError{Message: "the server offers no tools: it answers tools/list with -32601, method not found", Hint: "a server of resources or prompts alone has nothing to scan"}
	case errors.Is(e.err, transport.ErrUnauthorized) || errors.Is(e.err, transport.ErrAuthorizationRequired):
		return &surface.ReadError{Message: "the server answers " + e.method + " with 401: it wants to know who asks", Hint: "send a header such as Authorization with a token that it knows"}
	case errors.Is(e.err, errNoStream) && s.refused != "":
		return &surface.ReadError{Message: "the server answers " + e.method + " with " + s.refused, Hint: "check the URL, and what the server wants to be told"}
	case errors.Is(e.err, errNoStream):
		return &surface.ReadError{Message: "no MCP server answers at this URL", Hint: "check the path, which often is /mcp, or /sse for the older transport"}
	}
	return &surface.ReadError{Message: fmt.Sprintf("the server answers %s with an error: %s", e.method, surface.Clip(s.secrets().redact(bareError(e.err).Error()), maxAnswer))}
}

// maxAnswer is how many characters of a server's error a message repeats.
const maxAnswer = 300

// bareError is the error without what the transport says around it, a URL among others.
func bareError(err error) error {
	var wrapped *transport.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// ask holds a session: a handshake, then the list.
func ask(ctx context.Context, t transport.Interface, s secrets) (*Captured, error) {
	record := &recorder{Interface: t}
	c, server, err := handshake(ctx, record)
	if err != nil {
		return nil, &stageError{string(mcp.MethodInitialize), err}
	}
	captured := &Captured{Name: server.ServerInfo.Name, Version: server.ServerInfo.Version}
	captured.Tools, err = pages(ctx, c, record, s)
	return captured, err
}

// handshake greets by initialize, since some servers end at any other first request, and
// then by the newer revision, which has none. One client does both: a second would count
// its requests from 1 again, and a late look at the first answer would take the second's.
func handshake(ctx context.Context, t transport.Interface) (*client.Client, *mcp.InitializeResult, error) {
	c := client.NewClient(t)
	if err := c.Start(ctx); err != nil {
		return nil, nil, err
	}
	var request mcp.InitializeRequest
	request.Params.ClientInfo = mcp.Implementation{Name: "plumbline", Version: moduleVersion()}
	request.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	result, err := c.Initialize(ctx, request)
	if err == nil || ctx.Err() != nil || errors.Is(err, transport.ErrTransportClosed) {
		return c, result, err
	}
	request.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	if result, again := c.Initialize(ctx, request); again == nil {
		return c, result, nil
	}
	return nil, nil, err
}

// moduleVersion is what the program was built from, as servers are told.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// pages follows the list from page to page.
func pages(ctx context.Context, c *client.Client, record *recorder, s secrets) ([]json.RawMessage, error) {
	var tools []json.RawMessage
	var request mcp.ListToolsRequest
	seen := map[mcp.Cursor]bool{}
	for range maxPages {
		record.result = nil
		// What the client makes of the answer is left aside: it refuses definitions that a
		// scan reports about.
		if _, err := c.ListToolsByPage(ctx, request); err != nil && record.result == nil {
			return nil, &stageError{string(mcp.MethodToolsList), err}
		}
		page, err := readPage(record.result)
		if err != nil {
			return nil, err
		}
		tools = append(tools, page.Tools...)
		switch {
		case len(tools) > maxTools:
			return nil, &surface.ReadError{Message: fmt.Sprintf("the server lists more than %d tools", maxTools), Hint: "no agent can be offered so many"}
		case page.Next == "":
			return tools, nil
		case len(page.Next) > maxCursor:
			return nil, &surface.ReadError{Message: fmt.Sprintf("the server gave a cursor of more than %d KiB", maxCursor>>10), Hint: "a cursor names a page, it does not hold it"}
		case seen[page.Next]:
			return nil, &surface.ReadError{Message: fmt.Sprintf("the server gave the cursor %s twice, so that its list has no end", quote(s.redact(string(page.Next)))), Hint: "the last page of a list has no nextCursor"}
		}
		seen[page.Next] = true
		request.Params.Cursor = page.Next
	}
	return nil, &surface.ReadError{Message: fmt.Sprintf("the server's list has more than %d pages", maxPages), Hint: "the last page of a list has no nextCursor"}
}

// page is one answer to tools/list.
type page struct {
	Tools []json.RawMessage `json:"tools"`
	Next  mcp.Cursor        `json:"nextCursor"`
}

func readPage(result json.RawMessage) (page, error) {
	var p page
	if err := json.Unmarshal(result, &p); err != nil || p.Tools == nil {
		return p, &surface.ReadError{Message: "the server answers tools/list with what is no list of tools", Hint: `the result is {"tools": […]}, with a text as nextCursor where there is more`}
	}
	return p, nil
}

// recorder keeps the last result as it came: the client's own types lose members that
// they do not know.
type recorder struct {
	transport.Interface
	result json.RawMessage
}

// SendRequest sends a request and keeps its result.
func (r *recorder) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	response, err := r.Interface.SendRequest(ctx, request)
	if err == nil && response == nil {
		err = errors.New("no answer")
	}
	if err == nil && response.Error == nil {
		r.result = response.Result
	}
	return response, err
}

// SetProtocolVersion passes the version on to a transport that tells it to the server.
func (r *recorder) SetProtocolVersion(version string) {
	if t, ok := r.Interface.(transport.HTTPConnection); ok {
		t.SetProtocolVersion(version)
	}
}

// SetRequestHandler lets the client answer what the server asks, such as a ping.
func (r *recorder) SetRequestHandler(handler transport.RequestHandler) {
	if t, ok := r.Interface.(transport.BidirectionalInterface); ok {
		t.SetRequestHandler(handler)
	}
}
