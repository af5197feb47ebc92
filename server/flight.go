package server

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

// errCancelled is the cause of a context that the client itself cancelled.
var errCancelled = errors.New("cancelled by the client")

// flight knows the requests that are waiting or running, by id.
type flight struct {
	mu       sync.Mutex
	requests map[string]*request
}

type request struct{ cancel context.CancelCauseFunc }

// add enters a request; land takes it out again. Of two with one id, which the
// protocol forbids, the later one is the one to cancel.
func (f *flight) add(id json.RawMessage, cancel context.CancelCauseFunc) (land func()) {
	r := &request{cancel}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.requests == nil {
		f.requests = map[string]*request{}
	}
	f.requests[key(id)] = r
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.requests[key(id)] == r {
			delete(f.requests, key(id))
		}
	}
}

// cancel cancels the request with the id, if there is one.
func (f *flight) cancel(id json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.requests[key(id)]; r != nil {
		r.cancel(errCancelled)
	}
}
