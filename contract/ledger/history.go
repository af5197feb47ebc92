package ledger

import (
	"context"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// historyBytes is after how many bytes of events a page of a history ends.
const historyBytes = 4 << 20

// Moment is one event of a chain, read as the rules have it at its place: one of
// Revision, Done and Round is not nil.
type Moment struct {
	Revision *RevisionStatus
	Done     *DoneStatus
	Round    *RoundStatus
	// Facts are the names of what is to be seen of a round beside the done report before
	// it ([Fact]); nil for none.
	Facts []string

	reported *DoneStatus // before a round; nil for none
}

// RevisionStatus is a revision as it was registered.
type RevisionStatus struct {
	Entry
	Contract *contract.Contract
	Review   *contract.Review // what it does to the revision before it
	// ExtensionsUsed are the extension rounds against it so far, ExtensionsBudget how
	// many it allows.
	ExtensionsUsed, ExtensionsBudget int64
}

// ForBuilder gives the moment as a builder may see it: like [Status.ForBuilder].
func (m Moment) ForBuilder() Moment {
	if m.Round != nil {
		var known []string
		if m.reported != nil {
			known = append(known, m.reported.Report.Commit)
		}
		m.Round = m.Round.forBuilder(known...)
	}
	return m
}

// History reads a page of a contract's events, the newest first: those in front of a
// sequence number, 0 for all, at most limit; fewer where they are long. older is the
// number in front of which the next page lies, 0 for none. The error is UNKNOWN_CONTRACT
// where there is none of that id.
func (l *Ledger) History(ctx context.Context, id string, before int64, limit int) (page []Moment, older int64, err error) {
	if before == 0 {
		before = allEvents
	}
	err = l.view(ctx, id, func(ctx context.Context, q querier) error {
		state, err := l.loadState(ctx, q, id)
		if err != nil {
			return err
		}
		events, err := eventsBack(ctx, q, id, before, limit)
		if err != nil || len(events) == 0 {
			return err
		}
		if oldest := events[len(events)-1].Seq; oldest > 1 {
			older = oldest
		}
		page, err = l.moments(ctx, q, state, events)
		return err
	})
	return page, older, err
}

// eventsBack reads the events of a contract before one, the newest first.
func eventsBack(ctx context.Context, q querier, id string, before int64, limit int) ([]*Event, error) {
	rows, err := q.QueryContext(ctx,
		`SELECT `+eventColumns+` FROM events WHERE contract = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`, id, before, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var events []*Event
	for size := 0; size < historyBytes && rows.Next(); {
		e, err := scanEvent(rows.Scan)
		if err == nil {
			err = e.intact()
		}
		if err != nil {
			return nil, err
		}
		size += len(e.Body)
		events = append(events, e)
	}
	return events, rows.Err()
}

// moments reads events, given from the newest, as they were from the oldest on.
func (l *Ledger) moments(ctx context.Context, q querier, state *chainState, events []*Event) ([]Moment, error) {
	reported, err := l.doneBefore(ctx, q, state, events[len(events)-1].Seq)
	if err != nil {
		return nil, err
	}
	moments := make([]Moment, len(events))
	extended := map[int64]int64{} // first extension rounds, by revision
	for i, e := range slices.Backward(events) {
		m := Moment{reported: reported}
		switch e.Kind {
		case Revision:
			m.Revision, err = l.revisionOf(ctx, q, state, e)
		case Done:
			m.Done, err = l.doneOf(ctx, q, state, e)
			reported = m.Done
		case Round:
			m.Round, err = l.roundOf(ctx, q, state, e)
			over := false
			if err == nil {
				over, err = l.passesOver(ctx, q, state, m.Round, extended)
			}
			if err == nil {
				m.Round.follows(reported)
				m.Facts = factsOfRound(m.Round, reported, over)
			}
		}
		if err != nil {
			return nil, err
		}
		moments[i] = m
	}
	return moments, nil
}

// doneBefore reads the newest done report before an event; nil for none.
func (l *Ledger) doneBefore(ctx context.Context, q querier, state *chainState, seq int64) (*DoneStatus, error) {
	var last int64
	err := q.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM events WHERE contract = $1 AND seq < $2 AND kind = $3`,
		state.id, seq, string(Done)).Scan(&last)
	if err != nil || last == 0 {
		return nil, err
	}
	e, err := eventAt(ctx, q, state.id, last)
	if err != nil {
		return nil, err
	}
	return l.doneOf(ctx, q, state, e)
}

// Revisions reads a page of a contract's revisions, the newest first: those before a
// number, 0 for all, at most limit. older is the number in front of which the next page
// lies, 0 for none. The error is UNKNOWN_CONTRACT where there is none of that id.
func (l *Ledger) Revisions(ctx context.Context, id string, before int64, limit int) (page []RevisionStatus, older int64, err error) {
	err = l.view(ctx, id, func(ctx context.Context, q querier) error {
		state, err := l.loadState(ctx, q, id)
		if err != nil {
			return err
		}
		rows := state.revisions
		if before > 0 && before <= int64(len(rows)) {
			rows = rows[:before-1]
		}
		if len(rows) > limit {
			rows = rows[len(rows)-limit:]
			older = rows[0].number
		}
		for _, row := range slices.Backward(rows) {
			e, err := eventAt(ctx, q, id, row.seq)
			if err != nil {
				return err
			}
			r, err := l.revisionOf(ctx, q, state, e)
			if err != nil {
				return err
			}
			page = append(page, *r)
		}
		return nil
	})
	return page, older, err
}

// revisionOf reads the revision of an event of the chain.
func (l *Ledger) revisionOf(ctx context.Context, q querier, state *chainState, e *Event) (*RevisionStatus, error) {
	i := slices.IndexFunc(state.revisions, func(r revisionRow) bool { return r.seq == e.Seq })
	if i < 0 {
		return nil, damaged(state.id, e.Seq, "and the list of revisions differ")
	}
	row := state.revisions[i]
	c, err := l.contractOf(ctx, q, state.id, row)
	if err != nil {
		return nil, err
	}
	var previous *contract.Contract
	extended := false
	if i > 0 {
		extended = state.revisions[i-1].extensions > 0
		if previous, err = l.contractOf(ctx, q, state.id, state.revisions[i-1]); err != nil {
			return nil, err
		}
	}
	return &RevisionStatus{Entry: entry(e), Contract: c, Review: contract.ReviewRevision(previous, c, extended),
		ExtensionsUsed: row.extensions, ExtensionsBudget: row.budget}, nil
}
