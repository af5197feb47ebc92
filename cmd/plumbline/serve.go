package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"os/signal"
	"os/user"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
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
	roots   []string
	ledger  string
	role    string
	as      string
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
	f := cmd.Flags()
	f.StringArrayVar(&flags.roots, "root", nil, "read files inside `DIR` alone; may be repeated")
	f.StringVar(&flags.ledger, "ledger", "", "keep contracts in the ledger that `DSN` names, such as sqlite:PATH")
	f.StringVar(&flags.role, "role", string(tools.Owner), "what the client acts as: "+agentready.Choice(tools.Roles))
	f.StringVar(&flags.as, "as", "", "the `NAME` that the client acts under (default the system's user)")
	f.Int64Var(&flags.maxFile, "max-file", flags.maxFile, "largest file that is read, in `BYTES`")
	f.IntVar(&flags.limits.MaxMessage, "max-message", flags.limits.MaxMessage, "longest message that is read, in `BYTES`")
	f.IntVar(&flags.limits.MaxCalls, "max-calls", flags.limits.MaxCalls, "most tool calls that run at once, as `N`")
	f.DurationVar(&flags.limits.Grace, "grace", flags.limits.Grace, "how long running calls may take to finish after a signal, as `TIME`")
	return cmd
}

// serve serves the one client on stdin and stdout until it leaves or ctx ends.
func (p *process) serve(ctx context.Context, flags *serveFlags) error {
	role, err := flags.check()
	if err != nil {
		return err
	}
	roots, err := tools.OpenRoots(flags.readable(p), flags.maxFile)
	if err != nil {
		return usagef("%v", err)
	}
	defer roots.Close()
	store := tools.NewStore(flags.open(p))
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
	return srv.ServeStdio(ctx, tools.Caller{Name: flags.caller(p), Role: role}, p.stdin, p.stdout)
}

// check finds values that no server can run with.
func (f *serveFlags) check() (tools.Role, error) {
	if f.maxFile < 1 || f.limits.MaxMessage < 1 || f.limits.MaxCalls < 1 || f.limits.Grace < 0 {
		return "", usagef("--max-file, --max-message and --max-calls are at least 1, and --grace is not negative")
	}
	role, err := tools.ParseRole(f.role)
	if err != nil {
		return "", usagef("--role: %v", err)
	}
	return role, nil
}

// open opens the ledger, which only calls that need it wait for.
func (f *serveFlags) open(p *process) func(context.Context) (*ledger.Ledger, error) {
	return func(ctx context.Context) (*ledger.Ledger, error) {
		dsn := cmp.Or(f.ledger, p.getenv("PLUMBLINE_LEDGER"))
		if dsn == "" {
			cwd, err := os.Getwd()
			if err != nil {
				return nil, &ledger.Error{Code: ledger.Unavailable, Message: "the working directory is gone, so there is no default place for the ledger",
					Hint: "start the server in a directory that exists, or say with --ledger where the ledger lies", Detail: err.Error(), Err: err}
			}
			if dsn, err = ledger.DefaultDSN(cwd, p.getenv); err != nil {
				return nil, err
			}
		}
		return ledger.Open(ctx, dsn)
	}
}

// readable are the directories that files may be read in.
func (f *serveFlags) readable(p *process) []string {
	if len(f.roots) > 0 {
		return f.roots
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil
	}
	homes := []string{p.getenv("HOME")}
	if u, err := user.Current(); err == nil {
		homes = append(homes, u.HomeDir)
	}
	return tools.DefaultRoots(cwd, homes...)
}

// caller is the name that the client acts under.
func (f *serveFlags) caller(p *process) string {
	if name := strings.TrimSpace(f.as); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return p.getenv("USER")
}
