package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteBackend keeps a ledger in one SQLite file, in WAL mode, each commit synced.
type sqliteBackend struct{}

const (
	sqliteReaders  = 4                     // connections for reading, per process
	sqliteWALRetry = 20 * time.Millisecond // between two attempts to switch a new file to WAL
	dirMode        = 0o700
)

func (sqliteBackend) connect(location string, existing bool) (read, write *sql.DB, err error) {
	path, err := sqlitePath(location, existing)
	if err != nil {
		return nil, nil, err
	}
	if write, err = sqliteOpen(path, url.Values{"_txlock": {"immediate"}, "_synchronous": {"FULL"}}); err != nil {
		return nil, nil, err
	}
	// One writer at a time anyway: within the process they queue here, where waiting
	// is fair, and not in SQLite, where it is not.
	write.SetMaxOpenConns(1)
	if read, err = sqliteOpen(path, url.Values{"_query_only": {"1"}}); err != nil {
		write.Close()
		return nil, nil, err
	}
	read.SetMaxOpenConns(sqliteReaders)
	read.SetMaxIdleConns(sqliteReaders)
	return read, write, nil
}

// sqlitePath checks where the file is to lie, and makes its directory unless it is to be
// an existing one.
func sqlitePath(location string, existing bool) (string, error) {
	if err := sqliteForm(location); err != nil {
		return "", err
	}
	path, err := filepath.Abs(location)
	if err != nil {
		return "", unreachable(location, err)
	}
	if !existing {
		if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
			return "", unreachable(path, err)
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && existing:
		return "", noLedger(path)
	case errors.Is(err, os.ErrNotExist):
		return path, nil
	case err != nil:
		return "", unreachable(path, err)
	case info.IsDir():
		return "", &Error{Code: Unavailable, Message: "the ledger is a directory", Hint: "name a file in it, such as " + fileName, Detail: path}
	case !info.Mode().IsRegular():
		return "", &Error{Code: Unavailable, Message: "the ledger is not a regular file", Hint: "name another file", Detail: path}
	}
	return path, nil
}

func unreachable(path string, err error) *Error {
	return &Error{Code: Unavailable, Message: "the ledger cannot be reached", Hint: "check that its directory exists and is yours to write to, or name another with --ledger",
		Detail: path + ": " + err.Error(), Err: err}
}

func sqliteOpen(path string, options url.Values) (*sql.DB, error) {
	options.Set("_busy_timeout", fmt.Sprint(busyTimeout.Milliseconds()))
	options.Set("_defensive", "1")
	options.Set("_error_rc", "1")
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	file := url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}
	connector, err := sqlite.NewConnector(file.String())
	if err != nil {
		return nil, unreachable(path, err)
	}
	return sql.OpenDB(connector), nil
}

// version tells a new file, which has no tables, from one of another program.
func (sqliteBackend) version(ctx context.Context, q querier) (int, error) {
	var tables, ours int
	err := q.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(name = 'plumbline_schema'), 0) FROM sqlite_schema`).Scan(&tables, &ours)
	switch {
	case err != nil || tables == 0:
		return 0, err
	case ours == 0:
		return 0, refuse(Unavailable, "the file is a database of something else, not a ledger", "name another file with --ledger")
	}
	var version int
	err = q.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM plumbline_schema`).Scan(&version)
	return version, err
}

// prepare switches a new file to WAL, which lasts. SQLite does not wait for that as
// it waits for locks, so that processes which open a new file at once try again.
func (sqliteBackend) prepare(ctx context.Context, write *sql.DB) error {
	for deadline := time.Now().Add(busyTimeout); ; {
		var mode string
		err := write.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		switch {
		case err == nil && mode != "wal":
			return refuse(Unavailable, "the ledger's file system does not support SQLite's WAL mode", "keep the ledger on a local disk")
		case err == nil || !isBusy(err) || time.Now().After(deadline):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(sqliteWALRetry):
		}
	}
}

func (sqliteBackend) snapshot() *sql.TxOptions { return &sql.TxOptions{ReadOnly: true} }

// within spares each statement a goroutine that would wait for the context's end.
func (sqliteBackend) within(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// exclusive has nothing to add to BEGIN IMMEDIATE, which its connection is set to.
func (sqliteBackend) exclusive() *sql.TxOptions { return nil }

// claim has nothing to do: BEGIN IMMEDIATE admits one writer to the whole file.
func (sqliteBackend) claim(context.Context, querier) error { return nil }

// lock has nothing to do: BEGIN IMMEDIATE admits one writer to the whole file.
func (sqliteBackend) lock(context.Context, querier, string) error { return nil }

// writable begins to write, and leaves it at that.
func (sqliteBackend) writable(ctx context.Context, _ querier, write *sql.DB) error {
	tx, err := write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return tx.Rollback()
}

func (sqliteBackend) unguarded(ctx context.Context, q querier) ([]string, error) {
	var missing []string
	for _, name := range sqliteGuards {
		var n int
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = $1`, name).Scan(&n); err != nil {
			return nil, err
		}
		if n == 0 {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xFF == sqlite3.SQLITE_BUSY || e.Code()&0xFF == sqlite3.SQLITE_LOCKED)
}

// sqliteErrors says what SQLite's result codes mean.
var sqliteErrors = map[int][2]string{
	sqlite3.SQLITE_BUSY:     {"another process holds the ledger for long", "try again with the same submission; if it stays, see which process hangs"},
	sqlite3.SQLITE_LOCKED:   {"another process holds the ledger for long", "try again with the same submission; if it stays, see which process hangs"},
	sqlite3.SQLITE_PROTOCOL: {"too many processes open the ledger at once", "try again with the same submission"},
	sqlite3.SQLITE_READONLY: {"the ledger cannot be written to", "make the file and its directory yours to write to, or name another with --ledger"},
	sqlite3.SQLITE_PERM:     {"the ledger cannot be opened", "make the file and its directory yours to read and write"},
	sqlite3.SQLITE_CANTOPEN: {"the ledger cannot be opened", "make the file and its directory yours to read and write"},
	sqlite3.SQLITE_NOTADB:   {"the file is no database, or a damaged one", "name another file with --ledger, or restore it from a copy"},
	sqlite3.SQLITE_CORRUPT:  {"the ledger's file is damaged", "restore it from a copy"},
	sqlite3.SQLITE_FULL:     {"the disk is full", "make room; nothing of this was recorded"},
	sqlite3.SQLITE_IOERR:    {"the ledger's disk cannot be read or written", "check the disk and what limits the process; nothing of this was recorded"},
	sqlite3.SQLITE_NOMEM:    {"the database ran out of memory", "give the process more memory"},
	sqlite3.SQLITE_TOOBIG:   {"a row is too large for the database", "make the document smaller"},
	sqlite3.SQLITE_CONSTRAINT: {"the ledger refused an event that does not follow its last",
		"its records of its own state differ from its events: run chain verify, and restore it from a copy"},
	sqlite3.SQLITE_SCHEMA: {"the ledger's tables changed while in use", "try again with the same submission"},
}

func (sqliteBackend) explain(err error) *Error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	if known, ok := sqliteErrors[e.Code()&0xFF]; ok {
		return &Error{Code: Unavailable, Message: known[0], Hint: known[1], Detail: err.Error(), Err: err}
	}
	return nil
}

func (sqliteBackend) detail(err error) string { return err.Error() }
