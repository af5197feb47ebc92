package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

// A session over SSE: each message is accepted at once and answered on the stream, with
// its id as it was sent, progress first.
func TestStream(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("work", func(ctx context.Context, _ json.RawMessage) (any, error) {
		tools.ReportProgress(ctx, 1, 2)
		tools.ReportProgress(ctx, 2, 2)
		return said{"done"}, nil
	}))...)
	web := open(t, s, local)
	l := web.listen()
	tests := []struct {
		name, body string
		want       []string // of the events, in order
	}{
		{"initialize", initialize, []string{`"id":"init","result":{"protocolVersion":"2025-06-18"`}},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil},
		{"a ping", pingLine("9007199254740993"), []string{`{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`}},
		{"a fraction as id", pingLine("1.50"), []string{`"id":1.50,"result"`}},
		{"a call", callLine("1", "echo", `{"a":1e2}`), []string{`{\"a\":1e2}`}},
		{"a call with progress", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":"p"}}}`,
			[]string{`"progress":1,"progressToken":"p"`, `"progress":2,"progressToken":"p"`, `"id":2,"result"`}},
		{"a cancel of a call that ended", cancelLine("1"), nil},
		{"an unknown tool", callLine("3", "nothing", "{}"), []string{`"id":3,"error":{"code":-32602`}},
		{"a client's answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil},
		{"an older version", strings.Replace(initialize, "2025-06-18", "2024-11-05", 1), []string{`"protocolVersion":"2024-11-05"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l.accepted(tt.body)
			for _, want := range tt.want {
				if e := l.next(); e.name != "message" || !strings.Contains(e.data, want) {
					t.Errorf("the event is %+v, want a message with %s", e, want)
				}
			}
		})
	}
}

// What is no message is refused as on /mcp, and the session goes on.
func TestMessagesThatAStreamRefuses(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	l := web.listen()
	tests := []struct {
		name, path, body, header string
		status                   int
	}{
		{"a batch", l.path, `[` + pingLine("1") + `]`, "", 400},
		{"a null id", l.path, pingLine("null"), "", 400},
		{"no version", l.path, `{"id":1,"method":"ping"}`, "", 400},
		{"no JSON", l.path, `{`, "", 400},
		{"text", l.path, pingLine("1"), "Content-Type: text/plain", 415},
		{"a message that is too long", l.path, `{"x":"` + strings.Repeat("x", DefaultLimits.MaxBody) + `"}`, "", 413},
		{"a foreign origin", l.path, pingLine("1"), "Origin: https://attacker.example", 403},
		{"an unknown session", "/message?sessionId=unknown", pingLine("1"), "", 404},
		{"no session", "/message", pingLine("1"), "", 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := web.do(web.request(context.Background(), http.MethodPost, tt.path, tt.body, tt.header))
			if got.status != tt.status {
				t.Errorf("got %d %s, want %d", got.status, got.body, tt.status)
			}
			l.accepted(pingLine("2"))
			if e := l.next(); !strings.Contains(e.data, `"id":2,"result":{}`) {
				t.Errorf("the next ping is answered with %+v", e)
			}
		})
	}
}

// A session belongs to the token that opened it, for as long as that is good.
func TestStreamsAndTokens(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	tokens := newTokens(t)
	ann, ben := tokens.add("ann", tools.Builder), tokens.add("ben", tools.Owner)
	web := open(t, s, tokens.config(), func(h *httpServer) { h.times.beat = 20 * time.Millisecond })
	l := web.listen(ann)
	steal := func(header string) int {
		return web.do(web.request(context.Background(), http.MethodPost, l.path, pingLine("1"), header)).status
	}
	if got := steal(ben); got != http.StatusForbidden {
		t.Errorf("another token gets %d on the session, want 403", got)
	}
	if got := steal(""); got != http.StatusUnauthorized {
		t.Errorf("no token gets %d on the session, want 401", got)
	}
	l.accepted(pingLine("2"))
	if e := l.next(); !strings.Contains(e.data, `"id":2,"result":{}`) {
		t.Errorf("the first event of the session is %+v, want the answer to its own ping", e)
	}
	if _, err := auth.Revoke(tokens.path, "ann"); err != nil {
		t.Fatal(err)
	}
	if got := steal(ann); got != http.StatusUnauthorized {
		t.Errorf("the revoked token gets %d, want 401", got)
	}
	if e := l.next(); e != (event{}) {
		t.Errorf("the stream of a revoked token gives %+v, want its end", e)
	}
	await(t, "the session is gone", func() bool { return web.sessions.count() == 0 })
}

// A cancel is about the requests of its own session.
func TestCancelOnAStream(t *testing.T) {
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("block", b.run))...)
	web := open(t, s, local)
	one, other := web.listen(), web.listen()
	one.accepted(callLine("1", "block", "{}"))
	receive(t, b.started, "the start of a call")
	other.accepted(cancelLine("1"))
	other.accepted(callLine("1", "block", "{}"))
	receive(t, b.started, "the start of the other call")
	one.accepted(pingLine("2"))
	if e := one.next(); !strings.Contains(e.data, `"id":2,"result":{}`) {
		t.Errorf("a ping during a call gives %+v", e)
	}
	one.accepted(cancelLine("1"))
	if err := receive(t, b.ended, "the end of a call"); err != context.Canceled {
		t.Errorf("the cancelled call ended with %v", err)
	}
	close(b.release)
	if e := other.next(); !strings.Contains(e.data, `"said":"released"`) {
		t.Errorf("the other session's call gives %+v, want its result", e)
	}
	one.accepted(pingLine("3"))
	if e := one.next(); !strings.Contains(e.data, `"id":3`) {
		t.Errorf("the cancelled call was answered: %+v", e)
	}
}

func TestClientThatLeavesItsStream(t *testing.T) {
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("block", b.run))...)
	web := open(t, s, local)
	l := web.listen()
	l.accepted(callLine("1", "block", "{}"))
	receive(t, b.started, "the start of the call")
	l.leave()
	if err := receive(t, b.ended, "the end of the call"); err != context.Canceled {
		t.Errorf("the call ended with %v, want it cancelled", err)
	}
	await(t, "nothing of the session is left", func() bool { return web.sessions.count() == 0 && web.requests.count() == 0 })
	if got := l.post(pingLine("2")); got.status != http.StatusNotFound {
		t.Errorf("a message to the session that ended gives %d, want 404", got.status)
	}
}

// A client that posts and does not read is dropped, and holds up nobody meanwhile.
func TestClientThatDoesNotReadItsStream(t *testing.T) {
	limits := DefaultLimits
	limits.MaxCalls = 1
	s, _ := newServer(t, limits, fakes()...)
	web := open(t, s, local, func(h *httpServer) { h.times.stall = 300 * time.Millisecond })
	conn := dial(t, web)
	fmt.Fprintf(conn, "GET /sse HTTP/1.1\r\nHost: %s\r\n\r\n", web.addr)
	var id string
	await(t, "the stream is open", func() bool {
		web.streams.mu.Lock()
		defer web.streams.mu.Unlock()
		for id = range web.streams.open {
		}
		return id != ""
	})
	deaf := &listener{site: web, path: "/message?sessionId=" + id}
	long := callLine("1", "echo", `{"x":"`+strings.Repeat("x", DefaultLimits.MaxBody/2)+`"}`)
	await(t, "the stream is dropped", func() bool {
		if got := web.call("2", "echo", "{}"); !strings.Contains(got.body, `"said":"{}"`) {
			t.Fatalf("another client's call gives %d %s", got.status, got.body)
		}
		return deaf.post(long).status == http.StatusNotFound
	})
	await(t, "nothing of the session is left", func() bool { return web.sessions.count() == 0 && web.requests.count() == 0 })
}

func TestTooManyStreams(t *testing.T) {
	limits := DefaultLimits
	limits.MaxSessions, limits.MaxSessionsEach = 2, 1
	s, _ := newServer(t, limits, fakes()...)
	tokens := newTokens(t)
	ann, ben, cyd := tokens.add("ann", tools.Builder), tokens.add("ben", tools.Builder), tokens.add("cyd", tools.Builder)
	web := open(t, s, tokens.config())
	refused := func(who string) int {
		return web.do(web.request(context.Background(), http.MethodGet, "/sse", "", who)).status
	}
	first := web.listen(ann)
	if got := refused(ann); got != http.StatusTooManyRequests {
		t.Errorf("a second stream of a token gets %d, want 429", got)
	}
	web.listen(ben)
	if got := refused(cyd); got != http.StatusServiceUnavailable {
		t.Errorf("a stream over the limit gets %d, want 503", got)
	}
	first.leave()
	await(t, "the first has left", func() bool { return web.sessions.count() == 1 })
	web.listen(ann)
}
