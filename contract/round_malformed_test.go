package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// codePaths lists problems as "code path", in the order of the report.
func codePaths(problems []contract.Problem) []string {
	list := []string{}
	for _, p := range problems {
		list = append(list, fmt.Sprintf("%s %s", p.Code[:6], p.Path))
	}
	return list
}

// A malformed part stops the rules that need it, and no other.
func TestMalformedRounds(t *testing.T) {
	tests := []struct {
		name         string
		verdict      string
		findings     []string
		errors       []string // code and path
		dispositions []string
	}{
		{"no message", "fail", []string{`{"class": "weight", "severity": "blocking", "location": "heavy", ` + patch + `}`},
			[]string{"AAC301 /findings/0", "AAC601 /findings/0"}, []string{"against"}},
		{"a blank class", "fail", []string{finding(" ", "blocking", "heavy", patch)},
			[]string{"AAC301 /findings/0/class"}, []string{""}},
		{"a blank class of a note", "pass", []string{finding(" ", "advisory", "heavy")},
			[]string{"AAC301 /findings/0/class"}, []string{"advisory"}},
		{"no location where one matters", "fail", []string{`{"class": "weight", "severity": "blocking", "message": "m", ` + patch + `}`},
			[]string{"AAC301 /findings/0"}, []string{""}},
		{"no location where none matters", "fail", []string{`{"class": "tone", "severity": "blocking", "message": "m", ` + patch + `}`},
			[]string{"AAC301 /findings/0"}, []string{"against"}},
		{"no location and no such class", "fail", []string{`{"class": "none", "severity": "blocking", "message": "m", ` + patch + `}`},
			[]string{"AAC604 /verdict", "AAC301 /findings/0", "AAC604 /findings/0/remedy", "AAC602 /findings/0/remedy/type"}, []string{"extension"}},
		{"no location of a note", "pass", []string{`{"class": "weight", "severity": "advisory", "message": "m"}`}, nil, []string{"advisory"}},
		{"an unknown severity", "pass", []string{finding("weight", "high", "heavy", patch)},
			[]string{"AAC301 /findings/0/severity"}, []string{"against"}},
		{"an unknown severity may block", "fail", []string{finding("weight", "high", "heavy", patch)},
			[]string{"AAC301 /findings/0/severity"}, []string{"against"}},
		{"an unknown severity makes no extension round", "fail", []string{finding("weight", "high", "feather", patch)},
			[]string{"AAC301 /findings/0/severity"}, []string{"extension"}},
		{"an unknown check", "fail", []string{finding("weight", "blocking", "heavy", `"check": {"type": "shell", "run": "x"}`, patch)},
			[]string{"AAC301 /findings/0/check/type"}, []string{"against"}},
		{"no remedy", "escalate", []string{finding("weight", "blocking", "feather")},
			[]string{"AAC301 /findings/0"}, []string{"extension"}},
		{"a delegate to nobody", "fail", []string{finding("weight", "blocking", "feather", `"remedy": {"type": "delegate"}`)},
			[]string{"AAC604 /verdict", "AAC301 /findings/0/remedy", "AAC604 /findings/0/remedy"}, []string{"extension"}},
		{"a decision without options", "escalate", []string{finding("weight", "blocking", "feather", `"remedy": {"type": "decide", "options": []}`)},
			[]string{"AAC301 /findings/0/remedy/options"}, []string{"extension"}},
		{"a decision without options at the wrong verdict", "fail", []string{finding("weight", "blocking", "feather", `"remedy": {"type": "decide"}`)},
			[]string{"AAC604 /verdict", "AAC301 /findings/0/remedy"}, []string{"extension"}},
		{"a verdict that is none", "maybe", []string{extension},
			[]string{"AAC301 /verdict", "AAC604 /findings/0/remedy"}, []string{"extension"}},
		{"a finding that is none", "fail", []string{`7`, defect}, []string{"AAC301 /findings/0"}, []string{"", "against"}},
		{"a finding that is none, alone", "fail", []string{`null`}, []string{"AAC301 /findings/0"}, []string{""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, report := parsed(t, stamp(t, parcels, `"extensions": 2`, `"extensions": 1`))
			result := contract.CheckRound(c, report, round(c, tt.verdict, tt.findings...), nil)
			if diff := cmp.Diff(append([]string{}, tt.errors...), codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s\n%+v", diff, result.Report.Errors())
			}
			if diff := cmp.Diff(tt.dispositions, dispositions(result)); diff != "" {
				t.Errorf("dispositions (-want +got):\n%s", diff)
			}
		})
	}
}

// What a round says beside its findings: the revision, the coverage, its shape.
func TestRoundHeads(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels, `"extensions": 2`, `"extensions": 1`))
	classes := `"coverage": {"classes": ["weight", "row", "keyed", "listed", "writer", "tone", "more"]}`
	version := fmt.Sprintf(`"gate": {"version": %q}`, c.Fingerprint)
	tests := []struct {
		name             string
		head             string // members beside agc, verdict and findings
		errors, warnings []string
	}{
		{name: "all said", head: version + "," + classes},
		{name: "no gate", head: classes, warnings: []string{"AAC803 "}},
		{name: "a gate without version", head: `"gate": {"name": "me"},` + classes, warnings: []string{"AAC803 /gate"}},
		{name: "another version", head: `"gate": {"version": "sha256:000000000000"},` + classes, errors: []string{"AAC801 /gate/version"}},
		{name: "an empty version", head: `"gate": {"version": ""},` + classes, errors: []string{"AAC801 /gate/version"}},
		{name: "a version that is no string", head: `"gate": {"version": 1},` + classes, errors: []string{"AAC301 /gate/version"}},
		{name: "a gate that is none", head: `"gate": "me",` + classes, errors: []string{"AAC301 /gate"}},
		{name: "its revision", head: version + `, "revision": 1.0,` + classes},
		{name: "another revision", head: version + `, "revision": 2,` + classes, errors: []string{"AAC801 /revision"}},
		{name: "a revision that is none", head: version + `, "revision": "1",` + classes, errors: []string{"AAC301 /revision"}},
		{name: "no coverage", head: version, warnings: []string{"AAC804 "}},
		{name: "coverage of nothing", head: version + `, "coverage": {}`, warnings: []string{"AAC804 /coverage"}},
		{name: "one class less", head: version + "," + strings.Replace(classes, `"tone", `, "", 1), warnings: []string{"AAC804 /coverage/classes"}},
		{name: "coverage that is none", head: version + `, "coverage": {"classes": "all"}`, errors: []string{"AAC301 /coverage/classes"}},
		{name: "a class that is none", head: version + `, "coverage": {"classes": ["weight", 1]}`, errors: []string{"AAC301 /coverage/classes/1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result := contract.CheckRound(c, report, []byte(`{"agc": "0.1.0", "verdict": "pass", "findings": [], `+tt.head+`}`), nil)
			if diff := cmp.Diff(append([]string{}, tt.errors...), codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append([]string{}, tt.warnings...), codePaths(result.Report.Warnings())); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// A round by another brief reaches no budget, whatever it finds.
func TestStaleRoundCountsNowhere(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels, `"extensions": 2`, `"extensions": 1`))
	text := strings.Replace(string(round(c, "fail", extension)), c.Fingerprint, "sha256:000000000000", 1)
	result := contract.CheckRound(c, report, []byte(text), nil)
	wantCodes(t, result.Report, []string{"AAC801_UNKNOWN_REVISION"}, nil)
	if result.Counts || result.MustEscalate || result.ExtensionsUsed != 0 || !result.ExtensionRound {
		t.Errorf("got %+v", result)
	}
}

func TestRoundThatIsNone(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels))
	for text, want := range map[string]string{
		``: "AAC300_INVALID_JSON", `{"agc"`: "AAC300_INVALID_JSON", `{"a":1,"a":1}`: "AAC300_INVALID_JSON",
		`[]`: "AAC301_SCHEMA", `"pass"`: "AAC301_SCHEMA", `{}`: "AAC301_SCHEMA", `{"agc": "0.1.0", "verdict": "fail"}`: "AAC301_SCHEMA",
		`{"agc": "0.1.0", "verdict": "fail", "findings": {}}`: "AAC301_SCHEMA",
	} {
		result := contract.CheckRound(c, report, []byte(text), nil)
		if diff := cmp.Diff([]string{want}, codes(result.Report.Errors())); diff != "" {
			t.Errorf("%s: errors (-want +got):\n%s", text, diff)
		}
	}
}

// Nothing can be judged by a contract that is not valid, so nothing else is said.
func TestRoundOnInvalidContract(t *testing.T) {
	c, report := contract.ParseContract([]byte(strings.ReplaceAll(parcels, "ROWS", "sha256:0")))
	result := contract.CheckRound(c, report, []byte(`{`), nil)
	if got := len(result.Report.Errors()); got < 4 || got != len(report.Errors()) {
		t.Errorf("%d errors, of the contract's %d", got, len(report.Errors()))
	}
	for _, p := range result.Report.Errors() {
		if !strings.HasPrefix(p.Path, "/contract/") {
			t.Errorf("%s at %q, which is not under /contract", p.Code, p.Path)
		}
	}
	if len(result.Report.Warnings()) > 0 || len(result.Findings) > 0 {
		t.Errorf("got warnings %v and findings %v", result.Report.Warnings(), result.Findings)
	}
}

// Warnings of a valid contract are its own affair.
func TestContractWarningsAreNotRepeated(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels, "The listed weights", "All listed weights"))
	if !report.Has(contract.UniversalWord) {
		t.Fatal("the test's contract has no warning")
	}
	wantCodes(t, contract.CheckRound(c, report, round(c, "pass"), nil).Report, nil, nil)
}

// Problems come in the order of the document, each with words for it.
func TestRoundReportOrder(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels, `"extensions": 2`, `"extensions": 1`))
	text := fmt.Sprintf(`{"findings": [%s, %s, {}], "coverage": {"classes": []}, "verdict": "pass", "gate": {"version": %q}, "agc": 1}`,
		finding("weight", "blocking", "heavy", patch), finding("weight", "blocking", "feather", patch), c.Fingerprint)
	result := contract.CheckRound(c, report, []byte(text), nil)
	want := []string{"AAC601 /findings/0", "AAC602 /findings/1/remedy/type", "AAC301 /findings/2",
		"AAC301 /findings/2", "AAC301 /findings/2", "AAC604 /verdict", "AAC607 /verdict", "AAC301 /agc"}
	if diff := cmp.Diff(want, codePaths(result.Report.Errors())); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	for _, p := range append(result.Report.Errors(), result.Report.Warnings()...) {
		if p.Message == "" || p.Fix == "" {
			t.Errorf("%s at %s has message %q and fix %q", p.Code, p.Path, p.Message, p.Fix)
		}
	}
}
