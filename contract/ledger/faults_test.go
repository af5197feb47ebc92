package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/sqlite"
)

// errFault is what a faulty database says.
var errFault = errors.New("the disk did not answer")

// faults has one access to a database fail, and none before or after it: what goes on
// after an error as if there were none gets whole answers from then on.
type faults struct {
	left  int // accesses until then; 0 for never
	fired bool
}

func (f *faults) access() error {
	if f.left--; f.left != 0 {
		return nil
	}
	f.fired = true
	return errFault
}

// faultyBackend opens a file of SQLite through a driver that faults fail.
type faultyBackend struct {
	sqliteBackend
	*faults
}

func (b faultyBackend) connect(location string, _ bool) (read, write *sql.DB, err error) {
	pool := func(options string) *sql.DB {
		connector, opened := sqlite.NewConnector("file:" + location + "?_synchronous=OFF" + options)
		err = errors.Join(err, opened)
		return sql.OpenDB(faultyConnector{connector, b.faults})
	}
	return pool(""), pool("&_txlock=immediate"), err
}

type faultyConnector struct {
	driver.Connector
	*faults
}

func (c faultyConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	return faultyConn{conn, c.faults}, err
}

// faultyConn has no queries but those that are prepared.
type faultyConn struct {
	driver.Conn
	*faults
}

func (c faultyConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if err := c.access(); err != nil {
		return nil, err
	}
	stmt, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	return faultyStmt{stmt, c.faults}, err
}

func (c faultyConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.access(); err != nil {
		return nil, err
	}
	tx, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
	return faultyTx{tx, c.faults}, err
}

type faultyTx struct {
	driver.Tx
	*faults
}

func (t faultyTx) Commit() error {
	if err := t.access(); err != nil {
		return errors.Join(err, t.Rollback())
	}
	return t.Tx.Commit()
}

type faultyStmt struct {
	driver.Stmt
	*faults
}

func (s faultyStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.access(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s faultyStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.access(); err != nil {
		return nil, err
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	return faultyRows{rows, s.faults}, err
}

type faultyRows struct {
	driver.Rows
	*faults
}

func (r faultyRows) Next(row []driver.Value) error {
	if err := r.access(); err != nil {
		return err
	}
	return r.Rows.Next(row)
}

// openFaulty opens a new ledger that faults fail once it is open.
func openFaulty(t *testing.T, f *faults) *Ledger {
	t.Helper()
	later := *f
	f.left = 0
	l, err := open(t.Context(), faultyBackend{faults: f}, filepath.Join(t.TempDir(), "ledger.db"), options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	*f = later
	return l
}

// eachFault does something with each access to the database failing in its turn, and
// then without a fault. It gives how many accesses there are.
func eachFault(t *testing.T, f *faults, do func() error) int {
	t.Helper()
	for n := 1; ; n++ {
		f.left, f.fired = n, false
		err := do()
		f.left = 0
		var known *Error
		switch {
		case !f.fired && err != nil:
			t.Fatalf("without a fault: %v", err)
		case !f.fired:
			return n - 1
		case !errors.As(err, &known) || known.Code != Internal || !strings.Contains(known.Detail, errFault.Error()):
			t.Errorf("the fault of access %d gave %v", n, err)
		}
	}
}
