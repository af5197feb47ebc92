package ledger

import (
	"context"
	"database/sql"
)

// Head reads the receipt of a contract's newest event. What was read of the contract
// while it was the same still holds: the hash covers all events. The error is
// UNKNOWN_CONTRACT where there is none of that id, or none that ends its chain.
func (l *Ledger) Head(ctx context.Context, id string) (Receipt, error) {
	if !l.sees(id) {
		return Receipt{}, unknownContract(id)
	}
	head := Receipt{ContractID: id}
	row, err := l.reading.row(l.backend.within(ctx), `SELECT e.seq, e.hash FROM chains c
		JOIN events e ON e.contract = c.contract AND e.seq = c.seq AND e.hash = c.hash WHERE c.contract = $1`, id)
	if err == nil {
		err = row.Scan(&head.Seq, &head.Hash)
	}
	if err == sql.ErrNoRows {
		return Receipt{}, unknownContract(id)
	}
	return head, l.explain(ctx, err)
}

// Standing reads a revision as [Ledger.Contract] does, and how its contract stood at
// that very moment.
func (l *Ledger) Standing(ctx context.Context, id string, revision int64) (found *Registered, status *Status, err error) {
	err = l.view(ctx, id, func(q querier) error {
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
