package ledger

import (
	"context"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Status is how a contract stands. What it takes to read does not grow with the
// number of rounds.
type Status struct {
	Contract *contract.Contract // the newest revision
	Rounds   int64              // rounds of all revisions
	// ExtensionsUsed are the extension rounds against the newest revision,
	// ExtensionsBudget how many it allows, ExtensionsEver those of all revisions.
	ExtensionsUsed, ExtensionsBudget, ExtensionsEver int64
	Progress                                         contract.Progress // of the newest revision
	Done                                             *DoneStatus       // the newest report; nil for none
	Last                                             *RoundStatus      // the newest round; nil for none
	// Subject is the commit that the newest of these two names; empty where it does
	// not.
	Subject string
	Head    Receipt
	Next    []contract.Step
	Facts   []Fact // what the record shows because no rule can forbid it; never nil

	revisions []revisionRow
	actors    []actor
}

// Entry says who recorded an event and when.
type Entry struct {
	Receipt Receipt
	Who     string
	Role    contract.Actor
	At      time.Time
}

func entry(e *Event) Entry {
	return Entry{Receipt: e.Receipt(), Who: e.Who, Role: e.Role, At: time.UnixMilli(e.At)}
}

// DoneStatus is the newest done report: the word of who recorded it.
type DoneStatus struct {
	Entry
	Report   *contract.Done
	Revision int64 // that it is about
	// Done says that every check passed; else it is a report of unfinished work.
	Done bool
	// Failing are the criteria that a check did not pass of.
	Failing []string
}

// RoundStatus is the newest round.
type RoundStatus struct {
	Entry
	// Result holds the round's findings with their dispositions under the revision that
	// it was judged against, which Result.Revision names.
	Result *contract.RoundResult
	// SelfJudged says that its judge also wrote the newest done report before it.
	SelfJudged bool
}

// follows tells a round which done report is the newest, nil for none.
func (r *RoundStatus) follows(done *DoneStatus) {
	r.SelfJudged = done != nil && r.Who == done.Who && done.Receipt.Seq < r.Receipt.Seq
}

// Status reads how a contract stands. The error is UNKNOWN_CONTRACT where there is
// none of that id.
func (l *Ledger) Status(ctx context.Context, id string) (*Status, error) {
	var status *Status
	err := l.view(ctx, id, func(ctx context.Context, q querier) error {
		state, err := l.loadState(ctx, q, id)
		if err != nil {
			return err
		}
		status, err = l.status(ctx, q, state)
		return err
	})
	return status, err
}

func (l *Ledger) status(ctx context.Context, q querier, state *chainState) (*Status, error) {
	newest := state.newest()
	registered, err := eventAt(ctx, q, state.id, newest.seq) // a contract kept parsed is not read again
	if err != nil {
		return nil, err
	}
	if registered.BodySHA256 != newest.sha256 {
		return nil, damaged(state.id, newest.seq, "does not hold the revision that was registered")
	}
	s := &Status{
		Contract: state.chain.Newest(), Rounds: state.rounds,
		ExtensionsUsed: newest.extensions, ExtensionsBudget: newest.budget,
		Progress: state.progress, Head: Receipt{ContractID: state.id, Seq: state.seq, Hash: state.hash}, Next: contract.Next(state.progress),
		revisions: state.revisions,
	}
	for _, r := range state.revisions {
		s.ExtensionsEver += r.extensions
	}
	if s.actors, err = loadActors(ctx, q, state.id); err != nil {
		return nil, err
	}
	if s.Done, err = l.doneStatus(ctx, q, state); err != nil {
		return nil, err
	}
	if s.Last, err = l.roundStatus(ctx, q, state); err != nil {
		return nil, err
	}
	if s.Last != nil {
		s.Last.follows(s.Done)
	}
	s.Subject = s.subject()
	s.Facts = facts(s)
	return s, nil
}

func (s *Status) subject() string {
	switch {
	case s.Last != nil && (s.Done == nil || s.Done.Receipt.Seq < s.Last.Receipt.Seq):
		return s.Last.Result.Round.Commit
	case s.Done != nil:
		return s.Done.Report.Commit
	}
	return ""
}

// at gives the state of the chain in front of one of its events, without counting the
// rounds between: enough to hold the event's findings against its revision.
func (l *Ledger) at(ctx context.Context, q querier, state *chainState, seq int64) (*chainState, error) {
	if seq > state.newest().seq {
		return state, nil
	}
	rows := state.revisions
	for len(rows) > 0 && rows[len(rows)-1].seq > seq {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return nil, damaged(state.id, seq, "follows no revision")
	}
	was := &chainState{head: &head{id: state.id}, revisions: rows}
	return was, l.resume(ctx, q, was, contract.Progress{Revision: rows[len(rows)-1].number})
}

func (l *Ledger) doneStatus(ctx context.Context, q querier, state *chainState) (*DoneStatus, error) {
	if state.lastDone == 0 {
		return nil, nil
	}
	e, err := eventAt(ctx, q, state.id, state.lastDone)
	if err != nil {
		return nil, err
	}
	return l.doneOf(ctx, q, state, e)
}

// doneOf reads the done report of an event of the chain.
func (l *Ledger) doneOf(ctx context.Context, q querier, state *chainState, e *Event) (*DoneStatus, error) {
	was, err := l.at(ctx, q, state, e.Seq)
	if err != nil {
		return nil, err
	}
	d, report := contract.ParseDone(e.Body)
	if d == nil {
		return nil, damaged(state.id, e.Seq, "is no done report")
	}
	result := was.chain.CheckDone(d, report, time.Time{})
	return &DoneStatus{Entry: entry(e), Report: d, Revision: result.Revision, Done: result.IsDone(), Failing: result.Failing()}, nil
}

func (l *Ledger) roundStatus(ctx context.Context, q querier, state *chainState) (*RoundStatus, error) {
	if state.lastRound == 0 {
		return nil, nil
	}
	e, err := eventAt(ctx, q, state.id, state.lastRound)
	if err != nil {
		return nil, err
	}
	return l.roundOf(ctx, q, state, e)
}

// roundOf reads the round of an event of the chain. Who reported before it, the caller
// tells.
func (l *Ledger) roundOf(ctx context.Context, q querier, state *chainState, e *Event) (*RoundStatus, error) {
	was, err := l.at(ctx, q, state, e.Seq)
	if err != nil {
		return nil, err
	}
	r, report := contract.ParseRound(e.Body)
	if r == nil {
		return nil, damaged(state.id, e.Seq, "is no round")
	}
	result := was.chain.CheckRound(r, report, false)
	if was.files.failed != nil {
		return nil, was.files.failed
	}
	return &RoundStatus{Entry: entry(e), Result: result}, nil
}
