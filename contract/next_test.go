package contract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Each event changes who has to act, on a ledger as in life.
func TestNext(t *testing.T) {
	tests := []struct {
		events string
		want   string // "actor tool", joined by " + "
	}{
		{"", "owner register_contract"},
		{"revision", "builder check_done"},
		{"revision unfinished", "builder check_done"},
		{"revision done", "judge check_round"},
		{"revision done unfinished", "judge check_round"},
		{"revision done pass", ""},
		{"revision done note", ""},
		{"revision pass", "builder check_done"},
		{"revision pass done", "judge check_round"},
		{"revision done pass done", "judge check_round"},
		{"revision done fail", "builder check_done"},
		{"revision done fail done", "judge check_round"},
		{"revision done fail done pass", ""},
		{"revision done fail pass", "builder check_done"},
		{"revision done extension", "owner register_contract"},
		{"revision done extension done", "owner register_contract"},
		{"revision done both", "owner register_contract + builder check_done"},
		{"revision done both done", "owner register_contract"},
		{"revision done fail extension", "owner register_contract + builder check_done"},
		{"revision done fail done extension", "owner register_contract"},
		{"revision done fail extension done", "owner register_contract"},
		{"revision done both revision extension", "owner register_contract"},
		{"revision done both pass", "builder check_done"},
		{"revision done both done pass", ""},
		{"revision done extension escalate", "owner register_contract"},
		{"revision done escalated-defect", "owner register_contract"},
		{"revision done extension escalate pass", "builder check_done"},
		{"revision done extension revision", "builder check_done"},
		{"revision done pass revision", "builder check_done"},
		{"revision done pass revision done", "judge check_round"},
	}
	for _, tt := range tests {
		t.Run(tt.events, func(t *testing.T) {
			chain := contract.ResumeChain(contract.Snapshot{})
			for event := range strings.FieldsSeq(tt.events) {
				play(t, chain, event)
			}
			got := []string{}
			for _, step := range contract.Next(chain.Progress()) {
				got = append(got, fmt.Sprintf("%s %s", step.Actor, step.Tool))
				if step.Why == "" {
					t.Errorf("%s is not told why", step.Actor)
				}
			}
			if joined := strings.Join(got, " + "); joined != tt.want {
				t.Errorf("next is %q, want %q", joined, tt.want)
			}
		})
	}
}

// play adds one event, which must be valid, to a chain.
func play(t *testing.T, chain *contract.Chain, event string) {
	t.Helper()
	if event == "revision" {
		n := len(chain.Revisions())
		chain.AddRevision(revision(t, n+1, string(rune('A'+n))), true)
		return
	}
	c := chain.Newest()
	if event == "done" || event == "unfinished" {
		list := results()
		if event == "unfinished" {
			list[0] = strings.Replace(list[0], "true", "false", 1)
		}
		d, report := contract.ParseDone(doneReport(c, list))
		result := chain.CheckDone(d, report, time.Time{})
		if !result.Complete() {
			t.Fatal(result.Report.Errors())
		}
		chain.AddDone(result)
		return
	}
	texts := map[string][]byte{
		"pass":             round(c, "pass"),
		"note":             round(c, "pass", note),
		"fail":             round(c, "fail", defect),
		"extension":        round(c, "fail", extension),
		"both":             round(c, "fail", defect, extension),
		"escalate":         round(c, "escalate", escalated, defect),
		"escalated-defect": round(c, "escalate", finding("weight", "blocking", "heavy", command, decision)),
	}
	result := chain.CheckRound(mustRound(t, texts[event]), &contract.Report{}, true)
	wantCodes(t, result.Report, nil, nil)
	chain.AddRound(result)
}

// A list is never null, which agents would have to know of.
func TestNextIsNeverNil(t *testing.T) {
	if contract.Next(contract.Progress{Revision: 1, Done: true, Judged: true, Verdict: contract.Pass}) == nil {
		t.Error("nothing to do is nil")
	}
}

// After a check without a ledger, the steps follow from the object alone: nothing is
// said to be reported or judged before.
func TestNextAfterLoneChecks(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels))
	_, invalid := contract.ParseContract([]byte(`{}`))
	failing := results()
	failing[0] = strings.Replace(failing[0], "true", "false", 1)
	afterRound := func(text []byte) []contract.Step {
		return contract.NextAfterRound(contract.CheckRound(c, report, text, nil))
	}
	afterDone := func(list []string) []contract.Step {
		return contract.NextAfterDone(contract.CheckDone(c, report, doneReport(c, list)))
	}
	a, b := revision(t, 1, "A"), revision(t, 2, "B")
	afterChain := func(revisions []*contract.Contract, rounds ...[]byte) []contract.Step {
		return contract.NextAfterChain(contract.CheckChain(chainFile(revisions, rounds...), nil))
	}
	one, two := []*contract.Contract{a}, []*contract.Contract{a, b}
	tests := []struct {
		name string
		got  []contract.Step
		want string // "actor tool", joined by " + "
	}{
		{"a pass", afterRound(round(c, "pass")), ""},
		{"a pass with advice", afterRound(round(c, "pass", note)), ""},
		{"a fail", afterRound(round(c, "fail", defect)), "builder check_done"},
		{"an extension", afterRound(round(c, "fail", extension)), "owner register_contract"},
		{"both", afterRound(round(c, "fail", defect, extension)), "owner register_contract + builder check_done"},
		{"an escalation", afterRound(round(c, "escalate", escalated, defect)), "owner register_contract"},
		{"a round that is not valid", afterRound(round(c, "pass", defect)), "judge check_round"},
		{"a round that is not JSON", afterRound([]byte(`{1}`)), "judge check_round"},
		{"a round on no contract", contract.NextAfterRound(contract.CheckRound(nil, invalid, []byte(`{}`), nil)), ""},
		{"a done report", afterDone(results()), "judge check_round"},
		{"unfinished work", afterDone(failing), "builder check_done"},
		{"a report with gaps", afterDone(nil), "builder check_done"},
		{"a report that is not JSON", contract.NextAfterDone(contract.CheckDone(c, report, []byte(`{1}`))), "builder check_done"},
		{"a chain without rounds", afterChain(one), ""},
		{"a chain that passed", afterChain(one, round(a, "fail", defect), round(a, "pass")), ""},
		{"a chain that failed", afterChain(one, round(a, "pass"), round(a, "fail", defect)), "builder check_done"},
		{"a chain with an answered extension", afterChain(two, round(a, "fail", extension)), ""},
		{"a chain that is not valid", afterChain(one, round(b, "fail", defect)), ""},
		{"a report on no contract", contract.NextAfterDone(contract.CheckDone(nil, invalid, []byte(`{}`))), ""},
	}
	for _, tt := range tests {
		got := []string{}
		for _, step := range tt.got {
			got = append(got, fmt.Sprintf("%s %s", step.Actor, step.Tool))
			if strings.Contains(step.Why, "last round") || strings.Contains(step.Why, "no done report") {
				t.Errorf("after %s: %q speaks of what only a ledger knows", tt.name, step.Why)
			}
		}
		if joined := strings.Join(got, " + "); joined != tt.want || tt.got == nil {
			t.Errorf("after %s next is %q, want %q", tt.name, joined, tt.want)
		}
	}
}
