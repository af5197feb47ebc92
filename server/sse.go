package server

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/plumbline-mcp/plumbline/server/auth"
)

const (
	ssePath     = "/sse"
	messagePath = "/message"
	// sessionParameter is the parameter of messagePath that names the session.
	sessionParameter = "sessionId"
)

// errTokenEnded ends the stream of a token that is no longer good.
var errTokenEnded = errors.New("the token that opened the stream is no longer valid")

// stream is one client of the SSE transport: what it posts to messagePath is answered
// on the response to its request for ssePath. It belongs to the identity that opened it.
type stream struct {
	*conn
	owner auth.Identity
	// calls is the context of its requests, which ends with the client.
	calls context.Context
	stop  context.CancelFunc

	// taking is held while a message is taken; ended is set before the last answer is
	// waited for.
	taking sync.RWMutex
	ended  bool
}

// streams are the open streams by their ids, which nobody can guess.
type streams struct {
	mu   sync.Mutex
	open map[string]*stream
}

func (s *streams) add(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]*stream{}
	}
	s.open[one.session.id] = one
}

func (s *streams) remove(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, one.session.id)
}

func (s *streams) find(id string) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// newStream makes the stream of a client that lasts as long as ctx.
func (h *httpServer) newStream(ctx context.Context) *stream {
	c := newConn(h.Server, rand.Text(), h.limits.MaxBody)
	ctx, stop := context.WithCancel(h.engine.WithContext(ctx, c.session))
	return &stream{conn: c, owner: identityFrom(ctx), calls: ctx, stop: stop}
}

// serveStream opens a stream and writes to it until the client leaves, stops reading,
// loses its token, or the server stops; then what runs for it is cancelled, or, where
// the server stops, finished and answered. A recording is finished in any case.
func (h *httpServer) serveStream(w *steadyWriter, r *http.Request) {
	leave, refused := h.sessions.enter(identityFrom(r.Context()).ID)
	if refused != nil {
		h.reject(w, *refused)
		return
	}
	defer leave()
	h.metrics.sessions.Inc()
	defer h.metrics.sessions.Dec()
	s := h.newStream(r.Context())
	defer s.stop()
	if err := h.engine.RegisterSession(s.calls, s.session); err != nil {
		h.log.Error("registering a session", "error", err)
		h.reject(w, busy)
		return
	}
	defer h.engine.UnregisterSession(s.calls, s.session.id)
	h.streams.add(s)
	defer h.streams.remove(s)
	h.writeStream(w, r, s)
}

func (h *httpServer) writeStream(w *steadyWriter, r *http.Request, s *stream) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy is to hand on each event at once
	w.WriteHeader(http.StatusOK)
	out := eventSink{w}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-s.calls.Done():
		case <-h.closing:
		}
		s.end()
	}()
	beats := time.NewTicker(h.times.beat)
	defer beats.Stop()
	err := out.event("endpoint", []byte(messagePath+"?"+sessionParameter+"="+s.session.id+"\n"))
	if err == nil {
		err = out.flush()
	}
	if err == nil {
		err = s.write(out, beats.C, func() error {
			if who, ok := h.identify(r); !ok || who.ID != s.owner.ID {
				return errTokenEnded
			}
			return out.comment()
		})
	}
	if err != nil {
		h.log.Info("an SSE stream ended", "who", s.owner.Caller.Name, "error", err)
	}
	close(s.gone)
	s.stop()
	<-ended
}

// end takes no more messages and tells the writer once all that were taken are
// answered.
func (s *stream) end() {
	s.taking.Lock()
	s.ended = true
	s.taking.Unlock()
	s.running.Wait()
	close(s.done)
}

// eventSink writes messages as events of a stream.
type eventSink struct{ w *steadyWriter }

func (s eventSink) message(line []byte) error { return s.event("message", line) }

// event writes one event; its data is one line with the newline.
func (s eventSink) event(name string, line []byte) error {
	event := make([]byte, 0, len(name)+len(line)+len("event: \ndata: \n"))
	event = append(event, "event: "+name+"\ndata: "...)
	event = append(event, line...)
	_, err := s.w.Write(append(event, '\n'))
	return err
}

// comment shows the client, and what is between, that the stream lives.
func (s eventSink) comment() error {
	_, err := s.w.Write([]byte(": still here\n\n"))
	return err
}

func (s eventSink) flush() error { return s.w.flush() }
