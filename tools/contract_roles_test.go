package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// A tool outside of the role is not there; what is there is cut.
func TestRoleCuts(t *testing.T) {
	o, text := registered(t)
	bob, jane, olga := o.as("bob", tools.Builder), o.as("jane", tools.Judge), o.as("olga", tools.Owner)
	want := map[*agent][]string{
		bob:  {"chain_status", "check_done", "render_brief", "scan_mcp_tools", "scan_openapi", "validate_contract"},
		jane: {"chain_status", "check_done", "check_round", "render_brief", "scan_mcp_tools", "scan_openapi", "validate_contract"},
		olga: {"chain_status", "check_done", "check_round", "register_contract", "render_brief", "scan_mcp_tools", "scan_openapi", "validate_contract"},
	}
	for a, names := range want {
		list, err := a.client.ListTools(a.ctx, mcp.ListToolsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tool := range list.Tools {
			got = append(got, tool.Name)
		}
		if !slices.Equal(got, names) {
			t.Errorf("the tools are %v, want %v", got, names)
		}
	}
	for a, tool := range map[*agent]string{bob: "check_round", jane: "register_contract"} {
		if _, err := a.client.CallTool(a.ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: map[string]any{"record": false}}}); err == nil {
			t.Errorf("%s was let through", tool)
		}
	}
	if got := bob.refusal("render_brief", args{"role": "judge", "contract_id": shop}); got.Path != "/role" {
		t.Errorf("a builder gets the judge's brief: %+v", got)
	}
	jane.ask("check_round", args{"contract_id": shop, "round": roundOn(t, text, "fail", defect, extension, advice), "record": true, "submission": "a"})
	if said := saying(t, bob.call("chain_status", args{"contract_id": shop})); strings.Contains(said, "secret") || strings.Contains(said, "currency") || strings.Contains(said, "yen") {
		t.Errorf("the builder sees an extension: %s", said)
	}
	seen := bob.ask("chain_status", args{"contract_id": shop}).Open
	if len(seen.Findings) != 1 || seen.ExtensionsWaiting != 1 || seen.Findings[0].Check["run"] == "" || seen.Findings[0].Remedy["text"] == "" || seen.Findings[0].Criterion != "limit" {
		t.Errorf("the builder sees %+v, want the defect and one extension that waits", seen)
	}
	for _, a := range []*agent{jane, olga} {
		if all := a.ask("chain_status", args{"contract_id": shop}).Open; len(all.Findings) != 3 || all.Findings[1].Owner != "olga" {
			t.Errorf("all findings are %+v, want three", all.Findings)
		}
	}
}

// saying is text, for tests in which that is a contract's.
func saying(t *testing.T, res *mcp.CallToolResult) string { return text(t, res) }

func TestBriefs(t *testing.T) {
	o, text := registered(t)
	jane := o.as("jane", tools.Judge)
	builder := jane.ask("render_brief", args{"role": "builder", "contract_id": shop})
	judge := jane.ask("render_brief", args{"role": "judge", "contract_id": shop, "revision": "1"})
	if builder.ContractText != text || judge.ContractText != text || builder.SHA256 != judge.SHA256 || builder.Fingerprint != judge.Fingerprint || builder.Brief == judge.Brief {
		t.Error("builder and judge do not get the same object in briefs of their own")
	}
	if builder.State.RoundTemplate != nil || judge.State.RoundTemplate == nil || judge.State.RoundTemplate.Gate.Version != fingerprintOf(t, text) ||
		!slices.Equal(judge.State.RoundTemplate.Coverage.Classes, []string{"limit", "prose"}) {
		t.Errorf("the round templates are %+v and %+v", builder.State.RoundTemplate, judge.State.RoundTemplate)
	}
	o.as("olga", tools.Owner).ask("register_contract", args{"contract": contractOf(t, shop, 2, "under"), "record": true})
	stale := jane.ask("render_brief", args{"role": "judge", "contract_id": shop, "revision": 1})
	if stale.Brief != judge.Brief || stale.State.NewestRevision != 2 || stale.State.RoundTemplate != nil {
		t.Errorf("the brief of an older revision changed, or its state does not say so: %+v", stale.State)
	}
}

func TestChainStatusList(t *testing.T) {
	o := newOffice(t)
	olga := o.as("olga", tools.Owner)
	for i := range 45 {
		olga.ask("register_contract", args{"contract": contractOf(t, fmt.Sprintf("c/%02d", i), 1, "over"), "record": true})
	}
	var ids []string
	given := args{"waiting_on": "builder"}
	for {
		page := olga.ask("chain_status", given)
		if len(page.Contracts) > 20 {
			t.Fatalf("a page has %d contracts, at most 20", len(page.Contracts))
		}
		for _, c := range page.Contracts {
			ids = append(ids, c.ContractID)
			if actors(c.Next) != "builder" || c.SHA256 == "" {
				t.Errorf("%s is %+v", c.ContractID, c)
			}
		}
		if page.NextCursor == "" {
			break
		}
		given["cursor"] = page.NextCursor
	}
	if len(ids) != 45 || !slices.IsSorted(ids) {
		t.Errorf("the pages list %d contracts: %v", len(ids), ids)
	}
	if got := olga.ask("chain_status", args{"waiting_on": "judge"}); len(got.Contracts) != 0 {
		t.Errorf("%d contracts wait for a judge, want none", len(got.Contracts))
	}
}

// Ten judges at once: no event is lost, none has the number of another, and the budget
// holds.
func TestConcurrentJudges(t *testing.T) {
	o, text := registered(t)
	const judges, each = 10, 4
	var mu sync.Mutex
	seqs, extensions := map[int64]bool{}, 0
	var wg sync.WaitGroup
	for j := range judges {
		a := o.as(fmt.Sprintf("judge%d", j), tools.Judge)
		wg.Go(func() {
			for i := range each {
				findings := []args{defect}
				if i == 0 {
					findings = []args{extension}
				}
				got := a.ask("check_round", args{"contract_id": shop, "round": roundOn(t, text, "fail", findings...), "record": true, "submission": fmt.Sprint(i)})
				mu.Lock()
				if got.Recorded {
					seqs[got.Receipt.Seq] = true
				}
				if got.Recorded && i == 0 {
					extensions++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	status := o.as("olga", tools.Owner).ask("chain_status", args{"contract_id": shop})
	// The second extension round would have to escalate: as a fail it is not recorded.
	if extensions != 1 || len(seqs) != judges*(each-1)+1 || status.Rounds != int64(len(seqs)) || status.Head.Seq != int64(len(seqs))+1 || status.ExtensionsUsed != 1 {
		t.Errorf("%d extension rounds, %d events, status %+v", extensions, len(seqs), status)
	}
}

// Long lists are cut, counted, and leave an answer that is still read.
func TestLongAnswers(t *testing.T) {
	var criteria []string
	for i := range 3000 {
		criteria = append(criteria, fmt.Sprintf(`{"id":"c%d","class":"x","kind":"odd"}`, i))
	}
	text := `{"aac":"0.1.0","contract":{"id":"long","revision":1,"fingerprint":"sha256:000000000000","owner":"o"},"budget":{"extensions":1},"criteria":[` + strings.Join(criteria, ",") + `]}`
	o, registeredText := registered(t)
	got := o.as("jane", tools.Judge).ask("validate_contract", args{"contract": text})
	if got.Omitted["errors"] == 0 || len(got.Errors) < 20 {
		t.Errorf("%d errors are shown and %d omitted", len(got.Errors), got.Omitted["errors"])
	}
	jane := o.as("jane", tools.Judge)
	var findings []args
	for i := range 300 {
		findings = append(findings, args{"class": "limit", "severity": "blocking", "location": "over", "message": strings.Repeat("wrong ", 300), "check": defect["check"], "remedy": args{"type": "patch", "n": i}})
	}
	findings[0]["message"] = strings.Repeat("long ", 10_000)
	round := jane.ask("check_round", args{"contract_id": shop, "round": roundOn(t, registeredText, "fail", findings...), "record": true, "submission": "a"})
	if !round.Recorded || len(round.Findings)+round.Omitted["findings"] != 300 {
		t.Errorf("%d findings are shown and %d omitted, want 300", len(round.Findings), round.Omitted["findings"])
	}
	open := o.as("bob", tools.Builder).ask("chain_status", args{"contract_id": shop})
	if !open.Open.Findings[0].Cut || open.Open.Findings[1].Cut || len(open.Open.Findings) < 10 || len(open.Open.Findings)+open.Omitted["findings"] != 300 {
		t.Errorf("%d findings are open and %d omitted", len(open.Open.Findings), open.Omitted["findings"])
	}
}
