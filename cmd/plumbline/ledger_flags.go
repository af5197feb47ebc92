package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"os/user"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

// ledgerFlags say which ledger a command uses, and as whom.
type ledgerFlags struct {
	*process
	dsn  string
	role string
	as   string
	opts []ledger.Option // of opening it
	// dir is where the ledger is looked for unless one is named; empty for the working
	// directory.
	dir string
}

// addLedger gives a command the flags --ledger, --role and --as.
func addLedger(p *process, cmd *cobra.Command) *ledgerFlags {
	flags := &ledgerFlags{process: p}
	addDSN(cmd, flags)
	f := cmd.Flags()
	f.StringVar(&flags.role, "role", string(tools.Owner), "the `ROLE` to act in: "+agentready.Choice(tools.Roles))
	f.StringVar(&flags.as, "as", "", "the `NAME` to act under (default the system's user)")
	return flags
}

func addDSN(cmd *cobra.Command, flags *ledgerFlags) {
	cmd.Flags().StringVar(&flags.dsn, "ledger", "", "the ledger that `DSN` names: sqlite:PATH or postgres://USER@HOST/DATABASE")
}

// caller is who acts.
func (f *ledgerFlags) caller() (tools.Caller, error) {
	role, err := tools.ParseRole(f.role)
	if err != nil {
		return tools.Caller{}, usagef("--role: %v", err)
	}
	return tools.Caller{Name: f.name(), Role: role}, nil
}

// name is --as, else the system's user.
func (f *ledgerFlags) name() string {
	if f.as != "" {
		return f.as
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return f.getenv("USER")
}

// named says whether somebody said which ledger to use.
func (f *ledgerFlags) named() bool { return cmp.Or(f.dsn, f.getenv("PLUMBLINE_LEDGER")) != "" }

// open opens the ledger. Errors are *[ledger.Error]s.
func (f *ledgerFlags) open(ctx context.Context) (*ledger.Ledger, error) {
	dsn, err := f.where()
	if err != nil {
		return nil, err
	}
	return ledger.Open(ctx, dsn, f.opts...)
}

// where is the DSN of the ledger. Errors are *[ledger.Error]s.
func (f *ledgerFlags) where() (string, error) {
	if dsn := cmp.Or(f.dsn, f.getenv("PLUMBLINE_LEDGER")); dsn != "" {
		return dsn, nil
	}
	dir, err := f.dir, error(nil)
	if dir == "" {
		dir, err = os.Getwd()
	}
	if err != nil {
		return "", &ledger.Error{Code: ledger.Unavailable, Message: "the working directory is gone, so there is no default place for the ledger",
			Hint: "start in a directory that exists, or say with --ledger where the ledger lies", Detail: err.Error(), Err: err}
	}
	return ledger.DefaultDSN(dir, f.getenv)
}

// stamp writes a time of the ledger.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// result is where a result is written, whose errors say so.
type result struct{ io.Writer }

func (r result) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	return n, written(err)
}

// writeExact writes JSON of the ledger byte for byte; on a terminal, what cannot be seen
// in it stands as escapes.
func (p *process) writeExact(write func(io.Writer) error) error {
	if _, tty := terminal(p.stdout); !tty {
		return write(result{p.stdout})
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	_, err := p.stdout.Write(agentready.EscapeUnseen(text.Bytes()))
	return written(err)
}
