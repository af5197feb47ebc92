package contract_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file under testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./contract -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; go test ./contract -update writes it anew):\n%s", name, diff)
	}
}

// fixture is a contract to be changed by tests: its members as plain maps.
type fixture map[string]any

// baseFixture has one criterion of each kind, every optional member, and is valid once
// stamped.
const baseFixture = `{
  "aac": "0.1.0",
  "contract": {"id": "checkout/refunds", "revision": 1, "fingerprint": "", "owner": "payments", "title": "Refunds", "authority": "plan.md#1"},
  "budget": {"extensions": 2},
  "criteria": [
    {"id": "limit", "class": "refund-limit", "kind": "enumerable", "owner": "limits-lead", "statement": "The listed cases end as stated.",
     "cases": ["under", {"id": "over", "input": {"amount": 501}}],
     "checks": [{"type": "command", "run": "go test ./refund", "expect": "ok", "timeout_s": 30, "files": [{"artifact": "refund_test.go", "fingerprint": "sha256:0123456789ab"}]},
                {"type": "preview", "run": "go run ./cmd/show"}]},
    {"id": "rows", "class": "row-total", "kind": "bounded", "statement": "A row's total is the sum of its lines.",
     "domain": {"artifact": "data/rows.csv", "fingerprint": "sha256:0123456789ab", "key": "id"},
     "checks": [{"type": "command", "run": "go test ./rows"}]},
    {"id": "one-path", "class": "single-writer", "kind": "structural", "statement": "Money moves through one function.",
     "construction": ["Move is the single caller", {"statement": "the client is unexported", "kind": "enumerable", "cases": ["client.go"]}],
     "checks": [{"type": "command", "run": "go vet ./..."}, {"type": "condition", "text": "Move is the only caller"}]},
    {"id": "tone", "class": "message-tone", "kind": "judgment", "statement": "The refusal is courteous.",
     "checks": [{"type": "condition", "text": "a reader would call it courteous"}]}
  ]
}`

func newFixture(t *testing.T) fixture {
	t.Helper()
	var f fixture
	if err := json.Unmarshal([]byte(baseFixture), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// object follows member names and list indices to an object.
func (f fixture) object(path ...any) map[string]any {
	var at any = map[string]any(f)
	for _, step := range path {
		if name, ok := step.(string); ok {
			at = at.(map[string]any)[name]
		} else {
			at = at.([]any)[step.(int)]
		}
	}
	return at.(map[string]any)
}

func (f fixture) criterion(i int) map[string]any { return f.object("criteria", i) }

// set changes an object's member, or removes it where the value is nil.
func set(object map[string]any, name string, value any) {
	if value == nil {
		delete(object, name)
		return
	}
	object[name] = value
}

// text writes the fixture; if it can be stamped, with the right fingerprint.
func (f fixture) text(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if head, ok := f["contract"].(map[string]any); ok {
		want = head["fingerprint"]
	}
	if want != "" {
		return text
	}
	if stamped, err := contract.Stamp(text, 0); err == nil {
		return stamped
	}
	return text
}

// parse gives the fixture as a contract, which must be valid.
func (f fixture) parse(t *testing.T) *contract.Contract {
	t.Helper()
	c, report := contract.ParseContract(f.text(t))
	if !report.Valid() {
		t.Fatalf("the fixture is not valid: %+v", report.Errors())
	}
	return c
}
