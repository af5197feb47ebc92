package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

// maxText is how many characters an answer may have (design: MCP tools).
const maxText = 40_000

// office is one server over one ledger, for agents in several roles.
type office struct {
	t      *testing.T
	server *server.Server
}

// newOffice makes an office with a ledger on disk.
func newOffice(t *testing.T, roots ...string) *office {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	return officeOn(t, func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) }, roots...)
}

func officeOn(t *testing.T, open func(context.Context) (*ledger.Ledger, error), roots ...string) *office {
	t.Helper()
	opened, err := tools.OpenRoots(roots, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	store := tools.NewStore(open)
	t.Cleanup(func() { store.Close(); opened.Close() })
	s, err := server.New(server.Config{Tools: tools.All(tools.Deps{Roots: opened, Ledger: store}), Ledger: store, Limits: server.DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	return &office{t, s}
}

// as is an agent with a name and a role.
func (o *office) as(name string, role tools.Role) *agent {
	o.t.Helper()
	c, err := client.NewInProcessClient(o.server.Engine())
	if err != nil {
		o.t.Fatal(err)
	}
	a := &agent{o.t, c, tools.WithCaller(context.Background(), tools.Caller{Name: name, Role: role})}
	if err := c.Start(a.ctx); err != nil {
		o.t.Fatal(err)
	}
	if _, err := c.Initialize(a.ctx, mcp.InitializeRequest{}); err != nil {
		o.t.Fatal(err)
	}
	return a
}

// told is an answer of a contract tool as an agent reads it.
type told struct {
	Kind              string
	Valid             bool
	ContractID        string `json:"contract_id"`
	Revision          int64
	Fingerprint       string
	SHA256            string
	Errors            []contract.Problem
	Warnings          []contract.Problem
	Omitted           map[string]int
	URI               string
	Answer            *string
	Changes           []contract.Change
	AlreadyRegistered bool `json:"already_registered"`
	Recorded          bool
	Repeated          bool
	Complete, Done    bool
	Verdict           string
	Next              []contract.Step
	Receipt           *ledger.Receipt
	Findings          []struct{ Disposition, Criterion, Route, Owner, Class, Location string }
	ExtensionRound    bool  `json:"extension_round"`
	ExtensionsUsed    int64 `json:"extensions_used"`
	ExtensionsBudget  int64 `json:"extensions_budget"`
	MustEscalate      bool  `json:"must_escalate"`
	Brief             string
	ContractText      string `json:"contract_text"`
	State             *state
	Subject           string
	Rounds            int64
	LastVerdict       string         `json:"last_verdict"`
	DoneReport        map[string]any `json:"done_report"`
	LastRound         map[string]any `json:"last_round"`
	Open              *struct {
		Revision          int64
		ExtensionsWaiting int `json:"extensions_waiting"`
		Findings          []struct {
			Disposition, Criterion, Owner, Class, Severity, Location, Message string
			Check, Remedy                                                     map[string]any
			Cut                                                               bool
		}
	}
	Facts      []ledger.Fact
	Head       ledger.Receipt
	Contracts  []told
	NextCursor string `json:"next_cursor"`
}

type state struct {
	NewestRevision int64 `json:"newest_revision"`
	Registered     struct {
		Who, At string
		Receipt ledger.Receipt
	}
	Subject          string
	Rounds           int64
	ExtensionsUsed   int64                   `json:"extensions_used"`
	ExtensionsBudget int64                   `json:"extensions_budget"`
	DoneReport       map[string]any          `json:"done_report"`
	LastRound        map[string]any          `json:"last_round"`
	RoundTemplate    *contract.RoundTemplate `json:"round_template"`
	Facts            []ledger.Fact
	Next             []contract.Step
}

// ask calls a tool that answers, and checks what holds for all answers: text and
// structure agree, and the text is short.
func (a *agent) ask(tool string, arguments args) told {
	a.t.Helper()
	res := a.call(tool, arguments)
	said, ok := mcp.AsTextContent(res.Content[0])
	if !ok || res.IsError {
		a.t.Fatalf("%s(%v) is refused: %v", tool, arguments, res.Content)
	}
	structure, err := json.Marshal(res.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	var got told
	decoder := json.NewDecoder(strings.NewReader(string(structure)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	if tool == "render_brief" {
		checkBriefText(a.t, res, got)
		return got
	}
	var fromText, fromStructure any
	if json.Unmarshal([]byte(said.Text), &fromText) != nil || json.Unmarshal(structure, &fromStructure) != nil {
		a.t.Fatalf("the answer is no JSON: %s", said.Text)
	}
	if diff := cmp.Diff(fromText, fromStructure); diff != "" {
		a.t.Errorf("text and structure differ (-text +structure):\n%s", diff)
	}
	if n := utf8.RuneCountInString(said.Text); n > maxText {
		a.t.Errorf("the text has %d characters, at most %d", n, maxText)
	}
	return got
}

// checkBriefText wants the brief with the contract in the first text, the state in the
// second.
func checkBriefText(t *testing.T, res *mcp.CallToolResult, got told) {
	t.Helper()
	if len(res.Content) != 2 {
		t.Fatalf("the brief has %d texts, want 2", len(res.Content))
	}
	first, _ := mcp.AsTextContent(res.Content[0])
	second, _ := mcp.AsTextContent(res.Content[1])
	if !strings.HasPrefix(first.Text, got.Brief) || !strings.Contains(first.Text[len(got.Brief):], got.ContractText) {
		t.Errorf("the first text is not the brief and the contract's bytes")
	}
	var also struct{ State *state }
	if err := json.Unmarshal([]byte(second.Text), &also); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.State, also.State); diff != "" {
		t.Errorf("the state in structure and text (-structure +text):\n%s", diff)
	}
}

// contractOf writes a valid revision with the cases.
func contractOf(t *testing.T, id string, revision int64, cases ...string) string {
	t.Helper()
	list, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"aac": "0.1.0",
  "contract": {"id": %q, "revision": 1, "fingerprint": "", "owner": "olga", "authority": "plan.md#%d"},
  "budget": {"extensions": 2},
  "criteria": [
    {"id": "limit", "class": "limit", "kind": "enumerable", "statement": "The listed cases end as stated.", "cases": %s,
     "checks": [{"type": "command", "run": "go test ./limit"}]},
    {"id": "prose", "class": "prose", "kind": "judgment", "statement": "The messages read well.",
     "checks": [{"type": "condition", "text": "A reader agrees."}]}
  ]}
`, id, revision, list)
	return stamped(t, text, revision)
}

func stamped(t *testing.T, text string, revision int64) string {
	t.Helper()
	out, err := contract.Stamp([]byte(text), revision)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func fingerprintOf(t *testing.T, text string) string {
	t.Helper()
	c, report := contract.ParseContract([]byte(text))
	if !report.Valid() {
		t.Fatalf("not valid: %+v", report.Errors())
	}
	return c.Fingerprint
}

// reportOn writes a done report on the contract of contractOf.
func reportOn(t *testing.T, text string, passed bool) args {
	exit := map[bool]int{true: 0, false: 1}[passed]
	c, _ := contract.ParseContract([]byte(text))
	return args{"done": "0.1", "contract": args{"id": c.ID, "fingerprint": fingerprintOf(t, text), "revision": c.Revision}, "subject": args{"commit": "c0ffee"},
		"results": []any{args{"criterion": "limit", "check": 0, "type": "command", "run": "go test ./limit", "exit_code": exit, "passed": passed}}}
}

var (
	defect = args{"class": "limit", "severity": "blocking", "location": "over", "message": "501 was accepted",
		"check": args{"type": "command", "run": "go test -run over ./limit"}, "remedy": args{"type": "patch", "text": "refuse more than 500"}}
	extension = args{"class": "currency", "severity": "blocking", "location": "yen", "message": "yen are doubled, says the secret finding",
		"remedy": args{"type": "delegate", "to": "olga"}}
	advice = args{"class": "limit", "severity": "advisory", "message": "secret advice about names"}
)

// roundOn writes a round on a contract.
func roundOn(t *testing.T, text, verdict string, findings ...args) args {
	if findings == nil {
		findings = []args{}
	}
	return args{"agc": "0.1.0", "gate": args{"version": fingerprintOf(t, text)}, "verdict": verdict, "subject": args{"commit": "c0ffee"},
		"coverage": args{"classes": []string{"limit", "prose"}}, "findings": findings}
}

const shop = "shop/refunds"

// registered is an office in which revision 1 of a contract is registered.
func registered(t *testing.T) (*office, string) {
	t.Helper()
	o, text := newOffice(t), contractOf(t, shop, 1, "under", "over")
	if got := o.as("olga", tools.Owner).ask("register_contract", args{"contract": text, "record": true}); !got.Recorded {
		t.Fatalf("not registered: %+v", got)
	}
	return o, text
}

func actors(steps []contract.Step) string {
	var names []string
	for _, s := range steps {
		names = append(names, string(s.Actor))
	}
	return strings.Join(names, " ")
}
