package ledger

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCopy copies from and to each database.
func TestCopy(t *testing.T) {
	for _, from := range []testBackend{sqliteTests, postgresTests} {
		for _, to := range []testBackend{sqliteTests, postgresTests} {
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				t.Parallel()
				testCopy(t, from, to)
			})
		}
	}
}

// testCopy: the copy has the same events and exports, verifies against the same heads,
// and goes on from there; what was copied is not copied again.
func testCopy(t *testing.T, a, b testBackend) {
	ctx := context.Background()
	from, to := openLedger(t, a.newDSN(t)), openLedger(t, b.newDSN(t))
	receipts := fullChain(t, from)
	register(t, from, contractText(t, 1, contractOptions{id: "alone"}))
	register(t, to, contractText(t, 1, contractOptions{id: "there"}))
	var told []Copied
	done, err := Copy(ctx, from, to, func(c Copied) { told = append(told, c) })
	if err != nil {
		t.Fatal(err)
	}
	if want := (&Copied{2, 8, []Refusal{}}); cmp.Diff(want, done) != "" || len(told) != 2 {
		t.Errorf("got %+v, %+v", done, told)
	}
	sameChains(t, from, to, fixtureID, "alone")
	verify(t, to, fixtureID, receipts[6].Hash)
	verify(t, to, "there", "")
	again, err := Copy(ctx, from, to, nil)
	if err != nil || again.Events != 0 || again.Contracts != 2 {
		t.Errorf("a copy of nothing new gave %+v, %v", again, err)
	}

	c, err := to.Contract(ctx, fixtureID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if retry := recordRound(t, to, "r3", roundText(t, c.Contract, "pass")); !retry.Repeated || *retry.Receipt != receipts[6] {
		t.Errorf("a retry on the copy got %+v", retry.Receipt)
	}
	recordRound(t, from, "r4", roundText(t, c.Contract, "fail", rowDefect("2"), extension))
	more, err := Copy(ctx, from, to, nil)
	if err != nil || more.Events != 1 {
		t.Errorf("got %+v, %v", more, err)
	}
	sameChains(t, from, to, fixtureID)
	if s := status(t, to); s.ExtensionsUsed != 1 || s.Rounds != 4 {
		t.Errorf("the copy counts %+v", s)
	}
	recordRound(t, to, "r5", roundText(t, c.Contract, "escalate", escalation))
	verify(t, to, fixtureID, receipts[6].Hash)
}

func sameChains(t *testing.T, from, to *Ledger, ids ...string) {
	t.Helper()
	for _, id := range ids {
		want, got := exported(t, from, id), exported(t, to, id)
		if !bytes.Equal(want, got) {
			t.Errorf("the exports of %s differ:\n%s", id, cmp.Diff(string(want), string(got)))
		}
		verify(t, to, id, "")
	}
}

// TestCopyInterrupted: a copy that ends between two transactions goes on there.
func TestCopyInterrupted(t *testing.T) {
	from, to := openLedger(t, sqliteTests.newDSN(t)), openLedger(t, postgresTests.newDSN(t))
	c := register(t, from, contractText(t, 1, contractOptions{})).Contract
	const rounds = batchEvents + 10
	for i := range rounds {
		recordRound(t, from, fmt.Sprint(i), roundText(t, c, "fail", defect))
	}
	// The disk is full just before the last event.
	execute(t, to.write, `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = 'disk_full'; END $$`)
	execute(t, to.write, fmt.Sprintf(`CREATE TRIGGER fail BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.seq = %d) EXECUTE FUNCTION fail()`, rounds))
	done, err := Copy(context.Background(), from, to, nil)
	if e := wantCode(t, err, Unavailable); !strings.HasPrefix(e.Message, "TO: the disk") || done.Events != batchEvents {
		t.Errorf("got %+v, %v", done, err)
	}
	if v := verify(t, to, fixtureID, ""); v.Events != batchEvents {
		t.Errorf("got %d events", v.Events)
	}
	execute(t, to.write, `DROP TRIGGER fail ON events`)
	done, err = Copy(context.Background(), from, to, nil)
	if err != nil || done.Events != 11 || done.Contracts != 1 {
		t.Errorf("got %+v, %v", done, err)
	}
	sameChains(t, from, to, fixtureID)
}

// TestCopyRefuses: what does not verify or does not follow is told and left as it is;
// the other chains are copied.
func TestCopyRefuses(t *testing.T) {
	ctx := context.Background()
	for name, test := range map[string]struct {
		change func(t *testing.T, from, to *Ledger)
		says   string
	}{
		"a damaged source": {func(t *testing.T, from, _ *Ledger) {
			execute(t, from.write, `UPDATE revisions SET budget = 9 WHERE contract = $1`, fixtureID)
		}, "does not verify in the source"},
		"a source without a head": {func(t *testing.T, from, _ *Ledger) {
			execute(t, from.write, `DELETE FROM chains WHERE contract = $1`, fixtureID)
		}, "no head"},
		"another chain": {func(t *testing.T, _, to *Ledger) {
			register(t, to, contractText(t, 1, contractOptions{owner: "mallory"}))
		}, "no beginning"},
		"a longer target": {func(t *testing.T, from, to *Ledger) {
			if _, err := Copy(ctx, from, to, nil); err != nil {
				t.Fatal(err)
			}
			c, err := to.Contract(ctx, fixtureID, 0)
			if err != nil {
				t.Fatal(err)
			}
			recordRound(t, to, "more", roundText(t, c.Contract, "pass"))
		}, "ends at event 8"},
		"a damaged target": {func(t *testing.T, from, to *Ledger) {
			if _, err := Copy(ctx, from, to, nil); err != nil {
				t.Fatal(err)
			}
			execute(t, to.write, `UPDATE chains SET rounds = 0 WHERE contract = $1`, fixtureID)
		}, "does not verify in the target"},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := openLedger(t, postgresTests.newDSN(t)), openLedger(t, sqliteTests.newDSN(t))
			fullChain(t, from)
			register(t, from, contractText(t, 1, contractOptions{id: "well"}))
			test.change(t, from, to)
			done, err := Copy(ctx, from, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			if done.Contracts != 1 || len(done.Refused) != 1 || done.Refused[0].ContractID != fixtureID || !strings.Contains(done.Refused[0].Reason, test.says) {
				t.Errorf("got %+v", done)
			}
			sameChains(t, from, to, "well")
		})
	}
}

// TestOpenExisting makes nothing.
func TestOpenExisting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, dsn := range []string{"sqlite:" + filepath.Join(dir, "ledger.db"), postgresTests.newDSN(t)} {
		for range 2 {
			_, err := Open(context.Background(), dsn, Existing())
			if e := wantCode(t, err, Unavailable); !strings.Contains(e.Message, "no ledger") {
				t.Errorf("it says %q", e.Message)
			}
		}
		openLedger(t, dsn)
		l, err := Open(context.Background(), dsn, Existing())
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
}
