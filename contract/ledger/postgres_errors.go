package ledger

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// What a driver of Postgres says names hosts, users, databases and values. Nothing of
// it goes into an error of the ledger but the SQLSTATE: the rest is in the database's
// own log.

const (
	hintPostgresDSN = "use postgres://USER@HOST:PORT/DATABASE, special characters as %XX, the password there or in PGPASSWORD or PGPASSFILE"
	hintNoTLS       = "turn on TLS in the database, or, on a network that nobody else hears, leave it out with ?sslmode=disable in the DSN; nothing was recorded"
	hintCertificate = "name the certificate's authority with ?sslrootcert=FILE in the DSN, and the host as the certificate does; nothing was recorded"
	hintReach       = "check the host and port of the DSN and whether the database runs; then " + hintRetry
)

// HintRetry is what a hint says that has a call tried again, for who was recording.
const HintRetry = hintRetry

// explanation is a message with its hint.
type explanation struct{ message, hint string }

// postgresErrors says what SQLSTATEs mean: by the whole code, else by its class, the
// first two characters.
var postgresErrors = map[string]explanation{
	"08":    {"the connection to the ledger was lost", hintRetry},
	"22021": {"a text is not UTF-8 or holds a NUL", "name things as the lists of contracts do"},
	"23":    {"the ledger refused an event that does not follow its last", "its records of its own state differ from its events: run chain verify, and restore it from a copy"},
	"25006": readOnly,
	"25P03": {"the connection to the ledger was lost", hintRetry},
	"26000": {"a pooler in front of the ledger's database mixes up prepared statements", hintPooler},
	"42P05": {"a pooler in front of the ledger's database mixes up prepared statements", hintPooler},
	"08P01": {"the ledger's database, or a pooler in front of it, does not speak the protocol as expected", hintPooler},
	"28":    {"the ledger's database refused the user or the password", "check both in the DSN, PGPASSWORD or PGPASSFILE, and the database's pg_hba.conf"},
	"3D000": {"the ledger's database does not exist", "create it, or name another in the DSN"},
	"40":    {"the database gave up the transaction in favour of another", hintRetry},
	"42501": {"the ledger's user lacks a right in the database", "let it create tables in the schema once, and read and write them"},
	"42P07": {"the schema holds a table of something else under a name of the ledger's", hintOwnSchema},
	"42723": {"the schema holds a function of something else under a name of the ledger's", hintOwnSchema},
	"42P01": {"a table of the ledger is missing", hintOwnSchema},
	"42703": {"a table of the ledger is that of something else", hintOwnSchema},
	"53100": {"the disk of the ledger's database is full", "make room; nothing of this was recorded"},
	"53300": {"the ledger's database has no connection left", "raise its max_connections or run fewer servers; then try again with the same submission"},
	"53":    {"the ledger's database ran out of resources", "see its log; then try again with the same submission"},
	"54":    {"a row is too large for the database", "make the document smaller"},
	"55P03": heldLong,
	"57014": {"the ledger did not answer in time", hintRetry},
	"57P":   {"the ledger's database stops or starts", hintRetry},
	"58":    {"the disk of the ledger's database cannot be read or written", "see the database's log; nothing of this was recorded"},
	"XX001": {"the ledger's database is damaged", "restore it from a copy"},
	"XX002": {"the ledger's database is damaged", "restore it from a copy"},
}

const (
	hintPooler    = "let it pool sessions, or track prepared statements and ignore start-up parameters that it does not know"
	hintOwnSchema = "give the ledger a schema of its own, in the DSN with ?search_path=SCHEMA"
)

// readOnly is a database that takes no recordings.
var readOnly = explanation{"the ledger cannot be written to: its database is a standby or read-only", "name the primary with --ledger, or let it finish taking over and try again with the same submission"}

// heldLong is a contract that nobody can record on for a while.
var heldLong = explanation{"another process holds the contract for long", "try again with the same submission; if it stays, see which process hangs"}

// postgresCodes are the SQLSTATEs that are the caller's doing.
var postgresCodes = map[string]Code{"22021": BadArgument}

func (b postgresBackend) explain(err error) *Error {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		for _, code := range []string{said.Code, said.Code[:min(3, len(said.Code))], said.Code[:min(2, len(said.Code))]} {
			if known, ok := postgresErrors[code]; ok {
				e := refuse(Unavailable, known.message, known.hint)
				if caller, ok := postgresCodes[code]; ok {
					e.Code = caller
				}
				e.Detail = b.detail(err)
				return e
			}
		}
		return nil
	}
	var unreached *pgconn.ConnectError
	switch {
	case errors.As(err, &unreached):
		why, hint := unreachedWhy(err)
		return &Error{Code: Unavailable, Message: "the ledger's database cannot be reached", Hint: hint, Detail: why}
	case isLost(err):
		return &Error{Code: Unavailable, Message: "the connection to the ledger was lost", Hint: hintRetry}
	}
	return nil
}

// isLost says whether a connection broke that had stood.
func isLost(err error) bool {
	var onNetwork net.Error
	for _, lost := range []error{driver.ErrBadConn, pgconn.ErrConnClosed, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, os.ErrDeadlineExceeded} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return errors.As(err, &onNetwork) || pgconn.Timeout(err)
}

// unreachedWhy says why there was no connection, without names, and what to do.
func unreachedWhy(err error) (why, hint string) {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var number syscall.Errno
	switch {
	case strings.Contains(err.Error(), "server refused TLS"):
		return "the server has no TLS, which sslmode asks for", hintNoTLS
	case errors.As(err, &certificate):
		return "the server's certificate is not trusted, or is for another host", hintCertificate
	case errors.As(err, &name):
		return "the host's name is not found", hintReach
	case errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err):
		return "it did not answer in time", hintReach
	case errors.As(err, &number):
		return number.Error(), hintReach
	}
	return "the connection failed", hintReach
}

func (postgresBackend) detail(err error) string {
	var said *pgconn.PgError
	var unreached *pgconn.ConnectError
	switch {
	case errors.As(err, &said):
		return "SQLSTATE " + said.Code
	case errors.As(err, &unreached):
		why, _ := unreachedWhy(err)
		return why
	}
	return err.Error()
}
