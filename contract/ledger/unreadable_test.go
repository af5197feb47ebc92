package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"
)

// readings are what a ledger with the chain of fullChain is asked.
var readings = map[string]func(ctx context.Context, l *Ledger) error{
	"verify": func(ctx context.Context, l *Ledger) error {
		v, err := l.Verify(ctx, fixtureID, "")
		if err == nil && !v.OK() {
			err = fmt.Errorf("the chain was found to differ: %+v", v.Faults)
		}
		return err
	},
	"status": func(ctx context.Context, l *Ledger) error {
		_, err := l.Status(ctx, fixtureID)
		return err
	},
	"standing": func(ctx context.Context, l *Ledger) error {
		_, _, err := l.Standing(ctx, fixtureID, 1)
		return err
	},
	"history": func(ctx context.Context, l *Ledger) error {
		_, _, err := l.History(ctx, fixtureID, 0, 100)
		return err
	},
	"revisions": func(ctx context.Context, l *Ledger) error {
		_, _, err := l.Revisions(ctx, fixtureID, 0, 100)
		return err
	},
	"events": func(ctx context.Context, l *Ledger) error {
		_, err := l.Events(ctx, fixtureID, 0, 100)
		return err
	},
	"head": func(ctx context.Context, l *Ledger) error {
		_, err := l.Head(ctx, fixtureID)
		return err
	},
	"contracts": func(ctx context.Context, l *Ledger) error {
		_, _, err := l.Contracts(ctx, Query{})
		return err
	},
	"export": func(ctx context.Context, l *Ledger) error { return l.Export(ctx, fixtureID, AnyLength, io.Discard) },
	"export for builder": func(ctx context.Context, l *Ledger) error {
		return l.ExportForBuilder(ctx, fixtureID, AnyLength, io.Discard)
	},
	"ping": func(ctx context.Context, l *Ledger) error { return l.Ping(ctx) },
}

// TestUnreadableStoreIsNoAnswer: what cannot be read is an error, whichever access fails.
// It is never an answer, least of all that something was changed.
func TestUnreadableStoreIsNoAnswer(t *testing.T) {
	f := &faults{}
	l := openFaulty(t, f)
	fullChain(t, l)
	for name, read := range readings {
		t.Run(name, func(t *testing.T) {
			n := eachFault(t, f, func() error {
				l.parsed = newParsedContracts()
				return read(t.Context(), l)
			})
			if n == 0 {
				t.Error("it reads nothing")
			}
		})
	}
}

// TestUnreadableStoreTakesNothing: a fault ends a recording and its retry, and the next
// attempt goes on as if there had been none.
func TestUnreadableStoreTakesNothing(t *testing.T) {
	ctx := t.Context()
	f := &faults{}
	l := openFaulty(t, f)
	first := register(t, l, contractText(t, 1, contractOptions{})).Contract
	fails, done, revision := roundText(t, first, "fail", rowDefect("1")), doneText(t, first, nil), grown(t)
	submitDone := func() error {
		_, err := l.RecordDone(ctx, bob, Submission{fixtureID, "d", done})
		return err
	}
	submitRound := func() error {
		_, err := l.RecordRound(ctx, jane, Submission{fixtureID, "r", fails})
		return err
	}
	submitRevision := func() error {
		_, err := l.Register(ctx, olga, revision, fixtureFiles())
		return err
	}
	for _, step := range []struct {
		name   string
		submit func() error
		events int64
	}{
		{"a round", submitRound, 2}, {"a done report", submitDone, 3},
		{"a retried round", submitRound, 3}, {"a retried done report", submitDone, 3},
		{"a revision", submitRevision, 4}, {"a registered revision", submitRevision, 4},
	} {
		n := eachFault(t, f, func() error {
			l.parsed = newParsedContracts()
			return step.submit()
		})
		if v := verify(t, l, fixtureID, ""); n == 0 || v.Events != step.events {
			t.Errorf("after %s, with %d accesses, there are %d events, want %d", step.name, n, v.Events, step.events)
		}
	}
}

// TestUnreadableStoreIsNotRefused: a copy that cannot read or write says so, and whose
// store it is; it refuses no chain.
func TestUnreadableStoreIsNotRefused(t *testing.T) {
	source, target := &faults{}, &faults{}
	from := openFaulty(t, source)
	receipts := fullChain(t, from)
	for store, f := range map[string]*faults{"FROM: ": source, "TO: ": target} {
		t.Run(store, func(t *testing.T) {
			var to *Ledger
			eachFault(t, f, func() error {
				to = openFaulty(t, target)
				done, err := Copy(t.Context(), from, to, nil)
				var known *Error
				switch {
				case len(done.Refused) > 0:
					return fmt.Errorf("refused: %+v", done.Refused)
				case errors.As(err, &known) && !strings.HasPrefix(known.Message, store):
					t.Errorf("it says %q", known.Message)
				}
				return err
			})
			verify(t, to, fixtureID, receipts[len(receipts)-1].Hash)
		})
	}
}

// TestUnreadableExportIsNoAnswer: a file that breaks off with an error, wherever that is,
// is not told to be no export, or one that was changed.
func TestUnreadableExportIsNoAnswer(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	fullChain(t, l)
	text := exported(t, l, fixtureID)
	for n := len(text); n >= 0; n -= min(max(n, 1), 97) {
		if v, err := VerifyExport(io.MultiReader(bytes.NewReader(text[:n]), iotest.ErrReader(errFault)), fixtureFiles(), ""); err != errFault {
			t.Errorf("after %d bytes: %+v, %v", n, v, err)
		}
	}
}

// unreadableFiles has files that cannot be read.
type unreadableFiles struct{}

func (unreadableFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errFault}
}

// TestUnreadableFilesAreBlind: rounds whose files cannot be read are not told to be wrong,
// nor their files to be missing.
func TestUnreadableFilesAreBlind(t *testing.T) {
	l := openLedger(t, sqliteTests.newDSN(t))
	fullChain(t, l)
	v, err := VerifyExport(bytes.NewReader(exported(t, l, fixtureID)), unreadableFiles{}, "")
	if err != nil || !v.OK() || !containsText(v.Blind, "not given or cannot be read") {
		t.Errorf("got %+v, %v", v, err)
	}
}
