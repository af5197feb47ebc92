package server

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"
)

// conn is one client of a transport that lasts: it keeps answers and progress in one
// order, knows which request a cancel is about, and bounds what one client may have
// pending.
type conn struct {
	server  *Server
	session *session
	flight  flight
	// running are the requests that are not answered yet, pending is their weight.
	running sync.WaitGroup
	pending *semaphore.Weighted
	// done tells the writer of the session's lines that no more come, gone that it
	// has stopped.
	done chan struct{}
	gone chan struct{}
}

// newConn makes the connection of a session with messages of at most maxMessage bytes.
func newConn(s *Server, id string, maxMessage int) *conn {
	return &conn{
		server:  s,
		session: newSession(id),
		pending: semaphore.NewWeighted(maxPending * weight(maxMessage)),
		done:    make(chan struct{}),
		gone:    make(chan struct{}),
	}
}

// weight is what a message of n bytes counts while it is pending.
func weight(n int) int64 { return int64(max(n, leastWeight)) }

// take handles one message: it starts or cancels a request. Nothing else that a client
// tells, or answers, asks for anything here. It waits while too much is pending, as long as
// ctx lasts; calls is the context of the requests. landed is called once the message needs
// nothing more.
func (c *conn) take(ctx, calls context.Context, m message, landed func()) {
	if m.id != nil {
		c.start(ctx, calls, m, landed)
		return
	}
	if m.method == methodCancelled {
		c.flight.cancel(m.cancels)
	}
	landed()
}

// start runs a request.
func (c *conn) start(ctx, calls context.Context, m message, landed func()) {
	size := weight(len(m.text))
	if c.pending.Acquire(ctx, size) != nil {
		landed()
		return
	}
	callCtx, cancel := context.WithCancelCause(calls)
	land := c.flight.add(m.id, cancel)
	c.running.Add(1)
	run := func() {
		defer c.running.Done()
		defer landed()
		defer c.pending.Release(size)
		defer cancel(nil)
		defer land()
		if context.Cause(callCtx) == errCancelled {
			return
		}
		reply := c.server.handle(callCtx, m)
		if context.Cause(callCtx) != errCancelled {
			c.send(calls, m.id, reply)
		}
	}
	if m.method == methodInitialize || m.method == methodPing {
		run()
		return
	}
	go run()
}

// handle answers a request. A panic outside of the tools, which have their own recovery,
// is an internal error.
func (s *Server) handle(ctx context.Context, m message) (reply mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "method", m.method, "panic", p, "stack", string(debug.Stack()))
			reply = internalError.reply()
		}
	}()
	if m.method == methodListen {
		return noSubscriptions.reply()
	}
	leave, err := s.admission.long(ctx, len(m.text))
	if err != nil {
		return cancelled.reply()
	}
	defer leave()
	if reply, ok := s.direct(ctx, m.call); ok {
		return reply
	}
	return worded(s.engine.HandleMessage(ctx, m.text))
}

// send encodes an answer and queues it for the writer, unless ctx has ended or the
// client is gone.
func (c *conn) send(ctx context.Context, id json.RawMessage, reply mcp.JSONRPCMessage) {
	if ctx.Err() != nil {
		return
	}
	text, err := appendReply(nil, reply, id)
	if err != nil {
		c.server.log.Error("encoding an answer", "error", err)
		text, _ = encodeLine(withID(internalError.reply(), id))
	}
	select {
	case c.session.lines <- text:
	case <-ctx.Done():
	case <-c.gone:
	}
}

// sink is where a connection's messages are written to.
type sink interface {
	// message takes one message, with a newline at its end.
	message(line []byte) error
	// flush sends what was taken to the client.
	flush() error
}

// write is the only writer: lines in the order in which they were queued. It calls beat
// at each of the beats. It ends when done is closed and all is written, or with an
// error.
func (c *conn) write(out sink, beats <-chan time.Time, beat func() error) error {
	for {
		var err error
		select {
		case text := <-c.session.lines:
			err = out.message(text)
		case n := <-c.session.notifications:
			text, _ := encodeLine(n) // a notification may be lost, the connection not
			err = out.message(text)
		case <-beats:
			err = beat()
		case <-c.done:
			return c.writeRest(out)
		}
		if err == nil && len(c.session.lines) == 0 && len(c.session.notifications) == 0 {
			err = out.flush()
		}
		if err != nil {
			return err
		}
	}
}

// writeRest writes the lines that are still queued.
func (c *conn) writeRest(out sink) error {
	for {
		select {
		case text := <-c.session.lines:
			if err := out.message(text); err != nil {
				return err
			}
		default:
			return out.flush()
		}
	}
}

// encodeLine gives a message as a line of output.
func encodeLine(message any) ([]byte, error) {
	text, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
