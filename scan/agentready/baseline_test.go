package agentready

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// with is an export whose tools have the findings named beside them; all are critical.
func with(score int, tools map[string][]string) *Export {
	e := &Export{Score: score, GateScore: score, Ruleset: Ruleset}
	for _, id := range []string{"first", "second", "third"} {
		findings, ok := tools[id]
		if !ok {
			continue
		}
		t := Tool{ID: id}
		for i, f := range findings {
			t.DetectedRules = append(t.DetectedRules, Rule{
				RuleCode: "AR002_MISSING_CONFIRMATION_BOUNDARY", FindingCode: f, Severity: Critical,
				Evidence: []Evidence{{Location: Location{Line: score + i}}},
			})
		}
		e.Tools = append(e.Tools, t)
	}
	return e
}

func TestCompare(t *testing.T) {
	base := with(50, map[string][]string{
		"first": {"dangerous_action_without_confirmation", "irreversible_action"}, "second": {"unbounded_parameter"}, "third": {"missing_enum"},
	})
	e := with(60, map[string][]string{
		"first": {"missing_human_confirmation_flow", "unbounded_parameter"}, "third": {},
	})
	e.Compare(base)
	var marks []BaselineMark
	for _, r := range e.Tools[0].DetectedRules {
		marks = append(marks, r.Baseline)
	}
	if d := cmp.Diff([]BaselineMark{BaselineKnown, BaselineNew}, marks); d != "" {
		t.Errorf("marks (-want +got):\n%s", d)
	}
	const code = "AR002_MISSING_CONFIRMATION_BOUNDARY"
	want := &Comparison{Ruleset: Ruleset, Score: 50, GateScore: 50, New: 1, Known: 1, Fixed: []FixedFinding{
		{"first", code, "irreversible_action", Critical, false},
		{"second", code, "unbounded_parameter", Critical, true},
		{"third", code, "missing_enum", Critical, false},
	}}
	if d := cmp.Diff(want, e.Baseline); d != "" {
		t.Errorf("comparison (-want +got):\n%s", d)
	}
}

// That a tool has drifted is known only of the definition that the baseline has seen, and
// never mended by drifting on.
func TestFurtherDriftIsNew(t *testing.T) {
	drifted := func(definition string) *Export {
		e := with(50, map[string][]string{"first": {DriftFinding, "missing_enum"}})
		e.Tools[0].Definition = definition
		return e
	}
	tests := []struct {
		name, base, now string
		want            BaselineMark
	}{
		{"the same definition", "sha256:1", "sha256:1", BaselineKnown},
		{"another definition", "sha256:1", "sha256:2", BaselineNew},
		{"one that the baseline does not name", "", "sha256:1", BaselineNew},
		{"one that nothing names", "", "", BaselineNew},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := drifted(tt.now)
			e.Compare(drifted(tt.base))
			if got := e.Tools[0].DetectedRules; got[0].Baseline != tt.want || got[1].Baseline != BaselineKnown {
				t.Errorf("the drift is %s and another finding %s, want %s and known", got[0].Baseline, got[1].Baseline, tt.want)
			}
			if len(e.Baseline.Fixed) > 0 {
				t.Errorf("fixed are %v", e.Baseline.Fixed)
			}
		})
	}
}

// What a policy turned off since is not mended.
func TestTurningARuleOffFixesNothing(t *testing.T) {
	base := with(50, map[string][]string{"first": {"irreversible_action", "missing_enum"}})
	rules := map[string]Severity{"AR002_MISSING_CONFIRMATION_BOUNDARY": Off, "missing_enum": Low}
	e := with(100, map[string][]string{"first": {}})
	e.Policy = &PolicyUse{Rules: rules}
	e.Compare(base)
	if len(e.Baseline.Fixed) != 1 || e.Baseline.Fixed[0].FindingCode != "missing_enum" {
		t.Errorf("fixed are %v, want missing_enum alone, whose finding code says that it is on", e.Baseline.Fixed)
	}
}

func TestGateWithBaseline(t *testing.T) {
	base := with(50, map[string][]string{"first": {"irreversible_action"}})
	tests := []struct {
		name   string
		score  int
		tools  map[string][]string
		reason string
	}{
		{"known findings and the same score", 50, map[string][]string{"first": {"irreversible_action"}}, ""},
		{"a new finding", 50, map[string][]string{"first": {"irreversible_action", "missing_enum"}}, "1 new finding at or above critical"},
		{"the same finding at another tool", 50, map[string][]string{"second": {"irreversible_action"}}, "1 new finding at or above critical"},
		{"a lower score", 49, map[string][]string{"first": {"irreversible_action"}}, "score 49 is below the baseline's 50"},
	}
	for _, tt := range tests {
		e := with(tt.score, tt.tools)
		e.Compare(base)
		got := Policy{MinScore: base.GateScore, FailOn: Critical}.Decide(e)
		want := Verdict{Verdict: Pass, Reasons: []string{}}
		if tt.reason != "" {
			want = Verdict{Verdict: Fail, Reasons: []string{tt.reason}}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}
