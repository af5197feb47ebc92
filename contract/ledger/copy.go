package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Copied is what [Copy] has done.
type Copied struct {
	Contracts int64 // whose chains the target now has, to the last event of the source
	Events    int64 // that were written; those that the target had already do not count
	// Refused are the contracts whose chains the target does not have, or not whole, by
	// id; never nil.
	Refused []Refusal
}

// Refusal says why a contract's chain was not copied.
type Refusal struct {
	ContractID string `json:"contract_id"`
	Reason     string `json:"reason"`
}

// Copy copies the chains of all contracts from one ledger to another, each event byte
// for byte with the artifacts kept for it, so that every receipt and kept head holds
// there too. It writes only behind what the target has, which must be the beginning of
// the source's chain: so a copy that was interrupted goes on where it stopped, and one
// that is repeated copies what came since. A chain that does not verify, in the source
// or afterwards in the target, is refused, and the others are copied. told is called
// after each contract; nil for nobody. The error says which ledger failed; what was
// copied until then stays.
func Copy(ctx context.Context, from, to *Ledger, told func(Copied)) (*Copied, error) {
	done := &Copied{Refused: []Refusal{}}
	ids, err := from.contractIDs(ctx)
	if err != nil {
		return done, Within("FROM", err)
	}
	for _, id := range ids {
		c := &chainCopy{id: id, from: from, to: to}
		err := c.run(ctx)
		done.Events += c.written
		switch {
		case c.refused != "":
			done.Refused = append(done.Refused, Refusal{id, c.refused})
		case err != nil:
			return done, err
		default:
			done.Contracts++
		}
		if told != nil {
			told(*done)
		}
	}
	return done, nil
}

// contractIDs are those of all chains, also of one that lost its head or its events.
func (l *Ledger) contractIDs(ctx context.Context) ([]string, error) {
	var ids []string
	err := l.viewAll(ctx, func(ctx context.Context, q querier) error {
		rows, err := q.QueryContext(ctx, `SELECT contract FROM chains UNION SELECT contract FROM events ORDER BY 1`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return rows.Err()
	})
	return ids, err
}

// Within says in an error of a ledger which of several it is about; other errors stay as
// they are.
func Within(which string, err error) error {
	var known *Error
	if !errors.As(err, &known) {
		return err
	}
	named := *known
	named.Message = which + ": " + known.Message
	return &named
}

// chainCopy copies one chain.
type chainCopy struct {
	id       string
	from, to *Ledger
	have     Receipt // the end of the target's chain
	written  int64
	refused  string // why the chain is not copied; empty while it is
	unread   error  // why an artifact of the source could not be copied
}

// refuse gives the error that ends a transaction once the chain is refused.
func (c *chainCopy) refuse(format string, args ...any) error {
	c.refused = fmt.Sprintf(format, args...)
	return &Error{Code: Unavailable, Message: c.refused}
}

func (c *chainCopy) run(ctx context.Context) error {
	var err error
	if c.have, err = c.to.end(ctx, c.id); err != nil {
		return Within("TO", err)
	}
	var head Receipt
	var inTarget error
	err = c.from.viewWhole(ctx, c.id, func(source querier) error {
		found, err := c.from.verify(ctx, source, c.id, c.have.Hash)
		if err != nil {
			return err
		}
		head = found.Head
		if err := c.follows(found); err != nil {
			return err
		}
		inTarget, err = c.events(ctx, source)
		return err
	})
	switch {
	case err != nil:
		return Within("FROM", err)
	case inTarget != nil:
		return Within("TO", inTarget)
	}
	return c.check(ctx, head)
}

// end gives the end of a contract's chain; one without a hash where there is none.
func (l *Ledger) end(ctx context.Context, id string) (Receipt, error) {
	end := Receipt{ContractID: id}
	err := l.view(ctx, id, func(ctx context.Context, q querier) error {
		h, err := loadHead(ctx, q, id)
		if err == nil && h != nil {
			end = Receipt{ContractID: id, Seq: h.seq, Hash: h.hash}
		}
		return err
	})
	return end, err
}

// follows refuses a source that is damaged, or that the target's chain is no beginning
// of.
func (c *chainCopy) follows(source *Verification) error {
	for _, fault := range source.Faults {
		if fault.What != faultNoKept {
			return c.refuse("its chain does not verify in the source: event %d: %s", fault.Seq, fault.What)
		}
	}
	if source.KeptAt != c.have.Seq {
		return c.refuse("the target has a chain of it that ends at event %d and is no beginning of the source's", c.have.Seq)
	}
	return nil
}

// events writes what the target lacks, some events a transaction, so that what is
// written stays if the next ones fail.
func (c *chainCopy) events(ctx context.Context, source querier) (inTarget, err error) {
	follow := newVerifier(c.id, "")
	var batch []*Event
	size := 0
	write := func() {
		if len(batch) > 0 && inTarget == nil {
			inTarget = c.write(ctx, source, batch, follow)
		}
		batch, size = nil, 0
	}
	err = eachEvent(ctx, source, c.id, 0, allEvents, func(e *Event) error {
		if err := follow.stored(ctx, source, e); err != nil {
			return err
		}
		if e.Seq > c.have.Seq {
			batch, size = append(batch, e), size+len(e.Body)
		}
		if len(batch) == batchEvents || size >= batchBytes {
			write()
		}
		return inTarget
	})
	if err == nil {
		write()
	}
	switch {
	case c.unread != nil:
		return nil, c.unread
	case inTarget != nil:
		return inTarget, nil
	}
	return nil, err
}

// write appends a batch to the target's chain in one transaction; follow is behind its
// last event.
func (c *chainCopy) write(ctx context.Context, source querier, batch []*Event, follow *verifier) error {
	err := c.to.change(ctx, c.id, func(ctx context.Context, target querier) error {
		h, err := loadHead(ctx, target, c.id)
		switch {
		case err != nil:
			return err
		case h == nil && c.have.Seq > 0, h != nil && h.hash != c.have.Hash:
			return c.refuse("somebody else recorded in the target meanwhile")
		}
		for _, e := range batch {
			if err := c.event(ctx, source, target, e); err != nil {
				return err
			}
		}
		return follow.save(ctx, target, batch[0].Seq)
	})
	if err != nil {
		return err
	}
	c.have, c.written = batch[len(batch)-1].Receipt(), c.written+int64(len(batch))
	return nil
}

// save writes what the store keeps beside a batch of events that begins with one, but
// for the actors: the revisions since, and the one before, whose count may have grown.
func (v *verifier) save(ctx context.Context, q querier, from int64) error {
	first := max(len(v.revisions)-1, 0)
	for first > 0 && v.revisions[first].seq >= from {
		first--
	}
	for _, r := range v.revisions[first:] {
		if err := saveRevision(ctx, q, v.ContractID, r); err != nil {
			return err
		}
	}
	return v.head.save(ctx, q)
}

// event copies an event with who acted and, of a revision, what is kept for it.
func (c *chainCopy) event(ctx context.Context, source, target querier, e *Event) error {
	if err := insertEvent(ctx, target, e); err != nil {
		return err
	}
	if err := insertActor(ctx, target, e); err != nil || e.Kind != Revision {
		return err
	}
	registered, report := contract.ParseContract(e.Body)
	if !report.Valid() {
		return damaged(e.Contract, e.Seq, "is no valid contract")
	}
	kept := newKeptFiles(ctx, source, e.Contract, registered.Revision)
	files, err := contract.ReadArtifacts(registered, kept)
	switch {
	case kept.failed != nil:
		c.unread = kept.failed
		return c.unread
	case err != nil:
		return damaged(e.Contract, e.Seq, "lacks an artifact")
	}
	return keepArtifacts(ctx, target, registered, files)
}

// check recomputes the target's chain up to the source's head.
func (c *chainCopy) check(ctx context.Context, head Receipt) error {
	found, err := c.to.Verify(ctx, c.id, head.Hash)
	if err != nil {
		return Within("TO", err)
	}
	if len(found.Faults) > 0 {
		fault := found.Faults[0]
		return c.refuse("its chain does not verify in the target: event %d: %s", fault.Seq, fault.What)
	}
	return nil
}
