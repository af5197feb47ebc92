package ledger

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// fullChain records two revisions, two done reports and three rounds.
func fullChain(t testing.TB, l *Ledger) []Receipt {
	t.Helper()
	var receipts []Receipt
	keep := func(r *Receipt) { receipts = append(receipts, *r) }
	first := register(t, l, contractText(t, 1, contractOptions{}))
	keep(first.Receipt)
	keep(recordDone(t, l, "d1", doneText(t, first.Contract, nil)).Receipt)
	keep(recordRound(t, l, "r1", roundText(t, first.Contract, "fail", defect, rowDefect("1"))).Receipt)
	keep(recordRound(t, l, "r2", roundText(t, first.Contract, "fail", extension)).Receipt)
	second := register(t, l, grown(t))
	keep(second.Receipt)
	keep(recordDone(t, l, "d2", doneText(t, second.Contract, nil)).Receipt)
	keep(recordRound(t, l, "r3", roundText(t, second.Contract, "pass")).Receipt)
	return receipts
}

func testAppendOnly(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	fullChain(t, l)
	for _, statement := range []string{
		`UPDATE events SET who = 'mallory' WHERE seq = 2`,
		`UPDATE events SET seq = 99 WHERE seq = 7`,
		`DELETE FROM events WHERE seq = 7`,
		`DELETE FROM events`,
		`UPDATE artifacts SET body = $1`,
		`DELETE FROM artifacts`,
		`INSERT INTO events SELECT contract, seq + 2, kind, who, role, 'new', at, body, sha256, prev, hash FROM events WHERE seq = 7`,
		`INSERT INTO events SELECT contract, seq, kind, who, role, 'new', at, body, sha256, prev, hash FROM events WHERE seq = 7`,
		`INSERT INTO events SELECT contract, seq + 1, kind, who, role, 'new', at, body, sha256, prev, hash FROM events WHERE seq = 7`,
		`INSERT INTO events SELECT 'other', 2, kind, who, role, 'new', at, body, sha256, '', hash FROM events WHERE seq = 7`,
	} {
		var args []any
		if strings.Contains(statement, "$1") {
			args = append(args, []byte("x"))
		}
		if _, err := l.write.Exec(statement, args...); err == nil {
			t.Errorf("the store accepts %s", statement)
		}
	}
	verify(t, l, fixtureID, "")
}

// TestSQLiteReplace: SQLite's INSERT OR REPLACE deletes without a DELETE trigger.
func TestSQLiteReplace(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	fullChain(t, l)
	for _, statement := range []string{
		`INSERT OR REPLACE INTO events SELECT contract, seq, kind, 'mallory', role, submission, at, body, sha256, prev, hash FROM events WHERE seq = 7`,
		`INSERT OR REPLACE INTO events SELECT contract, 8, kind, who, role, submission, at, body, sha256, hash, hash FROM events WHERE seq = 7`,
		`INSERT OR REPLACE INTO artifacts SELECT contract, revision, path, sha256, x'00' FROM artifacts`,
	} {
		if _, err := l.write.Exec(statement); err == nil {
			t.Errorf("the store accepts %s", statement)
		}
	}
	verify(t, l, fixtureID, "")
}

// tamperings change each column of each table, and rows as wholes.
var tamperings = []string{
	`UPDATE events SET contract = 'other' WHERE seq = 3`,
	`UPDATE events SET contract = 'other'`,
	`UPDATE events SET seq = 8 WHERE seq = 7`,
	`UPDATE events SET seq = seq + 1`,
	`UPDATE events SET kind = 'done' WHERE seq = 3`,
	`UPDATE events SET kind = 'none' WHERE seq = 3`,
	`UPDATE events SET who = 'mallory' WHERE seq = 2`,
	`UPDATE events SET role = 'owner' WHERE seq = 7`,
	`UPDATE events SET submission = 'x' WHERE seq = 7`,
	`UPDATE events SET at = at + 1 WHERE seq = 1`,
	`UPDATE events SET body = (SELECT body FROM events WHERE seq = 7) WHERE seq = 3`,
	`UPDATE events SET sha256 = (SELECT sha256 FROM events WHERE seq = 7) WHERE seq = 3`,
	`UPDATE events SET prev = '' WHERE seq = 7`,
	`UPDATE events SET hash = prev WHERE seq = 7`,
	`DELETE FROM events WHERE seq = 1`,
	`DELETE FROM events WHERE seq = 4`,
	`DELETE FROM events WHERE seq = 7`,
	`DELETE FROM events`,
	`UPDATE events SET seq = 11 - seq WHERE seq IN (5, 6)`,
	`UPDATE artifacts SET contract = 'other'`,
	`UPDATE artifacts SET revision = revision + 1`,
	`UPDATE artifacts SET path = 'data/other.csv' WHERE revision = 1`,
	`UPDATE artifacts SET sha256 = 'ab' WHERE revision = 2`,
	`UPDATE artifacts SET body = (SELECT body FROM events WHERE seq = 1) WHERE revision = 1`,
	`DELETE FROM artifacts WHERE revision = 2`,
	`INSERT INTO artifacts SELECT contract, 9, path, sha256, body FROM artifacts WHERE revision = 1`,
	`UPDATE chains SET contract = 'other'`,
	`UPDATE chains SET seq = 6`,
	`UPDATE chains SET hash = 'ab'`,
	`UPDATE chains SET revision = 1`,
	`UPDATE chains SET rounds = 2`,
	`UPDATE chains SET last_round = 3`,
	`UPDATE chains SET last_done = 2`,
	`UPDATE chains SET waiting = 7`,
	`UPDATE chains SET progress = '{}'`,
	`UPDATE chains SET progress = 'x'`,
	`DELETE FROM chains`,
	`UPDATE revisions SET contract = 'other' WHERE revision = 2`,
	`UPDATE revisions SET revision = 3 WHERE revision = 2`,
	`UPDATE revisions SET seq = 1`,
	`UPDATE revisions SET fingerprint = 'sha256:000000000000' WHERE revision = 1`,
	`UPDATE revisions SET sha256 = 'ab' WHERE revision = 1`,
	`UPDATE revisions SET owner = 'mallory'`,
	`UPDATE revisions SET budget = 9`,
	`UPDATE revisions SET extensions = 0`,
	`DELETE FROM revisions`,
	`UPDATE actors SET contract = 'other' WHERE who = 'bob'`,
	`UPDATE actors SET who = 'mallory' WHERE who = 'bob'`,
	`UPDATE actors SET role = 'owner' WHERE who = 'bob'`,
	`UPDATE actors SET kind = 'round' WHERE who = 'bob'`,
	`DELETE FROM actors WHERE who = 'bob'`,
}

// testTampering changes a chain in each way, looks, and takes the change back.
func testTampering(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	receipts := fullChain(t, l)
	for _, statement := range tamperings {
		tx, err := l.write.Begin()
		if err != nil {
			t.Fatal(err)
		}
		b.unguard(t, tx)
		execute(t, tx, swap(statement))
		if strings.HasPrefix(statement, `UPDATE events SET seq = 11`) {
			execute(t, tx, `UPDATE events SET seq = seq - 100 WHERE seq > 100`)
		}
		b.guard(t, tx)
		for _, kept := range []string{"", receipts[len(receipts)-1].Hash} {
			v, err := l.verify(context.Background(), tx, fixtureID, kept)
			if err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
			if v.OK() {
				t.Errorf("%s: not found with the kept head %q", statement, kept)
			}
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
	verify(t, l, fixtureID, receipts[len(receipts)-1].Hash)
}

// testDamagedContract: other bytes in the place of a registered contract are not
// handed out.
func testDamagedContract(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	b.unguard(t, l.write)
	change(t, l, `UPDATE events SET body = $1`, contractText(t, 1, contractOptions{owner: "mallory"}))
	b.guard(t, l.write)
	fresh := openLedger(t, reopened(t, l))
	_, err := fresh.Contract(context.Background(), fixtureID, 0)
	wantCode(t, err, Unavailable)
	_, err = fresh.RecordRound(context.Background(), jane, Submission{fixtureID, "k", roundText(t, c, "pass")})
	wantCode(t, err, Unavailable)
}

// swap makes statements of those that would meet the primary key on the way.
func swap(statement string) string {
	switch statement {
	case `UPDATE events SET seq = 11 - seq WHERE seq IN (5, 6)`:
		return `UPDATE events SET seq = 111 - seq WHERE seq IN (5, 6)`
	case `UPDATE events SET seq = seq + 1`:
		return `UPDATE events SET seq = -seq`
	case `UPDATE artifacts SET revision = revision + 1`:
		return `UPDATE artifacts SET revision = -revision`
	}
	return statement
}

// testRewriting: who can write the store can rewrite it whole; a head that was kept
// elsewhere shows it.
func testRewriting(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	receipts := fullChain(t, l)
	kept := receipts[6].Hash
	b.unguard(t, l.write)
	// The tail goes, and with it everything that tells of it.
	change(t, l, `DELETE FROM events WHERE seq = 7`)
	change(t, l, `DELETE FROM actors WHERE who = 'jane' AND kind = 'none'`)
	v := newVerifier(fixtureID, "")
	err := l.view(context.Background(), fixtureID, func(ctx context.Context, q querier) error {
		return eachEvent(ctx, q, fixtureID, 0, allEvents, func(e *Event) error {
			v.event(e, fixtureFiles())
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	err = l.change(context.Background(), fixtureID, func(ctx context.Context, q querier) error { return v.head.save(ctx, q) })
	if err != nil {
		t.Fatal(err)
	}
	b.guard(t, l.write)
	blind := verify(t, l, fixtureID, "")
	if !containsText(blind.Blind, "cut off the end") {
		t.Errorf("it does not say what it cannot see: %q", blind.Blind)
	}
	seen, err := l.Verify(context.Background(), fixtureID, kept)
	if err != nil {
		t.Fatal(err)
	}
	if seen.OK() || seen.KeptAt != 0 {
		t.Errorf("the kept head shows nothing: %+v", seen)
	}
	if earlier := verify(t, l, fixtureID, receipts[2].Hash); earlier.KeptAt != 3 {
		t.Errorf("got %+v", earlier)
	}
}

// TestVerifier changes events as somebody would who computes hashes too, so that each
// rule has to see by itself what only it sees.
func TestVerifier(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	fullChain(t, l)
	rehash := func(e *Event) { e.Hash = e.ComputeHash() }
	for name, test := range map[string]struct {
		change func(events []*Event) []*Event
		want   string
	}{
		"untouched":          {func(e []*Event) []*Event { return e }, ""},
		"an event less":      {func(e []*Event) []*Event { e[3].Prev = e[1].Hash; rehash(e[3]); return append(e[:2], e[3:]...) }, "follows event 2"},
		"a hash of its own":  {func(e []*Event) []*Event { e[1].At++; rehash(e[1]); return e }, "prev is not"},
		"another body":       {func(e []*Event) []*Event { e[2].Body = append(e[2].Body, ' '); return e }, "SHA-256"},
		"another time":       {func(e []*Event) []*Event { e[6].At++; return e }, "the hash is not"},
		"no UTF-8":           {func(e []*Event) []*Event { e[6].Who = "\ufffd"; rehash(e[6]); e[6].Who = "\xff"; return e }, "the hash is not"},
		"another contract":   {func(e []*Event) []*Event { e[6].Contract = "x"; rehash(e[6]); return e }, "of the contract"},
		"another kind":       {func(e []*Event) []*Event { e[6].Kind = "note"; rehash(e[6]); return e }, "is none"},
		"another role":       {func(e []*Event) []*Event { e[6].Role = contract.ActorBuilder; rehash(e[6]); return e }, "could not have"},
		"no submission":      {func(e []*Event) []*Event { e[6].Submission = ""; rehash(e[6]); return e }, "has a submission"},
		"the same, again":    {func(e []*Event) []*Event { e[3].Submission = "r1"; rehash(e[3]); return e }, "same submission"},
		"an invalid round":   {func(e []*Event) []*Event { return rebody(e, 6, "pass", "fail") }, "AAC607"},
		"half a report":      {func(e []*Event) []*Event { return rebody(e, 5, `"results"`, `"other"`) }, "complete done report"},
		"a broken revision":  {func(e []*Event) []*Event { return rebody(e, 4, `"aac"`, `"abc"`) }, "AAC301"},
		"no contract at all": {func(e []*Event) []*Event { return rebody(e, 4, "{", "[") }, "no contract"},
	} {
		events, err := l.Events(context.Background(), fixtureID, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		v := newVerifier(fixtureID, "")
		for _, e := range test.change(events) {
			v.event(e, fixtureFiles())
		}
		var told []string
		for _, f := range v.finish().Faults {
			told = append(told, f.What)
		}
		if test.want == "" && len(told) > 0 || !containsText(told, test.want) {
			t.Errorf("%s: got %q, want %q", name, told, test.want)
		}
	}
}

// rebody changes the body of an event and computes its digest and hash anew.
func rebody(events []*Event, i int, from, to string) []*Event {
	e := events[i]
	e.Body = bytes.Replace(e.Body, []byte(from), []byte(to), 1)
	e.BodySHA256 = contract.SHA256(e.Body)
	e.Hash = e.ComputeHash()
	return events
}

// testGuards: a missing guard is told, though nothing was changed yet.
func testGuards(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	fullChain(t, l)
	b.unguard(t, l.write)
	v, err := l.Verify(context.Background(), fixtureID, "")
	if err != nil || v.OK() {
		t.Errorf("got %+v, %v", v, err)
	}
	for _, f := range v.Faults {
		if !strings.Contains(f.What, "append-only") {
			t.Errorf("got %+v", f)
		}
	}
	b.guard(t, l.write)
	verify(t, l, fixtureID, "")
}

func containsText(texts []string, part string) bool {
	return strings.Contains(strings.Join(texts, "\n"), part)
}
