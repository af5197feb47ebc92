package tools

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// GateAnswer says whether the newest revision of a contract is reported done and passed,
// every reason why not, and what the record shows besides. It repeats no finding, so that
// every role may see it.
type GateAnswer struct {
	Open bool `json:"open"`
	Label
	Subject    string          `json:"subject"` // as asked for; empty for any
	Reasons    []Closing       `json:"reasons"`
	DoneReport *DoneRow        `json:"done_report"`
	LastRound  *RoundRow       `json:"last_round"`
	Facts      []ledger.Fact   `json:"facts"`
	Head       ledger.Receipt  `json:"head"`
	Next       []contract.Step `json:"next"`
}

// Closing is one reason why a gate is closed.
type Closing struct {
	Reason string         `json:"reason"`
	Actor  contract.Actor `json:"actor"` // who can change it
	Do     string         `json:"do"`    // how
}

// AskGate asks the gate of a contract (objects page, section 10); a subject that is not
// empty is the commit that both the done report and the round must name. Errors are
// *[ledger.Error]s, or the context's.
func AskGate(ctx context.Context, l *ledger.Ledger, id, subject string) (*GateAnswer, error) {
	s, err := l.Status(ctx, id)
	if err != nil {
		return nil, err
	}
	a := &GateAnswer{
		Label: NewLabel(s.Contract), Subject: subject, Reasons: []Closing{},
		DoneReport: newDoneRow(s.Done), LastRound: newRoundRow(s.Last), Facts: facts(s), Head: s.Head, Next: s.Next,
	}
	for _, reason := range s.Gate(subject) {
		a.Reasons = append(a.Reasons, Closing(reason))
	}
	a.Open = len(a.Reasons) == 0
	return a, nil
}
