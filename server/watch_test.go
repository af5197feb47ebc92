package server

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// Who reads a contract in another way than by a tool is counted and logged as well.
func TestReadsPromptsAndCompletionsAreCountedAndLogged(t *testing.T) {
	s, log := team(t, "json")
	text := loopContract(t, 1, `["under","over"]`)
	call(t, s, as(tools.Owner), "register_contract", `{"record":true,"contract":`+text+`}`)
	call(t, s, as(tools.Builder), "check_done", `{"contract_id":"shop/refunds","record":true,"submission":"d","report":`+loopReport(t, text)+`}`)
	read := func(uri string) any { return map[string]string{"uri": uri} }
	prompt := func(name, id string) any {
		return map[string]any{"name": name, "arguments": map[string]string{argumentContract: id}}
	}
	complete := map[string]any{"ref": map[string]string{"type": "ref/prompt", "name": "build_to_contract"}, "argument": map[string]string{"name": argumentContract, "value": "shop"}}
	requests := []struct {
		role   tools.Role
		method string
		params any
		want   string // contract, verdict, outcome
	}{
		{tools.Builder, "resources/read", read("plumbline://contracts/shop%2Frefunds"), "shop/refunds - ok"},
		{tools.Builder, "resources/read", read("plumbline://contracts/shop%2Frefunds/revisions/1"), "shop/refunds - ok"},
		{tools.Judge, "resources/read", read("plumbline://contracts/shop%2Frefunds/chain"), "shop/refunds - ok"},
		{tools.Judge, "resources/read", read("plumbline://contracts/shop%2Frefunds/gate"), "shop/refunds closed ok"},
		{tools.Judge, "resources/read", read("plumbline://contracts/other/gate/c1"), "other - UNKNOWN_RESOURCE"},
		{tools.Judge, "resources/read", read("plumbline://rules"), "- - ok"},
		{tools.Judge, "resources/read", read("plumbline://secrets"), "- - UNKNOWN_RESOURCE"},
		{tools.Builder, "prompts/get", prompt("build_to_contract", "shop/refunds"), "shop/refunds - ok"},
		{tools.Builder, "prompts/get", prompt("build_to_contract", "other"), "other - UNKNOWN_CONTRACT"},
		{tools.Builder, "prompts/get", prompt("judge_round", "shop/refunds"), "shop/refunds - UNKNOWN_PROMPT"},
		{tools.Builder, "prompts/get", prompt("build_to_contract", ""), "- - BAD_ARGUMENT"},
		{tools.Builder, "completion/complete", complete, "- - ok"},
	}
	done := len(records(t, log))
	for _, r := range requests {
		rpc(t, s, as(r.role), r.method, r.params)
	}
	call(t, s, as(tools.Judge), "check_round", `{"contract_id":"shop/refunds","record":true,"submission":"r","round":`+strings.Replace(teamRound(text, "pass", `[]`), `"findings"`, `"coverage":{"classes":["limit"]},"findings"`, 1)+`}`)
	rpc(t, s, as(tools.Judge), "resources/read", read("plumbline://contracts/shop%2Frefunds/gate"))

	lines := records(t, log)[done:]
	if len(lines) != len(requests)+2 {
		t.Fatalf("%d requests wrote %d lines:\n%s", len(requests)+2, len(lines), log)
	}
	for i, r := range requests {
		wantRecord(t, lines[i], "who role tool contract verdict outcome", fmt.Sprintf("somebody %s %s %s", r.role, r.method, r.want))
		if _, took := lines[i]["duration_ms"]; !took {
			t.Errorf("%v does not say how long it took", lines[i])
		}
	}
	wantRecord(t, lines[len(requests)+1], "tool contract verdict outcome", "resources/read shop/refunds open ok")
	wantSamples(t, s,
		`plumbline_calls_total{outcome="ok",tool="resources/read"} 6`,
		`plumbline_calls_total{outcome="UNKNOWN_RESOURCE",tool="resources/read"} 2`,
		`plumbline_calls_total{outcome="ok",tool="prompts/get"} 1`,
		`plumbline_calls_total{outcome="UNKNOWN_CONTRACT",tool="prompts/get"} 1`,
		`plumbline_calls_total{outcome="UNKNOWN_PROMPT",tool="prompts/get"} 1`,
		`plumbline_calls_total{outcome="BAD_ARGUMENT",tool="prompts/get"} 1`,
		`plumbline_calls_total{outcome="ok",tool="completion/complete"} 1`,
		`plumbline_call_duration_seconds_count{tool="resources/read"} 7`,
		`plumbline_calls_running 0`)
}

// What alerts rest on is there before it happens first, so that the first is an increase.
func TestAlertsSeeTheFirst(t *testing.T) {
	s, _ := team(t, "json")
	for _, tool := range []string{"chain_status", "scan_openapi", "resources/read", "prompts/get", "completion/complete"} {
		for _, outcome := range []string{"INTERNAL", "PROTOCOL_ERROR", "LEDGER_UNAVAILABLE"} {
			wantSamples(t, s, fmt.Sprintf(`plumbline_calls_total{outcome="%s",tool="%s"} 0`, outcome, tool))
		}
	}
}

// awayServer is a server whose ledger is away until there says otherwise.
func awayServer(t *testing.T) (s *Server, log *lockedBuffer, there *atomic.Bool) {
	t.Helper()
	there = &atomic.Bool{}
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) {
		if !there.Load() {
			return nil, &ledger.Error{Code: ledger.Unavailable, Message: "the ledger is away", Hint: "wait", Detail: "where it lay"}
		}
		return ledger.Open(ctx, dsn)
	})
	t.Cleanup(func() { store.Close() })
	s, log = serverOver(t, store, "json")
	return s, log, there
}

// The log tells of a ledger that is not there when the server starts, and of each change
// after it, however often somebody asks.
func TestReadinessIsLogged(t *testing.T) {
	s, log, there := awayServer(t)
	web := open(t, s, local)
	ask := func() int {
		return web.do(web.request(context.Background(), http.MethodGet, "/readyz", "")).status
	}
	said := func(word string) int { return strings.Count(log.String(), `"msg":"`+word) }
	await(t, "the log tells of it", func() bool { return said("not ready") == 1 })
	for _, detail := range []string{"LEDGER_UNAVAILABLE: the ledger is away (wait)", "where it lay"} {
		if !strings.Contains(log.String(), detail) {
			t.Errorf("the log does not say %q: %s", detail, log)
		}
	}
	for range 3 {
		if got := ask(); got != http.StatusServiceUnavailable {
			t.Errorf("/readyz gives %d, want 503", got)
		}
	}
	there.Store(true)
	for range 3 {
		if got := ask(); got != http.StatusOK {
			t.Errorf("/readyz gives %d, want 200", got)
		}
	}
	if said("not ready") != 1 || said("ready") != 1 {
		t.Errorf("the log tells of the change more or less than once: %s", log)
	}
}

// A request that breaks the server is logged with no more of its path than a label holds.
func TestPanicIsLoggedInBounds(t *testing.T) {
	s, log := team(t, "json")
	long := "/" + strings.Repeat("a", 5000)
	web := open(t, s, local, func(h *httpServer) {
		h.routes[long] = route{methods: reading, open: true, serve: func(*steadyWriter, *http.Request) { panic("broken") }}
	})
	if got := web.do(web.request(context.Background(), http.MethodGet, long, "")).status; got != http.StatusInternalServerError {
		t.Errorf("the request gives %d, want 500", got)
	}
	if text := log.String(); !strings.Contains(text, `"panic":"broken"`) || strings.Contains(text, strings.Repeat("a", maxLogged+1)) {
		t.Errorf("the log is %.1000s", text)
	}
}

// A ledger that hangs ends what reads it as it ends a call: after the time of one, in
// words that say so. So does a server with too much to do.
func TestReadsPromptsAndCompletionsAreBounded(t *testing.T) {
	requests := map[string]any{
		"tools/call":     map[string]any{"name": "chain_status", "arguments": map[string]any{}},
		"resources/read": map[string]string{"uri": "plumbline://contracts/shop%2Frefunds"},
		"prompts/get":    map[string]any{"name": "build_to_contract", "arguments": map[string]string{argumentContract: "shop/refunds"}},
		"completion/complete": map[string]any{"ref": map[string]string{"type": "ref/prompt", "name": "build_to_contract"},
			"argument": map[string]string{"name": argumentContract, "value": "shop"}},
	}
	for _, tt := range []struct {
		why, want string
		errors    int // of the ledger
		prepare   func(*Server)
	}{
		{"the ledger hangs", "LEDGER_UNAVAILABLE", len(requests), func(*Server) {}},
		{"no slot is free", "TOO_LARGE", 0, func(s *Server) { s.admission.calls <- struct{}{} }},
	} {
		// In a bubble the time of a call ends only where nothing else can go on.
		synctest.Test(t, func(t *testing.T) {
			hanging := make(chan struct{})
			defer close(hanging)
			store := tools.NewStore(func(context.Context) (*ledger.Ledger, error) {
				<-hanging
				return nil, &ledger.Error{Code: ledger.Unavailable, Message: "the ledger is away", Hint: "wait"}
			})
			limits := DefaultLimits
			limits.MaxCalls = 1
			s, err := New(Config{Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Limits: limits})
			if err != nil {
				t.Fatal(err)
			}
			tt.prepare(s)
			for method, params := range requests {
				if got := rpc(t, s, as(tools.Owner), method, params); !strings.Contains(got, tt.want) {
					t.Errorf("%s: %s gives %s, want %s", tt.why, method, got, tt.want)
				}
				wantSamples(t, s, fmt.Sprintf(`plumbline_calls_total{outcome=%q,tool=%q} 1`, tt.want, strings.Replace(method, "tools/call", "chain_status", 1)))
			}
			wantSamples(t, s, fmt.Sprintf(`plumbline_ledger_errors_total{code="LEDGER_UNAVAILABLE"} %d`, tt.errors))
		})
	}
}
