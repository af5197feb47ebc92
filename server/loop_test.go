package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// worker is an agent in a role, with a server process of its own.
type worker struct {
	t  *testing.T
	p  *process
	id int
}

// hire starts a server on the ledger for one role.
func hire(t *testing.T, ledger, role, name string) *worker {
	t.Helper()
	w := &worker{t: t, p: startProcess(t, t.TempDir(), "plumbline", "serve", "--ledger", ledger, "--role", role, "--as", name)}
	w.p.initialize()
	return w
}

// loopAnswer is what the loop reads of answers.
type loopAnswer struct {
	Valid, Recorded, Done bool
	Errors                []contract.Problem
	Next                  []contract.Step
	SHA256                string
	URI                   string
	Answer                string
	ContractText          string `json:"contract_text"`
	Brief                 string
	Contracts             []struct {
		ContractID string `json:"contract_id"`
	}
	State struct {
		RoundTemplate map[string]any `json:"round_template"`
		DoneReport    map[string]any `json:"done_report"`
		Subject       string
	}
	Open struct {
		ExtensionsWaiting int `json:"extensions_waiting"`
		Findings          []struct {
			Disposition, Location, Message string
			Check                          struct{ Run string }
		}
	}
	Facts []struct{ Name string }
}

// do calls a tool with arguments as they are.
func (w *worker) do(tool, arguments string) (loopAnswer, string) {
	w.t.Helper()
	w.id++
	r := w.p.call(w.id, tool, arguments)
	if r.Result.IsError || r.Error != nil {
		w.t.Fatalf("%s: %+v", tool, r)
	}
	var got loopAnswer
	if err := json.Unmarshal(r.Result.StructuredContent, &got); err != nil {
		w.t.Fatal(err)
	}
	return got, r.Result.Content[0].Text
}

// read reads a resource; the text is empty where there is none.
func (w *worker) read(uri string) string {
	w.t.Helper()
	w.id++
	w.p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":%q}}`, w.id, uri))
	line, err := w.p.lines.ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	var r struct {
		Result struct{ Contents []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		w.t.Fatal(err)
	}
	if len(r.Result.Contents) == 0 {
		return ""
	}
	return r.Result.Contents[0].Text
}

// loopContract is a revision with odd but valid bytes: spaces, escapes, 1.0.
func loopContract(t testing.TB, revision int64, cases string) string {
	t.Helper()
	text, err := contract.Stamp(fmt.Appendf(nil, `{ "aac" : "0.1.0","contract":{"id":"shop/refunds","revision":1,  "fingerprint":"","owner":"ol\u0067a"},`+
		` "budget":{"extensions":2.0}, "criteria":[{"id":"limit","class":"limit","kind":"enumerable","statement":"The listed cases end as stated <&>.","cases":%s,"checks":[{"type":"command","run":"go test ./limit"}]}]  }`, cases), revision)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func loopReport(t *testing.T, text string) string {
	c, report := contract.ParseContract([]byte(text))
	if !report.Valid() {
		t.Fatalf("not valid: %+v", report.Errors())
	}
	return fmt.Sprintf(`{"done":"0.1","contract":{"id":%q,"fingerprint":%q,"revision":%d},"subject":{"commit":"c0ffee"},"results":[{"criterion":"limit","check":0,"type":"command","run":"go test ./limit","exit_code":0,"passed":true}]}`,
		c.ID, c.Fingerprint, c.Revision)
}

// judgeRound fills in the template that the judge's brief came with.
func (w *worker) judgeRound(submission, verdict, findings string) loopAnswer {
	w.t.Helper()
	brief, _ := w.do("render_brief", `{"role":"judge","contract_id":"shop/refunds"}`)
	round := brief.State.RoundTemplate
	round["verdict"], round["findings"], round["subject"] = verdict, json.RawMessage(findings), map[string]string{"commit": brief.State.Subject}
	text, err := json.Marshal(round)
	if err != nil {
		w.t.Fatal(err)
	}
	got, _ := w.do("check_round", fmt.Sprintf(`{"contract_id":"shop/refunds","round":%s,"record":true,"submission":%q}`, text, submission))
	if !got.Recorded {
		w.t.Fatalf("the round is not recorded: %+v", got.Errors)
	}
	return got
}

func wantNext(t *testing.T, steps []contract.Step, want string) {
	t.Helper()
	var actors []string
	for _, s := range steps {
		actors = append(actors, string(s.Actor))
	}
	if got := strings.Join(actors, " "); got != want {
		t.Errorf("next is %q, want %q", got, want)
	}
}

const (
	loopDefect = `[{"class":"limit","severity":"blocking","location":"over","message":"501 was accepted","check":{"type":"command","run":"go test -run over ./limit"},"remedy":{"type":"patch"}}]`
	loopBeyond = `[{"class":"currency","severity":"blocking","location":"yen","message":"yen are doubled","remedy":{"type":"delegate","to":"olga"}}]`
)

// The whole loop: owner, builder and judge, each on a server process of its own, know
// of each other what the ledger tells them through the tools.
func TestLoop(t *testing.T) {
	ledger := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	olga, bob, jane := hire(t, ledger, "owner", "olga"), hire(t, ledger, "builder", "bob"), hire(t, ledger, "judge", "jane")
	first, second := loopContract(t, 1, `["under","over"]`), loopContract(t, 2, `["under","over","yen"]`)

	registered, _ := olga.do("register_contract", `{"record":true,"contract":  `+first+` }`)
	wantSame(t, registered.SHA256, contract.SHA256([]byte(first)))
	waiting, _ := bob.do("chain_status", `{"waiting_on":"builder"}`)
	if len(waiting.Contracts) != 1 || waiting.Contracts[0].ContractID != "shop/refunds" {
		t.Fatalf("what waits for the builder is %+v", waiting.Contracts)
	}
	brief, text := bob.do("render_brief", `{"role":"builder","contract_id":"shop/refunds"}`)
	wantSame(t, brief.ContractText, first)
	wantSame(t, bob.read(registered.URI), first)
	if !strings.Contains(text, first) {
		t.Error("the brief's text lacks the contract's bytes")
	}

	done, _ := bob.do("check_done", `{"contract_id":"shop/refunds","report":`+loopReport(t, first)+`,"record":true,"submission":"1"}`)
	wantNext(t, done.Next, "judge")
	wantNext(t, jane.judgeRound("1", "fail", loopDefect).Next, "builder")

	status, _ := bob.do("chain_status", `{"contract_id":"shop/refunds"}`)
	if len(status.Open.Findings) != 1 || status.Open.Findings[0].Check.Run != "go test -run over ./limit" || status.Open.Findings[0].Location != "over" {
		t.Fatalf("the builder is told %+v, want the defect with its check", status.Open)
	}
	done, _ = bob.do("check_done", `{"contract_id":"shop/refunds","report":`+loopReport(t, first)+`,"record":true,"submission":"2"}`)
	wantNext(t, done.Next, "judge")
	wantNext(t, jane.judgeRound("2", "fail", loopBeyond).Next, "owner")

	status, text = bob.do("chain_status", `{"contract_id":"shop/refunds"}`)
	chain := bob.read("plumbline://contracts/shop%2Frefunds/chain")
	if status.Open.ExtensionsWaiting != 1 || strings.Contains(text+chain, "yen") || !strings.Contains(chain, "501 was accepted") {
		t.Errorf("the builder is told of an extension, or not of the defect: %s\n%s", text, chain)
	}
	status, _ = olga.do("chain_status", `{"contract_id":"shop/refunds"}`)
	if len(status.Open.Findings) != 1 || status.Open.Findings[0].Message != "yen are doubled" {
		t.Errorf("the owner is told %+v, want the extension", status.Open)
	}
	registered, _ = olga.do("register_contract", `{"record":true,"contract":`+second+`}`)
	if registered.Answer != "grow" {
		t.Errorf("the answer is %q, want grow", registered.Answer)
	}

	brief, _ = bob.do("render_brief", `{"role":"builder","contract_id":"shop/refunds"}`)
	wantSame(t, brief.ContractText, second)
	done, _ = bob.do("check_done", `{"contract_id":"shop/refunds","report":`+loopReport(t, first)+`,"record":true,"submission":"3"}`)
	if done.Recorded || done.Valid || done.Errors[0].Code != contract.StaleRevision {
		t.Errorf("a report on the older revision gives %+v, want AAC802", done)
	}
	done, _ = bob.do("check_done", `{"contract_id":"shop/refunds","report":`+loopReport(t, second)+`,"record":true,"submission":"3"}`)
	wantNext(t, done.Next, "judge")
	wantNext(t, jane.judgeRound("3", "pass", `[]`).Next, "")
	wantSame(t, olga.read("plumbline://contracts/shop%2Frefunds/revisions/1"), first)
	for _, w := range []*worker{olga, bob, jane} {
		w.p.stdin.Close()
		w.p.exits()
	}
}

func wantSame(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A ledger that cannot be opened stops nobody from scanning, and the log says why.
func TestLedgerOutOfReach(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ledger.db")
	if err := os.WriteFile(file, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	w := hire(t, "sqlite:"+file, "owner", "olga")
	r := w.p.call(1, "chain_status", "{}")
	if code := refused(t, r); code != "LEDGER_UNAVAILABLE" {
		t.Errorf("chain_status gives %s, want LEDGER_UNAVAILABLE", code)
	}
	if got := answered(t, w.p.call(2, "scan_mcp_tools", `{"tools":[{"name":"wipe_disk","description":"Wipes."}]}`)); got.Verdict != "FAIL" {
		t.Errorf("a scan gives %+v", got)
	}
	if got, _ := w.do("validate_contract", `{"contract":`+loopContract(t, 1, `["a"]`)+`}`); !got.Valid {
		t.Errorf("validate_contract gives %+v", got)
	}
	w.p.stdin.Close()
	w.p.exits()
	if log := w.p.stderr.String(); !strings.Contains(log, "code=LEDGER_UNAVAILABLE detail=") {
		t.Errorf("the log does not say why: %s", log)
	}
}

// Without --ledger the ledger lies in the repository around the working directory, and
// is made by the first call that needs it.
func TestDefaultLedger(t *testing.T) {
	repository := t.TempDir()
	inside := filepath.Join(repository, "a", "b")
	file := filepath.Join(repository, ".git", "plumbline", "ledger.db")
	for _, dir := range []string{filepath.Join(repository, ".git"), inside} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(repository, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLUMBLINE_LEDGER", "")
	w := &worker{t: t, p: startProcess(t, repository, "plumbline", "serve")}
	w.p.initialize()
	w.do("validate_contract", `{"contract":`+loopContract(t, 1, `["a"]`)+`}`)
	if _, err := os.Stat(file); err == nil {
		t.Error("a call without the ledger made one")
	}
	w.do("register_contract", `{"record":true,"contract":`+loopContract(t, 1, `["a"]`)+`}`)
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	other := &worker{t: t, p: startProcess(t, inside, "plumbline", "serve")}
	other.p.initialize()
	if got, _ := other.do("chain_status", "{}"); len(got.Contracts) != 1 {
		t.Errorf("a server below sees %+v, want the one contract", got.Contracts)
	}
	t.Setenv("PLUMBLINE_LEDGER", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	elsewhere := &worker{t: t, p: startProcess(t, inside, "plumbline", "serve")}
	elsewhere.p.initialize()
	if got, _ := elsewhere.do("chain_status", "{}"); len(got.Contracts) != 0 {
		t.Errorf("another ledger by the environment has %+v, want none", got.Contracts)
	}
}
