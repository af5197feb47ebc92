// Package ledger keeps contracts, done reports and rounds in an append-only store
// (design: Ledger). [Open] gives a [Ledger], which several processes may use at once.
//
// Each contract is a chain of its own of [Event]s, numbered from 1 without gaps, each
// carrying the hash of the one before. What the rules say of an event is asked from
// package contract; the ledger sees to it that the answer, the number and the budget
// count belong to one moment: they are read and written in one transaction.
//
// Beside the events the store keeps what can be computed from them (the head of each
// chain, its revisions, who acted), so that the next event is judged without reading
// those before. [Ledger.Verify] computes all of it anew.
package ledger

import (
	"context"
	"crypto"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Limits of the ledger.
const (
	MaxPageSize = 100 // contracts on a page
	pageSize    = 20  // unless asked for otherwise

	maxNameRunes       = 128              // characters of a caller's name
	maxSubmissionRunes = 128              // characters of a submission key
	maxBodyBytes       = 1 << 20          // bytes of a report or round as stored
	busyTimeout        = 10 * time.Second // waiting for another process's transaction
	recordTimeout      = 30 * time.Second // one recording, waits included
	readTimeout        = recordTimeout    // one read, waits included, unless it is of a whole chain
	readEvents         = 16               // events in memory while a chain is read
	batchEvents        = 200              // events that are copied in one transaction,
	batchBytes         = 16 << 20         // or after how many bytes it ends
	parsedKept         = 16               // contracts kept parsed
)

// Ledger is an open store. It is safe for concurrent use. Errors of its methods are
// *[Error]s, or the context's.
type Ledger struct {
	backend backend
	read    *sql.DB
	write   *sql.DB
	now     func() time.Time
	signer  crypto.Signer // of receipts; nil for none

	reading, writing *statements
	recordings       *recordings

	snapshot querier // whose moment is read; nil for each read's own
	queues   *queues
	readTime time.Duration        // that one read may take
	may      func(id string) bool // which contracts are in its scope; nil for all
	prefixes []string             // of the ids in its scope, in order; nil for any
	parsed   *parsedContracts
}

// backend is what differs from one database to the other. SQL elsewhere in the
// package is common to SQLite and Postgres: placeholders $1, ON CONFLICT, 64-bit
// integers, binary bodies.
type backend interface {
	// connect opens the database at a location, the DSN behind the scheme, for
	// reading and for writing; the two may be one. It makes what is missing, unless it
	// is to be an existing one.
	connect(location string, existing bool) (read, write *sql.DB, err error)
	// version gives the version of the ledger's schema; 0 where there is none yet.
	version(ctx context.Context, q querier) (int, error)
	// prepare sets up what a database needs before its first transaction.
	prepare(ctx context.Context, write *sql.DB) error
	// claim makes the transactions that migrate wait for each other, and refuses a
	// database that can hold no ledger.
	claim(ctx context.Context, q querier) error
	// migrations are the statements that lead from each version to the next.
	migrations() [][]string
	// snapshot are the options of a transaction that sees one moment.
	snapshot() *sql.TxOptions
	// exclusive are the options of a transaction that writes: with lock, whatever it
	// reads of its contract stays true until it ends.
	exclusive() *sql.TxOptions
	// within gives the context for statements of a transaction that has begun and
	// writes: one that ends, or one that does not, where only the disk is waited for.
	within(ctx context.Context) context.Context
	// lock makes the transactions that write to one contract wait for each other.
	lock(ctx context.Context, q querier, id string) error
	// writable refuses a database that takes no recordings.
	writable(ctx context.Context, read querier, write *sql.DB) error
	// unguarded names the guards of append-only tables that are missing.
	unguarded(ctx context.Context, q querier) ([]string, error)
	// explain says in plain words what an error of the driver means; nil where it is
	// none of the database's own.
	explain(err error) *Error
	// detail is what may be told of an error that nobody explains.
	detail(err error) string
}

// querier is a transaction, or a database without one.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// backends are the databases by the schemes of their DSNs.
var backends = map[string]backend{"sqlite": sqliteBackend{}, "postgres": postgresBackend{}, "postgresql": postgresBackend{}}

// hintDSN shows what a DSN looks like.
const hintDSN = "use sqlite:PATH, such as sqlite:/var/lib/plumbline/ledger.db, or postgres://USER@HOST/DATABASE"

// Open opens the ledger that a DSN names, "sqlite:PATH" or "postgres://…", and makes
// it where there is none: a file with its directory, or tables in the schema that the
// connection's search_path names first. It refuses (LEDGER_UNAVAILABLE) what is no
// ledger, and one that a newer version of the program wrote; an unknown scheme is
// BAD_ARGUMENT. Errors never repeat the DSN of a database on a network, nor any part
// of it.
func Open(ctx context.Context, dsn string, opts ...Option) (*Ledger, error) {
	scheme, location, found := strings.Cut(dsn, ":")
	b := backends[scheme]
	if !found || b == nil {
		return nil, unknownScheme()
	}
	var set options
	for _, opt := range opts {
		opt(&set)
	}
	return open(ctx, b, location, set)
}

func open(ctx context.Context, b backend, location string, set options) (*Ledger, error) {
	if err := set.checkSigner(); err != nil {
		return nil, err
	}
	read, write, err := b.connect(location, set.existing)
	if err != nil {
		return nil, err
	}
	l := &Ledger{backend: b, read: read, write: write, now: time.Now, signer: set.signer,
		reading: newStatements(read), writing: newStatements(write), parsed: newParsedContracts(), recordings: newRecordings(), queues: newQueues(busyTimeout), readTime: readTimeout}
	if err := l.migrate(ctx, set.existing); err != nil {
		l.Close()
		return nil, l.explain(ctx, err)
	}
	return l, nil
}

// Close ends all connections. Recordings under way end first, and none begins any more.
func (l *Ledger) Close() error {
	l.recordings.close()
	err := l.write.Close()
	if l.read != l.write {
		if second := l.read.Close(); err == nil {
			err = second
		}
	}
	return err
}

// Ping says whether the store can be reached and takes recordings; the error is
// LEDGER_UNAVAILABLE.
func (l *Ledger) Ping(ctx context.Context) error {
	return l.viewAll(ctx, func(ctx context.Context, q querier) error {
		if _, err := l.backend.version(ctx, q); err != nil {
			return err
		}
		return l.backend.writable(ctx, q, l.write)
	})
}

// migrate brings the schema to this program's version, in one transaction, whoever
// else is at it.
func (l *Ledger) migrate(ctx context.Context, existing bool) error {
	version, err := l.backend.version(ctx, l.read)
	if err != nil {
		return err
	}
	steps := l.backend.migrations()
	if version > len(steps) {
		return refuse(Unavailable, fmt.Sprintf("the ledger has version %d, this program knows version %d", version, len(steps)),
			"update plumbline; an older one must not write to it")
	}
	if version == 0 && existing {
		return noLedger("")
	}
	if err := l.backend.prepare(ctx, l.write); err != nil {
		return err
	}
	if version == len(steps) {
		return nil
	}
	tx, err := l.write.BeginTx(ctx, l.backend.exclusive())
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := l.backend.claim(ctx, tx); err != nil {
		return err
	}
	if err := l.migrateIn(ctx, tx, steps); err != nil {
		return err
	}
	return tx.Commit()
}

// migrateIn takes the steps that nobody else has taken yet.
func (l *Ledger) migrateIn(ctx context.Context, q querier, steps [][]string) error {
	version, err := l.backend.version(ctx, q)
	if err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		for _, statement := range steps[version] {
			if _, err := q.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		if _, err := q.ExecContext(ctx, `INSERT INTO plumbline_schema (version, at) VALUES ($1, $2)`, version+1, l.now().UnixMilli()); err != nil {
			return err
		}
	}
	return nil
}

// view runs do in a transaction that sees one moment and writes nothing, for as long as one
// read may take. do reads of the one contract, which is unknown where it is out of the
// ledger's scope.
func (l *Ledger) view(ctx context.Context, id string, do func(ctx context.Context, q querier) error) error {
	if !l.sees(id) {
		return unknownContract(id)
	}
	return l.viewAll(ctx, do)
}

// viewAll is view for what is about no one contract: do leaves out what is out of
// scope.
func (l *Ledger) viewAll(ctx context.Context, do func(ctx context.Context, q querier) error) error {
	ctx, cancel := context.WithTimeout(ctx, l.readTime)
	defer cancel()
	return l.viewIn(ctx, func(q querier) error { return do(ctx, q) })
}

// viewWhole is view for what takes as long as the contract's chain is: only ctx ends it.
func (l *Ledger) viewWhole(ctx context.Context, id string, do func(q querier) error) error {
	if !l.sees(id) {
		return unknownContract(id)
	}
	return l.viewIn(ctx, do)
}

func (l *Ledger) viewIn(ctx context.Context, do func(q querier) error) error {
	if l.snapshot != nil {
		return l.explain(ctx, do(l.snapshot))
	}
	return l.explain(ctx, transact(ctx, l.reading, l.backend.snapshot(), do))
}

// change runs do in the one transaction that may write to the contract. It waits for the
// others of this process no longer than ctx. Once begun it is not cancelled with ctx: a
// caller that leaves must not leave a question open.
func (l *Ledger) change(ctx context.Context, id string, do func(ctx context.Context, q querier) error) error {
	if !l.sees(id) {
		return unknownContract(id)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	leave, err := l.queues.enter(ctx, id)
	if err != nil {
		return err
	}
	defer leave()
	if err := l.recordings.begin(); err != nil {
		return err
	}
	defer l.recordings.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	return l.explain(ctx, transact(ctx, l.writing, l.backend.exclusive(), func(q querier) error {
		if err := l.backend.lock(ctx, q, id); err != nil {
			return err
		}
		return do(l.backend.within(ctx), q)
	}))
}

func transact(ctx context.Context, on *statements, opts *sql.TxOptions, do func(q querier) error) error {
	tx, err := on.begin(ctx, opts)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
