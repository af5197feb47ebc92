package report

import (
	"fmt"
	"strings"
	"testing"
)

// large is an item with many tools and many rules with long texts.
func large() Item {
	i := failing()
	for n := range 3000 {
		tool := parcel(fmt.Sprintf("dropParcel%d", n), 60, n+1, 3)
		for r := range tool.DetectedRules {
			rule := &tool.DetectedRules[r]
			rule.FindingCode = fmt.Sprintf("%s_%d", rule.FindingCode, n%40)
			rule.Explanation = strings.Repeat("Schön ist das nicht. ", 40)
		}
		i.Export.Tools = append(i.Export.Tools, tool)
	}
	return i
}

// GitHub refuses a comment that is too long, so it is cut between blocks and says so.
func TestMarkdownFitsIntoAComment(t *testing.T) {
	many := make([]Item, 500)
	for n := range many {
		many[n] = failing()
	}
	for name, items := range map[string][]Item{"large": {large()}, "many": many} {
		for _, opts := range []Options{{}, {All: true}, {MaxBytes: 5000}, {All: true, MaxBytes: 1 << 20}} {
			text := shown(t, "markdown", opts, items...)
			limit := opts.MaxBytes
			if limit == 0 {
				limit = MaxComment
			}
			if len(text) > limit {
				t.Errorf("%s, %+v: %d bytes, more than %d", name, opts, len(text), limit)
			}
			if len(text) < limit/2 {
				t.Errorf("%s, %+v: %d bytes of %d that there are", name, opts, len(text), limit)
			}
			if !strings.HasPrefix(text, "## ❌") || opts.MaxBytes != 1<<20 && !strings.Contains(text, "**Left out**") {
				t.Errorf("%s, %+v: the verdict, or what is left out, is missing", name, opts)
			}
			if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
				t.Errorf("%s, %+v: a rule is cut in the middle", name, opts)
			}
		}
	}
}

// A comment about files of which some could not be scanned does not look like a pass.
func TestMarkdownSaysWhatWasNotScanned(t *testing.T) {
	text := shown(t, "markdown", Options{Unread: unread}, passing())
	if !strings.HasPrefix(text, "## ⚠️ NOT ALL SCANNED: Plumbline scanned 1 file: 1 PASS, 0 FAIL\n") || !strings.Contains(text, "- `"+unread[0]+"`\n") {
		t.Errorf("it begins %s", text[:min(len(text), 400)])
	}
}
