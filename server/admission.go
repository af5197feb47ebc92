package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// errTooLong is the cause of a context whose call took longer than it may.
var errTooLong = errors.New("the call took too long")

// What to do about a call that took too long. Of what a call may give, a document to scan
// alone is long in the work.
const (
	hintBusy = "call again when the server has less to do"
	hintScan = hintBusy + ", or with a smaller document"
)

// admission bounds what the process works on at once, whatever the transport.
type admission struct {
	calls, scans slots
	maxTime      time.Duration
	// bytes are those of long messages that are worked on.
	bytes *semaphore.Weighted
}

// slots bound how many of something run at once.
type slots chan struct{}

func newAdmission(l Limits) *admission {
	return &admission{
		calls:   make(slots, l.MaxCalls),
		scans:   make(slots, l.MaxScans),
		maxTime: l.MaxTime,
		bytes:   semaphore.NewWeighted(maxPending * weight(max(l.MaxMessage, l.MaxBody))),
	}
}

// take waits for a slot, as long as ctx lasts.
func (s slots) take(ctx context.Context) (leave func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// place is the slot of a call. While the call waits for others that record on its contract,
// for whatever reason they take long, it is not in the way of the rest.
type place struct {
	of    slots
	leave func()
}

// Yield gives the slot back, if there is one.
func (p *place) Yield() {
	p.leave()
	p.leave = func() {}
}

// Resume waits for a slot, as long as ctx lasts.
func (p *place) Resume(ctx context.Context) error {
	leave, err := p.of.take(ctx)
	if err == nil {
		p.leave = leave
	}
	return err
}

// long waits for leave to work on a message of n bytes, if that is long.
func (a *admission) long(ctx context.Context, n int) (leave func(), err error) {
	if n < longMessage {
		return func() {}, nil
	}
	if err := a.bytes.Acquire(ctx, int64(n)); err != nil {
		return nil, err
	}
	return func() { a.bytes.Release(int64(n)) }, nil
}

// admitted lets a call run once there is a slot for it, and no longer than it may. It
// stands closest to the handler: who waits for a slow client holds no slot.
func (m *middleware) admitted(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, stop := context.WithTimeoutCause(ctx, m.admission.maxTime, errTooLong)
		defer stop()
		pool, hint := m.admission.calls, hintBusy
		if m.tools[req.Params.Name].tool.Scans {
			pool, hint = m.admission.scans, hintScan
		}
		p := &place{of: pool, leave: func() {}}
		if err := p.Resume(ctx); err != nil {
			return nil, m.admission.ended(ctx, err, hint)
		}
		defer p.Yield()
		res, err := next(ledger.WithPlace(ctx, p), req)
		if err != nil {
			return nil, m.admission.ended(ctx, err, hint)
		}
		return res, nil
	}
}

// admit runs what is no tool call as one: in a slot of theirs, and no longer than a call
// may take.
func admit[T any](ctx context.Context, a *admission, run func(ctx context.Context) (T, error)) (answer T, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, a.maxTime, errTooLong)
	defer stop()
	leave, err := a.calls.take(ctx)
	if err != nil {
		return answer, plain(a.ended(ctx, err, hintBusy))
	}
	defer leave()
	answer, err = run(ctx)
	if err != nil && codeOf(err, "") == "" {
		err = plain(a.ended(ctx, err, hintBusy))
	}
	return answer, err
}

// ended words the error of a call that was stopped because of its time; any other stays
// as it is.
func (a *admission) ended(ctx context.Context, err error, hint string) error {
	var told *tools.Error
	if errors.As(err, &told) || context.Cause(ctx) != errTooLong {
		return err
	}
	return &tools.Error{Code: tools.TooLarge, Message: fmt.Sprintf("the call took longer than the %s that this server gives one", a.maxTime), Hint: hint}
}
