package server

import (
	"sync"

	"github.com/plumbline-mcp/plumbline/server/auth"
)

// quota bounds how much of something there is at once, in all and for one identity.
type quota struct {
	most, mostEach int

	mu   sync.Mutex
	all  int
	each map[string]int // by identity
}

func newQuota(most, mostEach int) *quota {
	return &quota{most: most, mostEach: mostEach, each: map[string]int{}}
}

// enter takes one for an identity; leave gives it back. Where there are no tokens, all
// are one identity's, and only the whole is bounded.
func (q *quota) enter(id string) (leave func(), refused *rejection) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.all >= q.most:
		return nil, &busy
	case id != "" && q.each[id] >= q.mostEach:
		return nil, &tooMany
	}
	q.all++
	q.each[id]++
	return sync.OnceFunc(func() { q.leave(id) }), nil
}

func (q *quota) leave(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if q.each[id]--; q.each[id] == 0 {
		delete(q.each, id)
	}
}

// enter counts a request for as long as it takes.
func (h *httpServer) enter(who auth.Identity) (leave func(), refused *rejection) {
	free, refused := h.requests.enter(who.ID)
	if refused != nil {
		return nil, refused
	}
	h.metrics.requests.Inc()
	return sync.OnceFunc(func() { h.metrics.requests.Dec(); free() }), nil
}
