package scan

import (
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

const (
	categoryTraceability = "version_traceability"
	// namelessPoints are lost by a tool without an explicit operationId or name.
	namelessPoints = 3
	// mostUnlessWhole is the most that a tool that could not be read whole can have.
	mostUnlessWhole = agentready.MostWithCritical
)

// toolScore gives the points that a tool keeps: each category loses what its findings
// cost, never more than it holds.
func toolScore(findings []agentready.Rule, named, whole bool) int {
	lost := map[string]int{}
	for _, f := range findings {
		lost[f.Category] += f.Severity.Points()
	}
	if !named {
		lost[categoryTraceability] += namelessPoints
	}
	score := 0
	for _, c := range agentready.Categories {
		score += max(0, c.Points-lost[c.Name])
	}
	if !whole {
		score = min(score, mostUnlessWhole)
	}
	return score
}

// documentScore is the score of a document by those of its tools.
func documentScore(scores []int, critical bool) int {
	score := agentready.Uncapped(scores)
	if critical {
		score = min(score, agentready.MostWithCritical)
	}
	return score
}

// gateScore collects the tools' scores without their waived findings.
type gateScore struct {
	scores   []int
	critical bool // whether a critical finding is not waived
}

// add counts a tool, whose waived findings are marked; named as in toolScore.
func (g *gateScore) add(t *agentready.Tool, named bool) {
	left := slices.DeleteFunc(slices.Clone(t.DetectedRules), func(r agentready.Rule) bool { return r.Waived })
	g.scores = append(g.scores, toolScore(left, named, len(t.Incomplete) == 0))
	g.critical = g.critical || slices.ContainsFunc(left, func(r agentready.Rule) bool { return r.Severity == agentready.Critical })
}

// document is the document's score without waived findings.
func (g *gateScore) document() int { return documentScore(g.scores, g.critical) }

// statuses are the bands of the score, highest first.
var statuses = []struct {
	least                int
	name, interpretation string
}{
	{85, "AgentReady", "The tools are structurally ready for agents under normal authorization and validation controls."},
	{70, "Minor fixes", "The tools are usable by agents once the listed gaps are closed or accepted."},
	{50, "Needs fixes", "Agents are likely to misuse some of the tools; fix the findings before agents may call them."},
	{0, "Not AgentReady", "Agents must not be given these tools before the findings are fixed."},
}

// status gives the readiness status of a score and what it means.
func status(score int) (name, interpretation string) {
	for _, s := range statuses {
		if score >= s.least {
			return s.name, s.interpretation
		}
	}
	return "", ""
}

// actionFloors are the least severities of a tool by its action; the others are medium.
var actionFloors = map[Action]agentready.Severity{
	ActionRead: agentready.Low, ActionSearch: agentready.Low, ActionList: agentready.Low, ActionHealthCheck: agentready.Low,
	ActionDelete: agentready.High, ActionSend: agentready.High, ActionPublish: agentready.High, ActionExport: agentready.High,
	ActionAuth: agentready.High, ActionCancel: agentready.High, ActionSensitiveData: agentready.High,
	ActionPay: agentready.Critical, ActionRefund: agentready.Critical, ActionTransfer: agentready.Critical,
}

// keepsHigh are the actions that stay high however well they are controlled.
var keepsHigh = []Action{ActionPay, ActionRefund, ActionTransfer, ActionDelete, ActionCancel}

// severityFloor is the least severity of a tool: its action's, lowered where the tool
// documents human confirmation and at least one more control.
func severityFloor(a Action, controlled func() bool) agentready.Severity {
	floor, ok := actionFloors[a]
	if !ok {
		return agentready.Medium
	}
	if floor.Rank() < agentready.High.Rank() || !controlled() {
		return floor
	}
	if slices.Contains(keepsHigh, a) {
		return agentready.High
	}
	return agentready.Medium
}
