package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// shownOpen is how many of a file's worst tools stand open when the page does.
const shownOpen = 3

// htmlPage is what the page shows. Text of strangers in it is escaped by show.
type htmlPage struct {
	Policy        template.HTMLAttr
	Style, Script template.HTML
	Title         string
	Version       string
	Formula       string // of the score
	Total         string // "2 files: 1 PASS, 1 FAIL; 1 file could not be scanned"
	Unread        []string
	Files         []htmlFile
	Noun          string // what all files offer, in the singular
	Tools         int
	Findings      int
	Failing       int // findings that fail the gate
	Severities    []htmlChoice
	Rules         []htmlChoice
}

// Several says whether the page is about anything but one scanned file.
func (p *htmlPage) Several() bool { return len(p.Files) != 1 || len(p.Unread) > 0 }

// htmlChoice is one value that findings can be filtered by.
type htmlChoice struct {
	Value, Label string
	Count        int
}

// htmlFile is one scanned file.
type htmlFile struct {
	ID                     string // of its section
	Name, Source           string
	Noun                   string
	Verdict, Status        string
	Passed                 bool
	Score                  int
	Capped                 string
	Reasons                []string
	Policy, Counts, Waived string
	Changed, Baseline      string
	Fixed                  []string
	Waivers                []htmlWaiver
	Warnings, Notes        []string
	Tokens                 int
	Generated, Ruleset     string
	Points                 *htmlPoints // nil without tools
	Rules                  []htmlRule
	Tools                  []htmlTool
}

// htmlRule is what one rule costs a file.
type htmlRule struct {
	ID                          string // of its row
	Index                       int    // as in htmlPage.Rules
	Severity                    agentready.Severity
	Code, Finding, Title        string
	Count, Waived, Points, Most int
	Why, Fix, Before, After     string
}

// htmlTool is one tool.
type htmlTool struct {
	Name, Method, Path string
	Place              string
	Action             string
	Severity           agentready.Severity
	Score, Tokens      int
	Advice             string
	Incomplete         []string
	Counts             []htmlChoice
	Findings           []htmlFinding
	Open               bool
}

// htmlFinding is one finding of a tool.
type htmlFinding struct {
	Severity    agentready.Severity
	Rule        int // as in htmlPage.Rules
	Row         string
	Code, Title string
	Place       string
	Points      string
	Waived      bool
	Fails       bool   // the gate
	Standing    string // "(waived, known)"
	Evidence    []htmlEvidence
	More        string
	Fix         string
	Acceptance  string
}

// htmlEvidence is a place that a finding rests on with what stands there; either may
// be empty.
type htmlEvidence struct{ Place, Text string }

// ruleKey tells rules apart.
type ruleKey struct{ code, finding string }

// htmlBuilder makes the view of a page.
type htmlBuilder struct {
	index map[ruleKey]int
	known map[ruleKey]agentready.RuleInfo
}

func newHTMLPage(items []Item, opts Options) htmlPage {
	b := htmlBuilder{index: map[ruleKey]int{}, known: map[ruleKey]agentready.RuleInfo{}}
	for _, r := range opts.Rules {
		b.known[ruleKey{r.Code, r.Finding}] = r
	}
	p := htmlPage{
		Policy: htmlPolicy(), Style: htmlStyle.element("style"), Script: htmlScript.element("script"),
		Version: opts.Version, Formula: formula(), Total: total(items), Noun: commonNoun(items), Rules: b.rules(items),
	}
	for _, u := range opts.Unread {
		p.Unread = append(p.Unread, show(u))
	}
	if n := len(opts.Unread); n > 0 {
		p.Total += "; " + agentready.Count(n, "file") + " could not be scanned"
	}
	for n, i := range items {
		p.Files = append(p.Files, b.file(i, fmt.Sprintf("f%d", n+1)))
		p.Tools += len(i.Export.Tools)
	}
	all := findings(items)
	p.Severities, p.Findings = severityChoices(all), len(all)
	for _, f := range all {
		if f.item.Policy.Fails(*f.rule) {
			p.Failing++
		}
	}
	p.Title = p.Total
	if !p.Several() {
		f := p.Files[0]
		p.Title = fmt.Sprintf("%s: %s scores %d", f.Verdict, f.Name, f.Score)
	}
	return p
}

// commonNoun is what the items offer; tools where they offer different things.
func commonNoun(items []Item) string {
	noun := "tool"
	for n, i := range items {
		if of := agentready.Noun(i.Export.SourceType); n == 0 {
			noun = of
		} else if of != noun {
			return "tool"
		}
	}
	return noun
}

// rules numbers the rules that have findings and gives them as choices, what costs
// most over all items first.
func (b *htmlBuilder) rules(items []Item) []htmlChoice {
	var all []agentready.RuleCost
	at := map[ruleKey]int{}
	for _, i := range items {
		for _, c := range i.Export.ByRule() {
			key := ruleKey{c.RuleCode, c.FindingCode}
			if n, seen := at[key]; seen {
				all[n].Points += c.Points
				all[n].Count += c.Count
			} else {
				at[key] = len(all)
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y agentready.RuleCost) int { return y.Points - x.Points })
	choices := make([]htmlChoice, len(all))
	for n, c := range all {
		b.index[ruleKey{c.RuleCode, c.FindingCode}] = n
		choices[n] = htmlChoice{fmt.Sprint(n), rule(c.RuleCode) + " " + show(c.FindingCode), c.Count}
	}
	return choices
}

// severityChoices are the severities with their findings.
func severityChoices(all []finding) []htmlChoice {
	count := map[agentready.Severity]int{}
	for _, f := range all {
		count[known(f.rule.Severity)]++
	}
	return countsOf(count, true)
}

// countsOf lists counts by severity, the most severe first.
func countsOf(count map[agentready.Severity]int, zeros bool) []htmlChoice {
	var out []htmlChoice
	for _, s := range severityNames() {
		if n := count[agentready.Severity(s)]; zeros || n > 0 {
			out = append(out, htmlChoice{s, s, n})
		}
	}
	return out
}

func (b *htmlBuilder) file(i Item, id string) htmlFile {
	e := i.Export
	noun := agentready.Noun(e.SourceType)
	f := htmlFile{
		ID: id, Name: show(i.File), Noun: noun,
		Source:  show(e.SourceType) + ", " + agentready.Count(len(e.Tools), noun),
		Verdict: i.Verdict.Verdict, Passed: i.passed(), Score: e.Score, Status: show(e.Status), Capped: capped(e),
		Policy: i.policyText(), Changed: changedRules(e), Waivers: htmlWaivers(e),
		Baseline: comparison(e), Fixed: fixed(e), Counts: counts(e.RiskCounts), Warnings: i.less(), Tokens: e.Tokens,
		Generated: show(e.GeneratedAt), Ruleset: show(e.Ruleset), Points: newHTMLPoints(e), Rules: b.costs(e, id),
	}
	for _, r := range i.Verdict.Reasons {
		f.Reasons = append(f.Reasons, Escape(r))
	}
	for _, n := range e.Notes {
		f.Notes = append(f.Notes, show(n))
	}
	if e.GateScore != e.Score {
		f.Waived = fmt.Sprintf("without waived findings the score is %d; the gate compares that", e.GateScore)
	}
	for n, t := range e.WorstFirst() {
		tool := b.tool(t, i, id)
		tool.Open = n < shownOpen && len(t.DetectedRules)+len(t.Incomplete) > 0
		f.Tools = append(f.Tools, tool)
	}
	return f
}

func (b *htmlBuilder) costs(e *agentready.Export, file string) []htmlRule {
	first := map[ruleKey]*agentready.Rule{}
	for t := range e.Tools {
		for r := range e.Tools[t].DetectedRules {
			found := &e.Tools[t].DetectedRules[r]
			key := ruleKey{found.RuleCode, found.FindingCode}
			first[key] = cmp.Or(first[key], found)
		}
	}
	costs := e.ByRule()
	most := 1
	for _, c := range costs {
		most = max(most, c.Points)
	}
	out := make([]htmlRule, len(costs))
	for n, c := range costs {
		key := ruleKey{c.RuleCode, c.FindingCode}
		info := b.known[key]
		out[n] = htmlRule{
			ID: b.row(file, key), Index: b.index[key], Severity: known(c.Severity),
			Code: rule(c.RuleCode), Finding: show(c.FindingCode), Title: ruleTitle(c.FindingCode),
			Count: c.Count, Waived: c.Waived, Points: c.Points, Most: most,
			Why: Escape(why(first[key])), Fix: Escape(c.Recommendation), Before: info.Before, After: info.After,
		}
	}
	return out
}

// row is the id of a rule's row in a file's table.
func (b *htmlBuilder) row(file string, key ruleKey) string {
	return fmt.Sprintf("%s-r%d", file, b.index[key])
}

func (b *htmlBuilder) tool(t agentready.Tool, i Item, section string) htmlTool {
	file := show(i.File)
	out := htmlTool{
		Name: show(t.ID), Method: show(t.Method), Path: show(t.Path), Place: place(file, t.Location),
		Action: show(t.ActionType), Severity: known(t.Severity), Score: t.Score, Tokens: t.Tokens,
	}
	if len(t.Recommendations) > 0 {
		out.Advice = Escape(t.Recommendations[0])
	}
	for _, s := range t.Incomplete {
		out.Incomplete = append(out.Incomplete, show(s))
	}
	count := map[agentready.Severity]int{}
	points := t.PointsLost()
	for n := range t.DetectedRules {
		r := &t.DetectedRules[n]
		f := b.finding(&t, r, file, section)
		f.Points, f.Fails = agentready.Count(points[n], "point"), i.Policy.Fails(*r)
		out.Findings = append(out.Findings, f)
		count[f.Severity]++
	}
	out.Counts = countsOf(count, false)
	return out
}

func (b *htmlBuilder) finding(t *agentready.Tool, r *agentready.Rule, file, section string) htmlFinding {
	key := ruleKey{r.RuleCode, r.FindingCode}
	head := headPlace(t, r)
	f := htmlFinding{
		Severity: known(r.Severity), Rule: b.index[key], Row: b.row(section, key),
		Code: rule(r.RuleCode), Title: ruleTitle(r.FindingCode), Place: place(file, head),
		Waived: r.Waived, Standing: standing(r), Acceptance: acceptance(r), Fix: Escape(r.Recommendation), Evidence: evidenceBeside(t, r, head),
	}
	if r.MoreEvidence > 0 {
		f.More = "and " + agentready.Count(r.MoreEvidence, "more place")
	}
	return f
}

// evidenceBeside is the evidence that says more than the head of the finding, or of
// the tool, does.
func evidenceBeside(t *agentready.Tool, r *agentready.Rule, head agentready.Location) []htmlEvidence {
	single := len(r.Evidence) == 1 && r.MoreEvidence == 0
	var out []htmlEvidence
	for _, ev := range r.Evidence {
		shown := htmlEvidence{Text: show(ev.Text)}
		if !single || ev.Location != head {
			shown.Place = evidencePlace(ev.Location)
		}
		if single && ev.Location == t.Location || shown == (htmlEvidence{}) {
			continue
		}
		out = append(out, shown)
	}
	return out
}
