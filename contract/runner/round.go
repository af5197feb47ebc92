package runner

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Reproduction is how the command check of a finding ended.
type Reproduction struct {
	Finding    int             `json:"finding"` // its index in the round's findings
	Class      string          `json:"class"`
	Severity   contract.Weight `json:"severity"`
	Location   string          `json:"location"`
	Message    string          `json:"message"`
	StillFails bool            `json:"still_fails"` // the defect can still be seen
	Outcome
}

// RoundChecks are the command checks of a round's findings, with the index of each
// one's finding.
func RoundChecks(round *contract.Round) (checks []contract.Check, findings []int) {
	for i, f := range round.Findings {
		if f.Check != nil && f.Check.Type == contract.Command {
			checks, findings = append(checks, *f.Check), append(findings, i)
		}
	}
	return checks, findings
}

// Round runs the command checks of a round's findings: one that does not pass still
// shows its defect. Where ctx ends, it gives those until then and the error.
func (r *Runner) Round(ctx context.Context, round *contract.Round) ([]Reproduction, error) {
	checks, findings := RoundChecks(round)
	outcomes, err := r.Run(ctx, checks)
	out := make([]Reproduction, len(outcomes))
	for i, outcome := range outcomes {
		f := round.Findings[findings[i]]
		out[i] = Reproduction{
			Finding: findings[i], Class: f.Class, Severity: f.Weight, Location: f.Location, Message: f.Message,
			StillFails: !outcome.Passed, Outcome: outcome,
		}
	}
	return out, err
}
