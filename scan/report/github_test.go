package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func TestGitHubLevels(t *testing.T) {
	tests := []struct {
		severity agentready.Severity
		failOn   agentready.Severity
		waived   bool
		want     string
	}{
		{agentready.Critical, agentready.Critical, false, "error"},
		{agentready.Critical, agentready.Critical, true, "notice"},
		{agentready.Critical, agentready.FailOnNone, false, "warning"},
		{agentready.High, agentready.Critical, false, "warning"},
		{agentready.High, agentready.Medium, false, "error"},
		{agentready.Medium, agentready.High, false, "warning"},
		{agentready.Low, agentready.High, false, "notice"},
		{agentready.Low, agentready.Low, false, "error"},
	}
	for _, test := range tests {
		i := item(parcel("dropParcel", 90, 38, 1))
		i.Policy = agentready.Policy{FailOn: test.failOn}
		rule := &i.Export.Tools[0].DetectedRules[0]
		rule.Severity, rule.Waived = test.severity, test.waived
		i.Verdict = i.Policy.Decide(i.Export)
		text := shown(t, "github", Options{}, i)
		if !strings.Contains(text, "::"+test.want+" file=services/api/parcels.yaml,line=40,col=5,title=AR002 ") {
			t.Errorf("%+v: %s", test, text)
		}
	}
}

func TestGitHubEscapes(t *testing.T) {
	a := annotation{level: "error", file: "a,b:c%.yaml", line: 3, title: "T: a, b%", message: "100 %, a: b"}
	want := "::error file=a%2Cb%3Ac%25.yaml,line=3,col=1,title=T%3A a%2C b%25::100 %25, a: b"
	if got := a.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Of each kind GitHub keeps few: the worst come first, and the rest is counted.
func TestGitHubShowsTheWorstFirst(t *testing.T) {
	i := item()
	for n := range 30 {
		tool := parcel(fmt.Sprintf("dropParcel%d", n), 60, n+1, 2)
		tool.DetectedRules[0].Severity = agentready.Medium
		if n == 29 {
			tool.DetectedRules[0].Severity = agentready.Critical
		}
		i.Export.Tools = append(i.Export.Tools, tool)
	}
	i.Policy.MinScore = 0
	i.Verdict = i.Policy.Decide(i.Export)
	text := shown(t, "github", Options{AllHint: "--all"}, i)
	if got := strings.Count(text, "::warning "); got != annotationLimit || strings.Contains(text, "AR002 Missing human confirmation flow::dropParcel0") {
		t.Errorf("%d warnings, with medium ones before high ones:\n%s", got, text)
	}
	if !strings.Contains(text, "::dropParcel29: ") || !strings.HasSuffix(text, "keeps 10 of a kind: 49 warnings; see them with --all\n") {
		t.Errorf("the critical finding, or the rest, is not told:\n%s", text)
	}
	if got := strings.Count(shown(t, "github", Options{All: true}, i), "::warning "); got != 59 {
		t.Errorf("%d warnings with --all, want 59", got)
	}
}

func TestGitHubPlacesOutsideOfTheRepository(t *testing.T) {
	for _, path := range []string{"", "/elsewhere/parcels.yaml", "a\nb.yaml"} {
		i := item(parcel("dropParcel", 61, 38, 1))
		i.Path = path
		text := shown(t, "github", Options{}, i)
		if strings.Contains(text, "file=") || !strings.Contains(text, "::api/parcels.yaml:40:5: dropParcel: ") {
			t.Errorf("%q: %s", path, text)
		}
	}
}
