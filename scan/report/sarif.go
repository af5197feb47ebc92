package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// What one SARIF file holds. GitHub refuses a file with more results; of the places of
// one result it shows few, while all of them make a file too large to upload.
const (
	sarifResults = 25_000
	sarifPlaces  = 10 // of one result, beside the first
)

// The levels of SARIF results and notifications.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// sarifSeverities say a severity in the terms of SARIF, and of GitHub, which reads the
// number as CVSS is read.
var sarifSeverities = map[agentready.Severity]struct{ level, score string }{
	agentready.Critical: {levelError, "9.5"},
	agentready.High:     {levelError, "8.0"},
	agentready.Medium:   {levelWarning, "5.5"},
	agentready.Low:      {levelNote, "2.0"},
}

// sourceRoot is what relative addresses are relative to: the root of the repository.
const sourceRoot = "%SRCROOT%"

// writeSARIF writes all items as one run of SARIF 2.1.0: every rule, every finding
// (the most severe first, where there are too many), and what was not read as
// notifications.
func writeSARIF(w io.Writer, items []Item, opts Options) error {
	all := findings(items)
	rules, index := sarifRules(all, opts.Rules)
	run := sarifRun{
		Tool:             sarifTool{sarifDriver{Name: "Plumbline", Version: opts.Version, Rules: rules}},
		ColumnKind:       "unicodeCodePoints",
		OriginalURIBases: map[string]sarifBase{sourceRoot: {sarifText{"The root of the repository; where there is none, the working directory."}}},
		Invocations:      []sarifInvocation{sarifInvocationOf(items, opts.Unread, len(all)-sarifResults)},
		Artifacts:        make([]sarifArtifact, len(items)),
		Results:          make([]sarifResult, min(len(all), sarifResults)),
	}
	for i := range items {
		run.Artifacts[i] = sarifArtifactOf(&items[i])
	}
	for i, f := range all[:len(run.Results)] {
		run.Results[i] = sarifResultOf(f, index[sarifRuleID(f.rule.RuleCode, f.rule.FindingCode)])
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// sarifInvocationOf says what was not read, not scanned and, for the count left, not
// written.
func sarifInvocationOf(items []Item, unread []string, left int) sarifInvocation {
	invocation := sarifInvocation{Successful: len(unread) == 0, Notifications: []sarifNotification{}}
	add := func(level, text string, at ...sarifLocation) {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{level, sarifText{text}, at})
	}
	for _, problem := range unread {
		add(levelError, "not scanned: "+sarifPlain(problem))
	}
	if left > 0 {
		add(levelWarning, fmt.Sprintf("only the %d most severe findings are in this file; %d more are not", sarifResults, left))
	}
	for _, i := range items {
		for _, warning := range i.less() {
			add(levelWarning, warning, sarifLocation{Physical: i.physical(agentready.Location{})})
		}
		for _, n := range i.Export.Notes {
			add(levelNote, sarifPlain(n), sarifLocation{Physical: i.physical(agentready.Location{})})
		}
		for _, t := range i.Export.Tools {
			for _, why := range t.Incomplete {
				add(levelWarning, sarifPlain(t.ID)+" is not read whole: "+sarifPlain(why), sarifLocation{Physical: i.physical(t.Location)})
			}
		}
	}
	return invocation
}

func sarifArtifactOf(i *Item) sarifArtifact {
	e := i.Export
	properties := map[string]any{
		"verdict": i.Verdict.Verdict, "score": e.Score, "gate_score": e.GateScore, "status": show(e.Status),
		"min_score": i.Policy.MinScore, "fail_on": i.Policy.FailOn, "partial": e.Partial, "ruleset": show(e.Ruleset), "tokens": e.Tokens,
	}
	if e.Policy != nil {
		properties["policy"] = show(e.Policy.File)
	}
	if e.Baseline != nil {
		properties["fixed"] = fixed(e)
	}
	return sarifArtifact{Location: i.artifact(agentready.Location{}), Roles: []string{"analysisTarget"}, Properties: properties}
}

func sarifResultOf(f finding, ruleIndex int) sarifResult {
	head := headPlace(f.tool, f.rule)
	r := sarifResult{
		RuleID:    sarifRuleID(f.rule.RuleCode, f.rule.FindingCode),
		RuleIndex: ruleIndex,
		Level:     sarifSeverities[known(f.rule.Severity)].level,
		Message:   sarifText{f.message(sarifMarks.Replace)},
		Locations: []sarifLocation{{
			Physical: f.item.physical(head),
			Logical:  []sarifLogical{{Name: show(f.tool.ID), FullName: show(f.tool.Method + " " + f.tool.Path), Kind: "function"}},
		}},
		Fingerprints: map[string]string{"toolAndRule/v1": f.fingerprint()},
		Suppressions: []sarifSuppression{},
		Baseline:     sarifBaselines[f.rule.Baseline],
		Properties:   map[string]any{"severity": known(f.rule.Severity), "pointer": show(head.Pointer), "tool_tokens": f.tool.Tokens},
	}
	for _, ev := range f.rule.Evidence {
		if ev.Location != head && len(r.Related) < sarifPlaces {
			r.Related = append(r.Related, sarifLocation{Physical: f.item.physical(ev.Location), Message: sarifTextOf(ev.Text)})
		}
	}
	if f.rule.Waived {
		r.Suppressions = append(r.Suppressions, sarifSuppressionOf(f.rule))
	}
	return r
}

// sarifBaselines say in the terms of SARIF how a finding stands to a baseline.
var sarifBaselines = map[agentready.BaselineMark]string{agentready.BaselineNew: "new", agentready.BaselineKnown: "unchanged"}

func sarifSuppressionOf(r *agentready.Rule) sarifSuppression {
	s := sarifSuppression{Kind: "external", Status: "accepted"}
	if r.Waiver == nil {
		return s
	}
	s.Justification = Escape(r.Waiver.Reason)
	if r.Waiver.Expires != "" {
		s.Properties = map[string]any{"expires": show(r.Waiver.Expires)}
	}
	return s
}

// fingerprint is the same as long as the file, the tool and the rule are, wherever the
// lines have moved.
func (f finding) fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{cmp.Or(f.item.Path, f.item.File), f.tool.ID, f.rule.FindingCode}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// physical is a place: the file, and the line where it is known.
func (i *Item) physical(l agentready.Location) *sarifPhysical {
	p := &sarifPhysical{Artifact: i.artifact(l)}
	if l.Line > 0 {
		p.Region = &sarifRegion{l.Line, max(l.Column, 1)}
	}
	return p
}

// artifact is the address of the file of a place.
func (i *Item) artifact(l agentready.Location) sarifAddress {
	file := i.path(l)
	switch {
	case file == "": // stdin
		return sarifAddress{URI: (&url.URL{Path: i.File}).String(), Base: sourceRoot}
	case path.IsAbs(file):
		return sarifAddress{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifAddress{URI: (&url.URL{Path: file}).String(), Base: sourceRoot}
}

// sarifPlain is text of strangers in a message of SARIF, escaped and cut. Brackets would
// make a link and braces a placeholder there; what else is escaped is for those who
// take messages for Markdown.
func sarifPlain(s string) string { return sarifMarks.Replace(show(s)) }

var sarifMarks = strings.NewReplacer(
	`\`, `\\`, "[", `\[`, "]", `\]`, "`", "\\`", "<", `\<`, "{", "{{", "}", "}}",
)

func sarifTextOf(s string) *sarifText {
	if s == "" {
		return nil
	}
	return &sarifText{sarifPlain(s)}
}
