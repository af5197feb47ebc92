package agentready

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// full is an export with every member set to something else than its zero value.
func full() *Export {
	counts := RiskCounts{Critical: 1, High: 1, Medium: 2, Low: 3}
	at := Location{Pointer: "/paths/~1jobs/post", File: "parts/jobs.yaml", Line: 12, Column: 5}
	return &Export{
		AgentreadyVersion: Version, SourceType: "openapi", SourceName: "jobs.yaml",
		GeneratedAt: "2026-01-02T03:04:05.000Z", Score: 77, Status: "Minor fixes", RiskCounts: counts,
		Tools: []Tool{{
			ID: "stopJob", Name: "stopJob", Method: "POST", Path: "/jobs/{id}/stop", ActionType: "CANCEL",
			Severity: Critical, DetectedRisks: []string{"irreversible_action"},
			RuleCodes: []string{"AR006_MISSING_DRY_RUN_OR_PREVIEW"},
			DetectedRules: []Rule{{
				RuleCode: "AR006_MISSING_DRY_RUN_OR_PREVIEW", FindingCode: "irreversible_action", Severity: High,
				Category: "dangerous_actions", Recommendation: "Offer a <preview> & an undo.", Explanation: "No way back.",
				Evidence: []Evidence{{Location: at, Text: "Stops the job."}}, MoreEvidence: 5, Waived: true,
				Waiver: &RuleWaiver{Reason: "Jobs start again by themselves.", Expires: "2026-12-31"}, Baseline: BaselineKnown,
			}},
			Recommendations: []string{"Ask first."},
			OperationID:     "stopJob", RiskLevel: Critical, AgentRecommendation: "Ask first.",
			RequiresHumanConfirmation: true, AllowedWhen: []string{"a person agreed"},
			ForbiddenWhen: []string{"the job is shared"}, FailureModes: []string{"the job ends halfway"},
			Score: 77, Tokens: 40, Definition: "sha256:0123456789ab", Location: at, Incomplete: []string{"one reference"},
		}},
		Source: Source{Type: "openapi", Filename: "jobs.yaml"},
		Summary: Summary{
			Score: 77, Status: "Minor fixes", Interpretation: "Nearly there.", OperationCount: 1, RiskCounts: counts,
		},
		Ruleset: Ruleset, GateScore: 83, Tokens: 40, Notes: []string{"a note"}, Partial: true,
		Policy: &PolicyUse{
			File: "api/.plumbline.yaml", Rules: map[string]Severity{"missing_enum": Off},
			Waivers: []Waiver{{
				Rule: "irreversible_action", Tool: "stop*", Reason: "Jobs start again by themselves.", Expires: "2026-12-31",
				Definition: "sha256:0123456789ab", Line: 7, State: WaiverApplied, Findings: 1,
			}},
		},
		Baseline: &Comparison{
			Ruleset: Ruleset, Score: 70, GateScore: 71, New: 1, Known: 2,
			Fixed: []FixedFinding{{"startJob", "AR005_SENSITIVE_DATA_EXPOSURE", "sensitive_data_exposure", High, true}},
		},
	}
}

func written(t *testing.T, exports ...*Export) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, exports...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func validate(t *testing.T, document string) error {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	if err := compiler.AddResource("agentready.json", bytes.NewReader(Schema())); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("agentready.json")
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(v)
}

func TestWhatIsWrittenIsValidAndReadsBackTheSame(t *testing.T) {
	empty := &Export{
		AgentreadyVersion: Version, SourceType: "mcp", SourceName: "none", GeneratedAt: "2026-01-02T03:04:05.000Z",
		Score: 100, GateScore: 100, Status: "AgentReady", Ruleset: Ruleset,
		Source:  Source{Type: "mcp", ServerName: "none"},
		Summary: Summary{Score: 100, Status: "AgentReady"},
	}
	for name, e := range map[string]*Export{"full": full(), "empty": empty} {
		text := written(t, e)
		if err := validate(t, text); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
		back, err := Read([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(text, written(t, back)); d != "" {
			t.Errorf("%s changed on the way (-before +after):\n%s", name, d)
		}
		if strings.Contains(text, "null") {
			t.Errorf("%s holds a null:\n%s", name, text)
		}
	}
}

func TestWriteForm(t *testing.T) {
	text := written(t, full())
	for _, want := range []string{
		"{\n  \"agentready_version\": \"0.1\",\n  \"source_type\": \"openapi\",\n",
		"Offer a <preview> & an undo.",
		": true\n      }\n    ]\n  }\n}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
	if several := written(t, full(), full()); !strings.HasPrefix(several, "[\n  {\n    \"agentready_version\"") {
		t.Errorf("several exports are not an array:\n%s", several)
	}
	if none := written(t); none != "[]\n" {
		t.Errorf("no exports are %q, want an empty array", none)
	}
}

func TestWriteEscapesWhatIsUnseen(t *testing.T) {
	e := full()
	e.SourceName = "a\x1b\x7f\u009b\u202e\u200b\u2028\u3164\ufe0f\U000e0041 ö🙂\n"
	text := written(t, e)
	if want := `"source_name": "a\u001b\u007f\u009b\u202e\u200b\u2028\u3164\ufe0f\udb40\udc41 ö🙂\n"`; !strings.Contains(text, want) {
		t.Errorf("the output lacks %s:\n%s", want, text)
	}
	back, err := Read([]byte(text))
	if err != nil || back.SourceName != e.SourceName {
		t.Errorf("read back: %v, %q", err, back.SourceName)
	}
}

func TestWriteKeepsTheCanonicalOrder(t *testing.T) {
	text := written(t, full())
	at := 0
	for _, name := range []string{
		"agentready_version", "source_type", "source_name", "generated_at", "score", "status", "risk_counts",
		"tools", "id", "name", "method", "path", "action_type", "severity", "detected_risks", "rule_codes",
		"detected_rules", "rule_code", "finding_code", "severity", "category", "recommendation",
		"recommendations", "operation_id",
	} {
		next := strings.Index(text[at:], strconv.Quote(name)+":")
		if next < 0 {
			t.Fatalf("%s does not follow in canonical order", name)
		}
		at += next
	}
}

// Every member that is written must be known to the schema, or a typing error in
// it would go unnoticed.
func TestSchemaKnowsEveryMember(t *testing.T) {
	closed := strings.ReplaceAll(string(Schema()), `"properties": {`, `"additionalProperties": false, "properties": {`)
	closed = strings.ReplaceAll(closed, `"additionalProperties": false, "additionalProperties": false,`, `"additionalProperties": false,`)
	compiled, err := jsonschema.CompileString("closed.json", closed)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(written(t, full())), &v); err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(v); err != nil {
		t.Errorf("%#v", err)
	}
}

func TestSchemaRefuses(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"another version", `"agentready_version": "0.1"`, `"agentready_version": "9"`},
		{"unknown source type", `"source_type": "openapi"`, `"source_type": "graphql"`},
		{"no source name", `"source_name"`, `"name_of_source"`},
		{"a date without time", `2026-01-02T03:04:05.000Z`, `2026-01-02`},
		{"an impossible date", `2026-01-02T03:04:05.000Z`, `2026-13-42T03:04:05.000Z`},
		{"a local time", `2026-01-02T03:04:05.000Z`, `2026-01-02T03:04:05.000+02:00`},
		{"score above 100", `"score": 77`, `"score": 101`},
		{"unknown status", `"status": "Minor fixes"`, `"status": "Fine"`},
		{"negative count", `"critical": 1`, `"critical": -1`},
		{"count missing", `"low": 3`, `"lowest": 3`},
		{"unknown action type", `"CANCEL"`, `"STOP"`},
		{"unknown severity", `"severity": "high"`, `"severity": "severe"`},
		{"unknown category", `"dangerous_actions"`, `"danger"`},
		{"malformed rule code", `"rule_code": "AR006_MISSING_DRY_RUN_OR_PREVIEW"`, `"rule_code": "AR6"`},
		{"no recommendations", `"recommendations"`, `"advice"`},
		{"null list", `"incomplete": [`, `"incomplete": null, "x": [`},
		{"line as text", `"line": 12`, `"line": "12"`},
		{"evidence without text", `"text": "Stops the job."`, `"t": ""`},
	}
	valid := written(t, full())
	for _, test := range tests {
		document := strings.Replace(valid, test.old, test.new, 1)
		if document == valid {
			t.Fatalf("%s: the export does not hold %s", test.name, test.old)
		}
		if validate(t, document) == nil {
			t.Errorf("%s is accepted", test.name)
		}
	}
}

// The wire types are for any caller: they must not pull the scanner in.
func TestImportsNothingButTheStandardLibrary(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files to check: %v", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if strings.Contains(i.Path.Value, ".") {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
