// Package pgtest runs Postgres for tests: a temporary server from the binaries that
// are installed, on the loopback interface. Where there are none, a test is skipped and
// says what to install; where CI is set, it fails. It is imported by tests alone.
package pgtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
)

const (
	// User and Password are those that a server's DSNs have: a user without special
	// rights, who owns Database.
	User     = "plumbline"
	Password = "not-for-any-log"
	Database = "ledger"

	superuser = "postgres" // also the account that the server runs under
	timeout   = 2 * time.Minute

	maxConnections = 400
)

// Server is a running Postgres.
type Server struct {
	bin, dir string
	port     int
	guard    io.Closer
	db       *sql.DB
	schemas  atomic.Int64
}

var shared = sync.OnceValues(start)

// Shared gives the server that all tests of a process use, started for the first.
// Nobody may stop it: it ends with the process, however that ends.
func Shared(t testing.TB) *Server {
	t.Helper()
	s, err := shared()
	check(t, err)
	return s
}

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := start()
	check(t, err)
	t.Cleanup(func() {
		s.db.Close()
		s.guard.Close()
	})
	return s
}

var errNotInstalled = errors.New("no Postgres server is installed: install Debian's package postgresql, or put initdb and pg_ctl on PATH")

// check ends a test that has no server.
func check(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, errNotInstalled) && os.Getenv("CI") == "":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
}

// DSN names a new, empty schema of the server.
func (s *Server) DSN(t testing.TB) string {
	t.Helper()
	schema := fmt.Sprintf("Test %d", s.schemas.Add(1)) // one that has to be quoted
	if _, err := s.db.Exec(`CREATE SCHEMA "` + schema + `"`); err != nil {
		t.Fatal(err)
	}
	return s.URL(url.Values{"search_path": {`"` + schema + `"`}})
}

// URL names the server's database, with options of the connection.
func (s *Server) URL(options url.Values) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(User, Password), Host: s.Address(), Path: Database}
	options.Set("sslmode", "disable")
	u.RawQuery = strings.ReplaceAll(options.Encode(), "+", "%20") // as Postgres has it
	return u.String()
}

// Address is where the server listens, as HOST:PORT.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// DB is connected to the server as the user of its DSNs.
func (s *Server) DB() *sql.DB { return s.db }

// Restart ends every process of the server at once, as a crash would, and starts it
// again.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.Stop(t)
	s.Resume(t)
}

// Stop ends every process of the server at once.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.control("stop", "-m", "immediate"); err != nil {
		t.Fatal(err)
	}
}

// Resume starts a server that Stop stopped.
func (s *Server) Resume(t testing.TB) {
	t.Helper()
	if err := s.control("start", "-l", s.log()); err != nil {
		t.Fatal(err)
	}
}

func start() (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: dir}
	if err := s.launch(); err != nil {
		if s.guard != nil {
			s.guard.Close()
		}
		return nil, fmt.Errorf("the temporary Postgres does not start: %w", err)
	}
	return s, nil
}

func (s *Server) launch() error {
	if err := giveToAccount(s.dir); err != nil {
		return err
	}
	var err error
	if s.guard, err = s.guarded(); err != nil {
		return err
	}
	if err := s.initialize(); err != nil {
		return err
	}
	if err := s.control("start", "-l", s.log()); err != nil {
		return err
	}
	return s.createDatabase()
}

// binaries finds the newest server that is installed where Debian puts them, else one
// on PATH.
func binaries() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		newest := slices.MaxFunc(found, func(a, b string) int { return majorOf(a) - majorOf(b) })
		return filepath.Dir(newest), nil
	}
	onPath, err := exec.LookPath("initdb")
	if err != nil {
		return "", errNotInstalled
	}
	return filepath.Dir(onPath), nil
}

// majorOf reads the version out of /usr/lib/postgresql/VERSION/bin/initdb; 0 for none.
func majorOf(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

// guarded starts a process that waits for this one to end or to close what is
// returned, and then stops the server and removes its directory.
func (s *Server) guarded() (io.Closer, error) {
	guard := exec.Command("/bin/sh", "-c", `cat; "$1/pg_ctl" -D "$2/data" -m immediate -w stop; rm -rf "$2"`, "guard", s.bin, s.dir)
	guard.Dir, guard.SysProcAttr = "/", inAccount()
	stdin, err := guard.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &guardian{stdin, guard}, guard.Start()
}

// guardian is the process that ends the server once its stdin is closed.
type guardian struct {
	stdin io.Closer
	cmd   *exec.Cmd
}

func (g *guardian) Close() error {
	return errors.Join(g.stdin.Close(), g.cmd.Wait())
}

func (s *Server) initialize() error {
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(Password+"\n"), 0o644); err != nil {
		return err
	}
	// A collation of people's languages shows where bytes were meant.
	err := s.run("initdb", "-D", s.data(), "--no-sync", "--username="+superuser, "--pwfile="+password, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en")
	if err != nil {
		return err
	}
	if s.port, err = freePort(); err != nil {
		return err
	}
	settings, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	// What a killed server wrote is with the operating system: only a machine that goes
	// down loses what was not synced.
	_, err = fmt.Fprintf(settings, "listen_addresses = '127.0.0.1'\nport = %d\nunix_socket_directories = ''\nmax_connections = %d\nfsync = off\n", s.port, maxConnections)
	return errors.Join(err, settings.Close())
}

// The ports that a server may get: below those that systems give to clients, one of
// which could else have the server's while it is stopped.
const firstPort, ports = 20000, 12000

func freePort() (int, error) {
	var taken error
	for range 100 {
		port := firstPort + rand.IntN(ports)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, l.Close()
		}
		taken = err
	}
	return 0, taken
}

func (s *Server) createDatabase() error {
	super := url.URL{Scheme: "postgres", User: url.UserPassword(superuser, Password), Host: s.Address(), Path: superuser, RawQuery: "sslmode=disable"}
	db, err := sql.Open("pgx", super.String())
	if err != nil {
		return err
	}
	defer db.Close()
	for _, statement := range []string{
		`CREATE ROLE ` + User + ` LOGIN PASSWORD '` + Password + `'`,
		`CREATE DATABASE ` + Database + ` OWNER ` + User,
	} {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	s.db, err = sql.Open("pgx", s.URL(url.Values{}))
	return err
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }
func (s *Server) log() string  { return filepath.Join(s.dir, "log") }

// control runs pg_ctl and waits for what it does.
func (s *Server) control(args ...string) error {
	return s.run("pg_ctl", append(args, "-D", s.data(), "-w")...)
}

func (s *Server) run(program string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = s.dir, inAccount()
	out, err := cmd.CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(s.log())
		return fmt.Errorf("%s: %w\n%s%s", program, err, out, strings.TrimSpace(string(log)))
	}
	return nil
}
