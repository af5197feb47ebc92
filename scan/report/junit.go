package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// writeJUnit writes a test suite a file for CI services: one test case a tool and rule
// that has a finding, one a tool without, and one for the score. What fails the gate is
// a failure and nothing else is, so the suites fail exactly where the verdict is FAIL;
// other findings are skipped tests, which services show. A file that could not be
// scanned is an error.
func writeJUnit(w io.Writer, items []Item, opts Options) error {
	all := junitSuites{Name: "Plumbline"}
	for i := range items {
		all.add(junitSuiteOf(&items[i]))
	}
	if len(opts.Unread) > 0 {
		all.add(junitUnread(opts.Unread))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// The elements of a JUnit file as CI services read them.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Timestamp  string           `xml:"timestamp,attr,omitempty"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
		Output     string           `xml:"system-out,omitempty"`
	}
	junitProperties struct {
		All []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitProblem `xml:"skipped"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Kind    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

func (s *junitSuites) add(suite junitSuite) {
	s.Suites = append(s.Suites, suite)
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Skipped += suite.Skipped
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func junitSuiteOf(i *Item) junitSuite {
	e := i.Export
	s := junitSuite{
		Name: show(i.File), Timestamp: show(e.GeneratedAt),
		Properties: &junitProperties{[]junitProperty{
			{"verdict", i.Verdict.Verdict},
			{"score", fmt.Sprint(e.Score)},
			{"gate_score", fmt.Sprint(e.GateScore)},
			{"status", show(e.Status)},
			{"min_score", fmt.Sprint(i.Policy.MinScore)},
			{"fail_on", string(i.Policy.FailOn)},
			{"partial", fmt.Sprint(e.Partial)},
			{"ruleset", show(e.Ruleset)},
			{"tokens", fmt.Sprint(e.Tokens)},
		}},
	}
	s.add(i.junitScore())
	if i.Policy.MaxTokens > 0 {
		s.add(i.junitCost())
	}
	for _, t := range e.Tools {
		s.Properties.All = append(s.Properties.All, junitProperty{"tokens of " + show(t.ID), fmt.Sprint(t.Tokens)})
		i.junitTool(&s, &t)
	}
	s.Output = i.junitOutput()
	return s
}

// junitUnread has a test that fails for each file that could not be scanned.
func junitUnread(problems []string) junitSuite {
	s := junitSuite{Name: "not scanned"}
	for _, p := range problems {
		s.add(junitCase{Class: "plumbline", Name: show(p), Error: &junitProblem{Kind: "unreadable", Message: show(p)}})
	}
	return s
}

// junitScore is the test that the score is high enough.
func (i *Item) junitScore() junitCase {
	c := junitCase{Class: "plumbline", Name: fmt.Sprintf("the score is at least %d", i.Policy.MinScore), File: Escape(i.Path)}
	if score := i.Export.GateScore; score < i.Policy.MinScore {
		c.Failure = &junitProblem{Kind: "score", Message: fmt.Sprintf("the score is %d", score), Text: i.Line()}
	}
	return c
}

// junitCost is the test that the definitions are cheap enough.
func (i *Item) junitCost() junitCase {
	c := junitCase{Class: "plumbline", Name: fmt.Sprintf("the definitions cost at most %d tokens", i.Policy.MaxTokens), File: Escape(i.Path)}
	if i.Policy.Costly(i.Export) {
		c.Failure = &junitProblem{Kind: "cost", Message: fmt.Sprintf("they cost about %d", i.Export.Tokens), Text: i.Line()}
	}
	return c
}

// junitTool adds the tests of one tool.
func (i *Item) junitTool(s *junitSuite, t *agentready.Tool) {
	test := func(name string, at agentready.Location) junitCase {
		return junitCase{Class: show(t.ID), Name: name, File: Escape(i.path(at)), Line: at.Line}
	}
	for _, why := range t.Incomplete {
		c := test("is read whole", t.Location)
		c.Skipped = &junitProblem{Message: show(why)}
		s.add(c)
	}
	for n := range t.DetectedRules {
		f := finding{i, t, &t.DetectedRules[n]}
		at, severity := headPlace(t, f.rule), string(known(f.rule.Severity))
		c := test(rule(f.rule.RuleCode)+" "+show(f.rule.FindingCode), at)
		text := place(show(i.File), at) + ": " + f.message(asIs)
		if i.Policy.Fails(*f.rule) {
			c.Failure = &junitProblem{Kind: severity, Message: severity + ": " + Escape(why(f.rule)), Text: text}
		} else { // of a skipped test most services show the message alone
			c.Skipped = &junitProblem{Message: severity + ": " + text}
		}
		s.add(c)
	}
	if len(t.DetectedRules) == 0 && len(t.Incomplete) == 0 {
		s.add(test("has no findings", t.Location))
	}
}

// junitOutput is the verdict in a line, what was not read, and what was fixed.
func (i *Item) junitOutput() string {
	lines := append([]string{i.Line()}, i.less()...)
	for _, n := range i.Export.Notes {
		lines = append(lines, show(n))
	}
	for _, s := range fixed(i.Export) {
		lines = append(lines, "fixed: "+s)
	}
	return strings.Join(lines, "\n")
}
