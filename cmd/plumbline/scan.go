package main

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/report"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

const scanHelp = `Scan OpenAPI documents (Swagger 2.0, OpenAPI 3.0 to 3.2, JSON or YAML) or MCP tool
lists, and gate on the result: PASS where the score is at least --min-score and no
finding is at or above --fail-on. A .plumbline.yaml beside the document or above it, up
to the repository's root, sets both, the most tokens, the severities of rules, and
waivers; flags beat it. With --baseline only findings that an earlier export lacks fail, and a score below
the export's. The kind of a document is found out when it is not said. FILE may be a glob (**, *, ?, {a,b}) or - for stdin. A file named openapi or
mcp is ./openapi or ./mcp, one named -x is ./-x. Nothing is executed or fetched but live
MCP servers that scan is told to ask for their lists: the command after --, a --url, or all
that a client's --config names. No tool is called. Unless mcp stands before the --, what
names a file is a document there, too, and is not started.`

const scanExample = `  plumbline scan openapi.yaml
  plumbline scan mcp tools.json --min-score 85 --fail-on high
  plumbline scan 'apis/**/*.yaml' --format text --format json=report.json
  plumbline scan openapi.yaml --out build
  plumbline scan mcp -- npx -y @modelcontextprotocol/server-memory
  plumbline scan mcp --config .mcp.json
  plumbline scan openapi.yaml --baseline build/agentready.json`

// kinds are the words that may stand before the files.
var kinds = []surface.Kind{surface.OpenAPI, surface.MCP}

// scanFlags are the flags of `scan`, as given.
type scanFlags struct {
	policy  policyFlags
	live    liveFlags
	formats formatFlags
	all     bool
	out     string
	root    string
	lock    string
}

func newScanCmd(p *process) *cobra.Command {
	flags := &scanFlags{policy: policyFlags{Policy: agentready.Recommended}}
	cmd := &cobra.Command{
		Use:     "scan {[openapi|mcp] FILE... | [mcp] -- COMMAND...}",
		Short:   "Scan API descriptions and MCP tool lists, and gate on the result",
		Long:    scanHelp + "\n\n" + formatHelp(),
		Example: scanExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.policy.note(cmd.Flags())
			args, command, err := splitCommand(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("timeout") && !flags.live.any(command) {
				return usagef("--timeout is for servers: leave it out, or name one with --url, with --config or after --")
			}
			s, err := interruptible(cmd.Context(), func() (*scanRun, error) { return newScanRun(cmd.Context(), p, flags, args, command) })
			if err != nil {
				return err
			}
			defer s.reader.close()
			p.tuneCollector()
			return s.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.Var(scoreFlag{&flags.policy.MinScore}, "min-score", "least score that passes, 0 to 100")
	f.Var(severityFlag{&flags.policy.FailOn}, "fail-on", "least severity that fails: "+agentready.Choice(agentready.FailOnValues()))
	f.Var(tokensFlag{&flags.policy.MaxTokens}, "max-tokens", "most tokens that all definitions of one document may cost an agent, by bytes ÷ 4; 0 for any number")
	f.StringVar(&flags.policy.file, "policy", "", "use this policy `FILE`, not the nearest "+scan.PolicyName)
	f.StringVar(&flags.policy.baseline, "baseline", "", "let only what is not in the earlier export `FILE` fail; for several documents a directory that --out wrote")
	f.Var(&flags.formats, "format", "how to show the result, as FORMAT on stdout or FORMAT=FILE; may be repeated")
	f.BoolVar(&flags.all, "all", false, "show every operation that has findings, not only the worst")
	f.StringVar(&flags.out, "out", "", "write `DIR`/agentready.json, or for several files DIR/NAME.agentready.json")
	flags.live.add(f)
	f.StringVar(&flags.lock, "lock", "", "report the tools that differ from the `LOCK` that plumbline lock mcp wrote")
	f.StringVar(&flags.root, "root", "", "follow references to other files, inside `DIR` alone")
	return cmd
}

// How the garbage collector works in a scan: while a document is read, nearly all that
// is made stays in use, so that collecting often only costs time. The limit keeps large
// documents below a gigabyte.
const (
	scanGCPercent   = 200
	scanMemoryLimit = 900 << 20 // bytes
)

// tuneCollector sets the collector for a scan, unless the user has set it.
func (p *process) tuneCollector() {
	if p.getenv("GOGC") == "" && p.getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(scanGCPercent)
		debug.SetMemoryLimit(scanMemoryLimit)
	}
}

// scanRun is one call of `scan` with everything checked that can be checked before
// a document is read.
type scanRun struct {
	*process
	flags  *scanFlags
	kind   surface.Kind
	inputs []input
	named  []input // the inputs, and the broken ones among them, which count for names
	reader *reader
	now    time.Time
	places *places
	// policies and baselines are those of each input.
	policies  map[input]foundPolicy
	baselines map[input]baseline
	// unread says of each input that could not be scanned why, in a line.
	unread []string
	live   live       // the servers among the inputs
	lock   *scan.Lock // of --lock
	drift  *scan.Drift
	// progress shows how far the scan is; a zero one shows nothing.
	progress scanProgress
	// outcome is the worst so far; nil is a pass.
	outcome *exitError
}

func newScanRun(ctx context.Context, p *process, flags *scanFlags, args, command []string) (*scanRun, error) {
	s := &scanRun{process: p, flags: flags}
	if len(args) > 0 && slices.Contains(kinds, surface.Kind(args[0])) {
		s.kind, args = surface.Kind(args[0]), args[1:]
	}
	if s.kind == "" && len(command) > 0 {
		s.kind = surface.MCP
	}
	if len(args) == 0 && !flags.live.any(command) {
		return nil, usagef("no files to scan: give OpenAPI documents or MCP tool lists, globs, or - for stdin")
	}
	if err := flags.formats.check(); err != nil {
		return nil, err
	}
	if flags.out == stdoutArg {
		return nil, usagef("--out is a directory, and - none: for an export on stdout give --format json, for a directory of that name ./-")
	}
	var err error
	if s.now, err = p.now(); err != nil {
		return nil, err
	}
	if err := s.findInputs(ctx, args, command); err != nil {
		return nil, err
	}
	if s.places, err = newPlaces(flags.root); err != nil {
		return nil, err
	}
	if !s.findPolicies() {
		return nil, errInput
	}
	if err := s.readBaselines(); err != nil {
		return nil, err
	}
	if err := s.readLock(); err != nil {
		return nil, err
	}
	if err := s.checkOutputs(); err != nil {
		return nil, err
	}
	s.reader, err = newReader(p.stdin, flags.root)
	return s, err
}

// findInputs finds the files that arguments name, or the servers to ask. Those that are
// none are reported.
func (s *scanRun) findInputs(ctx context.Context, args, command []string) error {
	var problems []error
	if s.flags.live.any(command) {
		var err error
		if s.live, err = findLive(ctx, s.process, &s.flags.live, s.kind, args, command); err != nil {
			return err
		}
		s.inputs, s.named, problems = s.live.inputs, s.live.named, s.live.broken
	} else {
		s.inputs, problems = expand(args)
		s.named = s.inputs
	}
	for _, problem := range problems {
		s.failInput(problem)
	}
	return nil
}

// run scans every input that can be read, reports all of them, and ends with the
// worst outcome.
func (s *scanRun) run(ctx context.Context) error {
	answered, err := s.askAll(ctx)
	if err != nil {
		return err
	}
	var items []report.Item
	var files []input
	s.progress = scanProgress{s.newProgress(), len(answered)}
	defer s.progress.end()
	for i, in := range answered {
		tell := func(done, total int) { s.progress.file(i, in.name, done, total) }
		export, err := interruptible(ctx, func() (*agentready.Export, error) { return s.scan(ctx, in, tell) })
		if errors.Is(err, errInterrupted) || ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			s.failInput(in.explain(err))
			continue
		}
		item, err := s.judge(in, export)
		if err != nil {
			s.failInput(err)
			continue
		}
		items, files = append(items, item), append(files, in)
	}
	s.progress.end()
	reportWaivers(items)
	_, err = interruptibleWithin(ctx, cleanUp, func() (struct{}, error) { return struct{}{}, s.write(ctx, items, files) })
	if errors.Is(err, errInterrupted) {
		return errInterrupted
	}
	if err != nil {
		s.fail(err)
	}
	if s.outcome != nil {
		return s.outcome
	}
	return nil
}

// judge decides on the export of an input, by its policy and its baseline.
func (s *scanRun) judge(in input, export *agentready.Export) (report.Item, error) {
	s.showDrift(in, s.drift)
	item := report.Item{File: s.reader.nameOf(in), Path: s.places.of(in), Dir: s.places.dir, Export: export}
	var err error
	if item.Policy, err = s.compare(in, export, s.flags.policy.over(s.policies[in].policy.Gate())); err != nil {
		return item, err
	}
	item.Given = s.given(in, item.Policy)
	item.Verdict = item.Policy.Decide(export)
	if item.Verdict.Verdict != agentready.Pass {
		s.outcome = worst(s.outcome, errPolicy)
	}
	return item, nil
}

// reportWaivers notes which waivers hold in none of the items.
func reportWaivers(items []report.Item) {
	exports := make([]*agentready.Export, len(items))
	for i, item := range items {
		exports[i] = item.Export
	}
	scan.ReportWaivers(exports...)
}

// scan reads one input and applies the rules.
func (s *scanRun) scan(ctx context.Context, in input, tell func(done, total int)) (*agentready.Export, error) {
	tell(0, 0)
	opts := scan.Options{Now: s.now, Policy: s.policies[in].policy, Progress: tell}
	document, err := s.reader.read(in)
	if err != nil {
		return nil, err
	}
	if s.lock != nil {
		if s.drift, err = s.lock.Compare(ctx, document); err != nil {
			return nil, err
		}
		opts.Drift = s.drift
	}
	return scanDocument(ctx, document, s.kind, opts)
}

// scanInput reads one input, whose kind is empty where it is to be found out, and
// applies the rules.
func scanInput(ctx context.Context, r *reader, in input, kind surface.Kind, opts scan.Options) (*agentready.Export, error) {
	document, err := r.read(in)
	if err != nil {
		return nil, err
	}
	return scanDocument(ctx, document, kind, opts)
}

func scanDocument(ctx context.Context, document scan.Input, kind surface.Kind, opts scan.Options) (*agentready.Export, error) {
	document.Kind = kind
	doc, err := scan.Read(ctx, document)
	if err != nil {
		return nil, err
	}
	if err := scan.Nothing(doc); err != nil {
		return nil, err
	}
	return scan.Scan(ctx, doc, opts)
}

// failInput reports that an input was not scanned, here and in every result, and goes
// on.
func (s *scanRun) failInput(err error) {
	s.unread = append(s.unread, outcome(err).message)
	s.fail(err)
}

// fail reports a problem and goes on.
func (s *scanRun) fail(err error) {
	s.progress.clear()
	e := outcome(err)
	s.exit(e)
	switch e.code {
	case exitInternal:
		s.outcome = worst(s.outcome, errInternal)
	default:
		s.outcome = worst(s.outcome, errInput)
	}
}
