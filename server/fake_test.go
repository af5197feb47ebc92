package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// hang is how long a test waits before it calls something hung.
const hang = 60 * time.Second

const anyObject = `{"type": "object"}`

// fake is a tool for tests of what stands around tools.
func fake(name string, run tools.Handler) tools.Tool {
	def := mcp.NewToolWithRawSchema(name, "A tool for tests.", json.RawMessage(anyObject))
	def.RawOutputSchema = json.RawMessage(`{"type": "object", "required": ["said"]}`)
	return tools.Tool{Definition: def, Roles: tools.Roles, Run: run}
}

type said struct {
	Said string `json:"said"`
}

// blocker is a tool whose calls tell when they start, and end when they are
// released or cancelled.
type blocker struct {
	started chan struct{}
	release chan struct{}
	ended   chan error
}

func newBlocker() *blocker {
	return &blocker{started: make(chan struct{}, 100), release: make(chan struct{}), ended: make(chan error, 100)}
}

func (b *blocker) run(ctx context.Context, _ json.RawMessage) (any, error) {
	b.started <- struct{}{}
	select {
	case <-b.release:
		b.ended <- nil
		return said{"released"}, nil
	case <-ctx.Done():
		b.ended <- ctx.Err()
		return nil, ctx.Err()
	}
}

// fakes are the tools of most tests here.
func fakes() []tools.Tool {
	return []tools.Tool{
		fake("echo", func(_ context.Context, args json.RawMessage) (any, error) { return said{string(args)}, nil }),
		fake("crash", func(context.Context, json.RawMessage) (any, error) { panic("secret of a handler") }),
		fake("fail", func(context.Context, json.RawMessage) (any, error) { return nil, errors.New("secret of an error") }),
		fake("refuse", func(context.Context, json.RawMessage) (any, error) {
			return nil, &tools.Error{Code: tools.UnreadableFile, Message: "no", Hint: "yes", Path: "/path"}
		}),
		fake("lie", func(context.Context, json.RawMessage) (any, error) { return map[string]int{"other": 1}, nil }),
	}
}

// lockedBuffer is a log that several goroutines, or a process, write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// newServer makes a server over the tools, with a log to look into.
func newServer(t testing.TB, limits Limits, list ...tools.Tool) (*Server, *lockedBuffer) {
	t.Helper()
	log := &lockedBuffer{}
	s, err := New(Config{Version: "test", Tools: list, Log: slog.New(slog.NewTextHandler(log, nil)), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return s, log
}

var somebody = tools.Caller{Name: "somebody", Role: tools.Builder}

// talk serves the lines of input until their end and gives the lines of output.
func talk(t *testing.T, s *Server, input string) []string {
	t.Helper()
	var out bytes.Buffer
	finished(t, start(s, strings.NewReader(input), &out))
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// start serves in the background; the channel gives what ServeStdio returned.
func start(s *Server, in io.Reader, out io.Writer) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(context.Background(), somebody, in, out) }()
	return done
}

func finished(t *testing.T, done <-chan error) {
	t.Helper()
	if err := receive(t, done, "the server's end"); err != nil {
		t.Fatalf("ServeStdio: %v", err)
	}
}

// receive waits for a value, and fails where it never comes.
func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(hang):
		t.Fatalf("waited too long for %s", what)
		panic("unreachable")
	}
}
