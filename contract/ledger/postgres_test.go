package ledger

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

var postgresTests = testBackend{
	name:    "postgres",
	newDSN:  func(t testing.TB) string { return pgtest.Shared(t).DSN(t) },
	unguard: func(t testing.TB, q querier) { setGuards(t, q, "DISABLE") },
	guard:   func(t testing.TB, q querier) { setGuards(t, q, "ENABLE") },
}

func setGuards(t testing.TB, q querier, how string) {
	t.Helper()
	for _, guard := range postgresGuards {
		execute(t, q, `ALTER TABLE `+guard.table+` `+how+` TRIGGER `+guard.trigger)
	}
}

func TestPostgres(t *testing.T) { testStore(t, postgresTests) }

// TestPostgresAppendOnly: what Postgres has beside UPDATE and DELETE changes no row
// either, not even a statement that finds none.
func TestPostgresAppendOnly(t *testing.T) {
	l := openLedger(t, postgresTests.newDSN(t))
	fullChain(t, l)
	for _, statement := range []string{
		`TRUNCATE events`,
		`TRUNCATE artifacts`,
		`TRUNCATE actors, events CASCADE`,
		`DELETE FROM events WHERE false`,
		`INSERT INTO events SELECT * FROM events WHERE seq = 7 ON CONFLICT (contract, seq) DO UPDATE SET who = 'mallory'`,
		`INSERT INTO artifacts SELECT * FROM artifacts ON CONFLICT (contract, revision, path) DO UPDATE SET body = excluded.body`,
		`MERGE INTO events e USING (SELECT 7 AS n) s ON e.seq = s.n WHEN MATCHED THEN DELETE`,
		`WITH gone AS (DELETE FROM events RETURNING *) SELECT * FROM gone`,
	} {
		_, err := l.write.Exec(statement)
		if err == nil {
			t.Errorf("the store accepts %s", statement)
		} else if e := (postgresBackend{}).explain(err); e == nil || !strings.Contains(e.Message, "does not follow") {
			t.Errorf("%s fails for another reason: %v", statement, err)
		}
	}
	execute(t, l.write, `DROP TRIGGER events_append_only ON events`)
	v, err := l.Verify(context.Background(), fixtureID, "")
	if err != nil || len(v.Faults) != 1 || !strings.Contains(v.Faults[0].What, "events_append_only") {
		t.Errorf("a trigger that is gone: got %+v, %v", v, err)
	}
}

// TestPostgresElsewhere: the guards hold against somebody with another search_path,
// where a table of the same name lies.
func TestPostgresElsewhere(t *testing.T) {
	l := openLedger(t, postgresTests.newDSN(t))
	receipts := fullChain(t, l)
	var schema string
	if err := l.read.QueryRow(`SELECT quote_ident(current_schema())`).Scan(&schema); err != nil {
		t.Fatal(err)
	}
	other := openLedger(t, postgresTests.newDSN(t))
	const columns = `seq + 1, kind, who, role, 'new', at, body, sha256, `
	if _, err := other.write.Exec(`INSERT INTO ` + schema + `.events SELECT contract, ` + columns + `prev, hash FROM ` + schema + `.events WHERE seq = 7`); err == nil {
		t.Error("an event that does not follow the last one is accepted")
	}
	if _, err := other.write.Exec(`INSERT INTO ` + schema + `.events SELECT contract, ` + columns + `hash, 'x' FROM ` + schema + `.events WHERE seq = 7`); err != nil {
		t.Errorf("an event that follows the last one is refused: %v", err)
	}
	v, err := l.Verify(context.Background(), fixtureID, receipts[6].Hash)
	if err != nil || v.OK() || v.KeptAt != 7 {
		t.Errorf("got %+v, %v", v, err)
	}
}

// TestPostgresIsolation: the database's own default changes nothing.
func TestPostgresIsolation(t *testing.T) {
	for _, level := range []string{"serializable", "repeatable read"} {
		b := postgresTests
		b.newDSN = func(t testing.TB) string {
			return postgresTests.newDSN(t) + "&default_transaction_isolation=" + url.PathEscape(level)
		}
		t.Run(level, func(t *testing.T) { testGoroutines(t, b) })
	}
}

// TestPostgresRefuses: each reason why there is no ledger has its words, and none of
// them repeats a part of the DSN.
func TestPostgresRefuses(t *testing.T) {
	server := pgtest.Shared(t)
	with := func(change func(u *url.URL, options url.Values)) string {
		u, err := url.Parse(server.DSN(t))
		if err != nil {
			t.Fatal(err)
		}
		options := u.Query()
		change(u, options)
		u.RawQuery = strings.ReplaceAll(options.Encode(), "+", "%20")
		return u.String()
	}
	host := func(address string) func(*url.URL, url.Values) {
		return func(u *url.URL, _ url.Values) { u.Host = address }
	}
	option := func(name, value string) func(*url.URL, url.Values) {
		return func(_ *url.URL, options url.Values) { options.Set(name, value) }
	}
	newer := server.DSN(t)
	execute(t, openLedger(t, newer).write, `INSERT INTO plumbline_schema (version, at) VALUES (99, 0)`)
	taken := openDSN(t, server, `CREATE TABLE events (at text)`)
	for name, test := range map[string]struct {
		dsn, says, detail string // what the caller is told, and what the log gets beside
		code              Code
	}{
		"no slashes":      {"postgres:host=x", "no //", "", BadArgument},
		"no URL":          {"postgres://%zz:secret-word@elsewhere.example/x", "not one of Postgres", "", BadArgument},
		"a bad port":      {"postgres://u:secret-word@elsewhere.example:port/x", "not one of Postgres", "", BadArgument},
		"a bad option":    {with(option("sslmode", "perhaps")), "not one of Postgres", "", BadArgument},
		"no certificate":  {with(option("sslrootcert", "/elsewhere.example")), "not one of Postgres", "", BadArgument},
		"no such host":    {with(host("elsewhere.invalid:5432")), "cannot be reached", "name is not found", Unavailable},
		"a refused port":  {with(host(closedPort(t))), "cannot be reached", "connection refused", Unavailable},
		"a silent host":   {with(both(host(silentPort(t)), option("connect_timeout", "1"))), "cannot be reached", "in time", Unavailable},
		"no TLS":          {with(option("sslmode", "require")), "turn on TLS in the database", "no TLS", Unavailable},
		"unverified TLS":  {with(option("sslmode", "verify-full")), "turn on TLS in the database", "no TLS", Unavailable},
		"wrong password":  {with(func(u *url.URL, _ url.Values) { u.User = url.UserPassword(pgtest.User, "secret-word") }), "refused the user or the password", "28P01", Unavailable},
		"wrong user":      {with(func(u *url.URL, _ url.Values) { u.User = url.UserPassword("elsewhere.example", "secret-word") }), "refused the user or the password", "28P01", Unavailable},
		"wrong database":  {with(func(u *url.URL, _ url.Values) { u.Path = "elsewhere.example" }), "does not exist", "3D000", Unavailable},
		"no schema":       {with(option("search_path", "elsewhere.example")), "no schema that exists", "", Unavailable},
		"a schema barred": {with(option("search_path", "information_schema")), "lacks a right", "42501", Unavailable},
		"a table taken":   {taken, "something else", "42P07", Unavailable},
		"a newer version": {newer, "version 99", "", Unavailable},
	} {
		l, err := Open(context.Background(), test.dsn)
		if err == nil {
			l.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		e := wantCode(t, err, test.code)
		if !strings.Contains(e.Message+" "+e.Hint, test.says) || !strings.Contains(e.Detail, test.detail) {
			t.Errorf("%s: it says %v", name, e)
		}
		told := fmt.Sprintf("%v %+v %#v %v", err, *e, *e, errors.Unwrap(err))
		for _, secret := range []string{"secret-word", pgtest.Password, pgtest.User + "@", "elsewhere", server.Address(), "127.0.0.1", "user="} {
			if strings.Contains(told, secret) {
				t.Errorf("%s: the error holds %q: %s", name, secret, told)
			}
		}
	}
}

func both(first, second func(*url.URL, url.Values)) func(*url.URL, url.Values) {
	return func(u *url.URL, options url.Values) { first(u, options); second(u, options) }
}

// openDSN names a schema where a statement was run.
func openDSN(t *testing.T, server *pgtest.Server, statement string) string {
	t.Helper()
	dsn := server.DSN(t)
	_, db, err := postgresBackend{}.connect(strings.TrimPrefix(dsn, "postgres:"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	execute(t, db, statement)
	return dsn
}

func closedPort(t *testing.T) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	return l.Addr().String()
}

// silentPort accepts and never answers.
func silentPort(t *testing.T) string {
	t.Helper()
	l := listen(t)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPostgresHeals: connections that end, and a server that stops, make calls fail
// with a clear error until they are there again.
func TestPostgresHeals(t *testing.T) {
	server := pgtest.Start(t)
	l := openLedger(t, server.DSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	if err := record(t, l, c, "1"); err != nil {
		t.Fatal(err)
	}
	server.Stop(t)
	e := wantCode(t, record(t, l, c, "2"), Unavailable)
	if !strings.Contains(e.Hint, "same submission") {
		t.Errorf("the hint is %q", e.Hint)
	}
	wantCode(t, l.Ping(context.Background()), Unavailable)
	_, err := Open(context.Background(), reopened(t, l))
	wantCode(t, err, Unavailable)
	server.Resume(t)
	healed(t, func() error { return record(t, l, c, "2") })
	healed(t, func() error { return l.Ping(context.Background()) })
	execute(t, server.DB(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plumbline'`)
	healed(t, func() error { return record(t, l, c, "3") })
	if v := verify(t, l, fixtureID, ""); v.Events != 4 {
		t.Errorf("got %d events", v.Events)
	}
}

// healed calls do until it works. Each call may meet one connection that is gone.
func healed(t *testing.T, do func() error) {
	t.Helper()
	for range postgresReaders + postgresWriters + 1 {
		err := do()
		if err == nil {
			return
		}
		wantCode(t, err, Unavailable)
	}
	t.Error("it does not heal")
}

// TestPostgresUnknownOutcome: a connection breaks when the database has committed and
// its answer is on the way. The caller is told to try again, and what it sent is not
// recorded twice.
func TestPostgresUnknownOutcome(t *testing.T) {
	server := pgtest.Shared(t)
	proxy := newCommitCutter(t, server.Address())
	l := openLedger(t, strings.Replace(server.DSN(t), server.Address(), proxy.address(), 1))
	text := contractText(t, 1, contractOptions{})

	proxy.cutNext()
	_, err := l.Register(context.Background(), olga, text, fixtureFiles())
	wantCode(t, err, Unavailable)
	r := register(t, l, text)
	if !r.Already || r.Receipt.Seq != 1 {
		t.Errorf("it was not registered at first: %+v", r.Receipt)
	}

	proxy.cutNext()
	e := wantCode(t, record(t, l, r.Contract, "k"), Unavailable)
	if !strings.Contains(e.Hint, "same submission") {
		t.Errorf("the hint is %q", e.Hint)
	}
	again := recordRound(t, l, "k", roundText(t, r.Contract, "fail", defect))
	if !again.Repeated || again.Receipt.Seq != 2 {
		t.Errorf("it was not recorded at first: %+v", again)
	}
	if v := verify(t, l, fixtureID, again.Receipt.Hash); v.Events != 2 {
		t.Errorf("got %d events", v.Events)
	}
}

// commitCutter stands between a client and Postgres, and can break the connection
// that commits next once the server has answered.
type commitCutter struct {
	net.Listener
	mu    sync.Mutex
	armed bool
}

func newCommitCutter(t *testing.T, server string) *commitCutter {
	cutter := &commitCutter{Listener: listen(t)}
	t.Cleanup(func() { cutter.Close() })
	go func() {
		for {
			client, err := cutter.Accept()
			if err != nil {
				return // the test has ended
			}
			go cutter.serve(client, server)
		}
	}()
	return cutter
}

func (c *commitCutter) address() string { return c.Addr().String() }

func (c *commitCutter) cutNext() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = true
}

// cuts says once that this commit's answer is to be lost.
func (c *commitCutter) cuts(sent []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.armed || !strings.Contains(string(sent), "commit\x00") {
		return false
	}
	c.armed = false
	return true
}

func (c *commitCutter) serve(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	cut := make(chan struct{})
	go func() {
		defer server.Close()
		buffer := make([]byte, 1<<16)
		for {
			n, err := client.Read(buffer)
			if err != nil {
				return
			}
			if c.cuts(buffer[:n]) {
				close(cut)
			}
			if _, err := server.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		select {
		case <-cut:
			return // with the answer to the commit in hand
		default:
		}
		if err != nil {
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
