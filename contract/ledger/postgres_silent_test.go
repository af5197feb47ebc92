package ledger

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

// TestPostgresSilent: a read of a database that falls silent, before it or in the middle,
// ends by itself, however long its caller would wait.
func TestPostgresSilent(t *testing.T) {
	proxy, dsn := pgtest.Behind(t, postgresTests.newDSN(t))
	l := openLedger(t, dsn)
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	if _, err := l.Head(context.Background(), fixtureID); err != nil { // on a connection that stays
		t.Fatal(err)
	}
	l.readTime = 100 * time.Millisecond
	status := func(ctx context.Context, l *Ledger) error { _, err := l.Status(ctx, fixtureID); return err }
	ends := func(name string, read func(context.Context, *Ledger) error) {
		ctx, cancel := context.WithTimeout(context.Background(), hang)
		defer cancel()
		err := read(ctx, l)
		var e *Error
		if ctx.Err() != nil || !errors.As(err, &e) || e.Code != Unavailable {
			t.Errorf("%s: the ledger says %v, its caller's context %v", name, err, ctx.Err())
		}
	}
	ends("the middle of a snapshot", func(ctx context.Context, l *Ledger) error {
		return l.Snapshot(ctx, func(ctx context.Context, still *Ledger) error {
			proxy.Freeze()
			return status(ctx, still)
		})
	})
	proxy.Freeze()
	for name, read := range map[string]func(context.Context, *Ledger) error{
		"ping":      func(ctx context.Context, l *Ledger) error { return l.Ping(ctx) },
		"head":      func(ctx context.Context, l *Ledger) error { _, err := l.Head(ctx, fixtureID); return err },
		"status":    status,
		"standing":  func(ctx context.Context, l *Ledger) error { _, _, err := l.Standing(ctx, fixtureID, 0); return err },
		"contract":  func(ctx context.Context, l *Ledger) error { _, err := l.Contract(ctx, fixtureID, 0); return err },
		"contracts": func(ctx context.Context, l *Ledger) error { _, _, err := l.Contracts(ctx, Query{}); return err },
		"events":    func(ctx context.Context, l *Ledger) error { _, err := l.Events(ctx, fixtureID, 0, 9); return err },
		"history":   func(ctx context.Context, l *Ledger) error { _, _, err := l.History(ctx, fixtureID, 0, 9); return err },
		"revisions": func(ctx context.Context, l *Ledger) error { _, _, err := l.Revisions(ctx, fixtureID, 0, 9); return err },
		"revision": func(ctx context.Context, l *Ledger) error {
			_, err := l.CheckRevision(ctx, c.Text, fixtureFiles())
			return err
		},
		"round": func(ctx context.Context, l *Ledger) error {
			_, err := l.CheckRound(ctx, fixtureID, roundText(t, c, "pass"))
			return err
		},
		"registered": func(ctx context.Context, l *Ledger) error { return l.RequireRegistered(ctx, c) },
		"snapshot":   func(ctx context.Context, l *Ledger) error { return l.Snapshot(ctx, status) },
	} {
		ends(name, read)
	}
}
