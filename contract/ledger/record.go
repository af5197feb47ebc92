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
	if len(text) > contract.MaxDocumentBytes {
		return refuse(TooLarge, fmt.Sprintf("the %s has %d bytes, more than %d", kind, len(text), contract.MaxDocumentBytes), "leave out what nobody reads, such as long outputs")
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

// Recorded is what the ledger says of a report and of a round alike.
type Recorded struct {
	// Contract is the newest revision, which it was held against; of a retry, the one that
	// was the newest then.
	Contract *contract.Contract
	Receipt  *Receipt        // nil where it was not recorded
	Repeated bool            // whether the receipt is that of an earlier call
	Next     []contract.Step // who acts now
}

// attempt is a report or a round that is held against a chain. Its answer is its own.
type attempt interface {
	// judge holds it against the state as it is.
	judge(ctx context.Context, q querier, s *chainState) error
	// recordable says whether what was judged may be recorded.
	recordable() bool
	// add puts what was judged into the state, as the event behind its last.
	add(ctx context.Context, q querier, s *chainState) error
	// recorded is the part of the answer that all have.
	recorded() *Recorded
}

// hold holds an attempt against the contract's newest revision, and records nothing.
func (l *Ledger) hold(ctx context.Context, id string, a attempt) error {
	return l.view(ctx, id, func(ctx context.Context, q querier) error {
		state, err := l.loadState(ctx, q, id)
		if err != nil {
			return err
		}
		return judge(ctx, q, state, a)
	})
}

func judge(ctx context.Context, q querier, s *chainState, a attempt) error {
	if err := a.judge(ctx, q, s); err != nil {
		return err
	}
	*a.recorded() = Recorded{Contract: s.chain.Newest(), Next: contract.Next(s.chain.Progress())}
	return nil
}

// submit holds an attempt against the contract's newest revision and, where it may be,
// records it as the body of an event. A retry gets its first answer.
func (l *Ledger) submit(ctx context.Context, caller Caller, s Submission, kind Kind, body []byte, a attempt) error {
	var first *Event
	err := l.change(ctx, s.Contract, func(ctx context.Context, q querier) (err error) {
		if first, err = earlier(ctx, q, caller, s, kind, body); err != nil || first != nil {
			return err
		}
		state, err := l.loadState(ctx, q, s.Contract)
		if err != nil {
			return err
		}
		if err := judge(ctx, q, state, a); err != nil || !a.recordable() {
			return err
		}
		return l.recordAttempt(ctx, q, state, caller, &Event{Kind: kind, Submission: s.Key, Body: body}, a)
	})
	if err != nil || first == nil {
		return err
	}
	// Nobody who records waits meanwhile: it takes as long as the revision has rounds.
	return l.view(ctx, s.Contract, func(ctx context.Context, q querier) error { return l.repeat(ctx, q, first, a) })
}

func (l *Ledger) recordAttempt(ctx context.Context, q querier, s *chainState, caller Caller, e *Event, a attempt) error {
	if err := a.add(ctx, q, s); err != nil {
		return err
	}
	s.progress = s.chain.Progress()
	if err := l.record(ctx, q, s.head, caller, e); err != nil {
		return err
	}
	answer := a.recorded()
	answer.Next = contract.Next(s.progress)
	var err error
	answer.Receipt, err = l.receipt(e)
	return err
}

// repeat gives a retry its first answer.
func (l *Ledger) repeat(ctx context.Context, q querier, first *Event, a attempt) error {
	was, err := l.before(ctx, q, first)
	if err != nil {
		return err
	}
	if err := judge(ctx, q, was, a); err != nil {
		return err
	}
	now, err := knownHead(ctx, q, first.Contract)
	if err != nil {
		return err
	}
	answer := a.recorded()
	answer.Repeated, answer.Next = true, contract.Next(now.progress)
	answer.Receipt, err = l.receipt(first)
	return err
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
		return s.files.failed
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
