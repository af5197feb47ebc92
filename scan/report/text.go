package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// What the text view shows of a file without Options.All.
const (
	shownRules    = 8 // rules that cost most
	shownTools    = 3 // worst tools
	shownEvidence = 3 // places of one finding
	shownNotes    = 5
	shownFixed    = 10
	maxExample    = 40 // characters of a tool's id in the table of rules
	minExample    = 10 // with room for fewer there is none
)

// writeText writes what a person reads in a terminal: the verdict and why, what costs
// most, the worst tools with each finding, its place and what to do, and as the
// last line of a file its verdict again. Text of the document is escaped.
func writeText(w io.Writer, items []Item, opts Options) error {
	buffered := bufio.NewWriter(w)
	opts.Width = cmp.Or(opts.Width, DefaultWidth)
	t := &text{out: buffered, opts: opts, style: style(opts.Color)}
	for i, item := range items {
		if i > 0 {
			t.line("")
		}
		t.item(item)
	}
	if len(items) > 1 {
		t.line("")
		t.line("%s", total(items))
	}
	return buffered.Flush()
}

// text writes the text view. Errors of the writer come out at its flush.
type text struct {
	out  *bufio.Writer
	opts Options
	style
	file string // the file being shown
}

func (t *text) line(format string, args ...any) {
	fmt.Fprintf(t.out, format+"\n", args...)
}

func (t *text) wrapped(s, first, rest string) {
	t.out.WriteString(Wrap(s, first, rest, t.opts.Width))
}

func (t *text) item(i Item) {
	t.file = show(i.File)
	t.head(i)
	t.notes(i.Export)
	t.fixed(i.Export)
	t.rules(i.Export)
	t.tools(i.Export)
	t.line("")
	t.line("%s", t.verdict(i.Verdict.Verdict, i.Line()))
}

func (t *text) head(i Item) {
	e := i.Export
	t.wrapped(fmt.Sprintf("%s: %s, %s", t.bold(t.file), show(e.SourceType), agentready.Count(len(e.Tools), agentready.Noun(e.SourceType))), "", "")
	t.line("")
	t.wrapped(fmt.Sprintf("score %d of 100, %s%s", e.Score, show(e.Status), capped(e)), "  "+t.verdict(i.Verdict.Verdict, i.Verdict.Verdict)+"  ", "        ")
	for _, r := range i.Verdict.Reasons {
		t.wrapped(Escape(r), "        ", "        ")
	}
	t.row("Policy", i.policyText())
	t.row("Rules", changedRules(e))
	t.row("Findings", counts(e.RiskCounts))
	t.row("Cost", costText(e))
	t.row("Baseline", comparison(e))
	if e.GateScore != e.Score {
		t.row("Waived", fmt.Sprintf("without waived findings the score is %d; the gate compares that", e.GateScore))
	}
	for _, warning := range i.less() {
		t.row(t.paint(yellow, "Warning"), warning)
	}
}

// capped says that the score can rise no further while critical findings stand.
func capped(e *agentready.Export) string {
	if e.RiskCounts.Critical > 0 && e.Score == agentready.MostWithCritical {
		return " (no more while critical findings stand)"
	}
	return ""
}

// row is one labelled line of the head, of which there is none without a text.
func (t *text) row(label, s string) {
	t.wrapped(s, "  "+pad(label, 10), strings.Repeat(" ", 12))
}

func (t *text) notes(e *agentready.Export) {
	if len(e.Notes) == 0 {
		return
	}
	t.title("Notes")
	shown, more := t.cut(len(e.Notes), shownNotes)
	for _, n := range e.Notes[:shown] {
		t.wrapped(show(n), "  - ", "    ")
	}
	t.more(more, "note")
}

// fixed lists what the baseline has and the document has no more.
func (t *text) fixed(e *agentready.Export) {
	lines := fixed(e)
	if len(lines) == 0 {
		return
	}
	t.title("Fixed since the baseline")
	shown, more := t.cut(len(lines), shownFixed)
	for _, s := range lines[:shown] {
		t.wrapped(s, "  "+t.paint(green, "-")+" ", "    ")
	}
	t.more(more, "finding")
}

func (t *text) rules(e *agentready.Export) {
	costs := e.ByRule()
	if len(costs) == 0 {
		return
	}
	t.title("What costs most (points, over all " + agentready.Plural(agentready.Noun(e.SourceType)) + ")")
	shown, more := t.cut(len(costs), shownRules)
	room := min(maxExample, t.opts.Width-len("  points  findings  AR000  ")-widest(costs[:shown])-len("  "))
	if room >= minExample {
		t.line("  %s", t.dim("points  findings  "+pad("rule", len("AR000 ")+widest(costs[:shown]))+"  example"))
	} else {
		t.line("  %s", t.dim("points  rule"))
	}
	for _, c := range costs[:shown] {
		code := t.severity(c.Severity, pad(rule(c.RuleCode), 5))
		if room >= minExample {
			t.line("  %6d  %8d  %s %s  %s", c.Points, c.Count, code, pad(show(c.FindingCode), widest(costs[:shown])), cut(c.Example, room))
		} else {
			t.wrapped(code+" "+show(c.FindingCode), fmt.Sprintf("  %6d  ", c.Points), strings.Repeat(" ", 10))
		}
	}
	t.more(more, "rule")
}

// widest is the length of the longest finding code.
func widest(costs []agentready.RuleCost) int {
	n := 0
	for _, c := range costs {
		n = max(n, utf8.RuneCountInString(show(c.FindingCode)))
	}
	return n
}

func (t *text) tools(e *agentready.Export) {
	bad := withProblems(e)
	shown, more := t.cut(len(bad), shownTools)
	if shown > 0 {
		t.title("Worst " + agentready.Plural(agentready.Noun(e.SourceType)))
	}
	for i, tool := range bad[:shown] {
		if i > 0 {
			t.line("")
		}
		t.tool(tool)
	}
	t.more(more, agentready.Noun(e.SourceType))
	if clean := len(e.Tools) - len(bad); clean > 0 {
		t.line("")
		t.line("  %s without findings", agentready.Count(clean, agentready.Noun(e.SourceType)))
	}
}

func (t *text) tool(tool agentready.Tool) {
	t.wrapped(fmt.Sprintf("%s: %s %s", t.bold(show(tool.ID)), show(tool.Method), show(tool.Path)), "  ", "  ")
	t.wrapped(t.dim(fmt.Sprintf("%s: score %d, %s, action type %s, about %s", place(t.file, tool.Location), tool.Score,
		show(string(tool.Severity)), show(tool.ActionType), agentready.Count(tool.Tokens, "token"))), "    ", "    ")
	for _, s := range tool.Incomplete {
		t.wrapped("not read whole: "+show(s), "    "+t.paint(yellow, "!")+" ", "      ")
	}
	for _, r := range tool.DetectedRules {
		t.finding(tool, r)
	}
}

func (t *text) finding(tool agentready.Tool, r agentready.Rule) {
	at := headPlace(&tool, &r)
	mark := standing(&r)
	if r.Waived {
		mark = t.dim(mark)
	}
	t.line("")
	t.line("    %s: %s %s %s%s", place(t.file, at), t.severity(r.Severity, show(string(r.Severity))), rule(r.RuleCode), show(r.FindingCode), mark)
	t.wrapped(acceptance(&r), "        ", "        ")
	if r.Explanation != "" {
		t.wrapped(Escape(r.Explanation), "        ", "        ")
	}
	t.evidence(tool, r, at)
	t.wrapped(Escape(r.Recommendation), "        "+t.paint(green, "Fix:")+" ", "             ")
}

// evidence shows the places that a finding rests on with what stands there. Of a
// single one it leaves out what the head of the finding, or of the tool, says. The
// bar keeps the document's words apart from ours.
func (t *text) evidence(tool agentready.Tool, r agentready.Rule, head agentready.Location) {
	shown, more := t.cut(len(r.Evidence), shownEvidence)
	more += r.MoreEvidence
	for _, ev := range r.Evidence[:shown] {
		single := more == 0 && shown == 1
		if single && ev.Location == tool.Location {
			continue
		}
		var parts []string
		if !single || ev.Location != head {
			parts = append(parts, evidencePlace(ev.Location))
		}
		if ev.Text != "" {
			parts = append(parts, inQuotes(ev.Text))
		}
		t.wrapped(strings.Join(parts, " "), "        | ", "        | ")
	}
	if more > 0 {
		t.line("        | and %s", agentready.Count(more, "more place"))
	}
}

// evidencePlace is the place in short: the file is the scanned one unless it is named.
func evidencePlace(l agentready.Location) string {
	switch {
	case l.Line == 0:
		return show(l.Pointer)
	case l.File != "":
		return fmt.Sprintf("%s:%d:%d", show(l.File), l.Line, l.Column)
	}
	return fmt.Sprintf("%d:%d", l.Line, l.Column)
}

// cut says how many of n entries are shown and how many are not.
func (t *text) cut(n, limit int) (shown, more int) {
	if t.opts.All || n <= limit {
		return n, 0
	}
	return limit, n - limit
}

func (t *text) more(n int, what string) {
	if n == 0 {
		return
	}
	hint := ""
	if t.opts.AllHint != "" {
		hint = "; see them with " + t.opts.AllHint
	}
	if n > 1 {
		what = agentready.Plural(what)
	}
	t.line("")
	t.wrapped(fmt.Sprintf("and %d more %s%s", n, what, hint), "  ", "  ")
}

func (t *text) title(s string) {
	t.line("")
	t.wrapped(t.bold(s), "", "")
	t.line("")
}

// rule is the short form of a rule code.
func rule(code string) string { return show(agentready.ShortCode(code)) }

func incomplete(e *agentready.Export) int {
	n := 0
	for _, tool := range e.Tools {
		if len(tool.Incomplete) > 0 {
			n++
		}
	}
	return n
}
