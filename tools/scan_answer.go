package tools

import "github.com/plumbline-mcp/plumbline/scan/agentready"

// scanAnswer is what both scan tools answer. Text that strangers wrote is cut to
// the limits of limits.go.
type scanAnswer struct {
	Verdict    string                `json:"verdict"`
	Reasons    []string              `json:"reasons"`
	Name       string                `json:"name"`
	Score      int                   `json:"score"`
	GateScore  int                   `json:"gate_score"` // without waived findings: what the gate compares
	Status     string                `json:"status"`
	RiskCounts agentready.RiskCounts `json:"risk_counts"`
	ToolCount  int                   `json:"tool_count"`
	// ByRule is what each rule costs, most first; absent with `only`.
	ByRule []ruleRow `json:"by_rule,omitzero"`
	// Tools are the worst tools first; with `only`, that one in full.
	Tools      []toolRow `json:"tools"`
	NextCursor string    `json:"next_cursor,omitempty"`
	// PolicySource is "default", "file" where a policy file applies, or "arguments" where
	// these change its thresholds.
	PolicySource string `json:"policy_source"`
	// Loosened is true where they make it let more pass.
	Loosened bool     `json:"loosened"`
	Notes    []string `json:"notes"`
	Omitted  *omitted `json:"omitted,omitempty"`
}

// ruleRow is one rule's part in the result.
type ruleRow struct {
	Rule     string              `json:"rule"`
	Finding  string              `json:"finding"`
	Severity agentready.Severity `json:"severity"`
	Count    int                 `json:"count"`
	Waived   int                 `json:"waived,omitempty"`
	Points   int                 `json:"points"`
	Example  string              `json:"example"`
	Fix      string              `json:"fix"`
}

// toolRow is one tool in brief; Findings are set with `only`.
type toolRow struct {
	ID         string              `json:"id"`
	Method     string              `json:"method"`
	Path       string              `json:"path"`
	ActionType string              `json:"action_type"`
	Severity   agentready.Severity `json:"severity"`
	Score      int                 `json:"score"`
	File       string              `json:"file,omitempty"`
	Line       int                 `json:"line"`
	Rules      []string            `json:"rules"`
	Risks      []string            `json:"risks"`
	Fixes      []string            `json:"fixes"`
	Incomplete []string            `json:"incomplete,omitempty"`
	Findings   []findingRow        `json:"findings,omitempty"`
}

// findingRow is one finding in full.
type findingRow struct {
	Rule        string              `json:"rule"`
	Finding     string              `json:"finding"`
	Severity    agentready.Severity `json:"severity"`
	Explanation string              `json:"explanation"`
	Fix         string              `json:"fix"`
	Evidence    []evidenceRow       `json:"evidence"`
	Waived      string              `json:"waived,omitempty"` // why, where it is
}

// evidenceRow is one place that a finding rests on.
type evidenceRow struct {
	Pointer string `json:"pointer"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Text    string `json:"text"`
}

// omitted counts what was cut off to keep the answer readable.
type omitted struct {
	ByRule     int `json:"by_rule,omitempty"`
	Tools      int `json:"tools,omitempty"`
	Notes      int `json:"notes,omitempty"`
	Findings   int `json:"findings,omitempty"`
	Evidence   int `json:"evidence,omitempty"`
	Incomplete int `json:"incomplete,omitempty"`
}

func ruleRows(costs []agentready.RuleCost) []ruleRow {
	rows := make([]ruleRow, len(costs))
	for i, c := range costs {
		rows[i] = ruleRow{c.RuleCode, c.FindingCode, c.Severity, c.Count, c.Waived, c.Points, clip(c.Example, maxLabel), c.Recommendation}
	}
	return rows
}

func toolRows(tools []agentready.Tool) []toolRow {
	rows := make([]toolRow, len(tools))
	for i, t := range tools {
		rows[i] = toolRow{
			ID: clip(t.ID, maxLabel), Method: t.Method, Path: clip(t.Path, maxLabel),
			ActionType: t.ActionType, Severity: t.Severity, Score: t.Score,
			File: clip(t.File, maxLabel), Line: t.Line,
			Rules: clipAll(t.RuleCodes), Risks: clipAll(t.DetectedRisks),
			Fixes: clipAll(t.Recommendations), Incomplete: clipAll(t.Incomplete),
		}
	}
	return rows
}

func findingRows(rules []agentready.Rule) []findingRow {
	rows := make([]findingRow, len(rules))
	for i, r := range rules {
		rows[i] = findingRow{r.RuleCode, r.FindingCode, r.Severity, r.Explanation, r.Recommendation, []evidenceRow{}, ""}
		if r.Waiver != nil {
			rows[i].Waived = clip(r.Waiver.Reason, maxNote)
		}
		for _, e := range r.Evidence {
			rows[i].Evidence = append(rows[i].Evidence, evidenceRow{clip(e.Pointer, maxLabel), clip(e.File, maxLabel), e.Line, e.Column, clip(e.Text, maxLabel)})
		}
	}
	return rows
}

func clipAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = clip(s, maxNote)
	}
	return out
}
