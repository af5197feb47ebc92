package ledger

import (
	"context"
	"sync"
)

// queues let those in this process who record on one contract in one by one, in the
// order in which they came. In the database they would wait for its lock with a
// connection each, until none is left for the other contracts.
type queues struct {
	mu   sync.Mutex
	byID map[string]*queue
}

// queue is where those wait who record on one contract.
type queue struct {
	members int           // who is in, and who waits
	turn    chan struct{} // holds one while somebody is in
}

func newQueues() *queues { return &queues{byID: map[string]*queue{}} }

// enter waits until nobody else records on the contract, as long as ctx lasts.
func (q *queues) enter(ctx context.Context, id string) (leave func(), err error) {
	one := q.join(id)
	select {
	case one.turn <- struct{}{}:
		return func() { <-one.turn; q.quit(id, one) }, nil
	case <-ctx.Done():
		q.quit(id, one)
		return nil, ctx.Err()
	}
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
