package server

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// What is sent to /mcp as one message, right and wrong. After each, the server answers.
func TestMessagesToMCP(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	initializeOf := func(version string) string {
		return strings.Replace(strings.TrimSpace(initialize), "2025-06-18", version, 1)
	}
	deep := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}}`
	tests := []struct {
		name, body, header string
		status             int
		want               string // in the body; nothing where it is empty
	}{
		{"a ping", pingLine("1"), "", 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"a charset", pingLine("1"), "Content-Type: application/json; charset=utf-8", 200, `"result":{}`},
		{"the largest exact id", pingLine("9007199254740992"), "", 200, `"id":9007199254740992`},
		{"an id that would be rounded", pingLine("9007199254740993"), "", 400, `"id":9007199254740993,"error":{"code":-32600`},
		{"a fraction as id", pingLine("1.5"), "", 400, `"id":1.5,"error":{"code":-32600`},
		{"a text as id", pingLine(`"9007199254740993.5"`), "", 200, `"id":"9007199254740993.5"`},
		{"a null id", pingLine("null"), "", 400, `"code":-32600,"message":"an id is`},
		{"an object as id", pingLine("{}"), "", 400, `"code":-32600,"message":"an id is`},
		{"no version", `{"id":1,"method":"ping"}`, "", 400, `"id":1,"error":{"code":-32600`},
		{"a notification without a version", `{"method":"notifications/initialized"}`, "", 400, `"code":-32600`},
		{"a batch", `[` + pingLine("1") + `]`, "", 400, `"code":-32600,"message":"batches are not supported`},
		{"an empty batch", `[]`, "", 400, `"code":-32600,"message":"batches are not supported`},
		{"no JSON", `{`, "", 400, `"code":-32700`},
		{"nothing", ``, "Content-Type: application/json", 400, `"code":-32700`},
		{"nested too deep", deep, "", 400, `"code":-32700,"message":"parse error: the message is nested too deep"`},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", 202, ""},
		{"a notification on a connection that is closed", `{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}`, "Connection: close", 202, ""},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/unheard"}`, "", 202, ""},
		{"a cancel of a call that ended", strings.TrimSpace(cancelLine("1")), "", 202, ""},
		{"a cancel with an id", `{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1}}`, "", 200, `"id":1,"error":{"code":-32601`},
		{"a client's answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, "", 202, ""},
		{"a client's error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, "", 202, ""},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"nothing/here"}`, "", 200, `"code":-32601`},
		{"an unknown tool", strings.TrimSpace(callLine("1", "nothing", "{}")), "", 200, `"code":-32602`},
		{"text", pingLine("1"), "Content-Type: text/plain", 415, `"code":-32600`},
		{"a form", pingLine("1"), "Content-Type: application/x-www-form-urlencoded", 415, `"code":-32600`},
		{"an encoded body", pingLine("1"), "Content-Encoding: gzip", 415, `"code":-32600`},
		{"a served version", pingLine("1"), "MCP-Protocol-Version: 2025-11-25", 200, `"result":{}`},
		{"an older version", pingLine("1"), "MCP-Protocol-Version: 2025-03-26", 400, `"code":-32600,"message":"the protocol version`},
		{"no version at all", pingLine("1"), "MCP-Protocol-Version: newest", 400, `"code":-32600,"message":"the protocol version`},
		{"a date that is none", pingLine("1"), "MCP-Protocol-Version: 2026-13-01", 400, `"code":-32600,"message":"the protocol version`},
		{"initialize with a served version", initializeOf("2025-11-25"), "", 200, `"protocolVersion":"2025-11-25"`},
		{"initialize with the oldest version", initializeOf("2025-06-18"), "", 200, `"protocolVersion":"2025-06-18"`},
		{"initialize with an older version", initializeOf("2024-11-05"), "MCP-Protocol-Version: 2024-11-05", 200, `"protocolVersion":"2025-06-18"`},
		{"initialize with a version to come", initializeOf("2030-01-01"), "", 200, `"protocolVersion":"2025-11-25"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := web.post(tt.body, tt.header)
			if got.status != tt.status || tt.want == "" && got.body != "" || !strings.Contains(got.body, tt.want) {
				t.Errorf("got %d %s, want %d and %q", got.status, got.body, tt.status, tt.want)
			}
			if id := got.header.Get("Mcp-Session-Id"); id != "" {
				t.Errorf("a session id %q was issued", id)
			}
			if got := web.post(pingLine("99")); got.status != 200 {
				t.Errorf("the next ping gives %d %s", got.status, got.body)
			}
		})
	}
}

// Of two versions none is the one that a client speaks.
func TestTwoVersions(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	for _, second := range []string{"2025-11-25", "2025-06-18", "garbage"} {
		got := open(t, s, local).post(pingLine("1"), "MCP-Protocol-Version: 2025-11-25", "MCP-Protocol-Version: "+second)
		if got.status != 400 || !strings.Contains(got.body, "is given twice") {
			t.Errorf("beside %s: got %d %s", second, got.status, got.body)
		}
	}
}

// A modern client says with every request which version it speaks.
func TestModernRequests(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	list := func(version string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	got := web.post(list("2026-07-28"), "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list")
	if got.status != 200 || !strings.Contains(got.body, `"resultType":"complete"`) || len(got.Result.Tools) != len(fakes()) {
		t.Errorf("a modern tools/list gives %d %s", got.status, got.body)
	}
	got = web.post(list("DRAFT-2027-v1"), "MCP-Protocol-Version: DRAFT-2027-v1", "Mcp-Method: tools/list")
	if got.status != 400 || !strings.Contains(got.body, `"supported":`) {
		t.Errorf("a draft: got %d %s", got.status, got.body)
	}
	got = web.post(list("2027-01-01"), "MCP-Protocol-Version: 2027-01-01", "Mcp-Method: tools/list")
	if got.status != 400 || !strings.Contains(got.body, `"code":-32022`) || !strings.Contains(got.body, `"supported":["2026-07-28","2025-11-25","2025-06-18"]`) {
		t.Errorf("a version to come gives %d %s", got.status, got.body)
	}
}

func TestRoutes(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/mcp", 405, "POST"},
		{"DELETE", "/mcp", 405, "POST"},
		{"OPTIONS", "/mcp", 405, "POST"},
		{"POST", "/sse", 405, "GET"},
		{"GET", "/message", 405, "POST"},
		{"POST", "/healthz", 405, "GET, HEAD"},
		{"GET", "/healthz", 200, ""},
		{"HEAD", "/healthz", 200, ""},
		{"GET", "/readyz", 200, ""},
		{"GET", "/metrics", 200, ""},
		{"GET", "/mcp/", 404, ""},
		{"GET", "/../etc/passwd", 404, ""},
		{"GET", "/debug/pprof/", 404, ""},
	}
	for _, tt := range tests {
		got := web.do(web.request(context.Background(), tt.method, tt.path, ""))
		if got.status != tt.status || got.header.Get("Allow") != tt.allow {
			t.Errorf("%s %s gives %d, Allow %q; want %d, %q", tt.method, tt.path, got.status, got.header.Get("Allow"), tt.status, tt.allow)
		}
		for name := range got.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s %s is answered with %s: no page of a site that is not allowed may read it", tt.method, tt.path, name)
			}
		}
	}
}

// A call's progress is sent before its result, on the same answer.
func TestProgressBeforeTheResult(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fake("work", func(ctx context.Context, _ json.RawMessage) (any, error) {
		for i := range 1000 {
			tools.ReportProgress(ctx, i+1, 1000)
		}
		return said{"done"}, nil
	}))
	web := open(t, s, local)
	got := web.post(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":"p"}}}`)
	var all []event
	for e := range events(strings.NewReader(got.body)) {
		all = append(all, e)
	}
	if len(all) < 2 || got.header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("the answer is %s %q, want a stream with progress", got.header.Get("Content-Type"), got.body)
	}
	last := len(all) - 1
	for i, e := range all {
		if progress := strings.Contains(e.data, `"notifications/progress"`) && strings.Contains(e.data, `"progressToken":"p"`); progress == (i == last) {
			t.Errorf("message %d of %d is %s", i, last+1, e.data)
		}
	}
	if !strings.Contains(all[last].data, `"id":7,"result"`) {
		t.Errorf("the last message is %s, want the result", all[last].data)
	}
	if got := web.call("8", "work", "{}"); got.header.Get("Content-Type") != "application/json" {
		t.Errorf("without a token the answer is %s %s", got.header.Get("Content-Type"), got.body)
	}
}

func TestClosingARequestCancelsItsCall(t *testing.T) {
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("block", b.run))...)
	web := open(t, s, local)
	ctx, leave := context.WithCancel(context.Background())
	gone := web.background(ctx, "/mcp", callLine("1", "block", "{}"))
	receive(t, b.started, "the start of the call")
	leave()
	if err := receive(t, b.ended, "the end of the call"); err != context.Canceled {
		t.Errorf("the call ended with %v, want it cancelled", err)
	}
	receive(t, gone, "the client's end")
}

// All clients of /mcp count their requests from 1: nobody's cancel may reach another's.
func TestCancelOnMCPCancelsNothing(t *testing.T) {
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("block", b.run))...)
	web := open(t, s, local)
	var answers []<-chan answer
	for range 2 {
		answers = append(answers, web.background(context.Background(), "/mcp", callLine("1", "block", "{}")))
		receive(t, b.started, "the start of a call")
	}
	modern := strings.Replace(cancelLine("1"), `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`, 1)
	for _, cancel := range []string{cancelLine("1"), cancelLine(`"1"`), modern} {
		if got := web.post(cancel); got.status != 202 {
			t.Errorf("%s is answered with %d, want 202", cancel, got.status)
		}
	}
	close(b.release)
	for _, answered := range answers {
		if got := receive(t, answered, "an answer"); !strings.Contains(got.body, `"said":"released"`) {
			t.Errorf("a call was answered with %s, want its result", got.body)
		}
	}
}

// Scans have slots of their own: while all are taken, everything else is answered.
func TestCallsBesideScans(t *testing.T) {
	b := newBlocker()
	scan := fake("scan", b.run)
	scan.Scans = true
	limits := DefaultLimits
	limits.MaxScans = 1
	s, _ := newServer(t, limits, append(fakes(), scan)...)
	web := open(t, s, local)
	first := web.background(context.Background(), "/mcp", callLine("1", "scan", "{}"))
	receive(t, b.started, "the start of the scan")
	second := web.background(context.Background(), "/mcp", callLine("2", "scan", "{}"))
	await(t, "both scans are here", func() bool { return web.requests.count() == 2 })
	if got := web.post(pingLine("3")); got.status != 200 {
		t.Errorf("a ping during a scan gives %d %s", got.status, got.body)
	}
	if got := web.call("4", "echo", "{}"); !strings.Contains(got.body, `"said":"{}"`) {
		t.Errorf("a call during a scan gives %d %s", got.status, got.body)
	}
	if len(b.started) != 0 {
		t.Error("the second scan did not wait for the first")
	}
	close(b.release)
	for _, answered := range []<-chan answer{first, second} {
		if got := receive(t, answered, "an answer"); !strings.Contains(got.body, `"said":"released"`) {
			t.Errorf("a scan gives %s", got.body)
		}
	}
}

// A call that takes too long, waiting included, ends with an error that says so. A smaller
// document helps a scan alone.
func TestCallsThatTakeTooLong(t *testing.T) {
	b := newBlocker()
	limits := DefaultLimits
	limits.MaxTime, limits.MaxCalls = 50*time.Millisecond, 1
	scan := fake("scan", b.run)
	scan.Scans = true
	s, _ := newServer(t, limits, fake("block", b.run), scan)
	web := open(t, s, local)
	for _, call := range []struct {
		tool     string
		answered <-chan answer
	}{
		{"block", web.background(context.Background(), "/mcp", callLine("1", "block", "{}"))},
		{"block", web.background(context.Background(), "/mcp", callLine("2", "block", "{}"))},
		{"scan", web.background(context.Background(), "/mcp", callLine("3", "scan", "{}"))},
	} {
		got := receive(t, call.answered, "an answer")
		if code := refused(t, got.reply); code != "TOO_LARGE" || !strings.Contains(got.body, "longer than the 50ms") ||
			strings.Contains(got.body, "smaller document") != (call.tool == "scan") {
			t.Errorf("a call of %s that takes too long gives %s", call.tool, got.body)
		}
	}
}

// What breaks outside of the tools is answered too, and the server serves on.
func TestPanicOutsideOfTools(t *testing.T) {
	s, log := newServer(t, DefaultLimits, fakes()...)
	s.Engine().AddResource(mcp.NewResource("plumbline://broken", "broken"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		panic("secret of a resource")
	})
	web := open(t, s, local)
	got := web.post(`{"jsonrpc":"2.0","id":"x","method":"resources/read","params":{"uri":"plumbline://broken"}}`)
	if want := `{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"internal error"}}` + "\n"; got.status != http.StatusInternalServerError || got.body != want {
		t.Errorf("got %d %s, want 500 %s", got.status, got.body, want)
	}
	if !strings.Contains(log.String(), "secret of a resource") {
		t.Error("the log does not say what broke")
	}
	if got := web.post(pingLine("1")); got.status != 200 {
		t.Errorf("the next ping gives %d %s", got.status, got.body)
	}
}

// Too much at once is refused for a while, and for whom it is too much.
func TestTooManyRequests(t *testing.T) {
	b := newBlocker()
	limits := DefaultLimits
	limits.MaxRequests, limits.MaxRequestsEach = 2, 1
	s, _ := newServer(t, limits, append(fakes(), fake("block", b.run))...)
	tokens := newTokens(t)
	ann, ben, cyd := tokens.add("ann", tools.Builder), tokens.add("ben", tools.Builder), tokens.add("cyd", tools.Builder)
	web := open(t, s, tokens.config())
	wait := func(who string, status int) {
		t.Helper()
		got := web.post(pingLine("9"), who)
		if got.status != status || status != 200 && got.header.Get("Retry-After") == "" {
			t.Errorf("a ping gives %d %v, want %d", got.status, got.header, status)
		}
	}
	first := web.background(context.Background(), "/mcp", callLine("1", "block", "{}"), ann)
	receive(t, b.started, "the start of a call")
	wait(ann, http.StatusTooManyRequests)
	wait(ben, http.StatusOK)
	second := web.background(context.Background(), "/mcp", callLine("1", "block", "{}"), ben)
	receive(t, b.started, "the start of a call")
	wait(cyd, http.StatusServiceUnavailable)
	close(b.release)
	receive(t, first, "an answer")
	receive(t, second, "an answer")
	await(t, "both have left", func() bool { return web.requests.count() == 0 })
	wait(ann, http.StatusOK)
}
