package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

const (
	// remoteTime is how long one request to a server may take: longer than a server
	// works on one, unless its --max-time is raised.
	remoteTime = 3 * time.Minute
	// largeRequest is how many bytes are not sent before the server agrees to read them:
	// one that does not would close the connection before it could say why.
	largeRequest = 64 << 10
	// maxAnswer is how large an answer may be, in bytes: more than any of this version.
	maxAnswer = 128 << 20
	// maxRefusal is how much is read of why a server refuses a request, in bytes.
	maxRefusal = 64 << 10
	mcpPath    = "/mcp"
)

// remote is a team's server, asked over MCP.
type remote struct {
	client    *client.Client
	host      string
	anonymous bool // no token is sent
}

// dial reaches the server at an address as whom the token, which may be empty, says.
func dial(ctx context.Context, address, token string) (*remote, error) {
	endpoint, err := endpointOf(address, token)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{}
	if token != "" {
		headers["Authorization"] = "Bearer " + token
	}
	web := &http.Client{Transport: refusing{http.DefaultTransport}, Timeout: remoteTime}
	link, err := transport.NewStreamableHTTP(endpoint.String(), transport.WithHTTPBasicClient(web), transport.WithHTTPHeaders(headers))
	if err != nil {
		return nil, usagef("--server %s: %v", address, err)
	}
	c := client.NewClient(matching{link})
	r := &remote{c, endpoint.Host, token == ""}
	if err := c.Start(ctx); err != nil {
		return nil, r.failed(ctx, err)
	}
	name := mcp.Implementation{Name: "plumbline", Version: version()}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: name}}); err != nil {
		r.close()
		return nil, r.failed(ctx, err)
	}
	return r, nil
}

// endpointOf is where the server at an address answers. Messages repeat no secret that
// somebody put into the address: no name, password, query or fragment.
func endpointOf(address, token string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, usagef("--server is no URL of a server: give one such as https://plumbline.example")
	case strings.ContainsAny(token, "\r\n"):
		return nil, usagef("PLUMBLINE_TOKEN has a line break in it: set it to the token alone, on one line")
	case u.User != nil:
		return nil, usagef("--server holds a name or a password: put the token into PLUMBLINE_TOKEN instead")
	case strings.ContainsAny(address, "?#"):
		return nil, usagef("--server has a query or a fragment: give a URL such as https://plumbline.example, and a token in PLUMBLINE_TOKEN")
	case token != "" && u.Scheme == "http" && !server.IsLoopbackName(u.Hostname()):
		return nil, usagef("--server %s would send the token in plain text: give an https URL", u.Redacted())
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), mcpPath) + mcpPath
	return u, nil
}

func (r *remote) close() { r.client.Close() }

func (r *remote) call(ctx context.Context, name string, args map[string]any) ([]byte, error) {
	tool := toolNamed(name, tools.Deps{})
	res, err := r.client.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: name, Arguments: args}})
	switch {
	case errors.Is(err, mcp.ErrInvalidParams) && strings.Contains(err.Error(), "not found"): // so the engine says that it does not offer a tool
		return nil, notAllowed("the role of the token in PLUMBLINE_TOKEN", tool)
	case err != nil:
		return nil, r.failed(ctx, err)
	case res.IsError:
		return nil, toldError(res)
	}
	return res.RawStructuredContent, checkMembers(res.RawStructuredContent, tool)
}

// toldError is the tool error that a result holds.
func toldError(res *mcp.CallToolResult) error {
	told := &tools.Error{Code: tools.Internal, Message: "the server gave no reason"}
	if len(res.Content) > 0 {
		if text, ok := mcp.AsTextContent(res.Content[0]); ok && json.Unmarshal([]byte(text.Text), told) != nil {
			told.Message = text.Text
		}
	}
	return told
}

func (r *remote) read(ctx context.Context, uri string) ([]byte, error) {
	res, err := r.client.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: uri}})
	switch {
	case errors.Is(err, mcp.ErrResourceNotFound) || errors.Is(err, mcp.ErrInvalidParams): // by the protocol's version
		return nil, errNotThere
	case err != nil && strings.Contains(err.Error(), string(tools.TooLarge)+": "):
		_, why, _ := strings.Cut(err.Error(), string(tools.TooLarge)+": ")
		return nil, usagef("the server at %s refuses: %s", r.host, why)
	case errors.Is(err, mcp.ErrInternalError): // the protocol has no other words for a ledger that is down
		return nil, errNotGiven
	case err != nil:
		return nil, r.failed(ctx, err)
	case len(res.Contents) == 1:
		if text, ok := mcp.AsTextResourceContents(res.Contents[0]); ok {
			return []byte(text.Text), nil
		}
	}
	return nil, usagef("the server at %s gives %s in no form that this version reads: update plumbline", r.host, uri)
}

func (r *remote) chain(ctx context.Context, id string, w io.Writer) error {
	text, err := r.read(ctx, tools.ChainURI(id))
	if err == nil {
		err = checkChain(text, id)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// failed words why no answer came.
func (r *remote) failed(ctx context.Context, err error) error {
	var refused *refusedRequest
	var lost *url.Error
	var stranger x509.UnknownAuthorityError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &refused) && refused.status == http.StatusUnauthorized && r.anonymous:
		return usagef("the server at %s refuses: PLUMBLINE_TOKEN is not set: set it to your token of that server", r.host)
	case errors.As(err, &refused):
		return usagef("the server at %s refuses: %s", r.host, refused.Error())
	case errors.As(err, &stranger):
		return usagef("the server at %s has a certificate of an authority that this machine does not know: name the authority's file in SSL_CERT_FILE if you trust it: %v", r.host, stranger)
	case errors.As(err, &lost):
		return usagef("the server at %s cannot be reached: %v: check --server, and whether it runs; what was to be recorded may be sent again under its submission", r.host, lost.Err)
	case errors.Is(err, transport.ErrLegacySSEServer):
		return usagef("at %s no plumbline server answers: check --server", r.host)
	}
	return usagef("the server at %s did not answer in full: %v: what was to be recorded may be sent again under its submission", r.host, err)
}

// matching refuses an answer that belongs to another request: the client library takes any.
type matching struct{ *transport.StreamableHTTP }

// SendRequest sends a request and gives its answer.
func (m matching) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	reply, err := m.StreamableHTTP.SendRequest(ctx, request)
	if err == nil && !reply.ID.IsNil() && reply.ID.String() != request.ID.String() {
		return nil, errors.New("it answers another request")
	}
	return reply, err
}

// refusedRequest is an HTTP answer that holds no answer to the message.
type refusedRequest struct {
	status int
	text   string // what the server says of it
}

// statusHints say what to do about an HTTP status.
var statusHints = map[int]string{
	http.StatusUnauthorized:          "set PLUMBLINE_TOKEN to a token that is good",
	http.StatusForbidden:             "reach it under a name that it answers to",
	http.StatusRequestEntityTooLarge: "send less, or have it started with a larger --max-body",
	http.StatusTooManyRequests:       "try again later",
	http.StatusServiceUnavailable:    "try again later",
}

// Error gives status, text and hint on one line.
func (e *refusedRequest) Error() string {
	s := http.StatusText(e.status)
	if e.text != "" {
		s += ": " + e.text
	}
	if hint := statusHints[e.status]; hint != "" {
		s += " (" + hint + ")"
	}
	return s
}

// refusing makes errors of answers that are no MCP: the client library drops what they
// say. A redirect is one too: followed, it might lead what is sent to somebody else.
type refusing struct{ http.RoundTripper }

func (t refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.ContentLength > largeRequest {
		req = req.Clone(req.Context())
		req.Header.Set("Expect", "100-continue")
	}
	resp, err := t.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	redirect := resp.StatusCode >= 300 && resp.StatusCode < 400
	if resp.StatusCode == http.StatusBadRequest && req.URL.Scheme == "http" {
		return speaksTLS(resp)
	}
	if statusHints[resp.StatusCode] == "" && !redirect {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
		return resp, nil
	}
	defer resp.Body.Close()
	refused := &refusedRequest{status: resp.StatusCode}
	if redirect {
		refused.text = "it leads to another address, which is not followed: give that one, if it is right"
		return nil, refused
	}
	var said struct{ Error struct{ Message string } }
	if text, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)); err == nil && json.Unmarshal(text, &said) == nil {
		refused.text = said.Error.Message
	}
	return nil, refused
}

// speaksTLS makes an error of the answer that servers give to plain HTTP on a port where
// they speak TLS; any other answer stays as it is.
func speaksTLS(resp *http.Response) (*http.Response, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	if err == nil && bytes.Contains(text, []byte("HTTPS")) {
		resp.Body.Close()
		return nil, &refusedRequest{status: resp.StatusCode, text: "it speaks https there: give an https URL"}
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), http.MaxBytesReader(nil, resp.Body, maxAnswer)), resp.Body}
	return resp, nil
}
