package tools

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

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

// openTime is how long an attempt to open the ledger may take: after it the next call makes
// a new one, over a new connection.
const openTime = 20 * time.Second

// Store is the ledger that the tools read and write. It is opened by the first call
// that needs it, so that a server without one still scans; where that fails, the next
// call tries again. Calls that come meanwhile share the attempt: a database that does
// not answer keeps none of them waiting longer than the first. It is safe for
// concurrent use.
type Store struct {
	open    func(context.Context) (*ledger.Ledger, error)
	opening singleflight.Group

	mu     sync.Mutex
	opened *ledger.Ledger
	closed bool
}

// NewStore gives a store that open opens. Its errors are *[ledger.Error]s.
func NewStore(open func(context.Context) (*ledger.Ledger, error)) *Store {
	return &Store{open: open}
}

// Ledger gives the ledger, in which contracts that the caller may not use are unknown.
// A context without a caller gets none: which contracts are nobody's to see? The error
// is an *[Error], or the context's.
func (s *Store) Ledger(ctx context.Context) (*ledger.Ledger, error) {
	caller, known := CallerFrom(ctx)
	if !known {
		return nil, &Error{Code: Internal, Message: "nobody is known to make this call", Hint: "report it: the server let it through by mistake"}
	}
	whole, err := s.whole(ctx)
	if err == nil && caller.Contracts != nil {
		return whole.Scoped(caller.MayUse, caller.prefixes()...), nil
	}
	return whole, err
}

// Ping says whether the ledger can be reached, whoever asks. The error is an *[Error] or a
// *[ledger.Error], or the context's.
func (s *Store) Ping(ctx context.Context) error {
	whole, err := s.whole(ctx)
	if err != nil {
		return err
	}
	return whole.Ping(ctx)
}

// whole gives the ledger with all contracts.
func (s *Store) whole(ctx context.Context) (*ledger.Ledger, error) {
	if s == nil {
		return nil, &Error{Code: LedgerUnavailable, Message: "this server keeps no ledger", Hint: "start it with --ledger DSN"}
	}
	if opened, err := s.current(); opened != nil || err != nil {
		return opened, err
	}
	// Whoever leaves does not end the attempt for the others.
	attempt := s.opening.DoChan("", func() (any, error) { return nil, s.connect(context.WithoutCancel(ctx), openTime) })
	select {
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, ledgerFailure(&ledger.Error{Code: ledger.Unavailable, Message: "the ledger did not open in time",
				Hint: "see whether its database runs and has too much to do", Err: ctx.Err()}, "")
		}
		return nil, ctx.Err()
	case ended := <-attempt:
		if ended.Err != nil {
			return nil, ended.Err
		}
		return s.current()
	}
}

// current gives the ledger if it is open, nil if it is to be opened.
func (s *Store) current() (*ledger.Ledger, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, &Error{Code: LedgerUnavailable, Message: "the server is stopping", Hint: "start it again"}
	}
	return s.opened, nil
}

// connect opens the ledger, in no more time than most, unless somebody just has.
func (s *Store) connect(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if opened, err := s.current(); opened != nil || err != nil {
		return err
	}
	opened, err := s.open(ctx)
	if err != nil {
		return ledgerFailure(err, "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed { // meanwhile: the calls find it so
		return opened.Close()
	}
	s.opened = opened
	return nil
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
	ledger.Unavailable:       "",
	ledger.Internal:          "",
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
