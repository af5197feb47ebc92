package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// tooMuch is told to a token whose own long messages are all that it waits for.
var tooMuch = rejection{http.StatusTooManyRequests, refusedBusy, "the long messages of this token take all the room that one has: try again when one is answered"}

// budget bounds the bytes of the long messages that are here at once, in all and for one
// identity: a client that sends slowly keeps its room for as long as that takes.
type budget struct {
	all      *semaphore.Weighted
	mostEach int64

	mu   sync.Mutex
	each map[string]*share // by identity
}

// share is what one identity may take.
type share struct {
	bytes *semaphore.Weighted
	rooms int // that are taken, or waited for
}

func newBudget(most, mostEach int64) *budget {
	return &budget{all: semaphore.NewWeighted(most), mostEach: mostEach, each: map[string]*share{}}
}

// join gives the share of an identity. Where there are no tokens, all are one identity's,
// and only the whole is bounded.
func (b *budget) join(id string) *share {
	if id == "" {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.each[id]
	if own == nil {
		own = &share{bytes: semaphore.NewWeighted(b.mostEach)}
		b.each[id] = own
	}
	own.rooms++
	return own
}

func (b *budget) quit(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if own := b.each[id]; own != nil {
		if own.rooms--; own.rooms == 0 {
			delete(b.each, id)
		}
	}
}

// room is what a long message takes of a budget.
type room struct {
	of    *budget
	id    string // whose message it is
	own   *share // nil until it is taken, and for messages of no token
	bytes int64
}

// take waits for n bytes, no longer than most: first for those of the identity, so that who
// waits for its own messages keeps no room from others.
func (r *room) take(ctx context.Context, n int64, most time.Duration) *rejection {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	own := r.of.join(r.id)
	if own != nil && own.bytes.Acquire(ctx, n) != nil {
		r.of.quit(r.id)
		return &tooMuch
	}
	if r.of.all.Acquire(ctx, n) != nil {
		if own != nil {
			own.bytes.Release(n)
			r.of.quit(r.id)
		}
		return &busy
	}
	r.own, r.bytes = own, n
	return nil
}

// shrink gives back what a message of n bytes did not need.
func (r *room) shrink(n int) {
	if n < longMessage {
		n = 0
	}
	spare := r.bytes - int64(n)
	if spare <= 0 {
		return
	}
	r.of.all.Release(spare)
	if r.own != nil {
		r.own.bytes.Release(spare)
	}
	if r.bytes -= spare; r.bytes == 0 && r.own != nil {
		r.of.quit(r.id)
		r.own = nil
	}
}

func (r *room) free() { r.shrink(0) }
