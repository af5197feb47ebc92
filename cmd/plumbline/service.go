package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// service is what the commands about registered contracts ask: this process over a
// ledger, or a team's server. Both give the same answers, by the same tools.
type service interface {
	// call runs a tool on its arguments and gives the JSON of its answer.
	call(ctx context.Context, tool string, args map[string]any) ([]byte, error)
	// read gives a resource byte for byte; the error is errNotThere where there is none.
	read(ctx context.Context, uri string) ([]byte, error)
	// chain writes a contract's chain as far as the caller may see it; errors as of read.
	chain(ctx context.Context, id string, w io.Writer) error
	close()
}

// serviceFlags say whom a command asks.
type serviceFlags struct {
	*ledgerFlags
	server string
	root   string // where a ledger of this machine may read artifacts; empty for nowhere
	begins bool   // the command may make a ledger where there is none

	changed func(flag string) bool
}

// addService gives a command the flags --server, --ledger, --role and --as.
func addService(p *process, cmd *cobra.Command) *serviceFlags {
	flags := &serviceFlags{ledgerFlags: addLedger(p, cmd), changed: cmd.Flags().Changed}
	addServer(cmd, flags)
	return flags
}

func addServer(cmd *cobra.Command, flags *serviceFlags) {
	cmd.Flags().StringVar(&flags.server, "server", "", "ask the team's server at `URL`, with the token in PLUMBLINE_TOKEN, in place of a ledger")
}

// remote says whether a server is asked, and refuses flags that a server leaves no
// choice of: its ledger is its own, and the token says who acts.
func (f *serviceFlags) remote() (bool, error) {
	if !f.changed("server") {
		return false, nil
	}
	for _, flag := range []string{"ledger", "role", "as"} {
		if f.changed(flag) {
			return false, usagef("--server and --%s are both given: a server has its own ledger, and the token in PLUMBLINE_TOKEN says who acts", flag)
		}
	}
	return true, nil
}

// connect opens the ledger, or reaches the server.
func (f *serviceFlags) connect(ctx context.Context) (service, error) {
	remote, err := f.remote()
	switch {
	case err != nil:
		return nil, err
	case remote:
		return dial(ctx, f.server, strings.TrimSpace(f.getenv("PLUMBLINE_TOKEN")))
	}
	return f.local()
}

// errNoneYet is the cause where the ledger that is used unless one is named is not there
// yet: nothing was registered.
var errNoneYet = errors.New("nothing is registered yet")

// open opens the ledger. Only what registers contracts makes one: a mistyped name would
// else be an empty ledger. Errors are *[ledger.Error]s.
func (f *serviceFlags) open(ctx context.Context) (*ledger.Ledger, error) {
	if f.begins {
		return f.ledgerFlags.open(ctx)
	}
	reading := *f.ledgerFlags
	reading.opts = append(slices.Clone(f.opts), ledger.Existing())
	opened, err := reading.open(ctx)
	var missing *ledger.Error
	if errors.Is(err, ledger.ErrNoLedger) && !f.named() && errors.As(err, &missing) {
		return nil, &ledger.Error{Code: ledger.UnknownContract, Message: "no contract is registered: there is no ledger yet at " + missing.Detail,
			Hint: "register one first: `plumbline contract register FILE` makes the ledger", Err: errNoneYet}
	}
	return opened, err
}

// withService connects for the time that use takes, and words what goes wrong.
func withService[T any](ctx context.Context, f *serviceFlags, use func(service) (T, error)) (answer T, err error) {
	s, err := f.connect(ctx)
	if err != nil {
		return answer, refusal(err)
	}
	defer s.close()
	answer, err = use(s)
	return answer, refusal(err)
}

// callTool runs one tool and reads its answer.
func callTool[T any](ctx context.Context, f *serviceFlags, tool string, args map[string]any) (answer T, err error) {
	return withService(ctx, f, func(s service) (T, error) { return callOn[T](ctx, s, tool, args) })
}

func callOn[T any](ctx context.Context, s service, tool string, args map[string]any) (answer T, err error) {
	text, err := s.call(ctx, tool, args)
	if err != nil {
		return answer, err
	}
	if id, about := args["contract_id"].(string); about {
		return answer, decodeAbout(text, id, any(&answer).(labelled))
	}
	return answer, decodeAnswer(text, &answer)
}

var (
	errNotThere = errors.New("there is no such resource")
	errNotGiven = errors.New("the server failed")
)

// readResource reads a resource of a contract. Of one that is not there or is not given,
// chain_status says why: the protocol has no words for it.
func readResource(ctx context.Context, f *serviceFlags, id, uri string) ([]byte, error) {
	return withService(ctx, f, func(s service) ([]byte, error) {
		text, err := s.read(ctx, uri)
		return text, whyNot(ctx, s, id, uri, err)
	})
}

// writeChain writes a contract's chain byte for byte, as far as who asks may see it.
func writeChain(ctx context.Context, f *serviceFlags, id string, w io.Writer) error {
	_, err := withService(ctx, f, func(s service) (struct{}, error) {
		return struct{}{}, whyNot(ctx, s, id, tools.ChainURI(id), s.chain(ctx, id, w))
	})
	return err
}

// whyNot explains an error about a resource of a contract.
func whyNot(ctx context.Context, s service, id, uri string, err error) error {
	if !errors.Is(err, errNotThere) && !errors.Is(err, errNotGiven) {
		return err
	}
	if _, err := s.call(ctx, "chain_status", map[string]any{"contract_id": id}); err != nil {
		return err
	}
	if errors.Is(err, errNotGiven) {
		return usagef("the server failed to give %s: try again; if it stays, its log says why", uri)
	}
	return usagef("the server does not offer %s: update it", uri)
}

// refusalExits are the exit codes of refusals; those not named are bad usage or input
// that cannot be read.
var refusalExits = map[tools.Code]int{
	tools.RevisionConflict: exitFail, // the contract is readable, but is not the registered one
	tools.Internal:         exitInternal,
}

// refusal words an error of a tool or of the ledger for the terminal; any other stays as
// it is.
func refusal(err error) error {
	var le *ledger.Error
	var told *tools.Error
	switch {
	case errors.As(err, &told):
		atTerminal := *told
		atTerminal.Hint = withCommands(told.Hint)
		message := atTerminal.Error()
		if told.Detail != "" {
			message += ": " + told.Detail
		}
		return &exitError{code: cmp.Or(refusalExits[told.Code], exitUsage), message: message}
	case errors.As(err, &le):
		return &exitError{code: cmp.Or(refusalExits[tools.Code(le.Code)], exitUsage), message: le.Error()}
	}
	return err
}
