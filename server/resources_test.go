package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// shelf is a server over a ledger in which shop/refunds is registered and was judged.
func shelf(t *testing.T) *Server {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	t.Cleanup(func() { store.Close() })
	s, err := New(Config{Ledger: store, Limits: DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	l, err := store.Ledger(as(tools.Owner))
	if err != nil {
		t.Fatal(err)
	}
	text := loopContract(t, 1, `["under","over"]`)
	if _, err := l.Register(context.Background(), ledger.Caller{Name: "olga", Role: contract.ActorOwner}, []byte(text), nil); err != nil {
		t.Fatal(err)
	}
	c, _ := contract.ParseContract([]byte(text))
	round := `{"agc":"0.1.0","note":"secret of a member","gate":{"version":"` + c.Fingerprint + `"},"verdict":"fail","findings":[` + strings.Trim(loopDefect, "[]") + `,` + strings.Trim(loopBeyond, "[]") +
		`,{"class":"limit","severity":"advisory","message":"secret advice"}]}`
	a, err := l.RecordRound(context.Background(), ledger.Caller{Name: "jane", Role: contract.ActorJudge}, ledger.Submission{Contract: c.ID, Key: "1", Text: []byte(round)})
	if err != nil || a.Receipt == nil {
		t.Fatalf("%v: %+v", err, a)
	}
	return s
}

func as(role tools.Role) context.Context {
	return tools.WithCaller(context.Background(), tools.Caller{Name: "somebody", Role: role})
}

// rpc sends a request and gives the reply's JSON.
func rpc(t *testing.T, s *Server, ctx context.Context, method string, params any) string {
	t.Helper()
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	m, wrong := parse(line)
	if wrong != nil {
		t.Fatal(wrong.text)
	}
	reply, err := json.Marshal(s.handle(ctx, m))
	if err != nil {
		t.Fatal(err)
	}
	return string(reply)
}

func readResource(t *testing.T, s *Server, ctx context.Context, uri string) string {
	t.Helper()
	return rpc(t, s, ctx, "resources/read", map[string]string{"uri": uri})
}

// resourceText gives the text of the only content.
func resourceText(t *testing.T, reply string) string {
	t.Helper()
	var r struct {
		Result struct {
			Contents []struct{ URI, MIMEType, Text string }
		}
	}
	if err := json.Unmarshal([]byte(reply), &r); err != nil || len(r.Result.Contents) != 1 || r.Result.Contents[0].MIMEType != mimeJSON {
		t.Fatalf("the reply is %.300s, want one JSON text", reply)
	}
	return r.Result.Contents[0].Text
}

func TestResourcesOfContracts(t *testing.T) {
	s, want := shelf(t), loopContract(t, 1, `["under","over"]`)
	for range 20 { // templates are matched in random order
		for _, uri := range []string{"plumbline://contracts/shop%2Frefunds", "plumbline://contracts/shop%2frefunds", "plumbline://contracts/shop%2Frefunds/revisions/1"} {
			if got := resourceText(t, readResource(t, s, as(tools.Builder), uri)); got != want {
				t.Fatalf("%s gives %q, want the registered bytes", uri, got)
			}
		}
	}
	for _, uri := range []string{
		"plumbline://contracts/", "plumbline://contracts/other", "plumbline://contracts/shop/refunds", "plumbline://contracts/shop%2Frefunds/",
		"plumbline://contracts/shop%2Frefunds/revisions/2", "plumbline://contracts/shop%2Frefunds/revisions/01", "plumbline://contracts/shop%2Frefunds/revisions/+1",
		"plumbline://contracts/shop%2Frefunds/revisions/0", "plumbline://contracts/shop%2Frefunds?x=1", "plumbline://contracts/shop%2Frefunds%2Fchain",
		"plumbline://contracts/shop%2Frefunds/events", "plumbline://contracts/%zz", "plumbline://contracts/other/chain", "plumbline://contracts/other/gate", "plumbline://contracts/shop%2Frefunds/gate/",
		"plumbline://contracts/shop%2Frefunds/gate/c1/x", "plumbline://schemas/none", "plumbline://x",
	} {
		if got := readResource(t, s, as(tools.Owner), uri); !strings.Contains(got, `"code":-32002`) {
			t.Errorf("%s gives %.200s, want not found", uri, got)
		}
	}
	if got := readResource(t, s, context.Background(), "plumbline://contracts/shop%2Frefunds"); !strings.Contains(got, `"code":-32002`) {
		t.Errorf("nobody reads %.200s", got)
	}
}

// A read goes to the ledger once, however that ends: it takes no longer than one call may.
func TestReadVisitsTheLedgerOnce(t *testing.T) {
	var visits atomic.Int64
	store := tools.NewStore(func(context.Context) (*ledger.Ledger, error) {
		visits.Add(1)
		return nil, &ledger.Error{Code: ledger.Unavailable, Message: "the ledger is away", Hint: "wait"}
	})
	s, err := New(Config{Ledger: store, Limits: DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	for i, uri := range []string{"plumbline://contracts/a", "plumbline://contracts/a/revisions/1", "plumbline://contracts/a/chain", "plumbline://contracts/a/gate", "plumbline://contracts/a/gate/c1"} {
		if got := readResource(t, s, as(tools.Owner), uri); !strings.Contains(got, "LEDGER_UNAVAILABLE") || visits.Load() != int64(i+1) {
			t.Errorf("%s gives %s after %d visits, want %d", uri, got, visits.Load(), i+1)
		}
	}
}

// A builder's chain has the defect alone; everybody else's verifies by itself.
func TestChainByRole(t *testing.T) {
	s := shelf(t)
	const uri = "plumbline://contracts/shop%2Frefunds/chain"
	cut := resourceText(t, readResource(t, s, as(tools.Builder), uri))
	if strings.Contains(cut, "yen") || strings.Contains(cut, "secret") || strings.Contains(cut, `"ledger"`) {
		t.Errorf("the builder's chain shows what is not against a criterion: %s", cut)
	}
	if !strings.Contains(cut, "501 was accepted") || !strings.Contains(cut, `"findings_withheld":2`) {
		t.Errorf("the builder's chain lacks the defect, or that something was withheld: %s", cut)
	}
	for _, role := range []tools.Role{tools.Judge, tools.Owner} {
		whole := resourceText(t, readResource(t, s, as(role), uri))
		v, err := ledger.VerifyExport(strings.NewReader(whole), nil, "")
		if err != nil || !v.OK() || v.Events != 2 {
			t.Errorf("%s: the chain does not verify: %v, %+v", role, err, v)
		}
	}
}

// Every role asks the gate the same way, and no answer repeats a finding.
func TestGateResource(t *testing.T) {
	s := shelf(t)
	for _, role := range tools.Roles {
		for _, subject := range []string{"", "c1", "release/1 & 2%"} {
			text := resourceText(t, readResource(t, s, as(role), tools.GateURI("shop/refunds", subject)))
			var gate tools.GateAnswer
			if err := json.Unmarshal([]byte(text), &gate); err != nil {
				t.Fatal(err)
			}
			if gate.Open || gate.ContractID != "shop/refunds" || gate.Subject != subject || gate.Head.Seq != 2 {
				t.Errorf("%s: the gate of %q is %+v, want closed, of that commit", role, subject, gate)
			}
			if len(gate.Reasons) != 2 || gate.Reasons[0].Actor != contract.ActorBuilder || gate.Reasons[1].Actor != contract.ActorOwner {
				t.Errorf("%s: the reasons are %+v, want the missing report and the waiting extension", role, gate.Reasons)
			}
			for _, finding := range []string{"501 was accepted", "yen", "secret"} {
				if strings.Contains(text, finding) {
					t.Errorf("%s: the gate repeats a finding: %s", role, text)
				}
			}
		}
	}
}

func TestFixedResources(t *testing.T) {
	s := shelf(t)
	list := rpc(t, s, as(tools.Judge), "resources/list", map[string]any{})
	for _, name := range schemaNames() {
		uri := schemasURI + name
		if !strings.Contains(list, `"`+uri+`"`) || !json.Valid([]byte(resourceText(t, readResource(t, s, as(tools.Judge), uri)))) {
			t.Errorf("%s is not listed, or no JSON", uri)
		}
	}
	rules := resourceText(t, readResource(t, s, as(tools.Judge), rulesURI))
	for _, want := range []string{"AR001", "AAC300_INVALID_JSON", "AAC804_COVERAGE_GAP"} {
		if !strings.Contains(rules, want) {
			t.Errorf("the rules lack %s", want)
		}
	}
	templates := rpc(t, s, as(tools.Judge), "resources/templates/list", map[string]any{})
	for _, want := range []string{"contracts/{id}\"", "contracts/{id}/revisions/{n}\"", "contracts/{id}/chain\"", "contracts/{id}/gate\"", "contracts/{id}/gate/{commit}\""} {
		if !strings.Contains(templates, want) {
			t.Errorf("the templates lack %s: %s", want, templates)
		}
	}
}

// Bytes that are no text are not changed into some.
func TestContentsOfBinary(t *testing.T) {
	got, ok := contents("x", []byte("{\xff}"))[0].(mcp.BlobResourceContents)
	if !ok || got.Blob != "e/99" {
		t.Errorf("got %+v, want a blob", got)
	}
}

func TestPrompts(t *testing.T) {
	s := shelf(t)
	mine := map[tools.Role][]string{
		tools.Builder: {"build_to_contract"},
		tools.Judge:   {"judge_round"},
		tools.Owner:   {"build_to_contract", "draft_contract", "judge_round"},
	}
	arguments := map[string]map[string]string{
		"build_to_contract": {"contract_id": "shop/refunds"}, "judge_round": {"contract_id": "shop/refunds"}, "draft_contract": {"goal": "Mend\n# refunds"},
	}
	for role, want := range mine {
		var list struct {
			Result struct {
				Prompts []struct{ Name, Title, Description string }
			}
		}
		if err := json.Unmarshal([]byte(rpc(t, s, as(role), "prompts/list", map[string]any{})), &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range list.Result.Prompts {
			names = append(names, p.Name)
			if p.Title == "" || p.Description == "" {
				t.Errorf("%s has no title or description", p.Name)
			}
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("prompts of the %s (-want +got):\n%s", role, diff)
		}
		for name, given := range arguments {
			got := rpc(t, s, as(role), "prompts/get", map[string]any{"name": name, "arguments": given})
			if allowed := strings.Contains(strings.Join(want, " "), name); strings.Contains(got, `"messages"`) != allowed || !allowed && !strings.Contains(got, `"code":-32602`) {
				t.Errorf("%s gets %s: %.300s", role, name, got)
			}
		}
	}
}

func TestPromptTexts(t *testing.T) {
	s := shelf(t)
	c, _ := contract.ParseContract([]byte(loopContract(t, 1, `["under","over"]`)))
	tests := []struct{ name, argument, value, want string }{
		{"build_to_contract", "contract_id", "shop/refunds", contract.BriefWithContract(c, contract.Builder)},
		{"judge_round", "contract_id", "shop/refunds", contract.BriefWithContract(c, contract.Judge)},
		{"draft_contract", "goal", "Mend\n# refunds", `"Mend\n# refunds"`},
		{"draft_contract", "goal", "x", `"aac"`},
		{"draft_contract", "goal", " ", "needs its argument goal"},
		{"judge_round", "contract_id", "none", "UNKNOWN_CONTRACT"},
	}
	for _, tt := range tests {
		got := rpc(t, s, as(tools.Owner), "prompts/get", map[string]any{"name": tt.name, "arguments": map[string]string{tt.argument: tt.value}})
		var r struct {
			Result struct {
				Messages []struct{ Content struct{ Text string } }
			}
			Error struct{ Message string }
		}
		if err := json.Unmarshal([]byte(got), &r); err != nil {
			t.Fatal(err)
		}
		said := r.Error.Message
		if len(r.Result.Messages) == 1 {
			said = r.Result.Messages[0].Content.Text
		}
		if !strings.Contains(said, tt.want) {
			t.Errorf("%s(%q) gives %.400s, want %.100s", tt.name, tt.value, said, tt.want)
		}
	}
}

func TestCompletion(t *testing.T) {
	s := shelf(t)
	prompt := func(name string) map[string]string { return map[string]string{"type": "ref/prompt", "name": name} }
	resource := map[string]string{"type": "ref/resource", "uri": "plumbline://contracts/{id}/chain"}
	tests := []struct {
		role           tools.Role
		ref            map[string]string
		argument, part string
		want           string
	}{
		{tools.Builder, prompt("build_to_contract"), "contract_id", "sh", `["shop/refunds"]`},
		{tools.Builder, prompt("judge_round"), "contract_id", "sh", `[]`},
		{tools.Owner, prompt("draft_contract"), "goal", "sh", `[]`},
		{tools.Judge, resource, "id", "", `["shop/refunds"]`},
		{tools.Judge, resource, "id", "refunds", `[]`},
		{tools.Judge, resource, "n", "", `[]`},
		{tools.Judge, resource, "id", "shop\x00", `[]`},
	}
	for _, tt := range tests {
		got := rpc(t, s, as(tt.role), "completion/complete", map[string]any{"ref": tt.ref, "argument": map[string]string{"name": tt.argument, "value": tt.part}})
		if !strings.Contains(got, `"values":`+tt.want) {
			t.Errorf("%s %v %s=%q gives %s, want %s", tt.role, tt.ref, tt.argument, tt.part, got, tt.want)
		}
	}
}
