package ledger

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Code is the code of a tool error (objects page, section 9).
type Code string

// The codes of the ledger's errors.
const (
	BadArgument        Code = "BAD_ARGUMENT"
	UnknownContract    Code = "UNKNOWN_CONTRACT"
	UnknownRevision    Code = "UNKNOWN_REVISION"
	UnreadableFile     Code = "UNREADABLE_FILE"
	UnreadableDocument Code = "UNREADABLE_DOCUMENT"
	TooLarge           Code = "TOO_LARGE"
	SubmissionMissing  Code = "SUBMISSION_REQUIRED"
	SubmissionReused   Code = "SUBMISSION_REUSED"
	RevisionConflict   Code = "REVISION_CONFLICT"
	NotRegistered      Code = "NOT_REGISTERED"
	Unavailable        Code = "LEDGER_UNAVAILABLE"
	Internal           Code = "INTERNAL"
)

// Error is why the ledger did not do what it was asked to.
type Error struct {
	Code    Code
	Message string // what happened
	Hint    string // what to do next
	// Detail is for who runs the ledger, not for remote callers: where it lies and
	// what the database said.
	Detail string
	Err    error // the cause; nil where there is none
}

// Error gives code, message, hint and detail on one line.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func refuse(code Code, message, hint string) *Error {
	return &Error{Code: code, Message: message, Hint: hint}
}

// ErrNoLedger is the cause where there is no ledger yet and none may be made
// ([Existing]).
var ErrNoLedger = errors.New("there is no ledger")

// ErrNoEvents is the cause where a chain file is no export of a whole chain.
var ErrNoEvents = errors.New("there are no events")

// ErrDamaged is the cause where events, or what is kept beside them, were changed from
// outside: trying again mends nothing.
var ErrDamaged = errors.New("the ledger is damaged")

// noLedger is the refusal to make a ledger; detail is where it would lie, if that may be
// told.
func noLedger(detail string) *Error {
	return &Error{Code: Unavailable, Message: "there is no ledger where the DSN points", Detail: detail, Err: ErrNoLedger,
		Hint: "check the DSN, and its search_path if it is one of Postgres; registering a contract makes a ledger"}
}

func unknownContract(id string) *Error {
	return refuse(UnknownContract, fmt.Sprintf("no contract %s is registered", quote(id)), "register it first, or list the contracts that are")
}

// damaged is what a store says that was changed from outside.
func damaged(id string, seq int64, what string) *Error {
	return &Error{Code: Unavailable, Message: fmt.Sprintf("%v: event %d of %s %s", ErrDamaged, seq, quote(id), what), Err: ErrDamaged,
		Hint: "run chain verify to see what else differs, and restore the ledger from a copy"}
}

// explain makes an *Error of what a transaction ended with.
func (l *Ledger) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{Code: Unavailable, Message: "the ledger did not answer in time", Hint: hintRetry, Detail: l.backend.detail(err), Err: ctx.Err()}
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if explained := l.backend.explain(err); explained != nil {
		return explained
	}
	return &Error{Code: Internal, Message: "the ledger failed", Hint: "try again; if it stays, report it: the server's log has the detail", Detail: l.backend.detail(err)}
}

// hintRetry is what to do where nobody knows whether a recording was kept.
const hintRetry = "try again with the same submission: nothing is recorded twice"

// quote shows a stranger's text in a message: short and in ASCII.
func quote(s string) string {
	const most = 128
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
