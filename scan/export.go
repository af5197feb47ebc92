package scan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// export puts the judged tools together as agentready.json has them (rules page,
// section 6).
func export(doc *surface.Document, tools []agentready.Tool, now time.Time) *agentready.Export {
	e := &agentready.Export{
		AgentreadyVersion: agentready.Version,
		SourceType:        string(doc.Kind),
		SourceName:        doc.Name,
		GeneratedAt:       now.UTC().Format("2006-01-02T15:04:05.000Z"),
		Tools:             tools,
		Source:            source(doc),
		Ruleset:           agentready.Ruleset,
		Notes:             notes(doc.Notes),
	}
	scores := make([]int, len(tools))
	for i, t := range tools {
		scores[i] = t.Score
		e.Tokens += t.Tokens
		for _, f := range t.DetectedRules {
			count(&e.RiskCounts, f.Severity)
		}
	}
	e.Score = documentScore(scores, e.RiskCounts.Critical > 0)
	e.GateScore = e.Score
	name, interpretation := status(e.Score)
	e.Status = name
	e.Summary = agentready.Summary{
		Score: e.Score, Status: name, Interpretation: interpretation,
		OperationCount: len(tools), RiskCounts: e.RiskCounts,
	}
	return e
}

func count(c *agentready.RiskCounts, s agentready.Severity) {
	switch s {
	case agentready.Critical:
		c.Critical++
	case agentready.High:
		c.High++
	case agentready.Medium:
		c.Medium++
	case agentready.Low:
		c.Low++
	}
}

func source(doc *surface.Document) agentready.Source {
	return agentready.Source{Type: string(doc.Kind), Filename: doc.Name, ServerName: serverName(doc)}
}

func serverName(doc *surface.Document) string {
	if doc.Kind == surface.MCP {
		return doc.Title
	}
	return ""
}

func notes(ns []surface.Note) []string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = noteText(n)
	}
	return out
}

func noteText(n surface.Note) string {
	switch {
	case n.Pos.Line == 0:
		return n.Text
	case n.Pos.File != "":
		return fmt.Sprintf("%s line %d: %s", n.Pos.File, n.Pos.Line, n.Text)
	}
	return fmt.Sprintf("line %d: %s", n.Pos.Line, n.Text)
}

// exportTool writes one judged tool.
func exportTool(s *subject, findings []agentready.Rule) agentready.Tool {
	t := s.tool
	named, whole := t.Name.Value != "", len(t.Incomplete) == 0
	severity := toolSeverity(s, findings, whole)
	recommendations := recommend(findings, whole)
	return agentready.Tool{
		ID:              t.ID,
		Name:            displayName(t),
		Method:          t.Method,
		Path:            t.Path,
		ActionType:      string(s.action),
		Severity:        severity,
		DetectedRisks:   codes(findings, func(f agentready.Rule) string { return f.FindingCode }),
		RuleCodes:       codes(findings, func(f agentready.Rule) string { return f.RuleCode }),
		DetectedRules:   findings,
		Recommendations: recommendations,

		OperationID:               t.ID,
		RiskLevel:                 severity,
		AgentRecommendation:       recommendations[0],
		RequiresHumanConfirmation: s.confirmationRequired(),
		AllowedWhen:               allowedWhen(s, findings, whole),
		ForbiddenWhen:             forbiddenWhen(s, findings, whole),
		FailureModes:              failureModes(findings),

		Score:      toolScore(findings, named, whole),
		Tokens:     (t.DefinitionBytes + bytesPerToken - 1) / bytesPerToken,
		Definition: t.Fingerprint,
		Location:   location(t.Pos),
		Incomplete: notes(t.Incomplete),
	}
}

// bytesPerToken is the estimate behind Tool.Tokens.
const bytesPerToken = 4

func displayName(t *surface.Tool) string {
	if t.Name.Value != "" {
		return t.Name.Value
	}
	return t.ID
}

// toolSeverity is the highest of the action's floor and the findings; a tool that
// could not be read whole is at least medium.
func toolSeverity(s *subject, findings []agentready.Rule, whole bool) agentready.Severity {
	most := severityFloor(s.action, s.controlled)
	if !whole && most.Rank() < agentready.Medium.Rank() {
		most = agentready.Medium
	}
	for _, f := range findings {
		if f.Severity.Rank() > most.Rank() {
			most = f.Severity
		}
	}
	return most
}

// codes lists one code of each finding, each once, in the findings' order.
func codes(findings []agentready.Rule, of func(agentready.Rule) string) []string {
	out := []string{}
	for _, f := range findings {
		if c := of(f); !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// maxEvidence is how many characters of a stranger's text an export repeats.
const maxEvidence = 80

func evidence(places []surface.Text) []agentready.Evidence {
	out := make([]agentready.Evidence, len(places))
	for i, p := range places {
		out[i] = agentready.Evidence{Location: location(p.Pos), Text: clip(p.Value, maxEvidence)}
	}
	return out
}

func location(p surface.Position) agentready.Location {
	return agentready.Location{Pointer: p.Pointer, File: p.File, Line: p.Line, Column: p.Column}
}

// clip cuts s to at most n characters, the last of which is then an ellipsis.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	return strings.TrimRight(string(rs[:n-1]), " ") + "…"
}
