package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// The exit codes, the same for every command and format.
const (
	exitPass        = 0   // pass, or valid
	exitFail        = 1   // a scan that fails its policy, or an object that is not valid
	exitUsage       = 2   // bad usage or unreadable input; nothing scanned
	exitInternal    = 3   // a mistake in this program
	exitInterrupted = 130 // stopped by a signal, as shells report it
)

// exitError is an outcome other than a pass. An empty message means that what is
// to be said has been said.
type exitError struct {
	code    int
	message string
	stack   string // of a panic
}

// Error is the message for stderr, without the program's name.
func (e *exitError) Error() string { return e.message }

// ExitCode is what the process exits with.
func (e *exitError) ExitCode() int { return e.code }

var (
	// errPolicy ends a run whose verdicts are written and hold a FAIL.
	errPolicy = &exitError{code: exitFail}
	// errInput ends a run whose unreadable inputs are reported one by one.
	errInput = &exitError{code: exitUsage}
	// errInternal ends a run in which a scan broke, as reported.
	errInternal    = &exitError{code: exitInternal}
	errInterrupted = &exitError{code: exitInterrupted, message: "interrupted"}
)

// usagef is a mistake in how the program was called, or in what it was given. The
// message says what is wrong and what to do.
func usagef(format string, args ...any) error {
	return &exitError{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

// worst is the outcome with the higher exit code; nil is a pass.
func worst(a, b *exitError) *exitError {
	if a == nil || b != nil && b.code > a.code {
		return b
	}
	return a
}

// worstOf is the worse of two errors of a command, nil for neither.
func worstOf(a, b error) error {
	if e := worst(outcome(a), outcome(b)); e != nil {
		return e
	}
	return nil
}

// outcome is err as an exitError. An error without an exit code is one of the
// command line parser: bad usage.
func outcome(err error) *exitError {
	var e *exitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return &exitError{code: exitUsage, message: err.Error()}
}

// exit reports how the program ends and returns its exit code. A stack trace is
// only for those who set PLUMBLINE_DEBUG.
func (p *process) exit(err error) int {
	e := outcome(err)
	if e == nil {
		return exitPass
	}
	if e.message != "" {
		p.complain("%s", e.message)
	}
	if e.stack != "" && p.getenv("PLUMBLINE_DEBUG") != "" {
		fmt.Fprintln(p.stderr, strings.TrimSpace(e.stack))
	}
	return e.code
}

// guard calls f and turns a panic into an internal error.
func guard[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &exitError{code: exitInternal, stack: string(debug.Stack()), message: fmt.Sprintf(
				"internal error: %v (a mistake in plumbline; set PLUMBLINE_DEBUG=1 to see where, and report it with the input)", r)}
		}
	}()
	return f()
}

// interruptible runs f beside a wait for ctx, so that a signal is answered at once
// whatever f is doing; f is then left behind, and the process is about to end.
func interruptible[T any](ctx context.Context, f func() (T, error)) (T, error) {
	return interruptibleWithin(ctx, 0, f)
}

// cleanUp is how long what writes files has to take back what is not whole.
const cleanUp = time.Second

// interruptibleWithin is interruptible, where f has a time to end once ctx has.
func interruptibleWithin[T any](ctx context.Context, clean time.Duration, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := guard(f)
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(clean):
	}
	var zero T
	return zero, errInterrupted
}
