package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// testSnapshot: what is read together is of one moment, although another process registers
// and records between any two reads of it, and on other contracts.
func testSnapshot(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx, other := context.Background(), openLedger(t, reopened(t, l))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	reads := []func(l *Ledger) (any, error){
		func(l *Ledger) (any, error) {
			s, err := l.Status(ctx, fixtureID)
			if err != nil {
				return nil, err
			}
			return s.Head.Seq, nil
		},
		func(l *Ledger) (any, error) { page, _, err := l.History(ctx, fixtureID, 0, 9); return len(page), err },
		func(l *Ledger) (any, error) { page, _, err := l.Revisions(ctx, fixtureID, 0, 9); return len(page), err },
		func(l *Ledger) (any, error) { page, _, err := l.Contracts(ctx, Query{}); return len(page), err },
		func(l *Ledger) (any, error) { events, err := l.Events(ctx, fixtureID, 0, 9); return len(events), err },
		func(l *Ledger) (any, error) { head, err := l.Head(ctx, fixtureID); return head.Seq, err },
		func(l *Ledger) (any, error) { found, err := l.Contract(ctx, fixtureID, 0); return found.Newest, err },
	}
	record := []func(){
		func() { recordRound(t, other, "1", roundText(t, c, "pass")) },
		func() { register(t, other, grown(t)) },
		func() { register(t, other, contractText(t, 1, contractOptions{id: "shop/stock"})) },
	}
	var got []string
	err := l.Snapshot(ctx, func(_ context.Context, still *Ledger) error {
		for i, read := range reads {
			found, err := read(still)
			if err != nil {
				return err
			}
			got = append(got, fmt.Sprint(found))
			if i < len(record) {
				record[i]()
			}
		}
		return nil
	})
	if want := []string{"1", "1", "1", "1", "1", "1", "1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("one moment has %v, %v, want %v", got, err, want)
	}
	got = nil
	for _, read := range reads {
		found, err := read(l)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(found))
	}
	if want := []string{"3", "3", "2", "2", "3", "3", "2"}; !slices.Equal(got, want) {
		t.Errorf("after it there are %v, want %v", got, want)
	}
	mine := errors.New("an error of the reader")
	if err := l.Snapshot(ctx, func(context.Context, *Ledger) error { return mine }); err != mine {
		t.Errorf("the reader's error comes back as %v", err)
	}
}
