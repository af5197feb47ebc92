package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// npm is where the packages lie that tests run.
const npm = "../../testdata/npm/node_modules"

// missing ends a test that has not what it runs: in CI it fails, since nothing then held
// the format to another program's reading.
func missing(t *testing.T, err error) {
	t.Helper()
	const bring = "bring what it needs with: npm ci --prefix testdata/npm"
	if os.Getenv("CI") != "" {
		t.Fatalf("%v (%s)", err, bring)
	}
	t.Skipf("%v (%s)", err, bring)
}

// sarifSchema is the schema of SARIF 2.1.0 as Microsoft's package ships it.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file := filepath.Join(npm, "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")
	text, err := os.ReadFile(file)
	if err != nil {
		missing(t, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	if err := compiler.AddResource("sarif.json", strings.NewReader(string(text))); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("sarif.json")
}

// sarifOf is the SARIF log of the items, held against the schema.
func sarifOf(t *testing.T, opts Options, items ...Item) sarifRun {
	t.Helper()
	text := shown(t, "sarif", opts, items...)
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	if err := sarifSchema(t).Validate(value); err != nil {
		t.Errorf("not valid SARIF: %#v", err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}

func TestSARIFIsValid(t *testing.T) {
	outside, stdin, bare := failing(), failing(), item(parcel("getParcel", 100, 0, 1))
	outside.Path, outside.Dir = "/else where/ü#1.yaml", "/else where"
	stdin.File, stdin.Path = "stdin", ""
	bare.Export.Tools[0].DetectedRules[0].Evidence = nil
	tests := map[string]struct {
		item Item
		uri  string
		base string
	}{
		"in the repository": {failing(), "services/api/parcels.yaml", sourceRoot},
		"outside":           {outside, "file:///else%20where/%C3%BC%231.yaml", ""},
		"stdin":             {stdin, "stdin", sourceRoot},
		"no line":           {bare, "services/api/parcels.yaml", sourceRoot},
		"hostile":           {hostileItem(), "", sourceRoot},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			run := sarifOf(t, Options{Rules: catalogue, Version: "1.2.3"}, test.item)
			at := run.Results[0].Locations[0].Physical.Artifact
			if test.uri != "" && at.URI != test.uri || at.Base != test.base {
				t.Errorf("the finding is at %q of %q, want %q of %q", at.URI, at.Base, test.uri, test.base)
			}
		})
	}
	sarifOf(t, Options{}, passing())
}

func TestSARIFPlacesInOtherFiles(t *testing.T) {
	run := sarifOf(t, Options{}, failing())
	for _, r := range run.Results {
		if r.RuleID != "AR001/unbounded_parameter" {
			continue
		}
		for _, l := range r.Related {
			if l.Physical.Artifact.URI == "services/api/parts/size.yaml" && l.Physical.Region.Line == 3 {
				return
			}
		}
	}
	t.Error("the field in parts/size.yaml is not among the related places")
}

// Every result points at the rule that it names, the catalogue's or not, and only what
// is waived is suppressed.
func TestSARIFResults(t *testing.T) {
	run := sarifOf(t, Options{Rules: catalogue}, failing(), passing())
	suppressed := 0
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("%s points at the rule %s", r.RuleID, got)
		}
		if len(r.Suppressions) > 0 {
			suppressed++
			if r.RuleID != "AR101/hidden_instructions" || r.Suppressions[0].Status != "accepted" {
				t.Errorf("%s is suppressed: %+v", r.RuleID, r.Suppressions)
			}
		}
	}
	if suppressed != 1 {
		t.Errorf("%d results are suppressed, want 1", suppressed)
	}
	if got := run.Tool.Driver.Rules[1].ID; got != "AR009/mcp_missing_output_schema" {
		t.Errorf("a rule without findings is not listed: the second is %s", got)
	}
}

// A policy may set another severity than the catalogue's.
func TestSARIFRuleIsAsSevereAsItsFindings(t *testing.T) {
	i := failing()
	i.Export.Tools[1].DetectedRules[1].Severity = agentready.Critical
	for _, r := range sarifOf(t, Options{Rules: catalogue}, i).Tool.Driver.Rules {
		if r.ID == "AR001/unbounded_parameter" && r.Properties.Security != "9.5" {
			t.Errorf("its severity is %s, want 9.5", r.Properties.Security)
		}
	}
}

func TestSARIFFingerprints(t *testing.T) {
	before := sarifOf(t, Options{}, failing()).Results
	moved := failing()
	for i, tool := range moved.Export.Tools {
		tool.Line += 7
		for j := range tool.DetectedRules {
			tool.DetectedRules[j].Evidence = nil
		}
		moved.Export.Tools[i] = tool
	}
	seen := map[string]bool{}
	for i, r := range sarifOf(t, Options{}, moved).Results {
		print := r.Fingerprints["toolAndRule/v1"]
		if print != before[i].Fingerprints["toolAndRule/v1"] {
			t.Errorf("the fingerprint of %s changes when its lines move", r.RuleID)
		}
		if seen[print] {
			t.Errorf("two findings share a fingerprint: %s", r.RuleID)
		}
		seen[print] = true
	}
}

// Findings of several items are told apart, also where those are servers or come from stdin,
// which have no path.
func TestSARIFFingerprintsOfSeveralItems(t *testing.T) {
	items := []Item{failing(), governed()}
	items[1].Path = "services/api/others.yaml"
	for _, name := range []string{"desk", "mail", "stdin"} {
		pathless := failing()
		pathless.File, pathless.Path, pathless.Dir = name, "", ""
		items = append(items, pathless)
	}
	seen := map[string]string{}
	for _, r := range sarifOf(t, Options{}, items...).Results {
		here := r.Locations[0].Physical.Artifact.URI + ": " + r.Locations[0].Logical[0].Name + ": " + r.RuleID
		print := r.Fingerprints["toolAndRule/v1"]
		if other, twice := seen[print]; twice {
			t.Errorf("%s and %s share a fingerprint", other, here)
		}
		seen[print] = here
	}
}

// A file with more results than GitHub takes is refused there: the worst are kept.
func TestSARIFHoldsTheWorstOfTooMany(t *testing.T) {
	low := agentready.Rule{RuleCode: "AR900_SMALL", FindingCode: "small", Severity: agentready.Low}
	many := parcel("getParcel", 90, 3, 0)
	for range sarifResults {
		many.DetectedRules = append(many.DetectedRules, low)
	}
	text := shown(t, "sarif", Options{}, item(many, parcel("dropParcel", 61, 38, 1)))
	if got := strings.Count(text, `"ruleId": `); got != sarifResults {
		t.Errorf("%d results, want %d", got, sarifResults)
	}
	if !strings.Contains(text, `"ruleId": "AR002/missing_human_confirmation_flow"`) {
		t.Error("the critical finding is not among them")
	}
	if !strings.Contains(text, "only the 25000 most severe findings are in this file; 1 more are not") {
		t.Error("nothing says that a finding is left out")
	}
}
