package scan

import (
	"slices"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func TestDocumentScore(t *testing.T) {
	hundred := func(n int, low ...int) []int { return append(slices.Repeat([]int{100}, n), low...) }
	tests := []struct {
		name     string
		scores   []int
		critical bool
		want     int
	}{
		{"no tools", nil, false, 0},
		{"one tool is its own score", []int{54}, false, 54},
		{"one disaster among ten shows", hundred(9, 20), false, 56}, // mean 92, lowest tenth 20
		{"the lowest tenth is rounded up", hundred(10, 20), false, 76},
		{"a half is rounded up", []int{91, 90}, false, 90}, // (90.5 + 90) / 2 = 90.25
		{"exactly a half", []int{50, 52}, false, 51},       // (51 + 50) / 2 = 50.5
		{"a critical finding caps", hundred(20), true, 84},
		{"the cap raises nothing", []int{30}, true, 30},
		{"many tools", hundred(99, 0), false, 95}, // mean 99, lowest ten 90: 94.5
	}
	for _, tt := range tests {
		if got := documentScore(tt.scores, tt.critical); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestToolScore(t *testing.T) {
	of := func(category string, severities ...agentready.Severity) []agentready.Rule {
		var out []agentready.Rule
		for _, s := range severities {
			out = append(out, agentready.Rule{Category: category, Severity: s})
		}
		return out
	}
	tests := []struct {
		name         string
		findings     []agentready.Rule
		named, whole bool
		want         int
	}{
		{"clean", nil, true, true, 100},
		{"without a name", nil, false, true, 97},
		{"not read whole", nil, true, false, 84},
		{"each severity's points", of("strict_parameters", "low", "medium", "high"), true, true, 90},
		{"a category loses no more than it holds", of("dangerous_actions", "critical", "critical"), true, true, 85},
		{"categories add up", append(of("clear_names", "medium"), of("corrective_errors", "medium")...), true, true, 94},
	}
	for _, tt := range tests {
		if got := toolScore(tt.findings, tt.named, tt.whole); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestStatusBands(t *testing.T) {
	want := map[int]string{
		100: "AgentReady", 85: "AgentReady", 84: "Minor fixes", 70: "Minor fixes",
		69: "Needs fixes", 50: "Needs fixes", 49: "Not AgentReady", 0: "Not AgentReady",
	}
	for score, name := range want {
		if got, _ := status(score); got != name {
			t.Errorf("status(%d) = %q, want %q", score, got, name)
		}
	}
}

func TestSeverityFloor(t *testing.T) {
	tests := []struct {
		action     Action
		controlled bool
		want       agentready.Severity
	}{
		{ActionList, false, agentready.Low},
		{ActionList, true, agentready.Low},
		{ActionCreate, true, agentready.Medium},
		{ActionUnknown, false, agentready.Medium},
		{ActionDelete, false, agentready.High},
		{ActionDelete, true, agentready.High},
		{ActionSend, true, agentready.Medium},
		{ActionPay, false, agentready.Critical},
		{ActionPay, true, agentready.High},
		{ActionSensitiveData, true, agentready.Medium},
	}
	for _, tt := range tests {
		if got := severityFloor(tt.action, func() bool { return tt.controlled }); got != tt.want {
			t.Errorf("%s, controlled %t: %s, want %s", tt.action, tt.controlled, got, tt.want)
		}
	}
}
