package ledger

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

var postgresTests = testBackend{
	name:    "postgres",
	newDSN:  func(t testing.TB) string { return pgtest.Shared(t).DSN(t) },
	unguard: func(t testing.TB, l *Ledger) { setGuards(t, l, "DISABLE") },
	guard:   func(t testing.TB, l *Ledger) { setGuards(t, l, "ENABLE") },
}

func setGuards(t testing.TB, l *Ledger, how string) {
	t.Helper()
	for _, guard := range postgresGuards {
		change(t, l, `ALTER TABLE `+guard.table+` `+how+` TRIGGER `+guard.trigger)
	}
}

func TestPostgres(t *testing.T) { testStore(t, postgresTests) }
