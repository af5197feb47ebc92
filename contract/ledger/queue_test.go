package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestHeldContract: who waits for a contract that another process holds keeps nobody
// from recording on another one, and may leave.
func TestHeldContract(t *testing.T) {
	const callers = 3 * postgresWriters
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	l, other := openLedger(t, postgresTests.newDSN(t)+"&lock_timeout="+milliseconds(hang)), contractText(t, 1, contractOptions{id: "shop/other"})
	l.queues.most = hang
	held := register(t, l, contractText(t, 1, contractOptions{}))
	register(t, l, other)
	holder := openLedger(t, reopened(t, l))
	tx, err := holder.write.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (postgresBackend{}).lock(ctx, tx, fixtureID); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, callers)
	var all sync.WaitGroup
	for i := range callers {
		text := roundText(t, held.Contract, "fail", defect)
		all.Go(func() {
			_, err := l.RecordRound(ctx, jane, Submission{fixtureID, fmt.Sprint(i), text})
			ended <- err
		})
	}
	waitFor(t, "all callers wait", func() bool { return l.queues.count(fixtureID) == callers })
	for i := range postgresWriters {
		if _, err := l.RecordRound(ctx, jane, Submission{"shop/other", fmt.Sprint(i), roundText(t, parse(t, other), "fail", defect)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(ended) > 0 {
		t.Errorf("recording on another contract waited until %d callers on the held one had given up", len(ended))
	}
	leave()
	for range callers - 1 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that leaves is told %v", err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the caller whose turn it was is told %v", err)
	}
	all.Wait()
	if n := l.queues.count(fixtureID); n != 0 {
		t.Errorf("%d callers are still counted", n)
	}
}

// place counts what a queue asks of it.
type place struct {
	yielded chan struct{}
	takes   time.Duration // until there is a place again
	resumes error
	resumed int
}

func (p *place) Yield() { p.yielded <- struct{}{} }

func (p *place) Resume(ctx context.Context) error {
	p.resumed++
	select {
	case <-time.After(p.takes):
		return p.resumes
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestPlaceInQueue: a caller keeps its place unless it waits, and is out of the queue where
// it gets none afterwards.
func TestPlaceInQueue(t *testing.T) {
	q := newQueues(busyTimeout)
	for _, fails := range []error{nil, context.DeadlineExceeded} {
		at := &place{yielded: make(chan struct{}, 1), resumes: fails}
		ctx := WithPlace(context.Background(), at)
		leave, err := q.enter(ctx, fixtureID)
		if err != nil || len(at.yielded) != 0 {
			t.Fatalf("the first gives its place back, or is told %v", err)
		}
		second := make(chan error)
		go func() {
			leave, err := q.enter(ctx, fixtureID)
			if err == nil {
				leave()
			}
			second <- err
		}()
		<-at.yielded
		leave()
		if err := <-second; err != fails || at.resumed != 1 {
			t.Errorf("the second is told %v after taking a place %d times, want %v and once", err, at.resumed, fails)
		}
		if n := q.count(fixtureID); n != 0 {
			t.Errorf("%d callers are still counted", n)
		}
	}
}

// TestWaitForAPlace: a caller whose turn it is waits for a place as long as it has time itself;
// who waits behind it is not told of another process, which may well be there none.
func TestWaitForAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueues(busyTimeout)
		turn := func(ctx context.Context) <-chan error {
			ended := make(chan error, 1)
			go func() {
				leave, err := q.enter(ctx, fixtureID)
				if err == nil {
					leave()
				}
				ended <- err
			}()
			synctest.Wait()
			return ended
		}
		leave, err := q.enter(t.Context(), fixtureID)
		if err != nil {
			t.Fatal(err)
		}
		at := &place{yielded: make(chan struct{}, 2), takes: 3 * busyTimeout}
		second := turn(WithPlace(t.Context(), at))
		third := turn(t.Context())
		leave()
		var e *Error
		if err := <-third; !errors.As(err, &e) || e.Code != Unavailable || strings.Contains(e.Message, "process") {
			t.Errorf("who waits behind it is told %v", err)
		}
		if err := <-second; err != nil {
			t.Errorf("who waits for a place is told %v", err)
		}
		short, cancel := context.WithTimeout(t.Context(), busyTimeout)
		defer cancel()
		if leave, err = q.enter(t.Context(), fixtureID); err != nil {
			t.Fatal(err)
		}
		late := turn(WithPlace(short, at))
		leave()
		if err := <-late; err != context.DeadlineExceeded {
			t.Errorf("who has less time than a place takes is told %v", err)
		}
		if n := q.count(fixtureID); n != 0 {
			t.Errorf("%d callers are still counted", n)
		}
	})
}

// count is how many record on a contract, or wait to.
func (q *queues) count(id string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if one := q.byID[id]; one != nil {
		return one.members
	}
	return 0
}

// hang is how long a test waits before it calls something hung.
const hang = time.Minute

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(hang); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long until %s", what)
		}
	}
}
