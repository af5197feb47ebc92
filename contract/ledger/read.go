package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Registered is a revision as it was registered.
type Registered struct {
	Contract *contract.Contract // its Text is the registered bytes
	Newest   int64              // number of the contract's newest revision
	Receipt  Receipt
	Who      string    // who registered it
	At       time.Time // when
}

// Contract reads a revision of a contract, the newest for 0. Errors: UNKNOWN_CONTRACT,
// UNKNOWN_REVISION.
func (l *Ledger) Contract(ctx context.Context, id string, revision int64) (*Registered, error) {
	var found *Registered
	err := l.view(ctx, id, func(ctx context.Context, q querier) (err error) {
		found, err = l.registered(ctx, q, id, revision)
		return err
	})
	return found, err
}

func (l *Ledger) registered(ctx context.Context, q querier, id string, revision int64) (*Registered, error) {
	h, err := knownHead(ctx, q, id)
	if err != nil {
		return nil, err
	}
	rows, err := loadRevisions(ctx, q, id)
	if err != nil {
		return nil, err
	}
	if revision == 0 {
		revision = h.revision
	}
	if revision < 1 || revision > int64(len(rows)) {
		return nil, refuse(UnknownRevision, fmt.Sprintf("%s has no revision %d; its newest is %d", quote(id), revision, h.revision), "leave the revision out for the newest")
	}
	e, err := eventAt(ctx, q, id, rows[revision-1].seq)
	if err != nil {
		return nil, err
	}
	c, err := l.contractOf(ctx, q, id, rows[revision-1])
	if err != nil {
		return nil, err
	}
	return &Registered{Contract: c, Newest: h.revision, Receipt: e.Receipt(), Who: e.Who, At: time.UnixMilli(e.At)}, nil
}

// Events reads the events of a contract behind a sequence number, in order, at most
// limit; none for a contract that is not known.
func (l *Ledger) Events(ctx context.Context, id string, after int64, limit int) ([]*Event, error) {
	if !l.sees(id) {
		return nil, nil
	}
	var events []*Event
	err := l.view(ctx, id, func(ctx context.Context, q querier) (err error) {
		events, err = eventsBetween(ctx, q, id, after, allEvents, limit)
		return err
	})
	return events, err
}
