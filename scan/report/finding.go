package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// finding is one finding with what it was found in.
type finding struct {
	item *Item
	tool *agentready.Tool
	rule *agentready.Rule
}

// findings are those of all items, the most severe first, else in the order of the
// items and tools.
func findings(items []Item) []finding {
	var all []finding
	for i := range items {
		tools := items[i].Export.Tools
		for t := range tools {
			rules := tools[t].DetectedRules
			for r := range rules {
				all = append(all, finding{&items[i], &tools[t], &rules[r]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b finding) int { return b.rule.Severity.Rank() - a.rule.Severity.Rank() })
	return all
}

// headPlace is the place that stands for a finding: the first of its evidence where
// its line is known, else the tool's.
func headPlace(t *agentready.Tool, r *agentready.Rule) agentready.Location {
	if len(r.Evidence) > 0 && r.Evidence[0].Line > 0 {
		return r.Evidence[0].Location
	}
	return t.Location
}

// quoted are the first texts that a finding was seen in, each as quote gives it, and
// how many more places there are; empty where there is no text but the tool's own head.
func (f finding) quoted(quote func(string) string) string {
	var texts []string
	more := f.rule.MoreEvidence
	for _, ev := range f.rule.Evidence {
		switch {
		case ev.Location == f.tool.Location: // the tool is named already
		case ev.Text == "" || len(texts) == shownEvidence:
			more++
		default:
			texts = append(texts, quote(ev.Text))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	s := strings.Join(texts, ", ")
	if more > 0 {
		s += ", and " + agentready.Count(more, "more place")
	}
	return s
}

// inQuotes is text of strangers within a sentence.
func inQuotes(s string) string { return `"` + show(s) + `"` }

// withProblems are the tools that have findings or were not read whole, worst first,
// those with findings that a baseline lacks before the others.
func withProblems(e *agentready.Export) []agentready.Tool {
	tools := slices.DeleteFunc(e.WorstFirst(), func(t agentready.Tool) bool {
		return len(t.DetectedRules) == 0 && len(t.Incomplete) == 0
	})
	slices.SortStableFunc(tools, func(a, b agentready.Tool) int { return cmp.Compare(newFindings(b), newFindings(a)) })
	return tools
}

// newFindings is how many findings of a tool a baseline lacks; 0 without a baseline.
func newFindings(t agentready.Tool) int {
	n := 0
	for _, r := range t.DetectedRules {
		if r.Baseline == agentready.BaselineNew {
			n++
		}
	}
	return n
}

// place is file:line:column as people read it, or file and pointer where the line is
// not known. file is escaped already.
func place(file string, l agentready.Location) string {
	if l.File != "" {
		file = show(l.File)
	}
	switch {
	case l.Line > 0:
		return fmt.Sprintf("%s:%d:%d", file, l.Line, l.Column)
	case l.Pointer != "":
		return file + "#" + show(l.Pointer)
	}
	return file
}

// path is the file of a place as programs find it, like Item.Path.
func (i *Item) path(l agentready.Location) string {
	if l.File != "" {
		return path.Join(i.Dir, l.File)
	}
	return i.Path
}

// less are the sentences that say that the verdict rests on less than the whole
// document; none where it does not.
func (i *Item) less() []string {
	var out []string
	if n := incomplete(i.Export); n > 0 {
		out = append(out, agentready.Count(n, agentready.Noun(i.Export.SourceType))+" could not be read whole; what is wrong there may be missing here")
	}
	if i.Export.Partial {
		out = append(out, "there is more than was read, as the notes say; the score is of what was read")
	}
	return out
}

// passed says whether the item's verdict is PASS.
func (i *Item) passed() bool { return i.Verdict.Verdict == agentready.Pass }

// total is "2 files: 1 PASS, 1 FAIL".
func total(items []Item) string {
	passed := 0
	for _, i := range items {
		if i.passed() {
			passed++
		}
	}
	return fmt.Sprintf("%s: %d PASS, %d FAIL", agentready.Count(len(items), "file"), passed, len(items)-passed)
}

// known is a severity, low for what is none: only a file that is not ours has such.
func known(s agentready.Severity) agentready.Severity {
	if s.Rank() == 0 {
		return agentready.Low
	}
	return s
}

// waivedMark follows a finding that is waived.
const waivedMark = " (waived)"

func waived(r *agentready.Rule) string {
	if r.Waived {
		return waivedMark
	}
	return ""
}

// message says a finding in a paragraph: the tool, what is wrong, the texts that show
// it, what to do, and why it is waived. mark does to each text what the format asks
// beside escaping.
func (f finding) message(mark func(string) string) string {
	s := mark(show(f.tool.ID)) + standing(f.rule) + ": " + mark(Escape(why(f.rule)))
	if q := f.quoted(func(s string) string { return mark(inQuotes(s)) }); q != "" {
		s += " Seen in " + q + "."
	}
	s += " Fix: " + mark(Escape(f.rule.Recommendation))
	if why := acceptance(f.rule); why != "" {
		s += " " + mark(why)
	}
	return s
}

// asIs marks nothing.
func asIs(s string) string { return s }

// why is a finding's explanation; an older export may have none.
func why(r *agentready.Rule) string {
	return cmp.Or(r.Explanation, ruleTitle(r.FindingCode)+".")
}

// acronyms are the words of finding codes that are not written like others.
var acronyms = map[string]string{"mcp": "MCP"}

// ruleTitle is a finding code in words: "Missing human confirmation flow".
func ruleTitle(findingCode string) string {
	words := strings.Split(show(findingCode), "_")
	for i, w := range words {
		words[i] = cmp.Or(acronyms[w], w)
	}
	title := strings.Join(words, " ")
	return strings.ToUpper(title[:min(1, len(title))]) + title[min(1, len(title)):]
}
