package ledger

import (
	"context"
	"database/sql"
)

// Snapshot gives read a ledger whose methods all read of one moment, until read ends,
// whatever is recorded meanwhile. read uses it from one goroutine, in the context that it is
// given, and records nothing. The error is read's, or why there was no moment to read.
func (l *Ledger) Snapshot(ctx context.Context, read func(context.Context, *Ledger) error) error {
	var failed error
	err := l.viewAll(ctx, func(ctx context.Context, q querier) error {
		still := *l
		still.snapshot = q
		failed = read(ctx, &still)
		return failed
	})
	if failed != nil {
		return failed
	}
	return err
}

// Head reads the receipt of a contract's newest event. What was read of the contract
// while it was the same still holds: the hash covers all events. The error is
// UNKNOWN_CONTRACT where there is none of that id, or none that ends its chain.
func (l *Ledger) Head(ctx context.Context, id string) (Receipt, error) {
	if !l.sees(id) {
		return Receipt{}, unknownContract(id)
	}
	ctx, cancel := context.WithTimeout(ctx, l.readTime)
	defer cancel()
	head := Receipt{ContractID: id}
	row, err := l.row(ctx, `SELECT e.seq, e.hash FROM chains c
		JOIN events e ON e.contract = c.contract AND e.seq = c.seq AND e.hash = c.hash WHERE c.contract = $1`, id)
	if err == nil {
		err = row.Scan(&head.Seq, &head.Hash)
	}
	if err == sql.ErrNoRows {
		return Receipt{}, unknownContract(id)
	}
	return head, l.explain(ctx, err)
}

// row asks for one row, without a transaction where there is none.
func (l *Ledger) row(ctx context.Context, query string, args ...any) (*sql.Row, error) {
	if l.snapshot != nil {
		return l.snapshot.QueryRowContext(ctx, query, args...), nil
	}
	return l.reading.row(l.backend.within(ctx), query, args...)
}

// Standing reads a revision as [Ledger.Contract] does, and how its contract stood at
// that very moment.
func (l *Ledger) Standing(ctx context.Context, id string, revision int64) (found *Registered, status *Status, err error) {
	err = l.view(ctx, id, func(ctx context.Context, q querier) error {
		if found, err = l.registered(ctx, q, id, revision); err != nil {
			return err
		}
		state, err := l.loadState(ctx, q, id)
		if err != nil {
			return err
		}
		status, err = l.status(ctx, q, state)
		return err
	})
	return found, status, err
}
