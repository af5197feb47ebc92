package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

var update = flag.Bool("update", false, "write the golden files anew")

func at(line int) agentready.Location {
	return agentready.Location{Pointer: fmt.Sprintf("/lines/%d", line), Line: line, Column: 5}
}

func rules(n int) []agentready.Rule {
	all := []agentready.Rule{
		{
			RuleCode: "AR002_MISSING_CONFIRMATION_BOUNDARY", FindingCode: "missing_human_confirmation_flow",
			Severity: agentready.Critical, Category: "dangerous_actions",
			Explanation:    "Nothing makes an agent ask a person before it does this, so one misread request is enough to lose data.",
			Recommendation: "Document the preview, explicit human confirmation step, execution step, and post-action verification.",
			Evidence:       []agentready.Evidence{{Location: at(40), Text: "Removes the parcels."}},
		},
		{
			RuleCode: "AR001_UNBOUNDED_WRITE_ACTION", FindingCode: "unbounded_parameter",
			Severity: agentready.High, Category: "strict_parameters",
			Explanation:    "A number without bounds lets an agent pass any amount.",
			Recommendation: "Add minimum and maximum values.",
			Evidence: []agentready.Evidence{
				{Location: at(51), Text: "weight_max"}, {Location: at(52), Text: "count"},
				{Location: agentready.Location{Pointer: "/size", File: "parts/size.yaml", Line: 3, Column: 1}, Text: "size"},
				{Location: at(54), Text: "depth_max"},
			},
			MoreEvidence: 40,
		},
		{
			RuleCode: "AR101_HIDDEN_INSTRUCTIONS", FindingCode: "hidden_instructions",
			Severity: agentready.Critical, Category: "agent_descriptions", Waived: true,
			Recommendation: "Remove the hidden text.",
			Evidence:       []agentready.Evidence{{Location: agentready.Location{Pointer: "/info"}}},
		},
	}
	return all[:n]
}

func parcel(id string, score, line, findings int) agentready.Tool {
	return agentready.Tool{
		ID: id, Name: id, Method: "DELETE", Path: "/parcels/{id}", ActionType: "DELETE",
		Severity: agentready.Critical, Score: score, DetectedRules: rules(findings), Location: at(line),
	}
}

func item(tools ...agentready.Tool) Item {
	e := &agentready.Export{
		AgentreadyVersion: agentready.Version, SourceType: "openapi", SourceName: "parcels.yaml",
		GeneratedAt: "2026-01-02T03:04:05.000Z", Score: 58, GateScore: 58, Status: "Needs fixes",
		RiskCounts: agentready.RiskCounts{Critical: 3, High: 2}, Tools: tools,
	}
	return Item{File: "api/parcels.yaml", Path: "services/api/parcels.yaml", Dir: "services/api", Export: e, Policy: agentready.Recommended, Verdict: agentready.Recommended.Decide(e)}
}

func failing() Item {
	whole := parcel("getParcel", 100, 90, 0)
	broken := parcel("moveParcel", 92, 80, 0)
	broken.Incomplete = []string{"the reference #/components/schemas/Gone leads nowhere; add the schema or correct the reference"}
	i := item(whole, parcel("dropParcel", 61, 38, 3), parcel("dropParcels", 67, 60, 2), parcel("markParcel", 90, 70, 1), broken)
	i.Export.Notes = []string{"line 7, column 3: the reference to https://example.com/a.yaml was not followed; nothing is fetched"}
	i.Export.GateScore, i.Export.Partial = 70, true
	i.Verdict = i.Policy.Decide(i.Export)
	return i
}

func passing() Item {
	i := item(parcel("getParcel", 100, 4, 0))
	i.Export.Score, i.Export.GateScore, i.Export.Status = 100, 100, "AgentReady"
	i.Export.SourceType, i.Export.RiskCounts = "mcp", agentready.RiskCounts{}
	i.File, i.Path, i.Verdict = "tools.json", "services/tools.json", agentready.Recommended.Decide(i.Export)
	return i
}

// unread are files beside the items that could not be scanned.
var unread = []string{"api/gone.yaml: no such file: check the path"}

// catalogue holds a rule that has findings here and one that has none.
var catalogue = []agentready.RuleInfo{
	{
		Finding: "unbounded_parameter", Code: "AR001_UNBOUNDED_WRITE_ACTION", Severity: agentready.High,
		Category: "strict_parameters", Applies: "both", Explanation: "A number without bounds lets an agent pass any amount.",
		Recommendation: "Add minimum and maximum values.", Before: "type: integer\n", After: "type: integer\nmaximum: 10\n",
	},
	{
		Finding: "mcp_missing_output_schema", Code: "AR009_UNCLEAR_AGENT_INSTRUCTIONS", Severity: agentready.Medium,
		Category: "agent_readable_responses", Applies: "mcp", Explanation: "Without an output schema an agent guesses.",
		Recommendation: "Add an outputSchema.",
	},
}

func shown(t *testing.T, format string, opts Options, items ...Item) string {
	t.Helper()
	f, err := Find(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, items, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestViews(t *testing.T) {
	tests := []struct {
		name, format string
		opts         Options
		items        []Item
	}{
		{"fail.txt", "text", Options{AllHint: "--all"}, []Item{failing()}},
		{"fail_all.txt", "text", Options{All: true, Width: 120}, []Item{failing()}},
		{"narrow.txt", "text", Options{Width: 48}, []Item{failing()}},
		{"pass.txt", "text", Options{}, []Item{passing()}},
		{"several.txt", "text", Options{}, []Item{passing(), passing()}},
		{"color.txt", "text", Options{Color: true}, []Item{failing()}},
		{"one.json", "json", Options{Color: true}, []Item{passing()}},
		{"several.json", "json", Options{}, []Item{passing(), failing()}},
		{"several.sarif", "sarif", Options{Rules: catalogue, Version: "1.2.3", Unread: unread}, []Item{passing(), failing()}},
		{"several.github", "github", Options{Unread: unread}, []Item{passing(), failing()}},
		{"several.xml", "junit", Options{Unread: unread}, []Item{passing(), failing()}},
		{"fail.md", "markdown", Options{}, []Item{failing()}},
		{"policy.txt", "text", Options{}, []Item{governed()}},
		{"policy.md", "markdown", Options{}, []Item{governed()}},
		{"policy.sarif", "sarif", Options{}, []Item{governed()}},
		{"policy.github", "github", Options{}, []Item{governed()}},
		{"policy.xml", "junit", Options{}, []Item{governed()}},
		{"several.md", "markdown", Options{Unread: unread}, []Item{passing(), failing()}},
		{"nothing.md", "markdown", Options{Unread: unread}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := shown(t, test.format, test.opts, test.items...)
			golden := filepath.Join("testdata", test.name)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (make it with: go test ./scan/report -update)", err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("(-want +got; after a wanted change: go test ./scan/report -update)\n%s", d)
			}
		})
	}
}

func TestColorsChangeNothingElse(t *testing.T) {
	plain := shown(t, "text", Options{}, failing())
	if strings.Contains(plain, "\x1b") {
		t.Error("there are colours without Color")
	}
	colored := shown(t, "text", Options{Color: true}, failing())
	for _, code := range []string{"1;31", "31", "32", "33", "34", "1", "2", "0"} {
		colored = strings.ReplaceAll(colored, "\x1b["+code+"m", "")
	}
	if d := cmp.Diff(plain, colored); d != "" {
		t.Errorf("(-plain +coloured):\n%s", d)
	}
}

func TestFindUnknownFormat(t *testing.T) {
	_, err := Find("txt")
	if err == nil || !strings.Contains(err.Error(), `"txt": use text, json`) {
		t.Errorf("error is %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestEveryFormatReportsThatItCouldNotWrite(t *testing.T) {
	for _, f := range Formats {
		if err := f.Write(brokenPipe{}, []Item{failing()}, Options{}); err == nil {
			t.Errorf("%s hides the error", f.Name)
		}
	}
}

// Of hidden instructions there is a place, and no text that a view could repeat.
func TestHiddenInstructionsAreAPlaceAlone(t *testing.T) {
	i := item(parcel("dropParcel", 61, 38, 3))
	tool := &i.Export.Tools[0]
	tool.DetectedRules = tool.DetectedRules[2:]
	tool.DetectedRules[0].Evidence = []agentready.Evidence{{Location: at(41)}, {Location: at(42)}}
	for _, f := range Formats {
		text := shown(t, f.Name, Options{Rules: catalogue}, i)
		if !strings.Contains(text, "41") || strings.Contains(text, "Seen in") {
			t.Errorf("%s shows:\n%s", f.Name, text)
		}
	}
}
