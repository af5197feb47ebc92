package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// team is a server with every tool over an empty ledger, with a log to look into.
func team(t *testing.T, format string) (*Server, *lockedBuffer) {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	t.Cleanup(func() { store.Close() })
	return serverOver(t, store, format)
}

func serverOver(t *testing.T, store *tools.Store, format string) (*Server, *lockedBuffer) {
	t.Helper()
	written := &lockedBuffer{}
	log, err := NewLog(written, format, "info")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Version: "v0 test", Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Log: log, Limits: DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	return s, written
}

// scrape gives what a Prometheus server is sent.
func scrape(t *testing.T, s *Server) string {
	t.Helper()
	web := httptest.NewServer(s.metricsHandler())
	defer web.Close()
	reply, err := http.Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v", reply.Status, err)
	}
	return string(text)
}

// wantSamples holds what is scraped to lines of the text format.
func wantSamples(t *testing.T, s *Server, want ...string) {
	t.Helper()
	wantLines(t, scrape(t, s), want...)
}

// wantLines says of each line that is missing what stands there under its name.
func wantLines(t *testing.T, text string, want ...string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, line := range want {
		if slices.Contains(lines, line) {
			continue
		}
		name, _, _ := strings.Cut(strings.Fields(line)[0], "{")
		others := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !strings.HasPrefix(l, name) })
		t.Errorf("there is no sample %s, but:\n%s", line, strings.Join(others, "\n"))
	}
}

// records gives the lines of a JSON log.
func records(t *testing.T, log *lockedBuffer) []map[string]any {
	t.Helper()
	var list []map[string]any
	for line := range strings.Lines(log.String()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%q is no JSON: %v", line, err)
		}
		list = append(list, record)
	}
	return list
}

// wantRecord holds the words of a record to those that are wanted, - for one that is not
// there.
func wantRecord(t *testing.T, record map[string]any, keys, want string) {
	t.Helper()
	words := strings.Fields(keys)
	for i, key := range words {
		words[i] = "-"
		if word, ok := record[key].(string); ok {
			words[i] = word
		}
	}
	wantSame(t, strings.Join(words, " "), want)
}

// teamRound is a round on a contract's text.
func teamRound(text, verdict, findings string) string {
	c, _ := contract.ParseContract([]byte(text))
	return fmt.Sprintf(`{"agc":"0.1.0","gate":{"version":%q},"verdict":%q,"findings":%s}`, c.Fingerprint, verdict, findings)
}

// What a day of work leaves in the metrics and in the log.
func TestCallsAreCountedAndLogged(t *testing.T) {
	s, log := team(t, "json")
	text := loopContract(t, 1, `["under","over"]`)
	broken := strings.Replace(loopReport(t, text), `"exit_code":0,"passed":true`, `"exit_code":1,"passed":false`, 1)
	round := func(submission, verdict, findings string) string {
		return `{"contract_id":"shop/refunds","record":true,"submission":"` + submission + `","round":` + teamRound(text, verdict, findings) + `}`
	}
	report := func(submission, report string) string {
		return `{"contract_id":"shop/refunds","record":true,"submission":"` + submission + `","report":` + report + `}`
	}
	calls := []struct {
		role       tools.Role
		tool, args string
		want       string // contract, verdict, recorded, outcome
	}{
		{tools.Owner, "validate_contract", `{"contract":` + text + `}`, "shop/refunds valid - ok"},
		{tools.Owner, "register_contract", `{"record":false,"contract":` + text + `}`, "shop/refunds valid - ok"},
		{tools.Owner, "register_contract", `{"record":true,"contract":` + text + `}`, "shop/refunds valid revision ok"},
		{tools.Owner, "register_contract", `{"record":true,"contract":` + text + `}`, "shop/refunds valid - ok"},
		{tools.Builder, "render_brief", `{"role":"builder","contract_id":"shop/refunds"}`, "shop/refunds - - ok"},
		{tools.Builder, "check_done", report("d1", broken), "shop/refunds unfinished done ok"},
		{tools.Builder, "check_done", report("d2", loopReport(t, text)), "shop/refunds done done ok"},
		{tools.Builder, "check_done", report("d3", "{}"), "shop/refunds invalid - ok"},
		{tools.Builder, "check_round", round("r1", "pass", `[]`), "- - - UNKNOWN_TOOL"},
		{tools.Judge, "check_round", round("r1", "fail", loopDefect), "shop/refunds fail round ok"},
		{tools.Judge, "check_round", round("r1", "fail", loopDefect), "shop/refunds fail - ok"},
		{tools.Judge, "check_round", round("r1", "pass", `[]`), "shop/refunds - - SUBMISSION_REUSED"},
		{tools.Judge, "check_round", round("r2", "fail", loopBeyond), "shop/refunds fail round ok"},
		{tools.Judge, "check_round", round("r3", "pass", loopDefect), "shop/refunds invalid - ok"},
		{tools.Judge, "check_round", round("r4", "pass", `[]`), "shop/refunds pass round ok"},
		{tools.Judge, "chain_status", `{"contract_id":"shop/refunds"}`, "shop/refunds - - ok"},
		{tools.Judge, "chain_status", `{"contract_id":"shop/other"}`, "shop/other - - UNKNOWN_CONTRACT"},
		{tools.Judge, "scan_mcp_tools", `{"tools":[{"name":"wipe_disk","description":"Wipes."}]}`, "- FAIL - ok"},
		{tools.Judge, "scan_mcp_tools", `{"tools":7}`, "- - - BAD_ARGUMENT"},
	}
	for _, c := range calls {
		call(t, s, as(c.role), c.tool, c.args)
	}
	lines := records(t, log)
	if len(lines) != len(calls) {
		t.Fatalf("%d calls wrote %d lines:\n%s", len(calls), len(lines), log)
	}
	for i, c := range calls {
		wantRecord(t, lines[i], "who role tool contract verdict recorded outcome", fmt.Sprintf("somebody %s %s %s", c.role, c.tool, c.want))
	}
	wantSamples(t, s,
		`plumbline_calls_total{outcome="ok",tool="check_round"} 5`,
		`plumbline_calls_total{outcome="SUBMISSION_REUSED",tool="check_round"} 1`,
		`plumbline_calls_total{outcome="UNKNOWN_TOOL",tool="unknown"} 1`,
		`plumbline_calls_total{outcome="BAD_ARGUMENT",tool="scan_mcp_tools"} 1`,
		`plumbline_calls_total{outcome="ok",tool="scan_openapi"} 0`,
		`plumbline_call_duration_seconds_count{tool="check_done"} 3`,
		`plumbline_calls_running 0`,
		`plumbline_revisions_registered_total 1`,
		`plumbline_done_reports_recorded_total 2`,
		`plumbline_rounds_recorded_total{verdict="fail"} 2`,
		`plumbline_rounds_recorded_total{verdict="pass"} 1`,
		`plumbline_rounds_recorded_total{verdict="escalate"} 0`,
		`plumbline_extension_rounds_recorded_total 1`,
		`plumbline_ledger_errors_total{code="SUBMISSION_REUSED"} 1`,
		`plumbline_ledger_errors_total{code="UNKNOWN_CONTRACT"} 1`,
		`plumbline_ledger_errors_total{code="LEDGER_UNAVAILABLE"} 0`,
	)
}

// Names follow the conventions of Prometheus, and every metric says what it is.
func TestMetricsFollowTheConventions(t *testing.T) {
	s, _ := team(t, "json")
	problems, err := testutil.GatherAndLint(s.metrics.registry)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v: %+v", err, problems)
	}
	if text := scrape(t, s); !strings.Contains(text, `plumbline_build_info{goversion="go1.`) || !strings.Contains(text, "go_goroutines") || !strings.Contains(text, "process_cpu_seconds_total") {
		t.Errorf("the program does not tell of itself: %s", text)
	}
}

// Two servers in one process do not count each other's calls.
func TestMetricsAreOfOneServer(t *testing.T) {
	first, _ := team(t, "json")
	second, _ := team(t, "json")
	call(t, first, as(tools.Owner), "chain_status", `{}`)
	wantSamples(t, first, `plumbline_calls_total{outcome="ok",tool="chain_status"} 1`)
	wantSamples(t, second, `plumbline_calls_total{outcome="ok",tool="chain_status"} 0`)
}

// A call counts as running until it ends, and one that its client cancelled as that.
func TestRunningAndCancelledCalls(t *testing.T) {
	b := newBlocker()
	s, log := newServer(t, DefaultLimits, fake("block", b.run))
	ctx, cancel := context.WithCancel(as(tools.Builder))
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Engine().HandleMessage(ctx, json.RawMessage(callLine("1", "block", "{}")))
	}()
	receive(t, b.started, "the call's start")
	wantSamples(t, s, `plumbline_calls_running 1`)
	cancel()
	receive(t, done, "the call's end")
	wantSamples(t, s, `plumbline_calls_running 0`, `plumbline_calls_total{outcome="CANCELLED",tool="block"} 1`)
	if !strings.Contains(log.String(), "outcome=CANCELLED") {
		t.Errorf("the log says %s", log)
	}
}

// A ledger that is lost is counted, whatever asked for it, and the log says why.
func TestLedgerErrorsAreCounted(t *testing.T) {
	lost := &ledger.Error{Code: ledger.Unavailable, Message: "the ledger is away", Hint: "wait", Detail: "where it lay"}
	s, log := serverOver(t, tools.NewStore(func(context.Context) (*ledger.Ledger, error) { return nil, lost }), "json")
	call(t, s, as(tools.Owner), "chain_status", `{}`)
	readResource(t, s, as(tools.Owner), "plumbline://contracts/a")
	prompt := rpc(t, s, as(tools.Owner), "prompts/get", map[string]any{"name": "build_to_contract", "arguments": map[string]string{"contract_id": "a"}})
	wantSamples(t, s,
		`plumbline_ledger_errors_total{code="LEDGER_UNAVAILABLE"} 3`,
		`plumbline_calls_total{outcome="LEDGER_UNAVAILABLE",tool="chain_status"} 1`)
	if n := strings.Count(log.String(), "where it lay"); n != 3 || strings.Contains(prompt, "where it lay") {
		t.Errorf("the detail is logged %d times, want 3, and told to nobody: %s\n%s", n, log, prompt)
	}
}

// Nothing that a stranger chose becomes a label, or breaks a line of the log.
func TestStrangersTextInMetricsAndLog(t *testing.T) {
	const mark = "zzz"
	hostile := mark + "\n" + `"} 1` + "\nplumbline_calls_total 99\x1b[2J\u009b2J\u202e" + strings.Repeat("é", 500)
	quoted, _ := json.Marshal(hostile)
	for _, format := range LogFormats {
		t.Run(format, func(t *testing.T) {
			s, written := team(t, format)
			ctx := tools.WithCaller(context.Background(), tools.Caller{Name: hostile, Role: tools.Owner, Contracts: []string{"**"}})
			s.Engine().HandleMessage(ctx, json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%s}}`, quoted)))
			call(t, s, ctx, "validate_contract", `{"contract":`+strings.Replace(loopContract(t, 1, `["a"]`), `"shop/refunds"`, string(quoted), 1)+`}`)
			call(t, s, ctx, "chain_status", `{"contract_id":`+string(quoted)+`}`)
			call(t, s, ctx, "scan_mcp_tools", `{"name":`+string(quoted)+`,"tools":[{"name":`+string(quoted)+`}]}`)
			s.refused(refusal(hostile))
			if text := scrape(t, s); strings.Contains(text, mark) {
				t.Errorf("a stranger's text is in the metrics:\n%s", text)
			}
			wantSamples(t, s, `plumbline_http_refusals_total{reason="request"} 1`)
			lines := strings.Split(strings.TrimSuffix(written.String(), "\n"), "\n")
			if len(lines) != 4 {
				t.Errorf("four calls wrote %d lines:\n%s", len(lines), written)
			}
			for _, line := range lines {
				if !strings.Contains(line, mark) || len(line) > 3000 || strings.ContainsAny(line, "\x1b\u009b\u202e") {
					t.Errorf("a line is not what it should be: %q", line)
				}
			}
		})
	}
}

func TestNewLog(t *testing.T) {
	var out bytes.Buffer
	log, err := NewLog(&out, "json", "warn")
	if err != nil {
		t.Fatal(err)
	}
	log.Info("quiet")
	log.Warn("loud", slog.String("who", "a\u202eb"))
	if got := out.String(); strings.Contains(got, "quiet") || !strings.Contains(got, `"msg":"loud","who":"a\u202eb"`) {
		t.Errorf("the log is %s", got)
	}
	for _, bad := range [][2]string{{"xml", "info"}, {"json", "INFO+2"}, {"json", ""}} {
		if _, err := NewLog(&out, bad[0], bad[1]); err == nil || !strings.Contains(err.Error(), "use ") {
			t.Errorf("NewLog(%q) gives %v, want the choice", bad, err)
		}
	}
}
