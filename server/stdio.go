package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"

	"github.com/plumbline-mcp/plumbline/tools"
)

// ServeStdio serves one client that acts as caller: one JSON-RPC message a line on
// in, answers and notifications on out. It answers every line it read before the
// end of in and then returns. When ctx ends, running calls get [Limits.Grace] to
// finish. A client that leaves, however it does, is no error.
//
// The loop is our own: the library's loses what is queued at the end of input,
// lets results overtake their progress, and has no limit on a line.
func (s *Server) ServeStdio(ctx context.Context, caller tools.Caller, in io.Reader, out io.Writer) error {
	ctx = tools.WithCaller(ctx, caller)
	c := newConn(s)
	if err := s.engine.RegisterSession(ctx, c.session); err != nil {
		return err
	}
	defer s.engine.UnregisterSession(ctx, c.session.SessionID())
	reading, stopReading := context.WithCancel(ctx)
	defer stopReading()
	// A signal ends the reading at once, but leaves running calls their time.
	calls, stopCalls := context.WithCancel(s.engine.WithContext(context.WithoutCancel(ctx), c.session))
	defer stopCalls()

	go func() {
		defer close(c.gone)
		if err := c.write(out); err != nil {
			s.log.Info("the client no longer reads", "error", err)
			stopReading()
			stopCalls()
		}
	}()
	c.dispatch(reading, calls, readLines(reading, in, s.limits.MaxMessage))
	c.finish(ctx, stopCalls)
	return nil
}

// conn is one client on stdio.
type conn struct {
	server  *Server
	session *session
	flight  flight
	// running are the requests that are not answered yet, slots the calls that may
	// run at once, pending the weight of all that wait or run.
	running sync.WaitGroup
	slots   chan struct{}
	pending *semaphore.Weighted
	// done tells the writer of the session's lines that no more come, gone that it
	// has stopped.
	done chan struct{}
	gone chan struct{}
}

func newConn(s *Server) *conn {
	return &conn{
		server:  s,
		session: newSession(),
		slots:   make(chan struct{}, s.limits.MaxCalls),
		pending: semaphore.NewWeighted(maxPending * weight(s.limits.MaxMessage)),
		done:    make(chan struct{}),
		gone:    make(chan struct{}),
	}
}

// weight is what a message of n bytes counts while it is pending.
func weight(n int) int64 { return int64(max(n, leastWeight)) }

// dispatch takes the lines in order until their end or ctx's. calls is the context
// of the requests.
func (c *conn) dispatch(ctx, calls context.Context, lines <-chan line) {
	for {
		select {
		case l, open := <-lines:
			if !open {
				return
			}
			c.take(ctx, calls, l)
		case <-ctx.Done():
			return
		}
	}
}

// take handles one line: it answers, starts or cancels a request, or hands on a
// notification.
func (c *conn) take(ctx, calls context.Context, l line) {
	if l.text == nil {
		c.send(ctx, nil, tooLarge.reply())
		return
	}
	m, wrong := parse(l.text)
	switch {
	case wrong != nil:
		c.send(ctx, wrong.id, wrong.reply())
	case m.method == "": // an answer to something we never asked
	case m.method == methodCancelled:
		c.flight.cancel(m.cancels)
	case m.id == nil:
		c.handle(calls, m)
	default:
		c.start(ctx, calls, m)
	}
}

// start runs a request. It waits while too much is pending.
func (c *conn) start(ctx, calls context.Context, m message) {
	size := weight(len(m.line))
	if c.pending.Acquire(ctx, size) != nil {
		return
	}
	callCtx, cancel := context.WithCancelCause(calls)
	land := c.flight.add(m.id, cancel)
	c.running.Add(1)
	run := func() {
		defer c.running.Done()
		defer c.pending.Release(size)
		defer cancel(nil)
		defer land()
		if context.Cause(callCtx) == errCancelled {
			return
		}
		reply := c.handle(callCtx, m)
		if context.Cause(callCtx) != errCancelled {
			c.send(calls, m.id, reply)
		}
	}
	if m.method == methodInitialize || m.method == methodPing {
		run()
		return
	}
	go func() {
		if m.method == methodCall {
			defer c.slot(callCtx)()
		}
		run()
	}()
}

// slot waits for leave to run a call and gives what ends it. A cancelled call does
// not wait: it has nothing left to do.
func (c *conn) slot(ctx context.Context) (release func()) {
	select {
	case c.slots <- struct{}{}:
		return func() { <-c.slots }
	case <-ctx.Done():
		return func() {}
	}
}

// handle lets the engine answer a message. A panic outside of the tools, which
// have their own recovery, is an internal error.
func (c *conn) handle(ctx context.Context, m message) (reply mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			c.server.log.Error("panic", "method", m.method, "panic", p, "stack", string(debug.Stack()))
			reply = internalError.reply()
		}
	}()
	return c.server.engine.HandleMessage(ctx, m.line)
}

// send encodes an answer and queues it for the writer, unless ctx has ended or the
// client is gone.
func (c *conn) send(ctx context.Context, id json.RawMessage, reply mcp.JSONRPCMessage) {
	if ctx.Err() != nil {
		return
	}
	text, err := encodeLine(withID(reply, id))
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

// finish waits until all that was read is answered and written, as long as ctx
// lasts; then for the grace.
func (c *conn) finish(ctx context.Context, stopCalls func()) {
	answered := make(chan struct{})
	go func() { c.running.Wait(); close(answered) }()
	select {
	case <-answered:
	case <-c.gone:
	case <-ctx.Done():
		if !within(c.server.limits.Grace, answered) {
			stopCalls()
			within(stopWait, answered)
		}
	}
	close(c.done)
	select {
	case <-c.gone:
	case <-ctx.Done():
		within(stopWait, c.gone)
	}
}

// within says whether done happens in the time.
func within(d time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// write is the only writer: lines in the order in which they were queued. It ends
// when done is closed and all is written, or with an error.
func (c *conn) write(out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	for {
		var text []byte
		select {
		case text = <-c.session.lines:
		case n := <-c.session.notifications:
			text, _ = encodeLine(n) // a notification may be lost, the connection not
		case <-c.done:
			return c.writeRest(w)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		if len(c.session.lines) == 0 && len(c.session.notifications) == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// writeRest writes the lines that are still queued.
func (c *conn) writeRest(w *bufio.Writer) error {
	for {
		select {
		case text := <-c.session.lines:
			if _, err := w.Write(text); err != nil {
				return err
			}
		default:
			return w.Flush()
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
