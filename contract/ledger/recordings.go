package ledger

import (
	"sync"
	"time"
)

// recordings counts the changes under way, so that [Ledger.Close] can let them end.
type recordings struct {
	mu      sync.Mutex
	running int
	closed  bool
	idle    chan struct{} // closed when the last one has ended after closing
}

func newRecordings() *recordings { return &recordings{idle: make(chan struct{})} }

// begin counts one, until end is called; none begins once the ledger is closed.
func (r *recordings) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return refuse(Unavailable, "the ledger is being closed", hintRetry)
	}
	r.running++
	return nil
}

func (r *recordings) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	r.settle()
}

// settle tells who waits that nothing runs any more.
func (r *recordings) settle() {
	if r.closed && r.running == 0 {
		close(r.idle)
	}
}

// close lets none begin any more and waits for those under way, no longer than one may
// take.
func (r *recordings) close() {
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		r.settle()
	}
	r.mu.Unlock()
	select {
	case <-r.idle:
	case <-time.After(recordTimeout):
	}
}
