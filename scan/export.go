package scan

import (
	"fmt"
	"slices"
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
		Partial:           doc.Partial,
	}
	scores := make([]int, len(tools))
	for i, t := range tools {
		scores[i] = t.Score
		e.Tokens = addTokens(e.Tokens, t.Tokens)
		for _, f := range t.DetectedRules {
			count(&e.RiskCounts, f.Severity)
		}
	}
	e.Score = documentScore(scores, e.RiskCounts.Critical > 0)
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
		Tokens:     tokens(t.DefinitionBytes),
		Definition: t.Fingerprint,
		Location:   location(t.Pos),
		Incomplete: notes(t.Incomplete),
	}
}

// bytesPerToken is the estimate behind Tool.Tokens.
const bytesPerToken = 4

// maxTokens is the most that an export says: a number that every reader of JSON
// keeps exactly. Aliases make definitions that are larger than any computer's memory.
const maxTokens = 1<<53 - 1

// tokens is bytes ÷ bytesPerToken, rounded up.
func tokens(bytes int) int {
	n := bytes / bytesPerToken
	if bytes%bytesPerToken > 0 {
		n++
	}
	return min(n, maxTokens)
}

// addTokens is a+b, or maxTokens where that is less.
func addTokens(a, b int) int {
	if a > maxTokens-b {
		return maxTokens
	}
	return a + b
}

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

const (
	// maxEvidence is how many characters of a stranger's text an export repeats.
	maxEvidence = 80
	// maxPlaces is how many places of one finding an export names.
	maxPlaces = 100
	// maxAllPlaces is how many it names in all, a long pointer counting several times;
	// from there on each finding has one.
	maxAllPlaces = 200_000
	// pointerUnit is how many bytes of a pointer cost as much as a place.
	pointerUnit = 256
)

// evidence names the places of one finding, and says how many more there are. Many
// tools may share one schema, so a document can have far more places than text. A text
// that hides instructions is not repeated, whichever rule found it.
func (d *document) evidence(places []surface.Text) (named []agentready.Evidence, more int) {
	n := min(len(places), maxPlaces)
	if d.places > maxAllPlaces {
		n = min(n, 1)
	}
	named = make([]agentready.Evidence, n)
	for i, p := range places[:n] {
		named[i] = agentready.Evidence{Location: location(p.Pos)}
		if !d.hides(p.Value) {
			named[i].Text = surface.Clip(p.Value, maxEvidence)
		}
		d.places += 1 + len(p.Pos.Pointer)/pointerUnit
	}
	return named, len(places) - n
}

func location(p surface.Position) agentready.Location {
	return agentready.Location{Pointer: p.Pointer, File: p.File, Line: p.Line, Column: p.Column}
}
