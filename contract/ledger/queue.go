package ledger

import (
	"context"
	"errors"
	"sync"
	"time"
)

// queues let those in this process who record on one contract in one by one, in the
// order in which they came. In the database they would wait for its lock with a
// connection each, until none is left for the other contracts.
type queues struct {
	most time.Duration // that somebody waits for the others
	mu   sync.Mutex
	byID map[string]*queue
}

// queue is where those wait who record on one contract.
type queue struct {
	members int           // who is in, and who waits
	turn    chan struct{} // holds one while somebody is in
}

func newQueues(most time.Duration) *queues { return &queues{most: most, byID: map[string]*queue{}} }

// queuedLong is a contract that others of this process have recorded on, or waited to, for
// a while.
var queuedLong = explanation{"others have been recording on the contract for long", "try again with the same submission; if it stays, see which recording hangs"}

// Place is what a caller occupies while it is served, where there are few such. It is
// somebody else's while the caller waits for those who record on its contract before it.
type Place interface {
	// Yield gives the place back.
	Yield()
	// Resume takes a place again. Where it fails, with the context's error, there is none.
	Resume(ctx context.Context) error
}

type placeKey struct{}

// WithPlace gives a context whose recordings yield a place while they wait for their turn.
func WithPlace(ctx context.Context, p Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// enter waits until nobody else records on the contract, no longer than most, and then for
// the caller's place, as long as ctx lasts. Who ran out of time before its turn is told that
// others hold the contract.
func (q *queues) enter(ctx context.Context, id string) (leave func(), err error) {
	one := q.join(id)
	leave = func() { <-one.turn; q.quit(id, one) }
	select {
	case one.turn <- struct{}{}:
		return leave, nil
	default:
	}
	waits, cancel := context.WithTimeout(ctx, q.most)
	defer cancel()
	place, occupied := ctx.Value(placeKey{}).(Place)
	if occupied {
		place.Yield()
	}
	select {
	case one.turn <- struct{}{}:
	case <-waits.Done():
		q.quit(id, one)
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		return nil, refuse(Unavailable, queuedLong.message, queuedLong.hint)
	}
	if occupied {
		if err := place.Resume(ctx); err != nil {
			leave()
			return nil, err
		}
	}
	return leave, nil
}

func (q *queues) join(id string) *queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	one := q.byID[id]
	if one == nil {
		one = &queue{turn: make(chan struct{}, 1)}
		q.byID[id] = one
	}
	one.members++
	return one
}

func (q *queues) quit(id string, one *queue) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if one.members--; one.members == 0 {
		delete(q.byID, id)
	}
}
