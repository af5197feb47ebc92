package tools

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// texts are what strangers name things: short, long, and what JSON makes longest.
var texts = map[string]string{
	"short":  "name",
	"long":   strings.Repeat("name ", 80),
	"hidden": strings.Repeat("\U000E0041", 400),
	"marks":  strings.Repeat("\x01", 400),
	"quotes": strings.Repeat(`"`, 400),
}

// export makes an export of so many tools, rules a tool and places a rule.
func export(name string, tools, rules, places int) *agentready.Export {
	e := &agentready.Export{SourceName: name, Ruleset: "test"}
	for i := range tools {
		id := fmt.Sprintf("%d %s", i, name)
		t := agentready.Tool{ID: id, Method: "GET", Path: "/" + name, Severity: agentready.Low, Definition: fmt.Sprint(i), Score: 50}
		for r := range rules {
			rule := agentready.Rule{RuleCode: fmt.Sprintf("AR%03d", r), FindingCode: "finding", Severity: agentready.High, Recommendation: strings.Repeat("do ", 50), Explanation: strings.Repeat("as ", 100)}
			rule.Evidence = evidence(name, places)
			t.DetectedRules = append(t.DetectedRules, rule)
			t.RuleCodes = append(t.RuleCodes, rule.RuleCode)
			t.Recommendations = append(t.Recommendations, rule.Recommendation)
		}
		for i := range surface.MaxReasons {
			t.Incomplete = append(t.Incomplete, fmt.Sprintf("%d: cannot read %q", i, name))
		}
		e.Tools = append(e.Tools, t)
		e.Notes = append(e.Notes, name)
	}
	return e
}

func evidence(name string, places int) (all []agentready.Evidence) {
	for range places {
		all = append(all, agentready.Evidence{Location: agentready.Location{Pointer: "/" + name, File: name}, Text: name})
	}
	return all
}

func sizes(yield func(name string, e *agentready.Export) bool) {
	for label, name := range texts {
		for _, n := range [][3]int{{1, 0, 0}, {1, 25, 3}, {1, 25, 200}, {1, 2, 500}, {120, 0, 0}, {30, 25, 1}} {
			if !yield(fmt.Sprintf("%s: %d tools, rules a tool, places a rule", label, n), export(name, n[0], n[1], n[2])) {
				return
			}
		}
		uneven := export(name, 1, 10, 1)
		uneven.Tools[0].DetectedRules[3].Evidence = evidence(name, 400)
		if !yield(label+": one rule of ten has most places", uneven) {
			return
		}
	}
}

func checkSize(t *testing.T, name string, a *scanAnswer) {
	t.Helper()
	text, err := Encode(a)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if n := utf8.RuneCount(text); n > maxText {
		t.Errorf("%s: the answer has %d characters, at most %d", name, n, maxText)
	}
	if strings.Contains(string(text), ":null") {
		t.Errorf("%s: the answer has a null: %.2000s", name, text)
	}
}

// However large the result, the pages show every tool once, each within the size,
// and what a page lacks is counted.
func TestPagesShowAll(t *testing.T) {
	s := scanner{kind: surface.MCP}
	limit := 100.0
	cutPages := 0
	for name, e := range sizes {
		var ids []string
		for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
			a, err := s.answer(e, nil, scanArguments{Limit: &limit, Cursor: cursor})
			if err != nil {
				t.Fatalf("%s: page %d: %v", name, pages, err)
			}
			checkSize(t, name, a)
			want := min(100, len(e.Tools)-len(ids))
			cut := omitted{}
			if a.Omitted != nil {
				cut = *a.Omitted
				cutPages++
			}
			if len(a.Tools)+cut.Tools != want || len(a.Tools) == 0 {
				t.Fatalf("%s: a page shows %d tools and omits %d, want %d together", name, len(a.Tools), cut.Tools, want)
			}
			if got := len(a.ByRule) + cut.ByRule; got != len(e.ByRule()) {
				t.Errorf("%s: %d rules shown or counted as omitted, want %d", name, got, len(e.ByRule()))
			}
			if got := len(a.Notes) + cut.Notes; got != len(e.Notes) {
				t.Errorf("%s: %d notes shown or counted as omitted, want %d", name, got, len(e.Notes))
			}
			for _, row := range a.Tools {
				ids = append(ids, row.ID)
			}
			cursor = a.NextCursor
		}
		var want []string
		for _, row := range toolRows(e.WorstFirst()) {
			want = append(want, row.ID)
		}
		if !reflect.DeepEqual(ids, want) {
			t.Errorf("%s: the pages show %d tools, want all %d in order", name, len(ids), len(want))
		}
	}
	if cutPages == 0 {
		t.Error("no page had to be cut, so nothing was tested")
	}
}

// spare is what an answer may leave unused beside what one more place needs.
const spare = 500

// One tool in full keeps the size too, uses it, and counts what it lacks of each list; its id may be the one that an answer cut.
func TestOneToolInFull(t *testing.T) {
	s := scanner{kind: surface.MCP}
	for name, e := range sizes {
		last := e.Tools[len(e.Tools)-1]
		for _, id := range []string{last.ID, clip(last.ID, maxLabel)} {
			a, err := s.answer(e, nil, scanArguments{Only: id})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkSize(t, name, a)
			cut := omitted{}
			if a.Omitted != nil {
				cut = *a.Omitted
			}
			if len(a.Tools) != 1 || a.Tools[0].ID != clip(last.ID, maxLabel) || a.ByRule != nil {
				t.Fatalf("%s: `only` shows %d tools and %d rules, want the one tool", name, len(a.Tools), len(a.ByRule))
			}
			row, shown := a.Tools[0], 0
			for _, f := range row.Findings {
				shown += len(f.Evidence)
			}
			for list, n := range map[string]struct{ shown, omitted, whole int }{
				"rules":      {len(row.Rules), 0, len(last.RuleCodes)},
				"risks":      {len(row.Risks), 0, len(last.DetectedRisks)},
				"fixes":      {len(row.Fixes), 0, len(last.Recommendations)},
				"incomplete": {len(row.Incomplete), cut.Incomplete, len(last.Incomplete)},
				"findings":   {len(row.Findings), cut.Findings, len(last.DetectedRules)},
				"evidence":   {shown, cut.Evidence, countEvidence(last)},
				"notes":      {len(a.Notes), cut.Notes, len(e.Notes)},
			} {
				if n.shown+n.omitted != n.whole || n.shown == 0 && n.whole > 0 && list != "evidence" {
					t.Errorf("%s: of %d %s %d are shown and %d counted as omitted", name, n.whole, list, n.shown, n.omitted)
				}
			}
			if unused := maxText - textSize(a); cut.Evidence > 0 && unused > spare+textSize(findingRows(last.DetectedRules)[0].Evidence[0]) {
				t.Errorf("%s: %d places are omitted although %d characters are unused", name, cut.Evidence, unused)
			}
		}
	}
}

func countEvidence(tool agentready.Tool) int {
	n := 0
	for _, r := range tool.DetectedRules {
		n += len(r.Evidence)
	}
	return n
}

func TestCursors(t *testing.T) {
	s := scanner{kind: surface.MCP}
	mine, other := export("mine", 30, 1, 1), export("other", 30, 1, 1)
	first, err := s.answer(mine, nil, scanArguments{})
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := s.answer(other, nil, scanArguments{})
	if err != nil {
		t.Fatal(err)
	}
	changed := export("mine", 30, 1, 1)
	changed.Tools[29].Definition = "another"
	tests := []struct {
		name, cursor string
		e            *agentready.Export
		says         string
	}{
		{"of this document", first.NextCursor, mine, ""},
		{"of another document", foreign.NextCursor, mine, "another document"},
		{"of the document before a change", first.NextCursor, changed, "changed"},
		{"cut off", first.NextCursor[:5], mine, "none that this server gave out"},
		{"made up", "10", mine, "none that this server gave out"},
		{"past the end", encodeCursor(listHash(mine), 30), mine, "another document"},
		{"before the start", encodeCursor(listHash(mine), -1), mine, "another document"},
	}
	for _, tt := range tests {
		_, err := s.answer(tt.e, nil, scanArguments{Cursor: tt.cursor})
		var told *Error
		switch {
		case tt.says == "" && err != nil:
			t.Errorf("a cursor %s: %v", tt.name, err)
		case tt.says != "" && (!errors.As(err, &told) || told.Code != BadArgument || told.Path != "/cursor" || !strings.Contains(told.Message, tt.says)):
			t.Errorf("a cursor %s gives %v, want %s with %q", tt.name, err, BadArgument, tt.says)
		}
	}
}
