package ledger

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresBackend keeps a ledger in one schema of a Postgres database: the first of
// the connection's search_path that exists. Several ledgers may lie in one database,
// and servers on many machines may use one ledger.
type postgresBackend struct{}

// Limits of a process's connections. Each process may take as many as postgresReaders
// and postgresWriters together, so max_connections of the database bounds the number
// of processes.
const (
	postgresReaders  = 8                // connections for reading
	postgresWriters  = 8                // connections for writing
	postgresIdle     = 5 * time.Minute  // an unused connection is closed after this
	postgresLifetime = time.Hour        // any is, so that a balancer in front can move them
	connectTimeout   = 10 * time.Second // for one host, unless the DSN has connect_timeout
	keepAliveIdle    = 15 * time.Second // silence before a connection is probed
	keepAliveEvery   = 5 * time.Second
	keepAliveProbes  = 3 // unanswered, they end the connection
)

// postgresSettings are those of each connection that the DSN does not set itself. A
// statement gives up before a recording does; a client that is gone in the middle of
// one holds its contract no longer than idle_in_transaction_session_timeout.
var postgresSettings = map[string]string{
	"application_name":                    "plumbline",
	"statement_timeout":                   milliseconds(recordTimeout),
	"lock_timeout":                        milliseconds(busyTimeout),
	"idle_in_transaction_session_timeout": milliseconds(2 * recordTimeout),
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// postgresConfig reads the DSN behind its scheme, and the files that it names.
func postgresConfig(location string) (*pgx.ConnConfig, error) {
	if !strings.HasPrefix(location, "//") {
		return nil, refuse(BadArgument, "the ledger's DSN has no // behind its scheme", hintPostgresDSN)
	}
	config, err := pgx.ParseConfig("postgres:" + location)
	if err != nil { // whose text repeats the DSN
		return nil, refuse(BadArgument, "the ledger's DSN is not one of Postgres, or a file that it names cannot be read", hintPostgresDSN)
	}
	return config, nil
}

func (postgresBackend) connect(location string, _ bool) (read, write *sql.DB, err error) {
	config, err := postgresConfig(location)
	if err != nil {
		return nil, nil, err
	}
	for name, value := range postgresSettings {
		config.RuntimeParams[name] = cmp.Or(config.RuntimeParams[name], value)
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connectTimeout)
	config.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: keepAliveIdle, Interval: keepAliveEvery, Count: keepAliveProbes}}).DialContext
	return postgresPool(config, postgresReaders), postgresPool(config, postgresWriters), nil
}

// postgresPool gives a pool of its own to those who read, whom nobody who waits for a
// contract's lock keeps waiting.
func postgresPool(config *pgx.ConnConfig, most int) *sql.DB {
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	db.SetConnMaxIdleTime(postgresIdle)
	db.SetConnMaxLifetime(postgresLifetime)
	return db
}

func (postgresBackend) version(ctx context.Context, q querier) (int, error) {
	var found bool
	err := q.QueryRowContext(ctx, `SELECT to_regclass('plumbline_schema') IS NOT NULL`).Scan(&found)
	if err != nil || !found {
		return 0, err
	}
	var version int
	err = q.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM plumbline_schema`).Scan(&version)
	return version, err
}

func (postgresBackend) prepare(context.Context, *sql.DB) error { return nil }

// migrationLock is the advisory lock of those who migrate. Another program that uses
// the same number in the same database waits, and no more.
const migrationLock = 0x706C756D626C696E // "plumblin"

// claim also fixes the schema for the transaction: what a trigger's function reads is
// then looked up there, whoever inserts.
func (postgresBackend) claim(ctx context.Context, q querier) error {
	if _, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock)); err != nil {
		return err
	}
	var encoding string
	var schema sql.NullString
	err := q.QueryRowContext(ctx, `SELECT current_setting('server_encoding'),
		coalesce((SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('plumbline_schema')), current_schema())`).
		Scan(&encoding, &schema)
	switch {
	case err != nil:
		return err
	case encoding != "UTF8":
		return refuse(Unavailable, "the ledger's database has the encoding "+quote(encoding)+", which cannot hold every name", "create it with ENCODING 'UTF8'")
	case !schema.Valid:
		return refuse(Unavailable, "the search_path of the ledger's connection names no schema that exists", "create the schema, or name another in the DSN with ?search_path=SCHEMA")
	}
	_, err = q.ExecContext(ctx, `SELECT set_config('search_path', quote_ident($1), true)`, schema.String)
	return err
}

func (postgresBackend) snapshot() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// exclusive is READ COMMITTED whatever the database's default is: each statement sees
// what was committed before it began, and so all that was when the lock was granted. A
// snapshot of the whole transaction would be as old as the wait for the lock.
func (postgresBackend) exclusive() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelReadCommitted}
}

// within keeps the deadline: the database may be gone without a word.
func (postgresBackend) within(ctx context.Context) context.Context { return ctx }

// lock takes an advisory lock, since a contract's first event has no row to lock yet.
// Two contracts of one hash wait for each other, and no more: each transaction holds
// one such lock, so none waits in a circle.
func (postgresBackend) lock(ctx context.Context, q querier, id string) error {
	digest := sha256.Sum256([]byte("plumbline contract " + id))
	_, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(binary.BigEndian.Uint64(digest[:])))
	return err
}

func (postgresBackend) writable(ctx context.Context, read querier, _ *sql.DB) error {
	var closed bool
	err := read.QueryRowContext(ctx, `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean`).Scan(&closed)
	if err == nil && closed {
		return refuse(Unavailable, readOnly.message, readOnly.hint)
	}
	return err
}

func (postgresBackend) unguarded(ctx context.Context, q querier) ([]string, error) {
	var missing []string
	for _, guard := range postgresGuards {
		var works bool
		err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = $2 AND tgenabled IN ('O', 'A'))`,
			guard.table, guard.trigger).Scan(&works)
		if err != nil {
			return nil, err
		}
		if !works {
			missing = append(missing, guard.trigger)
		}
	}
	return missing, nil
}
