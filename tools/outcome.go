package tools

import "github.com/plumbline-mcp/plumbline/contract/ledger"

// Told is an answer that tells what it is about and what was decided.
type Told interface {
	Outcome() Outcome
}

// Outcome is what an answer tells whoever runs the server, for logs and metrics: an id,
// words of fixed sets, and facts. Nothing of the contents.
type Outcome struct {
	// ContractID is what the call was about, cut to a label: a stranger may have chosen
	// it. Empty for a call about none.
	ContractID string
	// Verdict is what was decided: PASS or FAIL of a scan; valid or invalid of a
	// contract; done, unfinished or invalid of a done report; pass, fail, escalate or
	// invalid of a round; open or closed of a gate. Empty for an answer that only shows something.
	Verdict string
	// Recorded is what the call added to the ledger; empty for nothing, and for a retry
	// of what was recorded before.
	Recorded ledger.Kind
	// ExtensionRound says that the call was about a round with an extension.
	ExtensionRound bool
}

// The verdicts that only logs and metrics name.
const (
	verdictValid      = "valid"
	verdictInvalid    = "invalid"
	verdictDone       = "done"
	verdictUnfinished = "unfinished"
	verdictOpen       = "open"
	verdictClosed     = "closed"
)

// Outcome tells the gate's verdict.
func (a *scanAnswer) Outcome() Outcome { return Outcome{Verdict: a.Verdict} }

// Outcome tells of the contract whether it is valid.
func (a *About) Outcome() Outcome {
	verdict := verdictInvalid
	if a.Valid {
		verdict = verdictValid
	}
	return Outcome{ContractID: a.ContractID, Verdict: verdict}
}

// Outcome tells whether a revision was registered by this call.
func (a *RegisterAnswer) Outcome() Outcome {
	o := a.About.Outcome()
	if a.Recorded && !a.AlreadyRegistered {
		o.Recorded = ledger.Revision
	}
	return o
}

// Outcome tells which contract the brief is of.
func (a *BriefAnswer) Outcome() Outcome { return Outcome{ContractID: clip(a.ContractID, maxLabel)} }

// Outcome tells how far the work is by its report.
func (a *DoneAnswer) Outcome() Outcome {
	o := Outcome{ContractID: a.ContractID, Verdict: verdictInvalid, Recorded: a.added(ledger.Done)}
	switch {
	case a.Done:
		o.Verdict = verdictDone
	case a.Complete:
		o.Verdict = verdictUnfinished
	}
	return o
}

// Outcome tells the round's verdict; that of an invalid round may be any text.
func (a *RoundAnswer) Outcome() Outcome {
	o := Outcome{ContractID: a.ContractID, Verdict: verdictInvalid, Recorded: a.added(ledger.Round), ExtensionRound: a.ExtensionRound}
	if a.Valid {
		o.Verdict = string(a.Verdict)
	}
	return o
}

// Outcome tells whether the gate is open.
func (a *GateAnswer) Outcome() Outcome {
	o := Outcome{ContractID: a.ContractID, Verdict: verdictClosed}
	if a.Open {
		o.Verdict = verdictOpen
	}
	return o
}

// Outcome tells which contract was shown.
func (a *StatusAnswer) Outcome() Outcome { return Outcome{ContractID: a.ContractID} }

// added is the kind where this call added an event.
func (r Recording) added(kind ledger.Kind) ledger.Kind {
	if !r.Recorded || r.Repeated {
		return ""
	}
	return kind
}
