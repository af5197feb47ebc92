package tools

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// TestStoreSharesAttempts: calls that come while the ledger is being opened wait for
// that one attempt, or leave; after a failure the next call tries again.
func TestStoreSharesAttempts(t *testing.T) {
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	var attempts atomic.Int64
	begun, answer := make(chan struct{}, 1), make(chan error)
	store := NewStore(func(ctx context.Context) (*ledger.Ledger, error) {
		attempts.Add(1)
		begun <- struct{}{}
		if err := <-answer; err != nil {
			return nil, err
		}
		return ledger.Open(ctx, dsn)
	})
	failed := make(chan error)
	go func() {
		_, err := store.Ledger(known(t.Context()))
		failed <- err
	}()
	<-begun
	leaving, leave := context.WithCancel(t.Context())
	leave()
	if _, err := store.Ledger(known(leaving)); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left got %v", err)
	}
	answer <- &ledger.Error{Code: ledger.Unavailable, Message: "lost", Hint: "wait"}
	var told *Error
	if err := <-failed; !errors.As(err, &told) || told.Code != LedgerUnavailable {
		t.Errorf("got %v", err)
	}

	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if _, err := store.Ledger(known(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	<-begun
	answer <- nil
	wait.Wait()
	if n := attempts.Load(); n != 2 {
		t.Errorf("the ledger was opened %d times", n)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if _, err := store.Ledger(known(t.Context())); !errors.As(err, &told) {
		t.Errorf("a closed store gave %v", err)
	}
}

// A ledger that does not open ends who waits for it in the words of a ledger, and the
// attempt itself has an end, after which the next one is made.
func TestStoreOfASilentLedger(t *testing.T) {
	left := make(chan struct{}, 1)
	store := NewStore(func(ctx context.Context) (*ledger.Ledger, error) {
		if _, ends := ctx.Deadline(); !ends {
			return nil, errors.New("the attempt has no deadline")
		}
		<-ctx.Done()
		left <- struct{}{}
		return nil, &ledger.Error{Code: ledger.Unavailable, Message: "no answer", Hint: "wait"}
	})
	ctx, cancel := context.WithTimeout(known(t.Context()), time.Millisecond)
	defer cancel()
	var told *Error
	if _, err := store.Ledger(ctx); !errors.As(err, &told) || told.Code != LedgerUnavailable {
		t.Errorf("who waited too long got %v, want LEDGER_UNAVAILABLE", err)
	}
	if err := store.connect(t.Context(), time.Millisecond); !errors.As(err, &told) || told.Code != LedgerUnavailable {
		t.Errorf("an attempt without an answer ended with %v, want LEDGER_UNAVAILABLE", err)
	}
	<-left
}

// Without a caller there is no ledger: nobody would be one who may see all contracts.
func TestLedgerOfNobody(t *testing.T) {
	store := NewStore(func(context.Context) (*ledger.Ledger, error) {
		t.Error("the ledger is opened for nobody")
		return nil, errors.New("no ledger")
	})
	var told *Error
	if l, err := store.Ledger(context.Background()); l != nil || !errors.As(err, &told) || told.Code != Internal {
		t.Errorf("nobody gets %v, %v, want INTERNAL", l, err)
	}
}

// known is a context in which somebody makes the call.
func known(ctx context.Context) context.Context {
	return WithCaller(ctx, Caller{Name: "olga", Role: Owner})
}
