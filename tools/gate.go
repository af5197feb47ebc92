package tools

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// GateAnswer says whether the newest revision of a contract is reported done and passed,
// every reason why not, and what the record shows besides. It repeats no finding, and to a
// builder nothing else that a judge is free to write.
type GateAnswer struct {
	Open bool `json:"open"`
	Label
	Subject string    `json:"subject"` // as asked for; empty for any
	Reasons []Closing `json:"reasons"`
	// ExtensionsUsed are the extension rounds against the newest revision,
	// ExtensionsBudget how many it allows, ExtensionsEver those of all revisions.
	ExtensionsUsed   int64 `json:"extensions_used"`
	ExtensionsBudget int64 `json:"extensions_budget"`
	ExtensionsEver   int64 `json:"extensions_ever"`

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
	s, err := statusFor(ctx, l, id, subject)
	if err != nil {
		return nil, err
	}
	a := &GateAnswer{
		Label: NewLabel(s.Contract), Subject: subject, Reasons: []Closing{},
		ExtensionsUsed: s.ExtensionsUsed, ExtensionsBudget: s.ExtensionsBudget, ExtensionsEver: s.ExtensionsEver,
		DoneReport: newDoneRow(s.Done), LastRound: newRoundRow(s.Last), Facts: facts(s), Head: s.Head, Next: s.Next,
	}
	for _, reason := range s.Gate(subject) {
		a.Reasons = append(a.Reasons, Closing(reason))
	}
	a.Open = len(a.Reasons) == 0
	return a, nil
}

// statusFor reads how a contract stands as the context's caller may see it; subject is the
// commit that was asked for, empty for none.
func statusFor(ctx context.Context, l *ledger.Ledger, id, subject string) (*ledger.Status, error) {
	s, err := l.Status(ctx, id)
	if err == nil && !SeesExtensions(roleOf(ctx)) {
		s = s.ForBuilder(subject)
	}
	return s, err
}
