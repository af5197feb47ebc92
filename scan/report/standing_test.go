package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// governed is an item under a policy file, with a baseline: a waived finding, a known
// and a new one, and one that is fixed.
func governed() Item {
	i := item(parcel("dropParcel", 61, 38, 3), parcel("getParcel", 100, 90, 0))
	e := i.Export
	found := e.Tools[0].DetectedRules
	for n, mark := range []agentready.BaselineMark{agentready.BaselineNew, agentready.BaselineKnown, agentready.BaselineKnown} {
		found[n].Baseline = mark
	}
	found[2].Waiver = &agentready.RuleWaiver{Reason: "The text is a test of ours.", Expires: "2026-12-31"}
	e.Ruleset, e.GateScore = agentready.Ruleset, 64
	e.Policy = &agentready.PolicyUse{
		File:  "services/.plumbline.yaml",
		Rules: map[string]agentready.Severity{"missing_enum": agentready.Low, "AR009_UNCLEAR_AGENT_INSTRUCTIONS": agentready.Off},
	}
	e.Notes = []string{"services/.plumbline.yaml line 9: the waiver of missing_enum for get* is unused in this document: correct its rule and tool, unless it is for another document"}
	e.Baseline = &agentready.Comparison{Ruleset: "other-1", Score: 63, GateScore: 66, New: 1, Known: 2, Fixed: []agentready.FixedFinding{
		{Tool: "dropParcel", RuleCode: "AR007_OVERBROAD_TOOL_SCOPE", FindingCode: "overbroad_permission", Severity: agentready.High},
		{Tool: "moveParcel", FindingCode: "unbounded_parameter", Severity: agentready.High, Removed: true},
	}}
	i.Policy, i.Given = agentready.Policy{MinScore: 66, FailOn: agentready.Critical, MaxTokens: 9000}, []string{"--baseline", "--max-tokens"}
	i.Verdict = i.Policy.Decide(e)
	return i
}

// The reason of a waiver is the justification of a suppression, and what a baseline says
// its state; without a baseline there is none.
func TestSARIFSaysHowFindingsStand(t *testing.T) {
	run := sarifOf(t, Options{}, governed())
	states := map[string]string{}
	for _, r := range run.Results {
		states[r.RuleID] = r.Baseline
		if r.RuleID == "AR101/hidden_instructions" {
			if len(r.Suppressions) != 1 || r.Suppressions[0].Justification != "The text is a test of ours." || r.Suppressions[0].Properties["expires"] != "2026-12-31" {
				t.Errorf("it is suppressed by %+v", r.Suppressions)
			}
		} else if len(r.Suppressions) > 0 {
			t.Errorf("%s is suppressed", r.RuleID)
		}
	}
	if states["AR002/missing_human_confirmation_flow"] != "new" || states["AR001/unbounded_parameter"] != "unchanged" {
		t.Errorf("the states are %v", states)
	}
	if text := shown(t, "sarif", Options{}, failing()); strings.Contains(text, "baselineState") {
		t.Error("there is a state without a baseline")
	}
}

// What a policy says is text of strangers too, where a server reads it.
func TestHostilePolicyForgesNothing(t *testing.T) {
	i := governed()
	i.Export.Policy.File = hostile
	i.Export.Policy.Rules = map[string]agentready.Severity{hostile: hostile}
	i.Export.Tools[0].DetectedRules[2].Waiver = &agentready.RuleWaiver{Reason: hostile, Expires: hostile}
	i.Export.Baseline.Fixed[0] = agentready.FixedFinding{Tool: hostile, RuleCode: hostile, FindingCode: hostile}
	i.Export.Notes = []string{hostile}
	for _, f := range Formats {
		if f.Name == "json" || f.Name == "html" {
			continue // which have tests of their own
		}
		text := shown(t, f.Name, Options{All: true}, i)
		for _, r := range text {
			if r != '\n' && agentready.Unseen(r) {
				t.Fatalf("%s: %U comes through", f.Name, r)
			}
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if f.Name != "github" && strings.HasPrefix(line, "::") || strings.HasPrefix(line, "PASS") || strings.Contains(line, "##[") {
				t.Errorf("%s: a line is forged: %q", f.Name, line)
			}
		}
	}
	page := node(t, "markdown.mjs", shown(t, "markdown", Options{All: true}, i))
	if strings.Contains(page, "<script") || strings.Contains(page, "<img") || strings.Contains(page, "<a ") {
		t.Errorf("the comment holds markup of the policy:\n%s", page)
	}
}

// Known findings do not draw attention from new ones.
func TestGitHubAnnotatesNewFindingsFirst(t *testing.T) {
	var levels []string
	for _, a := range annotations([]Item{governed()}, Options{}) {
		if strings.HasPrefix(a.title, "AR") {
			levels = append(levels, a.level)
		}
	}
	if want := []string{"error", "notice", "notice"}; !slices.Equal(levels, want) {
		t.Errorf("the findings are %v, want %v", levels, want)
	}
}

func TestJSONHoldsWhatThePolicyDid(t *testing.T) {
	var e agentready.Export
	if err := json.Unmarshal([]byte(shown(t, "json", Options{}, governed())), &e); err != nil {
		t.Fatal(err)
	}
	if e.Policy == nil || e.Baseline == nil || len(e.Baseline.Fixed) != 2 || e.Tools[0].DetectedRules[2].Waiver == nil {
		t.Errorf("something is missing: %+v", e)
	}
}

// What is new is seen first, however bad the rest is.
func TestNewFindingsComeFirst(t *testing.T) {
	bad, fine := parcel("dropParcel", 10, 38, 3), parcel("markParcel", 90, 70, 1)
	i := item(bad, parcel("dropParcels", 20, 50, 3), parcel("dropAll", 30, 60, 3), fine)
	i.Export.Baseline = &agentready.Comparison{New: 1}
	i.Export.Tools[3].DetectedRules[0].Baseline = agentready.BaselineNew
	text := shown(t, "text", Options{}, i)
	if at := strings.Index(text, "markParcel: DELETE"); at < 0 || at > strings.Index(text, "dropParcel: DELETE") {
		t.Errorf("the new finding is not first:\n%s", text)
	}
}
