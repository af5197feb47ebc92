package ledger

import (
	"context"
	"database/sql"
	"sync"
)

// statements keeps the queries of a database prepared, which is a quarter of the cost
// of recording a round. A query is prepared in front of the transaction after the one
// that first made it: within one the connection is taken, and a process that lives for
// one transaction gains nothing.
type statements struct {
	db *sql.DB

	mu       sync.Mutex
	prepared map[string]*sql.Stmt // nil for one that is to be prepared
	missing  []string
}

func newStatements(db *sql.DB) *statements {
	return &statements{db: db, prepared: map[string]*sql.Stmt{}}
}

// begin begins a transaction that uses what is prepared.
func (s *statements) begin(ctx context.Context, opts *sql.TxOptions) (*preparedTx, error) {
	if err := s.prepareMissing(ctx); err != nil {
		return nil, err
	}
	tx, err := s.db.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &preparedTx{Tx: tx, statements: s}, nil
}

// row asks for one row without a transaction.
func (s *statements) row(ctx context.Context, query string, args ...any) (*sql.Row, error) {
	if err := s.prepareMissing(ctx); err != nil {
		return nil, err
	}
	if statement := s.get(query); statement != nil {
		return statement.QueryRowContext(ctx, args...), nil
	}
	return s.db.QueryRowContext(ctx, query, args...), nil
}

func (s *statements) prepareMissing(ctx context.Context) error {
	s.mu.Lock()
	missing := s.missing
	s.missing = nil
	s.mu.Unlock()
	for i, query := range missing {
		statement, err := s.db.PrepareContext(ctx, query)
		s.mu.Lock()
		if err != nil {
			s.missing = append(s.missing, missing[i:]...)
		} else {
			s.prepared[query] = statement
		}
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// get gives a prepared query; nil, and a note for the next transaction, if it is not.
func (s *statements) get(query string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	statement, known := s.prepared[query]
	if !known {
		s.prepared[query] = nil
		s.missing = append(s.missing, query)
	}
	return statement
}

// preparedTx is a transaction that uses prepared statements where there are some.
type preparedTx struct {
	*sql.Tx
	statements *statements
}

func (t *preparedTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if statement := t.statements.get(query); statement != nil {
		return t.StmtContext(ctx, statement).ExecContext(ctx, args...)
	}
	return t.Tx.ExecContext(ctx, query, args...)
}

func (t *preparedTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if statement := t.statements.get(query); statement != nil {
		return t.StmtContext(ctx, statement).QueryContext(ctx, args...)
	}
	return t.Tx.QueryContext(ctx, query, args...)
}

func (t *preparedTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if statement := t.statements.get(query); statement != nil {
		return t.StmtContext(ctx, statement).QueryRowContext(ctx, args...)
	}
	return t.Tx.QueryRowContext(ctx, query, args...)
}
