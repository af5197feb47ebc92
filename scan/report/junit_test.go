package report

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// junitRead is a JUnit file as junit2json, a reader of others, understands it.
type junitRead struct {
	Tests, Failures, Errors, Skipped int
	Suites                           []struct {
		Name       string
		Properties []struct {
			Name  string
			Value any
		}
		Cases []struct {
			Class    string `json:"classname"`
			Name     any
			File     string
			Line     int
			Failures []struct{ Message, Inner string } `json:"failure"`
			Errors   []struct{ Message string }        `json:"error"`
			Skipped  []struct{ Message string }        `json:"skipped"`
		} `json:"testcase"`
	} `json:"testsuite"`
}

func readJUnit(t *testing.T, opts Options, items ...Item) junitRead {
	t.Helper()
	text := shown(t, "junit", opts, items...)
	var own junitSuites
	if err := xml.Unmarshal([]byte(text), &own); err != nil {
		t.Fatalf("not well-formed: %v", err)
	}
	var read junitRead
	if err := json.Unmarshal([]byte(node(t, "junit.mjs", text)), &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestJUnitIsReadByAnotherProgram(t *testing.T) {
	read := readJUnit(t, Options{Unread: unread}, failing(), passing())
	if read.Tests != 12 || read.Failures != 4 || read.Errors != 1 || read.Skipped != 4 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped; want 12, 4, 1, 4", read.Tests, read.Failures, read.Errors, read.Skipped)
	}
	if len(read.Suites) != 3 || read.Suites[0].Name != "api/parcels.yaml" || read.Suites[2].Name != "not scanned" {
		t.Fatalf("the suites are %+v", read.Suites)
	}
	properties := map[string]any{}
	for _, p := range read.Suites[0].Properties {
		properties[p.Name] = p.Value
	}
	if properties["verdict"] != "FAIL" || properties["score"] != 58.0 || properties["gate_score"] != 70.0 {
		t.Errorf("the properties are %v", properties)
	}
	for _, c := range read.Suites[0].Cases {
		if c.Class != "dropParcel" || c.Name != "AR001 unbounded_parameter" {
			continue
		}
		if c.File != "services/api/parcels.yaml" || c.Line != 51 || len(c.Skipped) != 1 ||
			!strings.Contains(c.Skipped[0].Message, `"weight_max"`) || !strings.Contains(c.Skipped[0].Message, "Fix: ") {
			t.Errorf("a finding below the gate is %+v", c)
		}
		return
	}
	t.Error("the finding AR001 of dropParcel is no test")
}

// The suites fail exactly where the gate does, and hold every finding.
func TestJUnitFailsWhereTheVerdictDoes(t *testing.T) {
	policies := []agentready.Policy{
		agentready.Recommended, {MinScore: 0, FailOn: agentready.FailOnNone}, {MinScore: 71, FailOn: agentready.FailOnNone},
		{MinScore: 0, FailOn: agentready.High}, {MinScore: 0, FailOn: agentready.Low},
		{FailOn: agentready.FailOnNone, MaxTokens: 1}, {FailOn: agentready.FailOnNone, MaxTokens: 1 << 40},
	}
	for _, policy := range policies {
		for _, i := range []Item{failing(), passing()} {
			i.Policy, i.Verdict = policy, policy.Decide(i.Export)
			suite := junitSuiteOf(&i)
			if failed := suite.Failures > 0; failed == i.passed() {
				t.Errorf("%+v: %d failures where the verdict is %s", policy, suite.Failures, i.Verdict.Verdict)
			}
			found := 0
			for _, c := range suite.Cases {
				if strings.HasPrefix(c.Name, "AR") {
					found++
				}
			}
			if want := len(findings([]Item{i})); found != want {
				t.Errorf("%d of %d findings are tests", found, want)
			}
		}
	}
}

func TestHostileDocumentStaysInsideJUnit(t *testing.T) {
	read := readJUnit(t, Options{Unread: []string{hostile}}, hostileItem())
	if len(read.Suites) != 2 || len(read.Suites[0].Cases) != 3 {
		t.Fatalf("suites or tests are forged: %+v", read.Suites)
	}
	if got := read.Suites[0].Cases[2].Class; got != show(hostile) {
		t.Errorf("the tool's name is %q, want it escaped and otherwise unchanged", got)
	}
}
