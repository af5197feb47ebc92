package tools

import (
	"context"
	"errors"
	"sync"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// The codes of tool errors that come from the ledger.
const (
	UnknownContract    = Code(ledger.UnknownContract)
	UnknownRevision    = Code(ledger.UnknownRevision)
	SubmissionRequired = Code(ledger.SubmissionMissing)
	SubmissionReused   = Code(ledger.SubmissionReused)
	RevisionConflict   = Code(ledger.RevisionConflict)
	NotRegistered      = Code(ledger.NotRegistered)
	LedgerUnavailable  = Code(ledger.Unavailable)
)

// Store is the ledger that the tools read and write. It is opened by the first call
// that needs it, so that a server without one still scans; where that fails, the next
// call tries again. It is safe for concurrent use.
type Store struct {
	open func(context.Context) (*ledger.Ledger, error)

	mu     sync.Mutex
	opened *ledger.Ledger
	closed bool
}

// NewStore gives a store that open opens. Its errors are *[ledger.Error]s.
func NewStore(open func(context.Context) (*ledger.Ledger, error)) *Store {
	return &Store{open: open}
}

// Ledger gives the ledger, in which contracts that the caller may not use are unknown.
// The error is an *[Error], or the context's.
func (s *Store) Ledger(ctx context.Context) (*ledger.Ledger, error) {
	whole, err := s.whole(ctx)
	if caller, known := CallerFrom(ctx); err == nil && known && caller.Contracts != nil {
		return whole.Scoped(caller.MayUse), nil
	}
	return whole, err
}

// whole gives the ledger with all contracts.
func (s *Store) whole(ctx context.Context) (*ledger.Ledger, error) {
	if s == nil {
		return nil, &Error{Code: LedgerUnavailable, Message: "this server keeps no ledger", Hint: "start it with --ledger DSN"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, &Error{Code: LedgerUnavailable, Message: "the server is stopping", Hint: "start it again"}
	}
	if s.opened == nil {
		opened, err := s.open(ctx)
		if err != nil {
			return nil, ledgerFailure(err, "")
		}
		s.opened = opened
	}
	return s.opened, nil
}

// Close closes the ledger if it was opened. Recordings under way end first.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.opened == nil {
		return nil
	}
	return s.opened.Close()
}

// argumentAtFault is the argument that an error of the ledger is about.
var argumentAtFault = map[ledger.Code]string{
	ledger.UnknownContract:   "/contract_id",
	ledger.UnknownRevision:   "/revision",
	ledger.SubmissionMissing: "/submission",
	ledger.SubmissionReused:  "/submission",
	ledger.NotRegistered:     "/contract",
	ledger.BadArgument:       "", // who calls, or the submission: the message tells
}

// ledgerFailure makes a tool error of the ledger's; any other error stays as it is.
// path is the argument at fault where the code does not tell.
func ledgerFailure(err error, path string) error {
	var le *ledger.Error
	if !errors.As(err, &le) {
		return err
	}
	if known, ok := argumentAtFault[le.Code]; ok {
		path = known
	}
	return &Error{Code: Code(le.Code), Message: le.Message, Hint: le.Hint, Path: path, Detail: le.Detail, Err: le}
}

// recorder is the caller as the ledger knows it.
func recorder(ctx context.Context) ledger.Caller {
	caller, _ := CallerFrom(ctx)
	return ledger.Caller{Name: caller.Name, Role: contract.Actor(caller.Role)}
}

// roleOf is the caller's role; empty for nobody, who may see what a builder may.
func roleOf(ctx context.Context) Role {
	caller, _ := CallerFrom(ctx)
	return caller.Role
}

// SeesExtensions says whether a role is shown findings that are not against criteria:
// a builder must not build to what the contract does not say.
func SeesExtensions(r Role) bool { return r == Judge || r == Owner }
