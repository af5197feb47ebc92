package main

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// policyText is the policy file of `init`: the recommended policy, explained.
var policyText = fmt.Sprintf(`# The policy of `+"`plumbline scan`"+` for documents here and below. An editor that knows
# JSON Schema takes what `+"`plumbline schema policy`"+` prints.

# The least score that passes, 0 to 100.
min_score: %d

# The least severity of a finding that fails: %s.
fail_on: %s

# The most tokens that all definitions of one document may cost an agent.
#max_tokens: 4000

# What findings of a rule weigh instead: off, low, medium, high or critical.
# `+"`plumbline rules`"+` lists the rules.
#rules:
#  AR010: off

# Findings that are accepted. `+"`plumbline waive`"+` adds them, with the fingerprint of what
# is accepted.
#waivers:
#  - rule: AR005
#    tool: getInvoice
#    reason: Only the payer's own.
`, agentready.Recommended.MinScore, agentready.Choice(agentready.FailOnValues()), agentready.Recommended.FailOn)

// proposePolicy proposes the policy file, unless one applies to what lies here.
func (p *process) proposePolicy() (proposal, error) {
	found, err := p.policyHere()
	switch {
	case err != nil:
		return proposal{}, err
	case found.err != nil:
		return proposal{name: shown(found.path), left: "it cannot be read as a policy; `plumbline doctor` says why"}, nil
	case found.path != "":
		return proposal{name: shown(found.path), left: "it applies here already"}, nil
	}
	return proposal{name: scan.PolicyName, text: []byte(policyText)}, nil
}

// policyHere finds the policy of documents in the working directory. Its path is empty
// where there is none.
func (p *process) policyHere() (foundPolicy, error) {
	places, err := newPlaces("")
	if err != nil {
		return foundPolicy{}, err
	}
	found := newPolicies(p, places, "", "").of(input{stdin: true})
	if found.path == "" {
		return found, found.err
	}
	return found, nil
}
