package server

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// markedRound is a round in which every text that a judge is free to write holds MARK,
// but for the members of a finding against a criterion, which hold DEFECT. %s are the
// fingerprint, the verdict and findings.
const markedRound = `{"agc":"0.1.0","MARK member":"MARK value","gate":{"name":"MARK gate","version":%q,"MARK gate":{"MARK deep":["MARK"]}},
	"verdict":%q,"subject":{"commit":"MARK commit","MARK subject":"MARK"},
	"coverage":{"classes":["MARK class","limit","MARK other class"],"MARK coverage":"MARK"},"findings":[%s]}`

const markedDefect = `{"class":"limit","severity":"blocking","location":"over","message":"DEFECT message","MARK finding":"MARK",
		"check":{"type":"command","run":"DEFECT run","expect":"DEFECT expect"},"remedy":{"type":"patch","text":"DEFECT remedy"}}`

const markedOthers = `{"class":"MARK extension","severity":"blocking","location":"MARK location","message":"MARK message","MARK extension":"MARK",
		"check":{"type":"command","run":"MARK run","expect":"MARK expect","files":[{"artifact":"MARK","fingerprint":"sha256:0123456789ab"}]},
		"remedy":{"type":"delegate","to":"olga","text":"MARK text","MARK remedy":"MARK"}},
	{"class":"limit","severity":"blocking","location":"MARK location","message":"MARK message","remedy":{"type":"delegate","to":"olga","MARK":"MARK"}},
	{"class":"limit","severity":"advisory","location":"over","message":"MARK advice","check":{"type":"condition","text":"MARK"},"remedy":{"type":"rewrite","text":"MARK"}}`

const markedAdvice = `{"class":"MARK class","severity":"advisory","location":"MARK","message":"MARK"}`

// Of what a judge writes a builder is shown the findings against criteria alone, on
// every surface.
func TestBuilderReadsFindingsAgainstCriteriaAlone(t *testing.T) {
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	t.Cleanup(func() { store.Close() })
	s, err := New(Config{Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Limits: DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	text := loopContract(t, 1, `["under","over"]`)
	record := func(role tools.Role, tool string, arguments map[string]any) {
		t.Helper()
		arguments["record"] = true
		if got := rpc(t, s, as(role), "tools/call", map[string]any{"name": tool, "arguments": arguments}); !strings.Contains(got, `"recorded":true`) {
			t.Fatalf("%s: not recorded: %s", tool, got)
		}
	}
	record(tools.Owner, "register_contract", map[string]any{"contract": text})
	c, _ := contract.ParseContract([]byte(text))
	rounds := []struct{ verdict, findings string }{
		{"fail", markedDefect + "," + markedOthers}, {"pass", markedAdvice},
	}
	for i, round := range rounds {
		key := fmt.Sprint(i)
		record(tools.Builder, "check_done", map[string]any{"contract_id": c.ID, "submission": "done " + key, "report": loopReport(t, text)})
		record(tools.Judge, "check_round", map[string]any{"contract_id": c.ID, "submission": "round " + key,
			"round": fmt.Sprintf(markedRound, c.Fingerprint, round.verdict, round.findings)})
		seen := strings.Join(builderSurfaces(t, s, c), "\n")
		if at := strings.Index(seen, "MARK"); at >= 0 {
			t.Errorf("round %d: a builder is shown %q", i, seen[max(0, at-300):min(len(seen), at+100)])
		}
		for _, part := range []string{"message", "run", "expect", "remedy"} {
			if !strings.Contains(seen, "DEFECT "+part) {
				t.Errorf("round %d: no surface shows the builder the %s of the finding against a criterion", i, part)
			}
		}
		judged := rpc(t, s, as(tools.Judge), "tools/call", map[string]any{"name": "chain_status", "arguments": map[string]any{"contract_id": c.ID}})
		if !strings.Contains(judged, "MARK commit") || !strings.Contains(judged, "MARK message") && i == 0 {
			t.Errorf("round %d: a judge is not shown what a judge wrote: %s", i, judged)
		}
	}
}

// builderSurfaces gives the answers of everything that a builder may ask about a
// contract.
func builderSurfaces(t *testing.T, s *Server, c *contract.Contract) []string {
	t.Helper()
	var said []string
	ask := func(method string, params any) {
		t.Helper()
		reply := rpc(t, s, as(tools.Builder), method, params)
		if strings.Contains(reply, `"isError":true`) || strings.Contains(reply, `"error":`) {
			t.Errorf("%s %v is refused: %s", method, params, reply)
		}
		said = append(said, reply)
	}
	call := func(tool string, arguments map[string]any) {
		t.Helper()
		ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	}
	id := map[string]any{"contract_id": c.ID}
	call("chain_status", id)
	call("chain_status", map[string]any{})
	call("render_brief", map[string]any{"contract_id": c.ID, "role": "builder"})
	call("render_brief", map[string]any{"contract": string(c.Text), "role": "builder"})
	call("check_done", map[string]any{"contract_id": c.ID, "record": false, "report": loopReport(t, string(c.Text))})
	call("validate_contract", map[string]any{"contract": string(c.Text)})
	ask("tools/list", map[string]any{})
	ask("resources/list", map[string]any{})
	ask("resources/templates/list", map[string]any{})
	const uri = "plumbline://contracts/shop%2Frefunds"
	for _, part := range []string{"", "/revisions/1", "/chain", "/gate", "/gate/c0ffee", "/gate/%28withheld%29"} {
		ask("resources/read", map[string]string{"uri": uri + part})
	}
	ask("prompts/list", map[string]any{})
	ask("prompts/get", map[string]any{"name": "build_to_contract", "arguments": id})
	ask("completion/complete", map[string]any{"ref": map[string]string{"type": "ref/prompt", "name": "build_to_contract"},
		"argument": map[string]string{"name": argumentContract, "value": "s"}})
	return append(said, pagesOf(t, as(tools.Builder), s, c.ID)...)
}
