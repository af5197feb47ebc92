package agentready

import "fmt"

// wireTool is a Tool as others write it: pointers tell absent from empty.
type wireTool struct {
	Tool
	ID              *string   `json:"id"`
	Name            *string   `json:"name"`
	Method          *string   `json:"method"`
	Path            *string   `json:"path"`
	ActionType      *string   `json:"action_type"`
	Severity        *Severity `json:"severity"`
	DetectedRisks   *[]string `json:"detected_risks"`
	RuleCodes       *[]string `json:"rule_codes"`
	DetectedRules   *[]Rule   `json:"detected_rules"`
	Recommendations *[]string `json:"recommendations"`

	OperationID         *string   `json:"operation_id"`
	RiskLevel           *Severity `json:"risk_level"`
	AgentRecommendation *string   `json:"agent_recommendation"`
	Score               *float64  `json:"score"`
}

// tool makes a Tool of what is there; where names its place in the export.
func (w *wireTool) tool(where string) (Tool, error) {
	var m missing
	t := w.Tool
	t.ID = need(&m, "id", w.ID, w.OperationID, w.Name)
	t.Name = need(&m, "name", w.Name, w.OperationID, w.ID)
	t.Method = need(&m, "method", w.Method)
	t.Path = need(&m, "path", w.Path)
	t.ActionType = need(&m, "action_type", w.ActionType)
	t.Severity = need(&m, "severity", w.Severity, w.RiskLevel)
	t.Recommendations = need(&m, "recommendations", w.Recommendations, one(w.AgentRecommendation))
	t.DetectedRules = need(&m, "detected_rules", w.DetectedRules, w.rulesOfRisks(t.Severity))
	if err := m.err(where); err != nil {
		return Tool{}, err
	}
	if err := t.checkSeverities(where); err != nil {
		return Tool{}, err
	}
	w.fill(&t)
	return t, nil
}

// rulesOfRisks serves exports from before detected_rules, which name findings only
// by code. Each is taken to be as severe as the tool: too strict for some, but
// never too lax for a gate.
func (w *wireTool) rulesOfRisks(s Severity) *[]Rule {
	if w.DetectedRisks == nil {
		return nil
	}
	rules := []Rule{}
	for _, risk := range *w.DetectedRisks {
		rules = append(rules, Rule{FindingCode: risk, Severity: s})
	}
	return &rules
}

func (t *Tool) checkSeverities(where string) error {
	if t.Severity.Rank() == 0 {
		return fmt.Errorf("%s: severity is %q, want %s", where, t.Severity, Choice(severities))
	}
	for i, r := range t.DetectedRules {
		if r.Severity.Rank() == 0 {
			return fmt.Errorf("%s.detected_rules[%d]: severity is %q, want %s", where, i, r.Severity, Choice(severities))
		}
	}
	return nil
}

// fill sets what follows from the canonical members where it is absent.
func (w *wireTool) fill(t *Tool) {
	codes, risks := []string{}, []string{}
	for _, r := range t.DetectedRules {
		codes = appendNew(codes, r.RuleCode)
		risks = appendNew(risks, r.FindingCode)
	}
	var none missing
	t.RuleCodes = need(&none, "", w.RuleCodes, &codes)
	t.DetectedRisks = need(&none, "", w.DetectedRisks, &risks)
	t.OperationID = need(&none, "", w.OperationID, &t.ID)
	t.RiskLevel = need(&none, "", w.RiskLevel, &t.Severity)
	first := ""
	if len(t.Recommendations) > 0 {
		first = t.Recommendations[0]
	}
	t.AgentRecommendation = need(&none, "", w.AgentRecommendation, &first)
	left := 100.0
	for _, points := range t.PointsLost() {
		left -= float64(points)
	}
	t.Score = round(need(&none, "", w.Score, &left))
}

// appendNew appends s unless it is empty or already there.
func appendNew(list []string, s string) []string {
	if s == "" {
		return list
	}
	for _, v := range list {
		if v == s {
			return list
		}
	}
	return append(list, s)
}

// one is a list of one string, or nil for none.
func one(s *string) *[]string {
	if s == nil {
		return nil
	}
	return &[]string{*s}
}
