package server

import (
	"net/http"

	"github.com/plumbline-mcp/plumbline/tools"
)

var (
	noSession      = rejection{http.StatusNotFound, refusedSession, "there is no such session here: open a new one at " + ssePath}
	foreignSession = rejection{http.StatusForbidden, refusedSession, "the session was opened with another token"}
)

// serveMessage takes a message of a stream's client; the answer goes to the stream. A
// request counts among those of its token until it is answered.
func (h *httpServer) serveMessage(w *steadyWriter, r *http.Request) {
	who := identityFrom(r.Context())
	s := h.streams.find(r.URL.Query().Get(sessionParameter))
	switch {
	case s == nil:
		h.reject(w, noSession)
		return
	case s.owner.ID != who.ID:
		h.reject(w, foreignSession)
		return
	}
	m, leave, ok := h.receive(w, r)
	if !ok {
		return
	}
	if !s.post(r, m, leave) {
		h.reject(w, noSession)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// post takes a message; it is false, and the message has left, where the stream has
// ended. What a token may do is what it may now, not when it opened the stream.
func (s *stream) post(r *http.Request, m message, leave func()) bool {
	s.taking.RLock()
	defer s.taking.RUnlock()
	if s.ended {
		leave()
		return false
	}
	s.take(r.Context(), tools.WithCaller(s.calls, identityFrom(r.Context()).Caller), m, leave)
	return true
}
