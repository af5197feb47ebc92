package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// MaxComment is the most that GitHub takes as a comment: as many characters, and so
// never more than that many bytes.
const MaxComment = 65_536

// What the Markdown view shows without Options.All.
const (
	commentTools  = 10
	commentPlaces = 10 // of one rule
	commentNotes  = 5
	commentFiles  = 50
	// commentRest is kept free for saying what is left out, in bytes.
	commentRest = 300
)

// writeMarkdown writes a comment for a pull request: the verdicts and why, the worst
// tools, and for each rule what is wrong, what to do and where. It ends before
// Options.MaxBytes and says what is left out. The document's text stands in code
// spans, where nothing is made of it.
func writeMarkdown(w io.Writer, items []Item, opts Options) error {
	m := &markdown{all: opts.All, max: cmp.Or(opts.MaxBytes, MaxComment) - commentRest, left: map[string]int{}}
	items = failedFirst(items)
	several := len(items)+len(opts.Unread) > 1
	switch {
	case len(items) == 0:
		m.block("file", "## ⚠️ NOTHING SCANNED by Plumbline\n")
	case several:
		m.overview(items, len(opts.Unread) == 0)
	}
	m.unread(opts.Unread)
	for _, i := range items {
		m.item(i, several)
	}
	m.rest(cmp.Or(opts.MaxBytes, MaxComment))
	_, err := io.WriteString(w, m.String())
	return err
}

// failedFirst gives the items that fail, then the others, each in their order.
func failedFirst(items []Item) []Item {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b Item) int {
		switch {
		case a.passed() == b.passed():
			return 0
		case b.passed():
			return -1
		}
		return 1
	})
	return sorted
}

// markdown collects blocks of text as long as there is room.
type markdown struct {
	strings.Builder
	all  bool
	max  int // bytes
	full bool
	// left counts what found no room, by what it is.
	left map[string]int
}

// parts are the keys of markdown.left, in the order in which they are told.
var parts = []string{"file", "warning", "line", "rule"}

// block adds a block, or counts it as left out where it, or one before it, has no room.
func (m *markdown) block(part, format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !m.fits(s) {
		m.full = true
		m.left[part]++
	} else {
		m.WriteString(s)
	}
}

func (m *markdown) fits(s string) bool { return !m.full && m.Len()+len(s) <= m.max }

// limit is how many of n entries are shown, and how many are not.
func (m *markdown) limit(n, most int) (shown, more int) {
	if m.all {
		return n, 0
	}
	return min(n, most), max(0, n-most)
}

// rest says what found no room.
func (m *markdown) rest(most int) {
	var left []string
	for _, part := range parts {
		if n := m.left[part]; n > 0 {
			left = append(left, agentready.Count(n, part))
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(m, "\n**Left out**, since no more than %d bytes have room here: %s.\n", most, strings.Join(left, ", "))
	}
}

// signs make a verdict seen before it is read.
var signs = map[string]string{agentready.Pass: "✅", agentready.Fail: "❌"}

// overview is the head of a comment about several files; whole says that all of them
// were scanned.
func (m *markdown) overview(items []Item, whole bool) {
	head := signs[agentready.Pass] + " PASS"
	switch {
	case slices.ContainsFunc(items, func(i Item) bool { return !i.passed() }):
		head = signs[agentready.Fail] + " FAIL"
	case !whole:
		head = "⚠️ NOT ALL SCANNED"
	}
	m.block("file", "## %s: Plumbline scanned %s\n\n", head, total(items))
	m.block("line", "| File | Verdict | Score | Critical | High | Medium | Low |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n")
	shown, more := m.limit(len(items), commentFiles)
	for _, i := range items[:shown] {
		c := i.Export.RiskCounts
		m.block("line", "| %s | %s%s | %d | %d | %d | %d | %d |\n", code(i.File), i.Verdict.Verdict, i.reservations(), i.Export.Score, c.Critical, c.High, c.Medium, c.Low)
	}
	m.more(more, "file")
}

// reservations is the mark of a verdict that rests on less than the whole document.
func (i *Item) reservations() string {
	if len(i.less()) > 0 {
		return " (not read whole)"
	}
	return ""
}

// more says that n entries of a list are not shown.
func (m *markdown) more(n int, what string) {
	if n > 0 {
		m.block("line", "\nand %s\n", agentready.Count(n, "more "+what))
	}
}

func (m *markdown) unread(problems []string) {
	if len(problems) == 0 {
		return
	}
	m.block("warning", "\n**%s could not be scanned**, and nothing here is about it:\n\n", agentready.Count(len(problems), "file"))
	shown, more := m.limit(len(problems), commentFiles)
	for _, p := range problems[:shown] {
		m.block("warning", "- %s\n", code(p))
	}
	m.more(more, "file")
}

func (m *markdown) item(i Item, several bool) {
	e := i.Export
	heading, by := "##", "Plumbline "
	if several {
		heading, by = "\n###", ""
	}
	m.block("file", "%s %s %s%s: %s scores %d of 100 (%s)\n\n", heading, signs[i.Verdict.Verdict], by, i.Verdict.Verdict, code(i.File), e.Score, prose(e.Status))
	if m.full {
		return // with all that is said of it
	}
	m.head(i)
	m.list(notRead(e))
	m.tools(i)
	m.fixed(e)
	for _, cost := range e.ByRule() {
		m.rule(i, cost)
	}
}

func (m *markdown) head(i Item) {
	e := i.Export
	for _, r := range i.Verdict.Reasons {
		m.block("line", "- %s\n", prose(r))
	}
	m.block("line", "- Findings: %s, in %s\n", counts(e.RiskCounts), agentready.Count(len(e.Tools), agentready.Noun(e.SourceType)))
	m.block("line", "- Cost: %s\n", costText(e))
	m.block("line", "- Policy: %s\n", prose(i.policyText()))
	if rules := changedRules(e); rules != "" {
		m.block("line", "- Rules changed by the policy: %s\n", prose(rules))
	}
	if compared := comparison(e); compared != "" {
		m.block("line", "- Baseline: %s\n", prose(compared))
	}
	if e.GateScore != e.Score {
		m.block("line", "- Without waived findings the score is %d; the gate compares that\n", e.GateScore)
	}
	for _, warning := range i.less() {
		m.block("warning", "- **Warning:** %s\n", warning)
	}
}

// notRead says what of a document was not read, a line each.
func notRead(e *agentready.Export) []string {
	var lines []string
	for _, n := range e.Notes {
		lines = append(lines, "Note: "+code(n))
	}
	for _, t := range e.Tools {
		for _, why := range t.Incomplete {
			lines = append(lines, code(t.ID)+" is not read whole: "+code(why))
		}
	}
	return lines
}

func (m *markdown) list(lines []string) {
	shown, more := m.limit(len(lines), commentNotes)
	for _, s := range lines[:shown] {
		m.block("warning", "- %s\n", s)
	}
	if more > 0 {
		m.block("warning", "- and %d more like that\n", more)
	}
}

func (m *markdown) tools(i Item) {
	noun := agentready.Noun(i.Export.SourceType)
	bad := withProblems(i.Export)
	if len(bad) == 0 {
		return
	}
	m.block("line", "\n| Worst %s | Place | Score | Tokens | Severity | Findings |\n| --- | --- | ---: | ---: | --- | --- |\n", agentready.Plural(noun))
	shown, more := m.limit(len(bad), commentTools)
	for _, t := range bad[:shown] {
		m.block("line", "| %s | %s | %d | %d | %s | %s |\n", code(t.ID), span(place(show(i.File), t.Location)), t.Score, t.Tokens, known(t.Severity), summary(t))
	}
	m.more(more, noun)
}

// fixed folds away what the baseline has and the document has no more.
func (m *markdown) fixed(e *agentready.Export) {
	lines := fixed(e)
	if len(lines) == 0 {
		return
	}
	var b strings.Builder
	shown, more := m.limit(len(lines), commentPlaces)
	for _, s := range lines[:shown] {
		fmt.Fprintf(&b, "- %s\n", span(s))
	}
	if more > 0 {
		fmt.Fprintf(&b, "- and %s\n", agentready.Count(more, "more finding"))
	}
	m.block("line", "\n<details>\n<summary>Fixed since the baseline: %s</summary>\n\n%s\n</details>\n", agentready.Count(len(lines), "finding"), b.String())
}

// summary names the findings of a tool by their rules.
func summary(t agentready.Tool) string {
	var s []string
	for _, r := range t.DetectedRules {
		s = append(s, code(agentready.ShortCode(r.RuleCode))+standing(&r))
	}
	if n := len(t.Incomplete); n > 0 {
		s = append(s, "not read whole")
	}
	return strings.Join(slices.Compact(s), ", ")
}

// rule folds away what one rule found: why it matters, what to do, and where it is.
func (m *markdown) rule(i Item, cost agentready.RuleCost) {
	var places []finding
	for _, f := range findings([]Item{i}) {
		if f.rule.RuleCode == cost.RuleCode && f.rule.FindingCode == cost.FindingCode {
			places = append(places, f)
		}
	}
	shown, _ := m.limit(len(places), commentPlaces)
	s := ruleBlock(cost, places, shown)
	if !m.fits(s) { // all of them may be too many, some not
		s = ruleBlock(cost, places, min(shown, commentPlaces))
	}
	m.block("rule", "%s", s)
}

func ruleBlock(cost agentready.RuleCost, places []finding, shown int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details>\n<summary>%s: %s, %s, %s</summary>\n\n", codeHTML(agentready.ShortCode(cost.RuleCode)+" "+cost.FindingCode),
		known(cost.Severity), agentready.Count(cost.Count, "finding"), agentready.Count(cost.Points, "point"))
	fmt.Fprintf(&b, "%s\n\n**Fix:** %s\n\n", prose(why(places[0].rule)), prose(cost.Recommendation))
	for _, f := range places[:shown] {
		fmt.Fprintf(&b, "- %s at %s%s", code(f.tool.ID), span(place(show(f.item.File), headPlace(f.tool, f.rule))), standing(f.rule))
		if q := f.quoted(code); q != "" {
			fmt.Fprintf(&b, ": %s", q)
		}
		if why := acceptance(f.rule); why != "" {
			fmt.Fprintf(&b, ". %s", prose(why))
		}
		b.WriteString("\n")
	}
	if more := len(places) - shown; more > 0 {
		fmt.Fprintf(&b, "- and %s\n", agentready.Count(more, "more finding"))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}
