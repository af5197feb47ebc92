package agentready

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Read reads one export of any agentready_version, by any writer. A canonical
// field that is absent comes from its compatibility field, by the specification's
// two compatibility tables; compatibility fields and lists that are absent are
// filled in the other way round. An absent gate_score is the score, an absent
// score of a tool what its findings leave of 100. Errors say which field is
// missing or wrong.
func Read(data []byte) (*Export, error) {
	var w wireExport
	if err := Decode(data, &w); err != nil {
		return nil, fmt.Errorf("not an agentready.json: %w", err)
	}
	e, err := w.export()
	if err != nil {
		return nil, fmt.Errorf("not a complete agentready.json: %w", err)
	}
	return e, nil
}

// wireExport is an Export as others write it: pointers tell absent from empty.
type wireExport struct {
	Export
	AgentreadyVersion *string      `json:"agentready_version"`
	SourceType        *string      `json:"source_type"`
	SourceName        *string      `json:"source_name"`
	GeneratedAt       *string      `json:"generated_at"`
	Score             *float64     `json:"score"`
	Status            *string      `json:"status"`
	RiskCounts        *RiskCounts  `json:"risk_counts"`
	Tools             *[]wireTool  `json:"tools"`
	Source            *Source      `json:"source"`
	Summary           *wireSummary `json:"summary"`
	GateScore         *float64     `json:"gate_score"`
}

type wireSummary struct {
	Summary
	Score      *float64    `json:"score"`
	Status     *string     `json:"status"`
	RiskCounts *RiskCounts `json:"risk_counts"`
}

func (w *wireExport) export() (*Export, error) {
	var src Source
	if w.Source != nil {
		src = *w.Source
	}
	var sum wireSummary
	if w.Summary != nil {
		sum = *w.Summary
	}
	var m missing
	e := w.Export
	e.AgentreadyVersion = need(&m, "agentready_version", w.AgentreadyVersion)
	e.SourceType = need(&m, "source_type", w.SourceType, some(src.Type))
	e.SourceName = need(&m, "source_name", w.SourceName, some(src.Filename), some(src.ServerName))
	e.GeneratedAt = need(&m, "generated_at", w.GeneratedAt)
	score := need(&m, "score", w.Score, sum.Score)
	e.Status = need(&m, "status", w.Status, sum.Status)
	e.RiskCounts = need(&m, "risk_counts", w.RiskCounts, sum.RiskCounts)
	tools := need(&m, "tools", w.Tools)
	gate := need(&m, "score", w.GateScore, &score)
	if err := m.err(""); err != nil {
		return nil, err
	}
	if err := checkRoot(e.SourceType, score, gate); err != nil {
		return nil, err
	}
	e.Score, e.GateScore = round(score), round(gate)
	for i, t := range tools {
		tool, err := t.tool(fmt.Sprintf("tools[%d]", i))
		if err != nil {
			return nil, err
		}
		e.Tools = append(e.Tools, tool)
	}
	e.Source, e.Summary = src, sum.Summary
	e.fillCompatibility()
	full := e.withLists()
	return &full, nil
}

func checkRoot(sourceType string, scores ...float64) error {
	if sourceType != "openapi" && sourceType != "mcp" {
		return fmt.Errorf("source_type is %q, want openapi or mcp", sourceType)
	}
	for _, s := range scores {
		if s < 0 || s > 100 {
			return fmt.Errorf("score is %v, want a number from 0 to 100", s)
		}
	}
	return nil
}

// fillCompatibility sets the absent compatibility members of the root from the
// canonical ones.
func (e *Export) fillCompatibility() {
	if e.Source == (Source{}) {
		e.Source = Source{Type: e.SourceType, Filename: e.SourceName}
	}
	e.Source.Type = e.SourceType
	e.Summary.Score, e.Summary.Status, e.Summary.RiskCounts = e.Score, e.Status, e.RiskCounts
	if e.Summary.OperationCount == 0 {
		e.Summary.OperationCount = len(e.Tools)
	}
}

// missing collects the names of absent fields.
type missing []string

func (m missing) err(where string) error {
	if len(m) == 0 {
		return nil
	}
	if where != "" {
		where += ": "
	}
	return fmt.Errorf("%sno %s", where, strings.Join(m, ", no "))
}

// need is the first value that is present; if none is, the name goes to m.
func need[T any](m *missing, name string, values ...*T) T {
	for _, v := range values {
		if v != nil {
			return *v
		}
	}
	if !slices.Contains(*m, name) {
		*m = append(*m, name)
	}
	var zero T
	return zero
}

// some is nil for an empty string: other writers leave such members empty.
func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// round rounds half up, as the score is.
func round(x float64) int { return int(math.Floor(x + 0.5)) }
