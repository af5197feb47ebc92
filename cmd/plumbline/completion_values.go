package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/report"
	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

// idsTime is how long a shell waits for ids of contracts: a ledger that is slow or away
// must not hold who types.
const idsTime = time.Second

// completers complete the value of a flag by what its help calls that.
var completers = map[string]func(p *process, f *pflag.Flag) cobra.CompletionFunc{
	"DIR":           func(*process, *pflag.Flag) cobra.CompletionFunc { return completeDirs },
	"FILE":          func(_ *process, f *pflag.Flag) cobra.CompletionFunc { return completeFiles(fileEndings[f.Name]...) },
	"REPORT":        jsonFlag,
	"LOCK":          jsonFlag,
	"ROLE":          listFlag(tools.Roles),
	"CODE":          listFlag(distinctRuleCodes),
	"SEVERITY":      listFlag(agentready.FailOnValues()),
	"LEVEL":         listFlag(server.LogLevels),
	"FORMAT":        listFlag([]viewFlag{viewText, viewJSON}),
	"FORMAT[=FILE]": listOrFile(formatNames()),
	"ID":            func(p *process, _ *pflag.Flag) cobra.CompletionFunc { return p.completeIDs },
}

// fileEndings are how the names of files end that flags take; any for those not named.
var fileEndings = map[string][]string{
	"baseline":    {"json"},
	"config":      {"json"},
	"contract":    {"json"},
	"receipt":     {"json"},
	"tokens":      {"json"},
	"policy":      {"yaml", "yml"},
	"key":         {"pem"},
	"signing-key": {"pem"},
	"tls-cert":    {"pem", "crt"},
	"tls-key":     {"pem", "key"},
}

// distinctRuleCodes are all codes of rules and findings, each once.
var distinctRuleCodes = slices.Compact(slices.Sorted(slices.Values(ruleCodes())))

// objects complete the files that most commands take.
var objects = completeFiles("json")

// argumentCompleters complete the arguments of commands, by their names. Those of the
// others are no files, or their ValidArgs.
var argumentCompleters = map[string]func(*process) cobra.CompletionFunc{
	"scan":                 func(p *process) cobra.CompletionFunc { return p.completeScan },
	"capture":              always(completeFiles()),
	"lock mcp":             always(objects),
	"waive":                always(documents),
	"contract init":        always(objects),
	"contract stamp":       always(objects),
	"contract validate":    always(objects),
	"contract fingerprint": always(completeFiles()),
	"contract canonical":   always(objects),
	"contract brief":       always(objects),
	"contract diff":        always(objects),
	"contract register":    always(objects),
	"contract show":        (*process).idCompleter,
	"round init":           always(objects),
	"round check":          always(objects),
	"round run":            always(objects),
	"chain check":          always(objects),
	"chain verify":         always(objects),
	"chain status":         (*process).idCompleter,
	"chain export":         (*process).idCompleter,
	"done run":             always(objects),
	"done check":           always(objects),
	"rules":                always(cobra.FixedCompletions(distinctRuleCodes, cobra.ShellCompDirectiveNoFileComp)),
}

// complete has every command below root complete its flags and arguments. Nothing else is
// completed by files.
func (p *process) complete(root *cobra.Command) {
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	var visit func(cmd *cobra.Command, name string)
	visit = func(cmd *cobra.Command, name string) {
		if args := argumentCompleters[name]; args != nil {
			cmd.ValidArgsFunction = args(p)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { p.completeFlag(cmd, f) })
		for _, below := range cmd.Commands() {
			visit(below, strings.TrimSpace(name+" "+below.Name()))
		}
	}
	visit(root, "")
}

func (p *process) completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	takes, _ := pflag.UnquoteUsage(f)
	if takes == "ID" && cmd.Flags().Lookup("ledger") == nil {
		return // of something that no ledger knows
	}
	if completer := completers[takes]; completer != nil {
		_ = cmd.RegisterFlagCompletionFunc(f.Name, completer(p, f)) // the flag is there, and visited once
	}
}

// listFlag completes a flag that takes one of a list.
func listFlag[T ~string](values []T) func(*process, *pflag.Flag) cobra.CompletionFunc {
	var list []string
	for _, v := range values {
		list = append(list, string(v))
	}
	return func(*process, *pflag.Flag) cobra.CompletionFunc {
		return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
	}
}

func jsonFlag(*process, *pflag.Flag) cobra.CompletionFunc { return completeFiles("json") }

func always(complete cobra.CompletionFunc) func(*process) cobra.CompletionFunc {
	return func(*process) cobra.CompletionFunc { return complete }
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}

// completeFiles completes the names of files that end so; of any files for no endings.
func completeFiles(endings ...string) cobra.CompletionFunc {
	if len(endings) == 0 {
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	}
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

func completeDirs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeCommands completes the commands that there is help about.
func completeCommands(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	about, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return commandNames(about), cobra.ShellCompDirectiveNoFileComp
}

func (p *process) idCompleter() cobra.CompletionFunc { return p.completeIDs }

// completeIDs completes the ids of contracts in the ledger that the command would use.
// None is made, and none is waited for long; a team's server is not asked.
func (p *process) completeIDs(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	none := cobra.ShellCompDirectiveNoFileComp
	if f := cmd.Flags().Lookup("server"); len(args) > 0 || f != nil && f.Changed {
		return nil, none
	}
	flags := &serviceFlags{ledgerFlags: &ledgerFlags{process: p}}
	if f := cmd.Flags().Lookup("ledger"); f != nil {
		flags.dsn = f.Value.String()
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), idsTime)
	defer cancel()
	page, err := interruptible(ctx, func() ([]ledger.Summary, error) { return idsIn(ctx, flags, begun) })
	if err != nil {
		return nil, none
	}
	var ids []string
	for _, c := range page {
		ids = append(ids, cobra.CompletionWithDesc(c.ContractID, fmt.Sprintf("revision %d", c.Revision)))
	}
	return ids, none
}

// idsIn are the first contracts whose ids begin so.
func idsIn(ctx context.Context, flags *serviceFlags, begun string) ([]ledger.Summary, error) {
	l, err := flags.open(ctx)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	page, _, err := l.Contracts(ctx, ledger.Query{Prefix: begun, Limit: ledger.MaxPageSize})
	return page, err
}
