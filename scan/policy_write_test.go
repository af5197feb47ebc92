package scan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

var sample = agentready.Waiver{
	Rule: "AR007_OVERBROAD_TOOL_SCOPE", Tool: "send*", Reason: "Only: the team's own \"box\"", Expires: "2026-12-31", Definition: "sha256:0123456789ab",
}

const sampleText = `- rule: AR007_OVERBROAD_TOOL_SCOPE
  tool: send*
  reason: 'Only: the team''s own "box"'
  expires: "2026-12-31"
  definition: sha256:0123456789ab
`

const flowSample = `  - {rule: AR007_OVERBROAD_TOOL_SCOPE, tool: send*, reason: 'Only: the team''s own
      "box"', expires: "2026-12-31", definition: 'sha256:0123456789ab'}
`

// indented is the sample with so many spaces before each line.
func indentedSample(n int) string {
	return strings.ReplaceAll(strings.Repeat(" ", n)+strings.TrimSuffix(sampleText, "\n"), "\n", "\n"+strings.Repeat(" ", n)) + "\n"
}

func TestAddWaiver(t *testing.T) {
	const old = "- rule: AR001\n    tool: x\n    reason: |\n      # no comment\n      but a reason\n"
	tests := []struct{ name, before, after string }{
		{"no file", "", policyHead + "\nwaivers:\n" + indentedSample(2)},
		{"no waivers", "# ours\nmin_score: 80 # high\n", "# ours\nmin_score: 80 # high\n\nwaivers:\n" + indentedSample(2)},
		{"no line end", "min_score: 80\nfail_on: low", "min_score: 80\nfail_on: low\n\nwaivers:\n" + indentedSample(2)},
		{"after the last", "waivers:\n  " + old, "waivers:\n  " + old + indentedSample(2)},
		{"before the next key", "waivers: # ours\n  " + old + "  # beside\n\n# next\nmin_score: 80\n",
			"waivers: # ours\n  " + old + "  # beside\n" + indentedSample(2) + "\n# next\nmin_score: 80\n"},
		{"at the margin", "waivers:\n- {rule: AR001, tool: x, reason: y}\n# next\nmin_score: 80\n",
			"waivers:\n- {rule: AR001, tool: x, reason: y}\n" + indentedSample(0) + "# next\nmin_score: 80\n"},
		{"an empty key", "waivers:\n# next\nmin_score: 80\n", "waivers:\n" + indentedSample(2) + "# next\nmin_score: 80\n"},
		{"Windows lines", "min_score: 80\r\n", strings.ReplaceAll("min_score: 80\n\nwaivers:\n"+indentedSample(2), "\n", "\r\n")},
		{"brackets", "# ours\nwaivers: [] # none\nmin_score: 80\n", "# ours\nwaivers: # none\n" + indentedSample(2) + "min_score: 80\n"},
		{"behind a mark", "---\nmin_score: 80\n", "---\nmin_score: 80\n\nwaivers:\n" + indentedSample(2)},
		{"brackets behind a mark", "---\n# ours\nwaivers: []\n", "---\n# ours\nwaivers:\n" + indentedSample(2)},
		{"a comment before the mark", "# ours\n--- # begins\nwaivers: []\n", "---\n# ours\n# begins\nwaivers:\n" + indentedSample(2)},
		{"braces behind a mark", "\ufeff--- {min_score: 80}\n", "---\nmin_score: 80\nwaivers:\n" + indentedSample(2)},
		{"renewed in brackets", "---\nwaivers: [{rule: AR007, tool: send*, reason: old}] # all\n", "---\nwaivers: # all\n" + flowSample},
		{"renewed", "# ours\nwaivers:\n  # why\n  - tool: send* # all\n    rule: AR007\n    reason: old\nmin_score: 80\n",
			"# ours\nwaivers:\n  # why\n  - tool: send* # all\n    rule: AR007_OVERBROAD_TOOL_SCOPE\n    reason: 'Only: the team''s own \"box\"'\n" +
				"    expires: \"2026-12-31\"\n    definition: sha256:0123456789ab\nmin_score: 80\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AddWaiver([]byte(tt.before), sample)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.after, string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			policy, err := ReadPolicy(got)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, w := range policy.Waivers {
				w.Line = 0
				found = found || w == sample
			}
			if !found {
				t.Errorf("the waiver does not read back: %+v", policy.Waivers)
			}
		})
	}
}

// What is written as JSON may be read by a program that knows nothing else: no waiver makes
// YAML of it.
func TestAddWaiverLeavesJSONAlone(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"min_score": 60}`, "\ufeff\n{\"min_score\": 60,\n \"waivers\": [{\"rule\": \"AR007\", \"tool\": \"send*\", \"reason\": \"y\"}]}\n",
	} {
		if _, err := ReadPolicy([]byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := AddWaiver([]byte(text), sample)
		if err == nil || !strings.Contains(err.Error(), "JSON") || !strings.Contains(err.Error(), "as YAML") {
			t.Errorf("%s became %s, with the error %v", text, got, err)
		}
	}
}

func TestAddWaiverLeavesABrokenFileAlone(t *testing.T) {
	if _, err := AddWaiver([]byte("waivers: 3\n"), sample); err == nil {
		t.Error("a waiver was added to a file that cannot be read")
	}
}
