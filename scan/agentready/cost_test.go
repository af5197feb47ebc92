package agentready

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCategoriesSumToHundred(t *testing.T) {
	sum := 0
	for _, c := range Categories {
		sum += c.Points
	}
	if sum != 100 {
		t.Errorf("the categories hold %d points, want 100", sum)
	}
}

func finding(code, category string, s Severity) Rule {
	return Rule{RuleCode: "AR001_" + code, FindingCode: code, Category: category, Severity: s, Recommendation: "fix " + code}
}

func TestByRule(t *testing.T) {
	waived := finding("vague", "clear_names", Medium)
	waived.Waived = true
	e := &Export{Tools: []Tool{
		// 10 + 6 would take 16 of the category's 15: the later finding gets what is left.
		{ID: "first", DetectedRules: []Rule{
			finding("confirm", "dangerous_actions", Critical),
			finding("undo", "dangerous_actions", High),
			finding("vague", "clear_names", Medium),
		}},
		{ID: "second", DetectedRules: []Rule{
			finding("undo", "dangerous_actions", High), waived,
			finding("alien", "no_such_category", High),
		}},
	}}
	want := []RuleCost{
		{"AR001_undo", "undo", High, 2, 0, 11, "first", "fix undo"},
		{"AR001_confirm", "confirm", Critical, 1, 0, 10, "first", "fix confirm"},
		{"AR001_vague", "vague", Medium, 2, 1, 6, "first", "fix vague"},
		{"AR001_alien", "alien", High, 1, 0, 0, "second", "fix alien"},
	}
	if d := cmp.Diff(want, e.ByRule()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestByRuleOfNothingIsAnEmptyList(t *testing.T) {
	if got := (&Export{}).ByRule(); got == nil || len(got) != 0 {
		t.Errorf("got %#v, want an empty list", got)
	}
}

func TestWorstFirst(t *testing.T) {
	e := &Export{Tools: []Tool{
		{ID: "clean", Score: 100, Severity: Low},
		{ID: "b", Score: 60, Severity: High},
		{ID: "a", Score: 60, Severity: High},
		{ID: "c", Score: 60, Severity: Critical},
		{ID: "worst", Score: 10, Severity: Medium},
	}}
	var got []string
	for _, tool := range e.WorstFirst() {
		got = append(got, tool.ID)
	}
	if d := cmp.Diff([]string{"worst", "c", "b", "a", "clean"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if e.Tools[0].ID != "clean" {
		t.Error("the export's own order changed")
	}
}
