package report

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text", "Löscht alle Konten — 100 % 口座 🙂", "Löscht alle Konten — 100 % 口座 🙂"},
		{"line breaks", "a\r\nb\tc", `a\r\nb\tc`},
		{"terminal escape", "\x1b[2J\x07\u009b31m", `\x1b[2J\x07\x9b31m`},
		{"direction", "a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"zero width", "a\u200bb\ufeffc", `a\u200bb\ufeffc`},
		{"tags", "a\U000e0041", `a\U000e0041`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"fillers", "a\u3164\u115f", `a\u3164\u115f`},
		{"variation selector", "a\ufe0f\U000e0100", `a\ufe0f\U000e0100`},
		{"no-break space", "a\u00a0b", "a b"},
		{"command of a build service", "::error ::x", `:\:error :\:x`},
		{"command after a no-break space", "a\u00a0::x", `a :\:x`},
		{"names", "std::string, 10:30", "std::string, 10:30"},
		{"older commands", "x ##[error]y ##vso[z] ###", `x #\#[error]y #\#vso[z] #\#\#`},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Escape(test.in); got != test.want {
				t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

// hostile is what a document may hold in each text that it has.
const hostile = "\x1b]0;owned\x07\x1b[2J\r\nPASS all good\n::error file=x::owned\n##[error]y ::set-output name=x::y" +
	" ![i](http://x/y.png) <script>alert(1)</script> \u202egnp\u200b\u2028\U000e0041\u009b31m `code` ::stop"

func hostileItem() Item {
	place := agentready.Location{Pointer: "/" + hostile, File: hostile, Line: 3, Column: 4}
	t := agentready.Tool{
		ID: hostile, Name: hostile, Method: hostile, Path: hostile, ActionType: hostile, Severity: agentready.Critical,
		Incomplete: []string{hostile}, Location: place,
		DetectedRules: []agentready.Rule{{
			RuleCode: hostile, FindingCode: hostile, Severity: agentready.Severity(hostile), Category: hostile,
			Recommendation: hostile, Explanation: hostile,
			Evidence: []agentready.Evidence{{Location: place, Text: hostile}, {Location: agentready.Location{Pointer: hostile}}},
		}},
	}
	i := item(t)
	i.File, i.Export.Notes, i.Export.Status = hostile, []string{hostile}, hostile
	i.Export.SourceType, i.Export.SourceName = hostile, hostile
	return i
}

func TestHostileDocumentCannotForgeTerminalText(t *testing.T) {
	i := hostileItem()
	for _, width := range []int{1, 40, 80, 1000} {
		text := shown(t, "text", Options{Width: width}, i) + i.Line() + "\n"
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Fatalf("width %d: %U comes through", width, r)
			}
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "::") || strings.Contains(line, "##") {
				t.Errorf("width %d: a build service would obey %q", width, line)
			}
			if strings.HasPrefix(line, "PASS") {
				t.Errorf("width %d: a verdict is forged: %q", width, line)
			}
		}
	}
}

func TestHostileDocumentStaysInsideJSON(t *testing.T) {
	text := shown(t, "json", Options{}, hostileItem())
	if strings.ContainsRune(text, 0x1b) {
		t.Error("a terminal escape comes through")
	}
	var e agentready.Export
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	if e.Tools[0].ID != hostile {
		t.Errorf("the id is %q, want it unchanged", e.Tools[0].ID)
	}
}
