package ledger

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract"
)

// RoundAnswer is what the ledger says of a round.
type RoundAnswer struct {
	Result *contract.RoundResult
	Recorded
}

// CheckRound judges a round as the contract's next, and records nothing. An input
// that cannot be looked up among the kept artifacts is an error, as in
// [Ledger.RecordRound].
func (l *Ledger) CheckRound(ctx context.Context, id string, text []byte) (*RoundAnswer, error) {
	if err := checkGiven(Round, text); err != nil {
		return nil, err
	}
	a := newRoundAttempt(text)
	if err := l.hold(ctx, id, a); err != nil {
		return nil, err
	}
	return &a.answer, nil
}

// RecordRound judges a round and, where it is valid, records it: the count of
// extension rounds, the budget and the sequence number are those of one transaction.
// A round that is not valid is an answer without a receipt.
func (l *Ledger) RecordRound(ctx context.Context, caller Caller, s Submission) (*RoundAnswer, error) {
	if err := s.check(caller, Round); err != nil {
		return nil, err
	}
	a := newRoundAttempt(s.Text)
	if err := l.submit(ctx, caller, s, Round, s.Text, a); err != nil {
		return nil, err
	}
	return &a.answer, nil
}

// roundAttempt is a round as an [attempt].
type roundAttempt struct {
	given  *contract.Round
	report *contract.Report // what is wrong with its form, and with the round
	answer RoundAnswer
}

func newRoundAttempt(text []byte) *roundAttempt {
	r, report := contract.ParseRound(text)
	return &roundAttempt{given: r, report: report}
}

func (a *roundAttempt) judge(_ context.Context, _ querier, s *chainState) error {
	a.answer.Result = s.chain.CheckRound(a.given, a.report, true)
	return s.files.failed
}

func (a *roundAttempt) recordable() bool { return a.report.Valid() }

func (a *roundAttempt) add(ctx context.Context, q querier, s *chainState) error {
	s.chain.AddRound(a.answer.Result)
	s.rounds++
	s.lastRound = s.seq + 1
	revisions := s.chain.Revisions()
	after := revisions[len(revisions)-1].Extensions
	if after == s.newest().extensions {
		return nil
	}
	return saveExtensions(ctx, q, s.id, s.revision, after)
}

func (a *roundAttempt) recorded() *Recorded { return &a.answer.Recorded }
