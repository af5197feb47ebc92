package agentready

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadCanonicalFields(t *testing.T) {
	e, err := Read(fixture(t, "canonical.json"))
	if err != nil {
		t.Fatal(err)
	}
	if e.SourceName != "payouts.yaml" || e.Score != 61 || e.GateScore != 61 || e.RiskCounts.High != 2 {
		t.Errorf("root: %+v", e)
	}
	stop := e.Tools[1]
	if stop.OperationID != "cancelPayout" || stop.RiskLevel != Critical || stop.Score != 79 {
		t.Errorf("tool: %+v", stop)
	}
	if got := Recommended.Decide(e); got.Verdict != Fail || len(got.Reasons) != 2 {
		t.Errorf("the gate says %+v, want FAIL for the score and for a critical finding", got)
	}
	if err := validate(t, written(t, e)); err != nil {
		t.Errorf("written anew it is not valid: %#v", err)
	}
}

func TestReadCompatibilityFields(t *testing.T) {
	e, err := Read(fixture(t, "compatibility.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := Export{
		AgentreadyVersion: "0.0.7-preview", SourceType: "mcp", SourceName: "parcel-desk", Score: 57,
		Status: "Needs fixes", RiskCounts: RiskCounts{Critical: 1, High: 1},
	}
	got := *e
	got.GeneratedAt, got.Tools, got.Source, got.Summary, got.GateScore, got.Notes = "", nil, Source{}, Summary{}, 0, nil
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("root (-want +got):\n%s", d)
	}
	drop := e.Tools[0]
	if drop.ID != "drop_parcel" || drop.Name != "drop_parcel" || drop.Severity != Critical {
		t.Errorf("tool: %+v", drop)
	}
	if d := cmp.Diff([]string{"Keep a person in charge of parcels."}, drop.Recommendations); d != "" {
		t.Errorf("recommendations (-want +got):\n%s", d)
	}
	if drop.DetectedRules[0].FindingCode != "dangerous_action_without_confirmation" {
		t.Errorf("finding: %+v", drop.DetectedRules[0])
	}
}

const oldTool = `{"operation_id": "wipe", "method": "POST", "path": "/wipe", "action_type": "DELETE",
	"risk_level": "critical", "agent_recommendation": "Ask.", "detected_risks": ["overbroad_permission"]}`

func oldExport(tool string) string {
	return `{"agentready_version": "0.0", "source_type": "openapi", "source": {"filename": "a.json"},
		"generated_at": "2025-01-01T00:00:00Z", "summary": {"score": 80.5, "status": "Minor fixes",
		"risk_counts": {"critical": 1}}, "tools": [` + tool + `]}`
}

func TestReadRisksWithoutDetailsFailTheGateTheyMayHaveFailed(t *testing.T) {
	e, err := Read([]byte(oldExport(oldTool)))
	if err != nil {
		t.Fatal(err)
	}
	if e.Score != 81 {
		t.Errorf("score is %d, want 80.5 rounded half up", e.Score)
	}
	if got := Recommended.Decide(e); got.Verdict != Fail {
		t.Errorf("the gate says %+v, want FAIL", got)
	}
}

func TestReadErrors(t *testing.T) {
	tests := []struct{ name, document, want string }{
		{"nothing", " \n", "it is empty"},
		{"several", "[{}]", "one object at a time"},
		{"text", "score: 3", "not a JSON object"},
		{"cut off", `{"score": 3`, "ends in the middle"},
		{"broken", `{"score" 3}`, "it is not JSON: invalid character '3'"},
		{"two", oldExport(oldTool) + "{}", "something stands after"},
		{"other JSON", `{"openapi": "3.1.0"}`, "no agentready_version, no source_type"},
		{"type", `{"score": "high"}`, "score is a JSON string, want a number"},
		{"list", `{"tools": {}}`, "tools is a JSON object, want an array"},
		{"deep type", `{"tools": [{"severity": 4}]}`, "tools.severity is a JSON number, want a string"},
		{"source type", strings.Replace(oldExport(oldTool), `"openapi"`, `"raml"`, 1), `source_type is "raml"`},
		{"score", strings.Replace(oldExport(oldTool), "80.5", "180", 1), "score is 180, want a number from 0 to 100"},
		{"tool", oldExport(`{"operation_id": "x"}`), "tools[0]: no method, no path, no action_type, no severity"},
		{"severity", oldExport(strings.Replace(oldTool, "critical", "huge", 1)), `tools[0]: severity is "huge"`},
		{"rule severity", oldExport(strings.Replace(oldTool, `"detected_risks"`, `"detected_rules": [{}], "r"`, 1)),
			`tools[0].detected_rules[0]: severity is ""`},
		{"no findings", oldExport(strings.Replace(oldTool, "detected_risks", "risks", 1)), "tools[0]: no detected_rules"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read([]byte(test.document))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
		})
	}
}

func TestParseFailOn(t *testing.T) {
	for _, s := range []string{"critical", "high", "medium", "low", "none"} {
		if got, err := ParseFailOn(s); err != nil || string(got) != s {
			t.Errorf("%s: %q, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "Critical", "severe"} {
		if _, err := ParseFailOn(s); err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

// What is read and written anew is read the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(oldExport(oldTool)))
	f.Add([]byte(`{"score": 1e309}`))
	f.Add([]byte(`{"tools": [null], "summary": null}`))
	for _, name := range []string{"canonical.json", "compatibility.json"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Read(data)
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := Write(&once, e); err != nil {
			t.Fatal(err)
		}
		again, err := Read(once.Bytes())
		if err != nil {
			t.Fatalf("its own output is refused: %v\n%s", err, once.String())
		}
		if err := Write(&twice, again); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(once.String(), twice.String()); d != "" {
			t.Errorf("read twice it differs:\n%s", d)
		}
	})
}
