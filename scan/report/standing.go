package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// standing follows a finding: whether it is waived, and whether a baseline has it.
func standing(r *agentready.Rule) string {
	if r.Baseline == "" {
		return waived(r)
	}
	return waived(r) + " (" + show(string(r.Baseline)) + ")"
}

// acceptance says why a finding is waived, as "Waived until 2026-12-31: …"; empty where
// it is not, or nobody said why.
func acceptance(r *agentready.Rule) string {
	switch {
	case !r.Waived || r.Waiver == nil:
		return ""
	case r.Waiver.Expires != "":
		return "Waived until " + show(r.Waiver.Expires) + ": " + show(r.Waiver.Reason)
	}
	return "Waived: " + show(r.Waiver.Reason)
}

// costText says what the definitions cost an agent, and how that is counted.
func costText(e *agentready.Export) string {
	return fmt.Sprintf("about %s for all definitions (bytes ÷ 4)", agentready.Count(e.Tokens, "token"))
}

// policyText says what the item was held to, by which file, and what of it is not the file's.
func (i *Item) policyText() string {
	e := i.Export
	of, among := "", ""
	if e.Baseline != nil {
		among = " (new findings alone)"
		if i.Policy.MinScore == e.Baseline.GateScore {
			of = " (the baseline's)"
		}
	}
	s := fmt.Sprintf("minimum score %d%s, fail on %s%s", i.Policy.MinScore, of, i.Policy.FailOn, among)
	if i.Policy.MaxTokens > 0 {
		s += fmt.Sprintf(", at most %d tokens", i.Policy.MaxTokens)
	}
	if e.Policy != nil {
		s += ", from " + show(e.Policy.File)
		if len(i.Given) > 0 {
			s += " but for " + agentready.Series(i.Given)
		}
	}
	return s
}

// changedRules says which severities a policy file changed; empty for none.
func changedRules(e *agentready.Export) string {
	if e.Policy == nil {
		return ""
	}
	var all []string
	for _, code := range slices.Sorted(maps.Keys(e.Policy.Rules)) {
		all = append(all, show(code)+" "+show(string(e.Policy.Rules[code])))
	}
	return strings.Join(all, ", ")
}

// comparison says how an export stands to its baseline; empty where there is none.
func comparison(e *agentready.Export) string {
	b := e.Baseline
	if b == nil {
		return ""
	}
	s := fmt.Sprintf("%s, %d known, %d fixed; its score is %d", agentready.Count(b.New, "new finding"), b.Known, len(b.Fixed), b.GateScore)
	if b.Ruleset != e.Ruleset {
		s += "; it was made by other rules, so that a finding may be new although nothing changed"
	}
	return s
}

// fixed are the findings of the baseline that are gone, a line each.
func fixed(e *agentready.Export) []string {
	if e.Baseline == nil {
		return nil
	}
	lines := make([]string, len(e.Baseline.Fixed))
	for i, f := range e.Baseline.Fixed {
		lines[i] = show(f.Tool) + ": " + strings.TrimSpace(rule(f.RuleCode)+" "+show(f.FindingCode))
		if f.Removed {
			lines[i] += ", removed with its " + agentready.Noun(e.SourceType)
		}
	}
	return lines
}
