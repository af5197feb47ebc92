package scan

import (
	"maps"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Policy is what a project asks of its documents, as a policy file has it. Nil is no
// file: the recommended policy.
type Policy struct {
	// File names it in exports: relative to the root of the repository, or of what a
	// server may read, with slashes.
	File string
	// MinScore, FailOn and MaxTokens are nil where the file leaves them out.
	MinScore  *int
	FailOn    *agentready.Severity
	MaxTokens *int // 0 for any number
	// Rules are severities by rule code or finding code, [agentready.Off] among them. A
	// finding's own code beats its rule's.
	Rules   map[string]agentready.Severity
	Waivers []agentready.Waiver
}

// Gate is the recommended policy with the file's thresholds over it.
func (p *Policy) Gate() agentready.Policy {
	gate := agentready.Recommended
	if p != nil && p.MinScore != nil {
		gate.MinScore = *p.MinScore
	}
	if p != nil && p.FailOn != nil {
		gate.FailOn = *p.FailOn
	}
	if p != nil && p.MaxTokens != nil {
		gate.MaxTokens = *p.MaxTokens
	}
	return gate
}

// severity is what a finding of the rule weighs, [agentready.Off] where it is not
// looked for.
func (p *Policy) severity(r RuleInfo) agentready.Severity {
	if p == nil {
		return r.Severity
	}
	for _, code := range []string{r.Finding, r.Code} {
		if s, ok := p.Rules[code]; ok {
			return s
		}
	}
	return r.Severity
}

// use is what an export says of the policy; nil for none. Its waivers are still to be
// settled.
func (p *Policy) use() *agentready.PolicyUse {
	if p == nil {
		return nil
	}
	return &agentready.PolicyUse{
		File: p.File, Rules: maps.Clone(p.Rules), Waivers: append([]agentready.Waiver(nil), p.Waivers...),
	}
}
