package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// changedFields change each field of one event.
var changedFields = []string{
	`kind = CASE kind WHEN 'done' THEN 'round' ELSE 'done' END`, `who = 'mallory'`, `role = CASE role WHEN 'owner' THEN 'judge' ELSE 'owner' END`,
	`submission = 'other'`, `at = at + 1`, `sha256 = hash`, `prev = sha256`, `hash = sha256`,
	`body = (SELECT other.body FROM events other WHERE other.seq = 4 - events.seq + CASE events.seq WHEN 2 THEN 1 ELSE 0 END)`,
}

// testDamagedEvents: nothing is told, decided or recorded by an event that was changed.
func testDamagedEvents(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	recordDone(t, l, "d", doneText(t, c, nil))
	recordRound(t, l, "r", roundText(t, c, "pass"))
	status := func(q querier) error {
		state, err := l.loadState(context.Background(), q, fixtureID)
		if err == nil {
			_, err = l.status(context.Background(), q, state)
		}
		return err
	}
	statements := []string{`UPDATE chains SET hash = prev FROM events WHERE events.seq = 3`}
	for seq := 1; seq <= 3; seq++ {
		for _, field := range changedFields {
			statements = append(statements, fmt.Sprintf(`UPDATE events SET %s WHERE seq = %d`, field, seq))
		}
	}
	for _, statement := range statements {
		tx, err := l.write.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if err := status(tx); err != nil {
			t.Fatal(err)
		}
		b.unguard(t, tx)
		execute(t, tx, statement)
		t.Run(statement, func(t *testing.T) {
			if e := wantCode(t, status(tx), Unavailable); !errors.Is(e, ErrDamaged) {
				t.Errorf("the cause is %v", e.Err)
			}
		})
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
}

// A retry gets no receipt of an event that was changed.
func testDamagedRetry(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	text := roundText(t, c, "pass")
	recordRound(t, l, "r", text)
	b.unguard(t, l.write)
	change(t, l, `UPDATE events SET role = 'owner' WHERE seq = 2`)
	_, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, "r", text})
	wantCode(t, err, Unavailable)
}
