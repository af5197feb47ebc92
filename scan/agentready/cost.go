package agentready

import "sort"

// Category is one of the nine parts that a tool's 100 points are split into.
type Category struct {
	Name   string // as in detected_rules[].category
	Points int    // what a tool without findings has of it
}

// Categories are all categories in the order of the score table; their points
// sum up to 100.
var Categories = []Category{
	{"clear_names", 10},
	{"agent_descriptions", 15},
	{"usage_boundaries", 15},
	{"strict_parameters", 15},
	{"corrective_errors", 10},
	{"dangerous_actions", 15},
	{"sensitive_permissions", 10},
	{"agent_readable_responses", 5},
	{"version_traceability", 5},
}

// severityPoints is what one finding takes from its category.
var severityPoints = map[Severity]int{Low: 1, Medium: 3, High: 6, Critical: 10}

// Points is what one finding of the severity takes from its category, as long as
// the category has as many left; 0 for an unknown severity.
func (s Severity) Points() int { return severityPoints[s] }

// RuleCost is what one finding code costs a whole export.
type RuleCost struct {
	RuleCode    string   `json:"rule_code"`
	FindingCode string   `json:"finding_code"`
	Severity    Severity `json:"severity"` // the highest that it was found with
	Count       int      `json:"count"`    // findings, waived ones included
	Waived      int      `json:"waived"`   // how many of Count are waived
	// Points is the sum over all tools of the points it took. Where findings of one
	// category compete for what is left of it, the more severe is counted first.
	Points         int    `json:"points"`
	Example        string `json:"example"` // id of the first tool that has it
	Recommendation string `json:"recommendation"`
}

// ByRule sums the findings up by finding code: what costs most points first, then
// the more severe, then by rule and finding code. It is never nil.
func (e *Export) ByRule() []RuleCost {
	costs := []RuleCost{}
	index := map[[2]string]int{}
	for _, t := range e.Tools {
		points := t.PointsLost()
		for i, r := range t.DetectedRules {
			key := [2]string{r.RuleCode, r.FindingCode}
			at, seen := index[key]
			if !seen {
				at = len(costs)
				index[key] = at
				costs = append(costs, RuleCost{
					RuleCode: r.RuleCode, FindingCode: r.FindingCode, Severity: r.Severity,
					Example: t.ID, Recommendation: r.Recommendation,
				})
			}
			costs[at].add(r, points[i])
		}
	}
	sort.SliceStable(costs, func(i, j int) bool { return costs[i].before(costs[j]) })
	return costs
}

func (c *RuleCost) add(r Rule, points int) {
	c.Count++
	c.Points += points
	if r.Waived {
		c.Waived++
	}
	if r.Severity.Rank() > c.Severity.Rank() {
		c.Severity = r.Severity
	}
}

func (c RuleCost) before(d RuleCost) bool {
	switch {
	case c.Points != d.Points:
		return c.Points > d.Points
	case c.Severity != d.Severity:
		return c.Severity.Rank() > d.Severity.Rank()
	case c.RuleCode != d.RuleCode:
		return c.RuleCode < d.RuleCode
	}
	return c.FindingCode < d.FindingCode
}

// PointsLost is what each finding of the tool takes from its 100 points, in the
// order of DetectedRules, which is most severe first (rules page, section 5).
func (t Tool) PointsLost() []int {
	left := map[string]int{}
	for _, c := range Categories {
		left[c.Name] = c.Points
	}
	lost := make([]int, len(t.DetectedRules))
	for i, r := range t.DetectedRules {
		lost[i] = min(r.Severity.Points(), left[r.Category])
		left[r.Category] -= lost[i]
	}
	return lost
}

// WorstFirst gives the tools by score, lowest first, then by severity, highest
// first, then in document order. It is never nil and leaves e as it is.
func (e *Export) WorstFirst() []Tool {
	tools := append([]Tool{}, e.Tools...)
	sort.SliceStable(tools, func(i, j int) bool {
		a, b := tools[i], tools[j]
		if a.Score != b.Score {
			return a.Score < b.Score
		}
		return a.Severity.Rank() > b.Severity.Rank()
	})
	return tools
}
