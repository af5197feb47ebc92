package ledger

import (
	"context"
	"strings"
	"testing"
)

// TestPostgresLocked: who holds one contract holds up nobody who records in another, and
// whoever waits too long for it is told so.
func TestPostgresLocked(t *testing.T) {
	dsn := postgresTests.newDSN(t)
	l, impatient := openLedger(t, dsn), openLedger(t, dsn+"&lock_timeout=1")
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	holder, err := l.write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.backend.lock(context.Background(), holder, fixtureID); err != nil {
		t.Fatal(err)
	}
	e := wantCode(t, record(t, impatient, c, "k"), Unavailable)
	if !strings.Contains(e.Message, "another process holds the contract") {
		t.Errorf("it says %q", e.Message)
	}
	register(t, impatient, contractText(t, 1, contractOptions{id: "other"}))
	if s := status(t, impatient); s.Rounds != 0 {
		t.Errorf("got %+v", s)
	}
	if err := holder.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := record(t, impatient, c, "k"); err != nil {
		t.Errorf("it does not heal: %v", err)
	}
	verify(t, l, fixtureID, "")
}

// TestPostgresReadOnly: a ledger whose database takes no writes, such as a standby's, is
// read, and says so to who would write.
func TestPostgresReadOnly(t *testing.T) {
	dsn := postgresTests.newDSN(t)
	const readOnly = "&default_transaction_read_only=on"
	_, err := Open(context.Background(), dsn+readOnly)
	wantCode(t, err, Unavailable)
	c := register(t, openLedger(t, dsn), contractText(t, 1, contractOptions{})).Contract
	l := openLedger(t, dsn+readOnly)
	e := wantCode(t, record(t, l, c, "k"), Unavailable)
	if !strings.Contains(e.Message, "standby or read-only") {
		t.Errorf("it says %q", e.Message)
	}
	verify(t, l, fixtureID, "")
}
