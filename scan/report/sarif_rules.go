package report

import (
	"fmt"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// sarifRules are the descriptions of all rules of the catalogue, then of those that
// findings have beside it, and each one's index by its id. A rule is as severe as the
// most severe of its findings, since a policy may have changed it.
func sarifRules(all []finding, catalogue []agentready.RuleInfo) (rules []sarifRule, index map[string]int) {
	found := map[string]*agentready.Rule{} // the most severe finding of each, since that comes first
	for _, f := range all {
		id := sarifRuleID(f.rule.RuleCode, f.rule.FindingCode)
		if _, seen := found[id]; !seen {
			found[id] = f.rule
		}
	}
	rules, index = []sarifRule{}, map[string]int{}
	add := func(info agentready.RuleInfo) {
		id := sarifRuleID(info.Code, info.Finding)
		if _, listed := index[id]; listed {
			return
		}
		if f, ok := found[id]; ok {
			info.Severity = f.Severity
		}
		index[id] = len(rules)
		rules = append(rules, sarifRuleOf(info))
	}
	for _, info := range catalogue {
		add(info)
	}
	for _, f := range all {
		add(agentready.RuleInfo{
			Finding: f.rule.FindingCode, Code: f.rule.RuleCode, Severity: f.rule.Severity, Category: f.rule.Category,
			Explanation: why(f.rule), Recommendation: f.rule.Recommendation,
		})
	}
	return rules, index
}

// sarifRuleID names a rule as AR002/missing_human_confirmation_flow: several findings
// may share a rule code, each with a severity of its own.
func sarifRuleID(ruleCode, findingCode string) string {
	return rule(ruleCode) + "/" + show(findingCode)
}

func sarifRuleOf(info agentready.RuleInfo) sarifRule {
	title := ruleTitle(info.Finding)
	as := sarifSeverities[known(info.Severity)]
	return sarifRule{
		ID:      sarifRuleID(info.Code, info.Finding),
		Name:    pascal(title),
		Short:   sarifText{title},
		Full:    sarifText{Escape(info.Explanation)},
		Help:    sarifHelp{Text: helpText(info), Markdown: helpMarkdown(info)},
		Default: sarifDefault{as.level},
		Properties: sarifRuleDetails{
			Security: as.score, RuleCode: show(info.Code),
			Tags: []string{"security", "agentready", show(info.Category)},
		},
	}
}

// pascal is a title as one word, as SARIF has names: MissingHumanConfirmationFlow.
func pascal(title string) string {
	var b strings.Builder
	for _, w := range strings.Fields(title) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

func helpText(info agentready.RuleInfo) string {
	s := Escape(info.Explanation) + "\n\nWhat to do: " + Escape(info.Recommendation)
	if info.Before != "" {
		s += "\n\nBefore:\n\n" + strings.Trim(info.Before, "\n") + "\n\nAfter:\n\n" + strings.Trim(info.After, "\n")
	}
	return s
}

func helpMarkdown(info agentready.RuleInfo) string {
	s := prose(info.Explanation) + "\n\n**What to do:** " + prose(info.Recommendation)
	if info.Before != "" {
		s += "\n\nBefore:\n\n" + fenced(info.Before) + "\nAfter:\n\n" + fenced(info.After)
	}
	return s
}

// fenced is an example of the catalogue, in YAML or JSON, which is YAML too.
func fenced(example string) string {
	fence := strings.Repeat("`", 3)
	return fmt.Sprintf("%syaml\n%s\n%s\n", fence, strings.Trim(example, "\n"), fence)
}
