package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := filepath.Join(dir, "foreign.db")
	rawExec(t, foreign, `CREATE TABLE notes (text TEXT)`)
	newer := filepath.Join(dir, "newer.db")
	openLedger(t, "sqlite:"+newer)
	rawExec(t, newer, `INSERT INTO plumbline_schema (version, at) VALUES (99, 0)`)
	for name, test := range map[string]struct {
		dsn  string
		code Code
		says string
	}{
		"nothing":              {"", BadArgument, "scheme"},
		"no scheme":            {"ledger.db", BadArgument, "scheme"},
		"unknown scheme":       {"mysql:x", BadArgument, "scheme"},
		"no path":              {"sqlite:", BadArgument, "no file"},
		"memory":               {"sqlite::memory:", BadArgument, "no file"},
		"slashes":              {"sqlite://x/y", BadArgument, "//"},
		"NUL":                  {"sqlite:a\x00b", BadArgument, "NUL"},
		"a directory":          {"sqlite:" + dir, Unavailable, "is a directory"},
		"below a file":         {"sqlite:" + file("plain", "") + "/ledger.db", Unavailable, "cannot be reached"},
		"not a database":       {"sqlite:" + file("notes.txt", strings.Repeat("these are notes\n", 200)), Unavailable, "no database"},
		"another database":     {"sqlite:" + foreign, Unavailable, "something else"},
		"of a newer version":   {"sqlite:" + newer, Unavailable, "version 99"},
		"no regular file":      {"sqlite:" + os.DevNull, Unavailable, "not a regular file"},
		"a device as database": {"sqlite:/dev/null/x", Unavailable, "cannot be reached"},
	} {
		l, err := Open(context.Background(), test.dsn)
		if err == nil {
			l.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if e := wantCode(t, err, test.code); !strings.Contains(e.Message, test.says) {
			t.Errorf("%s: it says %q", name, e.Message)
		} else if told := e.Message + e.Hint; strings.Contains(told, dir) || strings.Contains(told, os.DevNull) {
			t.Errorf("%s: a caller is told where the ledger lies: %q", name, told)
		}
	}
	var mode string
	if err := raw(t, foreign).QueryRow(`PRAGMA journal_mode`).Scan(&mode); err != nil || mode != "delete" {
		t.Errorf("the other program's database was changed: %q, %v", mode, err)
	}
}

func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func rawExec(t testing.TB, path, statement string) {
	t.Helper()
	if _, err := raw(t, path).Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// TestOpenOddPaths: what SQLite or a URL would read otherwise stays a path.
func TestOpenOddPaths(t *testing.T) {
	for _, name := range []string{"with space.db", "50%.db", "a?b=c.db", "a#b.db", "Käse.db", "a&mode=ro.db", "%41.db", "x:y.db"} {
		path := filepath.Join(t.TempDir(), "deep", "er", name)
		l := openLedger(t, "sqlite:"+path)
		fullChain(t, l)
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestSettings: what durability and several processes rest on.
func TestSettings(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000"} {
		var got string
		if err := l.write.QueryRow(`PRAGMA ` + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, want %q (%v)", pragma, got, want, err)
		}
	}
	if _, err := l.read.Exec(`DELETE FROM chains`); err == nil {
		t.Error("the connections for reading can write")
	}
}

// record tries to record a round and gives the error.
func record(t testing.TB, l *Ledger, c *contract.Contract, key string) error {
	_, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, key, roundText(t, c, "fail", defect)})
	return err
}

func TestLocked(t *testing.T) {
	dsn := sqliteTests.newDSN(t)
	l := openLedger(t, dsn)
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	other := openLedger(t, dsn)
	holder, err := other.write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	change(t, l, `PRAGMA busy_timeout = 1`) // its one connection keeps it
	e := wantCode(t, record(t, l, c, "k"), Unavailable)
	if !strings.Contains(e.Message, "another process") {
		t.Errorf("it says %q", e.Message)
	}
	if err := holder.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := record(t, l, c, "k"); err != nil {
		t.Errorf("it does not heal: %v", err)
	}
	verify(t, l, fixtureID, "")
}

func TestFullDisk(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	change(t, l, `PRAGMA max_page_count = 1`) // as many as there are
	var err error
	recorded := int64(0)
	for i := 0; err == nil; i++ {
		if err = record(t, l, c, fmt.Sprint("k", i)); err == nil {
			recorded++
		}
	}
	if e := wantCode(t, err, Unavailable); !strings.Contains(e.Message, "full") {
		t.Errorf("it says %q", e.Message)
	}
	if v := verify(t, l, fixtureID, ""); v.Events != 1+recorded {
		t.Errorf("%d events, %d were recorded", v.Events, recorded)
	}
	change(t, l, `PRAGMA max_page_count = 1000000`)
	if err := record(t, l, c, "after"); err != nil {
		t.Errorf("it does not heal: %v", err)
	}
}

func TestCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := Open(context.Background(), "sqlite:"+path)
	if err != nil {
		t.Fatal(err)
	}
	fullChain(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for i := page; i < len(text); i++ {
		text[i] = 0xA5
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err = Open(context.Background(), "sqlite:"+path)
	if err == nil {
		defer l.Close()
		_, err = l.Status(context.Background(), fixtureID)
	}
	wantCode(t, err, Unavailable)
}

// tryToWrite tries to open the ledger and to register, and says what came of it.
func tryToWrite(dsn, _ string, out io.Writer) error {
	l, err := Open(context.Background(), dsn)
	if err == nil {
		defer l.Close()
		var c *contract.Contract
		if c, err = childContract(); err != nil {
			return err
		}
		_, err = l.Register(context.Background(), olga, c.Text, nil)
	}
	fmt.Fprintln(out, err)
	return nil
}

// TestDamagedHead: where the store's own records say otherwise than its events, nothing
// is added to either.
func TestDamagedHead(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	change(t, l, `UPDATE chains SET seq = 5`)
	wantCode(t, record(t, l, c, "k"), Unavailable)
	change(t, l, `UPDATE chains SET seq = 1`)
	if err := record(t, l, c, "k"); err != nil {
		t.Error(err)
	}
	verify(t, l, fixtureID, "")
}
