package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/plumbline-mcp/plumbline/contract"
)

const fixtureID = "shop/refunds"

var (
	olga = Caller{"olga", contract.ActorOwner}
	bob  = Caller{"bob", contract.ActorBuilder}
	jane = Caller{"jane", contract.ActorJudge}
)

// fixtureFiles are the artifacts of the fixture.
func fixtureFiles() fs.FS {
	return fstest.MapFS{"data/rows.csv": {Data: []byte("id,amount\na,1\nb,2\n")}}
}

func rowsLabel() string {
	data, err := fs.ReadFile(fixtureFiles(), "data/rows.csv")
	if err != nil {
		panic(err)
	}
	return "data/rows.csv@" + contract.Fingerprint(data)
}

// contractOptions is what tests change of the fixture's contract.
type contractOptions struct {
	id        string   // fixtureID
	cases     []string // under, over
	budget    int      // 2
	owner     string   // payments
	authority string
	run       string // go test ./refund
}

// contractText writes a revision of the fixture: an enumerable criterion and a bounded
// one.
func contractText(t testing.TB, revision int64, o contractOptions) []byte {
	t.Helper()
	if o.cases == nil {
		o.cases = []string{"under", "over"}
	}
	cases, err := json.Marshal(o.cases)
	if err != nil {
		t.Fatal(err)
	}
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	text := fmt.Sprintf(`{"aac": "0.1.0",
  "contract": {"id": %q, "revision": 1, "fingerprint": "", "owner": %q, "authority": %q},
  "budget": {"extensions": %d},
  "criteria": [
    {"id": "limit", "class": "refund-limit", "kind": "enumerable", "statement": "The listed refund cases end as stated.", "cases": %s,
     "checks": [{"type": "command", "run": %q}]},
    {"id": "rows", "class": "row-total", "kind": "bounded", "statement": "A row's amount is its total.",
     "domain": {"artifact": "data/rows.csv", "fingerprint": %q},
     "checks": [{"type": "command", "run": "go test ./rows"}]}
  ]}`, or(o.id, fixtureID), or(o.owner, "payments"), or(o.authority, "plan.md"), max(o.budget, 2), cases, or(o.run, "go test ./refund"), strings.Split(rowsLabel(), "@")[1])
	stamped, err := contract.Stamp([]byte(text), revision)
	if err != nil {
		t.Fatal(err)
	}
	return stamped
}

// grown is a second revision that answers an extension.
func grown(t testing.TB) []byte {
	return contractText(t, 2, contractOptions{cases: []string{"under", "over", "zero"}})
}

// doneText writes a report on every check of a contract.
func doneText(t testing.TB, c *contract.Contract, change func(report map[string]any)) []byte {
	t.Helper()
	results := []any{}
	for _, cr := range c.Criteria {
		for i, check := range cr.Checks {
			results = append(results, map[string]any{"criterion": cr.ID, "check": i, "type": check.Type, "run": check.Run, "exit_code": 0, "passed": true})
		}
	}
	report := map[string]any{
		"done": "0.1", "contract": map[string]any{"id": c.ID, "fingerprint": c.Fingerprint, "revision": c.Revision},
		"subject": map[string]any{"commit": "c0ffee", "dirty": false}, "results": results,
	}
	if change != nil {
		change(report)
	}
	return marshal(t, report)
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The findings of roundText.
var (
	defect = map[string]any{"class": "refund-limit", "severity": "blocking", "location": "over", "message": "501 was refunded",
		"check": map[string]any{"type": "command", "run": "go test -run over ./refund"}, "remedy": map[string]any{"type": "patch"}}
	extension = map[string]any{"class": "refund-currency", "severity": "blocking", "location": "yen", "message": "a refund in yen is doubled",
		"remedy": map[string]any{"type": "delegate", "to": "payments"}}
	escalation = map[string]any{"class": "refund-currency", "severity": "blocking", "location": "yen", "message": "a refund in yen is doubled",
		"remedy": map[string]any{"type": "decide", "options": []string{"grow: add yen", "close: one currency type", "narrow: euro alone"}}}
	advice = map[string]any{"class": "refund-limit", "severity": "advisory", "message": "the name could be shorter"}
)

func rowDefect(row string) map[string]any {
	return map[string]any{"class": "row-total", "severity": "blocking", "location": rowsLabel() + "#" + row, "message": "the total is off",
		"check": map[string]any{"type": "command", "run": "go test -run row" + row + " ./rows"}, "remedy": map[string]any{"type": "patch"}}
}

// roundText writes a round on a contract.
func roundText(t testing.TB, c *contract.Contract, verdict string, findings ...map[string]any) []byte {
	t.Helper()
	if findings == nil {
		findings = []map[string]any{}
	}
	return marshal(t, map[string]any{
		"agc": "0.1.0", "gate": map[string]any{"name": "refund-judge", "version": c.Fingerprint}, "verdict": verdict,
		"subject": map[string]any{"commit": "c0ffee"}, "coverage": map[string]any{"classes": []string{"refund-limit", "row-total"}}, "findings": findings,
	})
}

// openLedger opens a ledger that is closed with the test.
func openLedger(t testing.TB, dsn string) *Ledger {
	t.Helper()
	l, err := Open(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	opened.Store(l, dsn)
	return l
}

// opened are the DSNs of open ledgers.
var opened sync.Map

// reopened gives the DSN of a ledger that openLedger opened.
func reopened(t testing.TB, l *Ledger) string {
	t.Helper()
	dsn, ok := opened.Load(l)
	if !ok {
		t.Fatal("the ledger was not opened by openLedger")
	}
	return dsn.(string)
}

// register registers a text that must be valid.
func register(t testing.TB, l *Ledger, text []byte) *Registration {
	t.Helper()
	r, err := l.Register(context.Background(), olga, text, fixtureFiles())
	if err != nil {
		t.Fatal(err)
	}
	if r.Receipt == nil {
		t.Fatalf("not registered: %+v", r.Report.Errors())
	}
	return r
}

// recordRound records a round that must be valid.
func recordRound(t testing.TB, l *Ledger, key string, text []byte) *RoundAnswer {
	t.Helper()
	a, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, key, text})
	if err != nil {
		t.Fatal(err)
	}
	if a.Receipt == nil {
		t.Fatalf("not recorded: %+v", a.Result.Report.Errors())
	}
	return a
}

// recordDone records a report that must be complete.
func recordDone(t testing.TB, l *Ledger, key string, text []byte) *DoneAnswer {
	t.Helper()
	a, err := l.RecordDone(context.Background(), bob, Submission{fixtureID, key, text})
	if err != nil {
		t.Fatal(err)
	}
	if a.Receipt == nil {
		t.Fatalf("not recorded: %+v", a.Result.Report.Errors())
	}
	return a
}

// verify asserts that a chain verifies.
func verify(t testing.TB, l *Ledger, id, head string) *Verification {
	t.Helper()
	v, err := l.Verify(context.Background(), id, head)
	if err != nil {
		t.Fatal(err)
	}
	if !v.OK() {
		t.Fatalf("the chain does not verify: %+v", v.Faults)
	}
	return v
}

// wantCode asserts that err is an *Error of the code, with a message and a hint.
func wantCode(t testing.TB, err error, code Code) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got the error %v, want %s", err, code)
	}
	if e.Code != code || e.Message == "" || e.Hint == "" {
		t.Fatalf("got the error %+v, want %s with a message and a hint", e, code)
	}
	return e
}

// parse parses a text that must be a valid contract.
func parse(t testing.TB, text []byte) *contract.Contract {
	t.Helper()
	c, report := contract.ParseContract(text)
	if !report.Valid() {
		t.Fatalf("not valid: %+v", report.Errors())
	}
	return c
}
