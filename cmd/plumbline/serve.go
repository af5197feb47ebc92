package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"os/user"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

const serveHelp = `Serve the tools over MCP on stdin and stdout, one message a line, until stdin
ends. A host such as an editor or an agent starts this command itself. Log
lines, one a call and without contents, go to stderr.

With --http many clients are served at once: at /mcp, for older ones at /sse.
/healthz says that the server runs, /readyz that its ledger can be reached,
/metrics counts for Prometheus. Clients send a bearer token that --tokens knows.
Without tokens, only programs of this machine are served, and all act as --role
and --as say. A signal ends the server once what runs is answered, or after
--grace.

Files are read under --root alone; without it on stdio under the working
directory, unless that is / or a home directory, and over HTTP not at all.

Contracts, done reports and rounds are kept in the ledger that --ledger names,
else PLUMBLINE_LEDGER; else in the Git repository's own directory, which its
worktrees share; else in the user's state directory. It is made on first use,
over HTTP at the start. Several servers may use one at once: start the builder's
with --role builder, the judge's with --role judge.`

const serveExample = `  plumbline serve
  plumbline serve --root ./apis --root ./mcp --role builder
  plumbline serve --role judge --as reviewer --ledger sqlite:/srv/ledger.db
  plumbline serve --http 127.0.0.1:8080
  plumbline serve --http :8443 --tokens tokens.json \
    --tls-cert cert.pem --tls-key key.pem`

// serveFlags are the flags of `serve`, as given.
type serveFlags struct {
	*ledgerFlags
	http      *httpFlags
	keyFile   string
	roots     []string
	maxFile   int64
	limits    server.Limits
	logFormat string
	logLevel  string
}

func newServeCmd(p *process) *cobra.Command {
	flags := &serveFlags{maxFile: tools.DefaultMaxFile, limits: server.DefaultLimits}
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve the tools to an agent over MCP",
		Long:    serveHelp,
		Example: serveExample,
		Args:    atMost(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(cmd); err != nil {
				return err
			}
			return p.serve(cmd.Context(), flags)
		},
	}
	flags.ledgerFlags = addLedger(p, cmd)
	flags.http = addHTTP(cmd, &flags.limits)
	f := cmd.Flags()
	f.StringVar(&flags.keyFile, "signing-key", "", "sign receipts with the Ed25519 key in `FILE` (PEM)")
	f.StringArrayVar(&flags.roots, "root", nil, "read files inside `DIR` alone; may be repeated")
	f.Int64Var(&flags.maxFile, "max-file", flags.maxFile, "read files of at most `BYTES`")
	f.IntVar(&flags.limits.MaxMessage, "max-message", flags.limits.MaxMessage, "read messages of at most `BYTES` on stdin")
	f.IntVar(&flags.limits.MaxCalls, "max-calls", flags.limits.MaxCalls, "run `N` calls at once beside scans; others wait")
	f.IntVar(&flags.limits.MaxScans, "max-scans", flags.limits.MaxScans, "run `N` scans at once; others wait")
	f.DurationVar(&flags.limits.MaxTime, "max-time", flags.limits.MaxTime, "`TIME` for a call, waiting included")
	f.DurationVar(&flags.limits.Grace, "grace", flags.limits.Grace, "`TIME` for running calls after a signal")
	f.StringVar(&flags.logFormat, "log-format", server.LogFormats[0], "log `FORMAT`: "+agentready.Choice(server.LogFormats))
	f.StringVar(&flags.logLevel, "log-level", "info", "log `LEVEL`: "+agentready.Choice(server.LogLevels))
	return cmd
}

// serve serves the one client on stdin and stdout until it leaves, or many over HTTP,
// or until ctx ends.
func (p *process) serve(ctx context.Context, flags *serveFlags) error {
	log, err := server.NewLog(p.stderr, flags.logFormat, flags.logLevel)
	if err != nil {
		return usagef("%v", err)
	}
	slog.SetDefault(log) // for what libraries log by themselves
	caller, err := flags.caller()
	if err != nil {
		return err
	}
	roots, err := tools.OpenRoots(flags.readable(), flags.maxFile)
	if err != nil {
		return usagef("%v", err)
	}
	defer roots.Close()
	if err := flags.checkLedger(); err != nil {
		return err
	}
	if err := flags.readSigningKey(); err != nil {
		return err
	}
	store := tools.NewStore(flags.open)
	defer closeLedger(ctx, store, log)
	srv, err := server.New(server.Config{
		Version: version(),
		Tools:   tools.All(tools.Deps{Roots: roots, Ledger: store}),
		Ledger:  store,
		Log:     log,
		Limits:  flags.limits,
	})
	if err != nil {
		return &exitError{code: exitInternal, message: err.Error()}
	}
	if flags.http.addr != "" {
		return flags.http.serveHTTP(ctx, srv, caller, log)
	}
	// A client that leaves makes writing fail; without this, the process would die
	// of the signal instead.
	signal.Ignore(syscall.SIGPIPE)
	return srv.ServeStdio(ctx, caller, p.stdin, p.stdout)
}

// closeTime is how long the ledger may take to close after a signal, when calls are answered
// or cut off. It may hang in the middle of a recording: what is not committed is lost whole,
// and its caller repeats it.
const closeTime = 2 * time.Second

// closeLedger ends a server: the last that is logged of one that a signal ends is that it
// stopped.
func closeLedger(ctx context.Context, store *tools.Store, log *slog.Logger) {
	closed := make(chan struct{})
	go func() { defer close(closed); store.Close() }()
	select {
	case <-closed:
	case <-ctx.Done():
		select {
		case <-closed:
		case <-time.After(closeTime):
			log.Warn("the ledger was cut off: it did not end a recording, or close, in time")
		}
	}
	if ctx.Err() != nil {
		log.Info("stopped")
	}
}

// check finds values that no server can run with.
func (f *serveFlags) check(cmd *cobra.Command) error {
	for _, limit := range f.bounds() {
		given := cmd.Flags().Lookup(limit.flag).Value
		switch {
		case limit.value < limit.least:
			return usagef("--%s %s: give %d or more", limit.flag, given, limit.least)
		case limit.value > limit.most && given.Type() == "duration":
			return usagef("--%s %s: give %s or less", limit.flag, given, time.Duration(limit.most))
		case limit.value > limit.most:
			return usagef("--%s %s: give %d or less", limit.flag, given, limit.most)
		}
	}
	return f.http.check(cmd)
}

// The most that limits may be: sums and products of them must not overflow.
const (
	mostFile    = 1 << 40 // bytes
	mostMessage = 1 << 30 // bytes
	mostAtOnce  = 1 << 20
	mostTime    = int64(365 * 24 * time.Hour)
)

// bound is the least and the most that a flag may be.
type bound struct {
	flag               string
	value, least, most int64
}

func (f *serveFlags) bounds() []bound {
	l := f.limits
	return []bound{
		{"max-file", f.maxFile, 1, mostFile},
		{"max-message", int64(l.MaxMessage), 1, mostMessage}, {"max-body", int64(l.MaxBody), 1, mostMessage},
		{"max-calls", int64(l.MaxCalls), 1, mostAtOnce}, {"max-scans", int64(l.MaxScans), 1, mostAtOnce},
		{"max-requests", int64(l.MaxRequests), 1, mostAtOnce}, {"max-requests-each", int64(l.MaxRequestsEach), 1, mostAtOnce},
		{"max-sessions", int64(l.MaxSessions), 1, mostAtOnce}, {"max-sessions-each", int64(l.MaxSessionsEach), 1, mostAtOnce},
		{"max-time", int64(l.MaxTime), 1, mostTime}, {"grace", int64(l.Grace), 0, mostTime},
	}
}

// readSigningKey has the ledger sign with the key that is named, if one is.
func (f *serveFlags) readSigningKey() error {
	if f.keyFile == "" {
		return nil
	}
	key, err := ledger.ReadSigningKey(f.keyFile)
	if err != nil {
		return refusal(err)
	}
	f.opts = append(f.opts, ledger.WithSigner(key))
	return nil
}

// readable are the directories that files may be read in.
func (f *serveFlags) readable() []string {
	if len(f.roots) > 0 || f.http.addr != "" {
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
