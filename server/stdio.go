package server

import (
	"bufio"
	"context"
	"io"
	"time"

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
	c := newConn(s, "stdio", s.limits.MaxMessage)
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
		if err := c.write(lineSink{bufio.NewWriterSize(out, 64<<10)}, nil, nil); err != nil {
			s.log.Info("the client no longer reads", "error", err)
			stopReading()
			stopCalls()
		}
	}()
	c.dispatch(reading, calls, readLines(reading, in, s.limits.MaxMessage))
	c.finish(ctx, stopCalls)
	return nil
}

// lineSink writes messages as lines.
type lineSink struct{ w *bufio.Writer }

func (s lineSink) message(line []byte) error {
	_, err := s.w.Write(line)
	return err
}

func (s lineSink) flush() error { return s.w.Flush() }

// dispatch takes the lines in order until their end or ctx's. calls is the context
// of the requests.
func (c *conn) dispatch(ctx, calls context.Context, lines <-chan line) {
	for {
		select {
		case l, open := <-lines:
			if !open {
				return
			}
			c.takeLine(ctx, calls, l)
		case <-ctx.Done():
			return
		}
	}
}

// takeLine handles a line; one that is no message is answered.
func (c *conn) takeLine(ctx, calls context.Context, l line) {
	if l.text == nil {
		c.send(ctx, nil, tooLarge.reply())
		return
	}
	m, wrong := parse(l.text)
	if wrong != nil {
		c.send(ctx, wrong.id, wrong.reply())
		return
	}
	c.take(ctx, calls, m, func() {})
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
