package ledger

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract"
)

// RoundAnswer is what the ledger says of a round.
type RoundAnswer struct {
	Result *contract.RoundResult
	// Contract is the newest revision, which the round was held against; of a retry,
	// the one that was the newest then.
	Contract *contract.Contract
	Receipt  *Receipt        // nil where it was not recorded
	Repeated bool            // whether the receipt is that of an earlier call
	Next     []contract.Step // who acts now
}

// CheckRound judges a round as the contract's next, and records nothing. An input
// that cannot be looked up among the kept artifacts is an error, as in
// [Ledger.RecordRound].
func (l *Ledger) CheckRound(ctx context.Context, id string, text []byte) (*RoundAnswer, error) {
	if err := checkGiven(Round, text); err != nil {
		return nil, err
	}
	r, report := contract.ParseRound(text)
	var answer *RoundAnswer
	err := l.view(ctx, id, func(q querier) error {
		s, err := l.loadState(ctx, q, id)
		if err == nil {
			answer, err = s.judge(r, report)
		}
		return err
	})
	return answer, err
}

// RecordRound judges a round and, where it is valid, records it: the count of
// extension rounds, the budget and the sequence number are those of one transaction.
// A round that is not valid is an answer without a receipt.
func (l *Ledger) RecordRound(ctx context.Context, caller Caller, s Submission) (*RoundAnswer, error) {
	if err := s.check(caller, Round); err != nil {
		return nil, err
	}
	r, report := contract.ParseRound(s.Text)
	var answer *RoundAnswer
	err := l.change(ctx, s.Contract, func(ctx context.Context, q querier) error {
		first, err := earlier(ctx, q, caller, s, Round, s.Text)
		if err != nil {
			return err
		}
		if first != nil {
			answer, err = l.repeatRound(ctx, q, first, r, report)
			return err
		}
		state, err := l.loadState(ctx, q, s.Contract)
		if err != nil {
			return err
		}
		if answer, err = state.judge(r, report); err != nil || !report.Valid() {
			return err
		}
		return l.recordRound(ctx, q, state, caller, s, answer)
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// judge holds a round against the state as it is.
func (s *chainState) judge(r *contract.Round, report *contract.Report) (*RoundAnswer, error) {
	result := s.chain.CheckRound(r, report, true)
	if s.files.failed != nil {
		return nil, s.files.failed
	}
	return &RoundAnswer{Result: result, Contract: s.chain.Newest(), Next: contract.Next(s.chain.Progress())}, nil
}

func (l *Ledger) recordRound(ctx context.Context, q querier, state *chainState, caller Caller, s Submission, answer *RoundAnswer) error {
	before := state.newest().extensions
	state.chain.AddRound(answer.Result)
	revisions := state.chain.Revisions()
	if after := revisions[len(revisions)-1].Extensions; after != before {
		if err := saveExtensions(ctx, q, state.id, state.revision, after); err != nil {
			return err
		}
	}
	e := &Event{Kind: Round, Submission: s.Key, Body: s.Text}
	state.progress = state.chain.Progress()
	state.rounds++
	state.lastRound = state.seq + 1
	if err := l.record(ctx, q, state.head, caller, e); err != nil {
		return err
	}
	answer.Next = contract.Next(state.progress)
	var err error
	answer.Receipt, err = l.receipt(e)
	return err
}

// repeatRound gives a retry its first answer.
func (l *Ledger) repeatRound(ctx context.Context, q querier, first *Event, r *contract.Round, report *contract.Report) (*RoundAnswer, error) {
	was, err := l.before(ctx, q, first)
	if err != nil {
		return nil, err
	}
	answer, err := was.judge(r, report)
	if err != nil {
		return nil, err
	}
	now, err := knownHead(ctx, q, first.Contract)
	if err != nil {
		return nil, err
	}
	answer.Repeated, answer.Next = true, contract.Next(now.progress)
	answer.Receipt, err = l.receipt(first)
	return answer, err
}
