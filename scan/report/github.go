package report

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// annotationLimit is how many annotations of one level GitHub keeps of a step; the
// others are lost.
const annotationLimit = 10

// What the notice about costs names without Options.All.
const (
	costFiles = 10
	costTools = 10 // of one file
)

// The levels of annotations, the worst first.
var annotationLevels = []string{"error", "warning", "notice"}

// writeGitHub writes workflow commands, by which GitHub Actions marks lines of a pull
// request: errors for what fails the gate, notices for what is low, waived or known to a
// baseline, warnings for the rest, and a notice of what the definitions cost. Without
// Options.All it writes no more than GitHub keeps, the worst first, and says how many there
// are.
func writeGitHub(w io.Writer, items []Item, opts Options) error {
	byLevel := map[string][]annotation{}
	for _, a := range annotations(items, opts) {
		byLevel[a.level] = append(byLevel[a.level], a)
	}
	out := bufio.NewWriter(w)
	var left []string
	for _, level := range annotationLevels {
		all := byLevel[level]
		shown := len(all)
		if !opts.All {
			shown = min(shown, annotationLimit)
		}
		for _, a := range all[:shown] {
			fmt.Fprintln(out, a)
		}
		if more := len(all) - shown; more > 0 {
			left = append(left, agentready.Count(more, level))
		}
	}
	if len(left) > 0 {
		hint := ""
		if opts.AllHint != "" {
			hint = "; see them with " + opts.AllHint
		}
		fmt.Fprintf(out, "not annotated, since GitHub keeps %d of a kind: %s%s\n", annotationLimit, strings.Join(left, ", "), hint)
	}
	return out.Flush()
}

// annotation is one workflow command.
type annotation struct {
	level, file    string // an empty file: of no place
	line, column   int    // 0 where unknown
	title, message string // escaped
}

// annotations are those of all items: what was not scanned, each FAIL, the costs, then the
// findings, the most severe first, then what was not read.
func annotations(items []Item, opts Options) []annotation {
	var all, last []annotation
	for _, problem := range opts.Unread {
		all = append(all, annotation{level: "error", title: "Not scanned", message: show(problem)})
	}
	for n := range items {
		i := &items[n]
		if !i.passed() {
			all = append(all, i.annotate(agentready.Location{}, "error", "Plumbline", i.Line()))
		}
		for _, s := range i.less() {
			all = append(all, i.annotate(agentready.Location{}, "warning", "Not read whole", s))
		}
		last = append(last, i.unreadParts()...)
	}
	if len(items) > 0 {
		all = append(all, annotation{level: "notice", title: "Cost", message: costs(items, opts.All)})
	}
	for _, f := range findings(items) {
		title := rule(f.rule.RuleCode) + " " + ruleTitle(f.rule.FindingCode)
		all = append(all, f.item.annotate(headPlace(f.tool, f.rule), f.level(), title, f.message(asIs)))
	}
	return append(all, last...)
}

// costs says what the definitions of each item cost, a line each in one notice, since
// GitHub keeps few.
func costs(items []Item, all bool) string {
	shown := len(items)
	if !all {
		shown = min(shown, costFiles)
	}
	var lines []string
	for _, i := range items[:shown] {
		lines = append(lines, show(i.File)+": "+costText(i.Export)+costsOfTools(i.Export.Tools, all))
	}
	if more := len(items) - shown; more > 0 {
		lines = append(lines, "and "+agentready.Count(more, "more file"))
	}
	return strings.Join(lines, "\n")
}

// costsOfTools is what follows the cost of all tools: that of each, the dearest first.
func costsOfTools(tools []agentready.Tool, all bool) string {
	tools = slices.SortedStableFunc(slices.Values(tools), func(a, b agentready.Tool) int { return b.Tokens - a.Tokens })
	shown := len(tools)
	if !all {
		shown = min(shown, costTools)
	}
	s, before := "", ": "
	for _, t := range tools[:shown] {
		s += fmt.Sprintf("%s%s %d", before, show(t.ID), t.Tokens)
		before = ", "
	}
	if more := len(tools) - shown; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// unreadParts are the notes and the tools that were not read whole.
func (i *Item) unreadParts() []annotation {
	var all []annotation
	for _, t := range i.Export.Tools {
		for _, s := range t.Incomplete {
			all = append(all, i.annotate(t.Location, "warning", "Not read whole", show(t.ID)+": "+show(s)))
		}
	}
	for _, s := range i.Export.Notes {
		all = append(all, i.annotate(agentready.Location{}, "notice", "Note", show(s)))
	}
	return all
}

// level says how a finding is annotated.
func (f finding) level() string {
	switch {
	case f.item.Policy.Fails(*f.rule):
		return "error"
	case f.rule.Waived || f.rule.Baseline == agentready.BaselineKnown || known(f.rule.Severity) == agentready.Low:
		return "notice"
	}
	return "warning"
}

func (i *Item) annotate(at agentready.Location, level, title, message string) annotation {
	file := i.path(at)
	// GitHub shows no file that is not in the repository, and no log should hold a name
	// that a terminal obeys.
	if file == "" || path.IsAbs(file) || file != Escape(file) {
		message = place(show(i.File), at) + ": " + message
		return annotation{level: level, title: title, message: message}
	}
	return annotation{level, file, at.Line, at.Column, title, message}
}

// String is the workflow command, one line.
func (a annotation) String() string {
	var b strings.Builder
	b.WriteString("::" + a.level + " ")
	if a.file != "" {
		b.WriteString("file=" + commandProperty.Replace(a.file) + ",")
	}
	if a.file != "" && a.line > 0 {
		fmt.Fprintf(&b, "line=%d,col=%d,", a.line, max(a.column, 1))
	}
	fmt.Fprintf(&b, "title=%s::%s", commandProperty.Replace(a.title), commandData.Replace(a.message))
	return b.String()
}

// What a workflow command's data, and its properties, write otherwise.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
