package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// longer are the lines that may be longer than the terminal is wide.
var longer = map[string]*regexp.Regexp{
	"the closing verdict, which logs are searched for":                 regexp.MustCompile(`^(PASS|FAIL) \S+: score `),
	"a finding's head, whose place and code editors and eyes look for": regexp.MustCompile(`^    \S+: (critical|high|medium|low) AR\d{3} \S+( \((waived|new|known)\))*$`),
	"one word, which is never broken":                                  regexp.MustCompile(`^ *(\| |- |Fix: )?\S+$`),
}

// wide is an item with a text of many characters, some of several bytes, everywhere.
func wide() Item {
	long := strings.Repeat("schöne lange Wörter ", 10)
	i := failing()
	tool := parcel(long, 40, 12, 2)
	tool.Path, tool.Incomplete = "/"+strings.Repeat("ü/", 30), []string{long}
	tool.DetectedRules[0].FindingCode = "dangerous_action_without_confirmation"
	tool.DetectedRules[1].Evidence[0].Text = long
	i.Export.Tools = append([]agentready.Tool{tool}, i.Export.Tools...)
	i.Export.Notes = append(i.Export.Notes, long)
	return i
}

func TestTextFitsTheWidth(t *testing.T) {
	for _, width := range []int{48, 80, 100, 120} {
		for _, colored := range []bool{false, true} {
			text := shown(t, "text", Options{Width: width, Color: colored, AllHint: "--all"}, wide(), failing(), passing())
			text = regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(text, "")
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if utf8.RuneCountInString(line) > width && !mayBeLonger(line) {
					t.Errorf("width %d, colours %v: %d characters: %s", width, colored, utf8.RuneCountInString(line), line)
				}
			}
		}
	}
}

func mayBeLonger(line string) bool {
	for _, form := range longer {
		if form.MatchString(line) {
			return true
		}
	}
	return false
}

// Where a finding rests on the tool as a whole, or on the one place that its head
// names, that is not said again.
func TestEvidenceDoesNotRepeatTheHead(t *testing.T) {
	tool := parcel("dropParcel", 61, 38, 1)
	finding := &tool.DetectedRules[0]
	tests := []struct {
		name     string
		evidence []agentready.Evidence
		want     []string
	}{
		{"none", nil, nil},
		{"the tool", []agentready.Evidence{{Location: tool.Location, Text: "DELETE /parcels/{id}"}}, nil},
		{"one place", []agentready.Evidence{{Location: at(40), Text: "Removes."}}, []string{`| "Removes."`}},
		{"one place without text", []agentready.Evidence{{Location: at(40)}}, nil},
		{"one place without a line", []agentready.Evidence{{Location: agentready.Location{Pointer: "/info"}, Text: "x"}}, []string{`| /info "x"`}},
		{"two places", []agentready.Evidence{{Location: tool.Location, Text: "a"}, {Location: at(41), Text: "b"}}, []string{`| 38:5 "a"`, `| 41:5 "b"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			finding.Evidence = test.evidence
			var got []string
			for line := range strings.Lines(shown(t, "text", Options{}, item(tool))) {
				if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
					got = append(got, line)
				}
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("the evidence is %q, want %q", got, test.want)
			}
		})
	}
}
