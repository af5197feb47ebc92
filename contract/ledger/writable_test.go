package ledger

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestPingReadOnly: a ledger that takes no recordings is not ready, and is once it does.
func TestPingReadOnly(t *testing.T) {
	ctx := context.Background()
	dsn := postgresTests.newDSN(t)
	openLedger(t, dsn)
	closed := openLedger(t, dsn+"&default_transaction_read_only=on")
	if e := wantCode(t, closed.Ping(ctx), Unavailable); !strings.Contains(e.Message, "cannot be written to") {
		t.Errorf("a read-only database is %q", e.Message)
	}
	if err := openLedger(t, dsn).Ping(ctx); err != nil {
		t.Errorf("a database that can be written to is not ready: %v", err)
	}
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := openLedger(t, "sqlite:"+path)
	if err := l.Ping(ctx); err != nil {
		t.Errorf("a new file is not ready: %v", err)
	}
	execute(t, l.write, `PRAGMA query_only = 1`)
	if e := wantCode(t, l.Ping(ctx), Unavailable); !strings.Contains(e.Message, "cannot be written to") {
		t.Errorf("a file that takes no writes is %q", e.Message)
	}
	execute(t, l.write, `PRAGMA query_only = 0`)
	if err := l.Ping(ctx); err != nil {
		t.Errorf("a file that takes writes again is not ready: %v", err)
	}
}
