package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// What is turned away over HTTP is counted by its reason, and what is open is seen, at
// the place where Prometheus asks.
func TestHTTPIsCounted(t *testing.T) {
	b := newBlocker()
	limits := DefaultLimits
	limits.MaxBody, limits.MaxRequestsEach = 1000, 1
	s, _ := newServer(t, limits, append(fakes(), fake("block", b.run))...)
	tokens := newTokens(t)
	ann, ben := tokens.add("ann", tools.Builder), tokens.add("ben", tools.Builder)
	web := open(t, s, tokens.config())

	stream := web.listen(ann)
	running := web.background(context.Background(), "/mcp", callLine("1", "block", "{}"), ben)
	receive(t, b.started, "the start of a call")
	for _, refused := range []struct {
		path, body string
		headers    []string
		status     int
	}{
		{"/mcp", pingLine("1"), nil, http.StatusUnauthorized},
		{"/mcp", pingLine("1"), []string{ann, "Origin: https://attacker.example"}, http.StatusForbidden},
		{"/mcp", pingLine("1"), []string{ann, "Host: attacker.example"}, http.StatusForbidden},
		{"/mcp", pingLine("1"), []string{ann, "Content-Type: text/plain"}, http.StatusUnsupportedMediaType},
		{"/mcp", strings.Repeat(" ", 1001), []string{ann}, http.StatusRequestEntityTooLarge},
		{"/mcp", pingLine("1"), []string{ben}, http.StatusTooManyRequests},
		{stream.path, pingLine("1"), []string{ben}, http.StatusForbidden},
		{"/zzz", pingLine("1"), []string{ann}, http.StatusNotFound},
	} {
		if got := web.do(web.request(context.Background(), http.MethodPost, refused.path, refused.body, refused.headers...)); got.status != refused.status {
			t.Errorf("%s with %q gives %d, want %d", refused.path, refused.headers, got.status, refused.status)
		}
	}
	wantLines(t, web.do(web.request(context.Background(), http.MethodGet, "/metrics", "")).body,
		`plumbline_http_refusals_total{reason="token"} 1`,
		`plumbline_http_refusals_total{reason="origin"} 2`,
		`plumbline_http_refusals_total{reason="content_type"} 1`,
		`plumbline_http_refusals_total{reason="size"} 1`,
		`plumbline_http_refusals_total{reason="busy"} 1`,
		`plumbline_http_refusals_total{reason="session"} 1`,
		`plumbline_http_refusals_total{reason="request"} 1`,
		`plumbline_sse_sessions_open 1`,
		`plumbline_calls_running 1`,
		`plumbline_http_requests_running 1`,
	)
	stream.leave()
	close(b.release)
	receive(t, running, "the answer to a call")
	await(t, "both have left", func() bool { return web.requests.count()+web.sessions.count() == 0 })
	wantSamples(t, s, `plumbline_sse_sessions_open 0`, `plumbline_http_requests_running 0`)
}
