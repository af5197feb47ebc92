package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"os/user"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

const serveHelp = `Serve the tools over MCP on stdin and stdout, one message a line, until stdin ends.
A host such as an editor or an agent starts this command itself. Log lines, one a
call and without contents, go to stderr.

Files are read under --root alone; without it under the working directory, unless
that is / or a home directory.

Contracts, done reports and rounds are kept in the ledger that --ledger names, else
PLUMBLINE_LEDGER; else in the Git repository's own directory, which its worktrees
share; else in the user's state directory. It is made on first use. Several servers
may use one at once: start the builder's with --role builder, the judge's with
--role judge.`

const serveExample = `  plumbline serve
  plumbline serve --root ./apis --root ./mcp --role builder
  plumbline serve --role judge --as reviewer --ledger sqlite:/srv/plumbline/ledger.db`

// serveFlags are the flags of `serve`, as given.
type serveFlags struct {
	*ledgerFlags
	roots   []string
	maxFile int64
	limits  server.Limits
}

func newServeCmd(p *process) *cobra.Command {
	flags := &serveFlags{maxFile: tools.DefaultMaxFile, limits: server.DefaultLimits}
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve the tools to an agent over MCP",
		Long:    serveHelp,
		Example: serveExample,
		Args:    atMost(0, "no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), flags) },
	}
	flags.ledgerFlags = addLedger(p, cmd)
	f := cmd.Flags()
	f.StringArrayVar(&flags.roots, "root", nil, "read files inside `DIR` alone; may be repeated")
	f.Int64Var(&flags.maxFile, "max-file", flags.maxFile, "largest file that is read, in `BYTES`")
	f.IntVar(&flags.limits.MaxMessage, "max-message", flags.limits.MaxMessage, "longest message that is read, in `BYTES`")
	f.IntVar(&flags.limits.MaxCalls, "max-calls", flags.limits.MaxCalls, "most tool calls that run at once, as `N`")
	f.DurationVar(&flags.limits.Grace, "grace", flags.limits.Grace, "how long running calls may take to finish after a signal, as `TIME`")
	return cmd
}

// serve serves the one client on stdin and stdout until it leaves or ctx ends.
func (p *process) serve(ctx context.Context, flags *serveFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	caller, err := flags.caller()
	if err != nil {
		return err
	}
	roots, err := tools.OpenRoots(flags.readable(), flags.maxFile)
	if err != nil {
		return usagef("%v", err)
	}
	defer roots.Close()
	store := tools.NewStore(flags.open)
	defer store.Close()
	srv, err := server.New(server.Config{
		Version: version(),
		Tools:   tools.All(tools.Deps{Roots: roots, Ledger: store}),
		Ledger:  store,
		Log:     slog.New(slog.NewTextHandler(p.stderr, nil)),
		Limits:  flags.limits,
	})
	if err != nil {
		return &exitError{code: exitInternal, message: err.Error()}
	}
	// A client that leaves makes writing fail; without this, the process would die
	// of the signal instead.
	signal.Ignore(syscall.SIGPIPE)
	return srv.ServeStdio(ctx, caller, p.stdin, p.stdout)
}

// check finds values that no server can run with.
func (f *serveFlags) check() error {
	if f.maxFile < 1 || f.limits.MaxMessage < 1 || f.limits.MaxCalls < 1 || f.limits.Grace < 0 {
		return usagef("--max-file, --max-message and --max-calls are at least 1, and --grace is not negative")
	}
	return nil
}

// readable are the directories that files may be read in.
func (f *serveFlags) readable() []string {
	if len(f.roots) > 0 {
		return f.roots
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil
	}
	homes := []string{f.getenv("HOME")}
	if u, err := user.Current(); err == nil {
		homes = append(homes, u.HomeDir)
	}
	return tools.DefaultRoots(cwd, homes...)
}
