package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

const foreignID = "shop/refunds" // of loopContract

// deskOn is a server with all tools over a ledger file.
func deskOn(t *testing.T, path string) (*Server, *ledger.Ledger) {
	t.Helper()
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, "sqlite:"+path) })
	t.Cleanup(func() { store.Close() })
	s, err := New(Config{Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Limits: DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	l, err := store.Ledger(as(tools.Owner))
	if err != nil {
		t.Fatal(err)
	}
	return s, l
}

func registerText(t *testing.T, l *ledger.Ledger, text string) {
	t.Helper()
	r, err := l.Register(t.Context(), ledger.Caller{Name: "olga", Role: contract.ActorOwner}, []byte(text), nil)
	if err != nil || r.Receipt == nil {
		t.Fatalf("not registered: %v", err)
	}
}

// desks are two servers whose ledgers both have mine/a; the first has the foreign
// contract too, reported done and judged.
func desks(t *testing.T) (full, empty *Server) {
	t.Helper()
	with, without := filepath.Join(t.TempDir(), "with.db"), filepath.Join(t.TempDir(), "without.db")
	first, err := ledger.Open(t.Context(), "sqlite:"+with)
	if err != nil {
		t.Fatal(err)
	}
	registerText(t, first, strings.Replace(loopContract(t, 1, `["under"]`), foreignID, "mine/a", 1))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(with)
	if err == nil {
		err = os.WriteFile(without, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	empty, _ = deskOn(t, without)
	full, l := deskOn(t, with)
	text := foreignText(t)
	registerText(t, l, text)
	if _, err := l.RecordDone(t.Context(), ledger.Caller{Name: "bob", Role: contract.ActorBuilder}, ledger.Submission{Contract: foreignID, Key: "1", Text: []byte(loopReport(t, text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordRound(t.Context(), ledger.Caller{Name: "jane", Role: contract.ActorJudge}, ledger.Submission{Contract: foreignID, Key: "1", Text: []byte(foreignRound(t))}); err != nil {
		t.Fatal(err)
	}
	return full, empty
}

func foreignText(t *testing.T) string { return loopContract(t, 1, `["under","over"]`) }

func foreignRound(t *testing.T) string {
	c, _ := contract.ParseContract([]byte(foreignText(t)))
	return fmt.Sprintf(`{"agc":"0.1.0","gate":{"version":%q},"verdict":"fail","findings":%s}`, c.Fingerprint, loopDefect)
}

// asking is a request that could tell of the foreign contract.
type asking struct {
	method string
	params any
}

func toolCall(tool string, arguments map[string]any) asking {
	return asking{"tools/call", map[string]any{"name": tool, "arguments": arguments}}
}

// foreignRequests are all ways to ask for it.
func foreignRequests(t *testing.T) []asking {
	text, next := foreignText(t), loopContract(t, 2, `["under","over","yen"]`)
	report, round := loopReport(t, text), foreignRound(t)
	requests := []asking{
		toolCall("chain_status", map[string]any{}),
		toolCall("chain_status", map[string]any{"waiting_on": "builder"}),
		toolCall("chain_status", map[string]any{"contract_id": foreignID}),
		toolCall("chain_status", map[string]any{"contract_id": foreignID + "x"}), // the nearest are told
		toolCall("render_brief", map[string]any{"role": "builder", "contract_id": foreignID}),
		toolCall("render_brief", map[string]any{"role": "builder", "contract_id": foreignID, "revision": 1}),
		toolCall("render_brief", map[string]any{"role": "builder", "contract": text}),
		toolCall("register_contract", map[string]any{"contract": text, "record": false}),
		toolCall("register_contract", map[string]any{"contract": text, "record": true}),
		toolCall("register_contract", map[string]any{"contract": next, "record": false}),
	}
	for _, record := range []bool{false, true} {
		for name, value := range map[string]any{"contract_id": foreignID, "contract": text} {
			requests = append(requests,
				toolCall("check_done", map[string]any{name: value, "report": report, "record": record, "submission": "2"}),
				toolCall("check_round", map[string]any{name: value, "round": round, "record": record, "submission": "2"}))
		}
	}
	id := strings.ReplaceAll(foreignID, "/", "%2F")
	for _, template := range (contractResources{}).templates() {
		pattern := template.Template.URITemplate.Raw()
		uri := strings.NewReplacer("{id}", id, "{n}", "1", "{commit}", "4f2a9c1").Replace(pattern)
		requests = append(requests, asking{"resources/read", map[string]any{"uri": uri}},
			asking{"completion/complete", map[string]any{"ref": map[string]string{"type": "ref/resource", "uri": pattern}, "argument": map[string]string{"name": "id", "value": ""}}})
	}
	for _, p := range promptTable {
		if p.argument == argumentContract {
			requests = append(requests, asking{"prompts/get", map[string]any{"name": p.name, "arguments": map[string]string{argumentContract: foreignID}}},
				asking{"completion/complete", map[string]any{"ref": map[string]string{"type": "ref/prompt", "name": p.name}, "argument": map[string]string{"name": argumentContract, "value": ""}}})
		}
	}
	return requests
}

// A contract outside a caller's globs is answered about, byte for byte, as one that is
// not registered; to others each of these requests tells of it.
func TestForeignContracts(t *testing.T) {
	full, empty := desks(t)
	requests := foreignRequests(t)
	for _, r := range requests {
		for _, role := range tools.Roles {
			mine := tools.WithCaller(t.Context(), tools.Caller{Name: "ann", Role: role, Contracts: []string{"mine/*"}})
			if diff := cmp.Diff(rpc(t, empty, mine, r.method, r.params), rpc(t, full, mine, r.method, r.params)); diff != "" {
				t.Errorf("%s: %s %v tells of a contract that is not its own (-not registered +registered):\n%s", role, r.method, r.params, diff)
			}
		}
	}
	mine := tools.WithCaller(t.Context(), tools.Caller{Name: "ann", Role: tools.Owner, Contracts: []string{"mine/*"}})
	for _, r := range requests {
		if all := rpc(t, full, as(tools.Owner), r.method, r.params); all == rpc(t, full, mine, r.method, r.params) {
			t.Errorf("%s %v says the same to whom the contract belongs: %.300s", r.method, r.params, all)
		}
	}
	refused := rpc(t, full, mine, "tools/call", toolCall("register_contract", map[string]any{"contract": foreignText(t), "record": true}).params)
	if !strings.Contains(refused, "UNKNOWN_CONTRACT") || !strings.Contains(refused, "do not include") || !strings.Contains(refused, `\"path\":\"/contract\"`) {
		t.Errorf("registering a foreign id is answered %s", refused)
	}
	if own := rpc(t, full, mine, "resources/read", map[string]any{"uri": "plumbline://contracts/mine%2Fa"}); !strings.Contains(own, "mine/a") {
		t.Errorf("a contract of its own is answered %s", own)
	}
}

// Each tool that takes a contract is among those requests, unless it asks no ledger.
func TestForeignRequestsAreAll(t *testing.T) {
	asked, err := json.Marshal(paramsOf(foreignRequests(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.All(tools.Deps{}) {
		name := tool.Definition.Name
		takes := strings.Contains(string(tool.Definition.RawInputSchema), `"contract`)
		if takes && name != "validate_contract" && !strings.Contains(string(asked), `"name":"`+name+`"`) {
			t.Errorf("%s is not asked about a foreign contract", name)
		}
	}
}

func paramsOf(requests []asking) []any {
	var all []any
	for _, r := range requests {
		all = append(all, r.params)
	}
	return all
}

// A builder's token can neither record a round nor register, whatever it sends.
func TestBuildersToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	token, _, err := auth.Add(path, auth.Grant{Name: "bob", Role: tools.Builder})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := auth.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	bob, err := tokens.Identify(token)
	if err != nil {
		t.Fatal(err)
	}
	ctx := tools.WithCaller(t.Context(), bob.Caller)
	s, l := deskOn(t, filepath.Join(t.TempDir(), "ledger.db"))
	registerText(t, l, foreignText(t))
	next := loopContract(t, 2, `["under","over","yen"]`)
	for _, r := range []asking{
		toolCall("check_round", map[string]any{"contract_id": foreignID, "round": foreignRound(t), "record": true, "submission": "1"}),
		toolCall("register_contract", map[string]any{"contract": next, "record": true}),
		toolCall("register_contract", map[string]any{"contract": next, "record": false}),
	} {
		if got := rpc(t, s, ctx, r.method, r.params); !strings.Contains(got, `"error"`) {
			t.Errorf("%v is answered %s", r.params, got)
		}
	}
	if list := rpc(t, s, ctx, "tools/list", map[string]any{}); strings.Contains(list, `"check_round"`) || strings.Contains(list, `"register_contract"`) || !strings.Contains(list, `"check_done"`) {
		t.Errorf("the builder's tools are %s", list)
	}
	done := toolCall("check_done", map[string]any{"contract_id": foreignID, "report": loopReport(t, foreignText(t)), "record": true, "submission": "1"})
	if got := rpc(t, s, ctx, done.method, done.params); !strings.Contains(got, `"recorded":true`) {
		t.Errorf("the builder's report is answered %s", got)
	}
	events, err := l.Events(t.Context(), foreignID, 0, 10)
	if err != nil || len(events) != 2 || events[1].Who != "bob" || events[1].Role != contract.ActorBuilder {
		t.Errorf("recorded are %+v, %v; want the revision and the report of bob, the builder", events, err)
	}
}
