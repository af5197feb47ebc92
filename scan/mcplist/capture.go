package mcplist

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// DefaultTimeout is how long a server has for all of a capture where nothing else is
// said: enough for a package runner to fetch a server first.
const DefaultTimeout = 30 * time.Second

// Limits of a capture, beside those of a list.
const (
	maxPages    = 1_000     // answers to tools/list
	maxCaptured = 128 << 20 // bytes that a server may write
	maxCursor   = 16 << 10  // bytes of a cursor
)

// Server is a live MCP server: a command that speaks over stdio, or a URL that speaks
// streamable HTTP or the older transport over SSE.
type Server struct {
	// Command is a program and its arguments; empty for a URL.
	Command []string
	// Dir is where the command runs; empty for the working directory.
	Dir string
	// Env is the command's whole environment, as NAME=value.
	Env []string
	URL string
	// SSE says that the URL speaks the older transport. Without it, that is tried where the
	// URL does not speak streamable HTTP.
	SSE bool
	// Headers are sent with every request to the URL.
	Headers map[string]string
	// Secrets are values that no error may repeat; those of Headers always are.
	Secrets []string
	// Timeout bounds the capture as a whole; 0 for [DefaultTimeout].
	Timeout time.Duration

	refused string // how the URL answered to what is no SSE
}

// Captured is what a server offers.
type Captured struct {
	// Name and Version are the server's own; empty where it gives none.
	Name, Version string
	// Tools are the definitions of all pages, as the server wrote them, but for keys that it
	// was sent: [secret] stands in their place.
	Tools []json.RawMessage
	// Hidden says whether there were such keys.
	Hidden bool
}

// CaptureError says why a server's tools could not be had.
type CaptureError struct {
	*surface.ReadError
	// Output is the end of what a command wrote on stderr, without its secrets.
	Output string
}

// Unwrap is the error without the output.
func (e *CaptureError) Unwrap() error { return e.ReadError }

// Capture asks a server for its tools, page by page, and calls none of them. Whatever it
// starts has ended when it returns. A server without tools is no error. Errors are
// *[CaptureError]s, or ctx's.
func Capture(ctx context.Context, s Server) (*Captured, error) {
	if s.Timeout == 0 {
		s.Timeout = DefaultTimeout
	}
	bounded, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	captured, err := s.session(bounded)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return captured, err
}

// session holds one session. Errors are *[CaptureError]s.
func (s Server) session(ctx context.Context) (*Captured, error) {
	link, err := s.connect(ctx)
	if err != nil {
		return nil, s.explain(err, "")
	}
	captured, err := ask(ctx, link.transport, s.secrets())
	deadline, _ := ctx.Deadline()
	late := !time.Now().Before(deadline)
	end := link.close(ctx.Err() == nil)
	switch {
	case err == nil:
		captured.hide(s.secrets())
		return captured, nil
	case errors.Is(err, transport.ErrLegacySSEServer):
		s.SSE, s.refused = true, link.meter.refusal(s.secrets())
		return s.session(ctx)
	case link.meter.exceeded():
		err = &surface.ReadError{Message: fmt.Sprintf("the server wrote more than %d MiB", maxCaptured>>20), Hint: "its list has no end, or holds what is no list"}
	case late && unanswered(err):
		err = s.late(err, link)
	case errors.Is(err, errNoStream):
		s.refused = cmp.Or(s.refused, link.meter.refusal(s.secrets()))
	case (end.died || errors.Is(err, syscall.EPIPE)) && unanswered(err):
		err = &surface.ReadError{Message: fmt.Sprintf("the server ended before it answered %s: %s", during(err), end.how), Hint: "start it by hand to see why"}
	}
	return nil, s.explain(err, end.output)
}

// late is the error for a server that did not answer in time. What it wrote instead, if
// that is no message, is most likely why.
func (s Server) late(err error, link *link) error {
	message := fmt.Sprintf("the server did not answer %s within %v", during(err), s.Timeout)
	hint := "give it more time, or start it by hand to see what it waits for"
	if head := strings.TrimSpace(s.secrets().redactBegin(link.meter.begin())); len(s.Command) > 0 && head != "" && head[0] != '{' {
		message += fmt.Sprintf("; its stdout begins with %s, which is no message of MCP", quote(head))
		hint = "a server on stdio writes messages alone on stdout, all else on stderr"
	}
	return &surface.ReadError{Message: message, Hint: hint}
}

// explain makes a capture's error of any, without secrets. The output has none any more.
func (s Server) explain(err error, output string) error {
	read := &surface.ReadError{Message: err.Error()}
	switch e := err.(type) {
	case *surface.ReadError:
		*read = *e
	case *stageError:
		*read = *e.explain(s)
	}
	read.Message = s.secrets().redact(read.Message)
	return &CaptureError{read, output}
}

// hide takes keys out of the definitions.
func (c *Captured) hide(s secrets) {
	for i, definition := range c.Tools {
		var found bool
		c.Tools[i], found = s.hide(definition)
		c.Hidden = c.Hidden || found
	}
}

// JSON is the capture in the form of a result of tools/list, with the server's name
// beside it, as [Read] reads it.
func (c *Captured) JSON() ([]byte, error) {
	list := struct {
		Server *serverInfo       `json:"serverInfo,omitempty"`
		Tools  []json.RawMessage `json:"tools"`
	}{Tools: append([]json.RawMessage{}, c.Tools...)}
	if c.Name != "" {
		list.Server = &serverInfo{c.Name, c.Version}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(list)
	return out.Bytes(), err
}

// serverInfo is how a server names itself.
type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}
