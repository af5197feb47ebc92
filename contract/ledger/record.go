package ledger

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Submission is a report or round that a caller wants kept.
type Submission struct {
	Contract string // its id
	// Key is the caller's own name for this attempt. The same caller, contract and key
	// with the same bytes is one event, however often it comes; another key is another
	// event, whatever its bytes.
	Key  string
	Text []byte // must not be changed afterwards
}

// check refuses what can be refused without the store.
func (s Submission) check(caller Caller, kind Kind) error {
	if err := caller.check(kind); err != nil {
		return err
	}
	if err := checkSubmission(s.Key); err != nil {
		return err
	}
	return checkGiven(kind, s.Text)
}

func checkGiven(kind Kind, text []byte) error {
	if len(text) > maxGivenBytes {
		return refuse(TooLarge, fmt.Sprintf("the %s has %d bytes, more than %d", kind, len(text), maxGivenBytes), "leave out what nobody reads, such as long outputs")
	}
	return nil
}

// record appends an event to a chain and moves its head there.
func (l *Ledger) record(ctx context.Context, q querier, h *head, caller Caller, e *Event) error {
	if len(e.Body) > maxBodyBytes {
		return refuse(TooLarge, fmt.Sprintf("the %s would take %d bytes, more than %d", e.Kind, len(e.Body), maxBodyBytes), "leave out what nobody reads, such as long outputs")
	}
	e.Contract, e.Seq, e.Prev = h.id, h.seq+1, h.hash
	e.Who, e.Role, e.At = caller.Name, caller.Role, l.now().UnixMilli()
	e.BodySHA256 = contract.SHA256(e.Body)
	e.Hash = e.ComputeHash()
	if err := insertEvent(ctx, q, e); err != nil {
		return err
	}
	if err := insertActor(ctx, q, e); err != nil {
		return err
	}
	h.seq, h.hash = e.Seq, e.Hash
	return h.save(ctx, q)
}

// earlier finds the event that the submission is a retry of; nil where it is none.
func earlier(ctx context.Context, q querier, caller Caller, s Submission, kind Kind, body []byte) (*Event, error) {
	e, err := eventOf(ctx, q, s.Contract, caller.Name, s.Key)
	if err != nil || e == nil {
		return nil, err
	}
	if e.Kind != kind || !bytes.Equal(e.Body, body) {
		return nil, refuse(SubmissionReused,
			fmt.Sprintf("the submission %s of %s was used for event %d, a %s with other bytes", quote(s.Key), quote(caller.Name), e.Seq, e.Kind),
			"give another submission to what is another attempt; to retry, send the same bytes")
	}
	return e, nil
}

// before gives the state of a chain as it was when an event was recorded, so that a
// retry gets the first answer.
func (l *Ledger) before(ctx context.Context, q querier, e *Event) (*chainState, error) {
	rows, err := loadRevisions(ctx, q, e.Contract)
	if err != nil {
		return nil, err
	}
	for len(rows) > 0 && rows[len(rows)-1].seq >= e.Seq {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return nil, damaged(e.Contract, e.Seq, "follows no revision")
	}
	newest := &rows[len(rows)-1]
	newest.extensions = 0 // counted below
	s := &chainState{head: &head{id: e.Contract}, revisions: rows}
	if err := l.resume(ctx, q, s, contract.Progress{Revision: newest.number}); err != nil {
		return nil, err
	}
	return s, eachEvent(ctx, q, e.Contract, newest.seq, e.Seq, func(between *Event) error {
		apply(s.chain, between)
		return nil
	})
}

// apply adds a done report or round that was recorded to a chain.
func apply(chain *contract.Chain, e *Event) {
	switch e.Kind {
	case Done:
		d, report := contract.ParseDone(e.Body)
		chain.AddDone(chain.CheckDone(d, report, time.Time{}))
	case Round:
		r, report := contract.ParseRound(e.Body)
		chain.AddRound(chain.CheckRound(r, report, true))
	}
}
