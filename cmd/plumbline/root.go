package main

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const rootHelp = `Plumbline tells whether what an API or an MCP server offers is safe to hand to an
agent: it scans OpenAPI documents and MCP tool lists by the AgentReady rules. And it
holds agents' work to acceptance contracts: builder and judge get the same standard.

Exit codes: 0 pass or valid; 1 a scan that fails its policy, or a contract, round,
chain or report that is not valid; 2 bad usage or input that cannot be read (nothing
scanned is never a pass); 3 an internal error; 130 interrupted by a signal.`

// commands are all commands, in the order of the help; one file each.
var commands = []func(*process) *cobra.Command{
	newDemoCmd,
	newServeCmd,
	newScanCmd,
	newCaptureCmd,
	newLockCmd,
	newWaiveCmd,
	newContractCmd,
	newRoundCmd,
	newChainCmd,
	newDoneCmd,
	newGateCmd,
	newHookCmd,
	newLedgerCmd,
	newTokenCmd,
	newRulesCmd,
	newSchemaCmd,
	newInitCmd,
	newDoctorCmd,
	newCompletionCmd,
	newVersionCmd,
}

// execute runs the command that the process's arguments name.
func execute(ctx context.Context, p *process) error {
	root := newRootCmd(p)
	root.SetArgs(p.args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	return root.ExecuteContext(ctx)
}

func newRootCmd(p *process) *cobra.Command {
	root := &cobra.Command{
		Use:                   "plumbline COMMAND",
		DisableFlagsInUseLine: true,
		Short:                 "Is this tool surface safe to hand to an agent, and is this work done?",
		Long:                  rootHelp,
		Version:               version(),
		SilenceUsage:          true,
		SilenceErrors:         true,
		Args:                  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("no command: start with `plumbline scan FILE`; `plumbline -h` lists the commands")
			}
			return unknownCommand(cmd, args)
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelpCmd())
	for _, newCmd := range commands {
		root.AddCommand(newCmd(p))
	}
	refuseEmpty(root)
	layOut(root)
	p.complete(root)
	return root
}

// newHelpCmd replaces cobra's, which exits with 0 for a command that does not exist.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Help about a command",
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 && about == cmd.Root() {
				return unknownCommand(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// newGroup makes a command that only holds others.
func newGroup(name, short, long string, cmds ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: name + " COMMAND", Short: short, Long: long, Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true}
	group.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("no command after %s: use %s; `%s -h` explains them", name, strings.Join(commandNames(cmd), ", "), cmd.CommandPath())
		}
		return unknownCommand(cmd, args)
	}
	group.AddCommand(cmds...)
	return group
}

// unknownCommand is unknown for what a command has no other of that name; the nearest one
// may stand anywhere among all commands.
func unknownCommand(group *cobra.Command, args []string) error {
	what, names, help := "command", commandNames(group), group.CommandPath()+" -h"
	if group.HasParent() {
		what = group.Name() + " command"
	}
	paths := map[string][]string{} // of the commands elsewhere, by name
	for _, c := range group.Root().Commands() {
		for _, c := range slices.Concat(c.Commands(), []*cobra.Command{c}) {
			if c.Parent() != group {
				paths[c.Name()] = append(paths[c.Name()], c.CommandPath())
			}
		}
	}
	all := append(slices.Clone(names), slices.Sorted(maps.Keys(paths))...)
	nearest := tools.Nearest(args[0], all, 1)
	if len(nearest) == 0 || slices.Contains(names, nearest[0]) {
		return unknown(what, args[0], names, help)
	}
	elsewhere := paths[nearest[0]]
	for i, path := range elsewhere {
		if nearest[0] == args[0] { // the rest was meant for it
			path = strings.Join(append([]string{path}, args[1:]...), " ")
		}
		elsewhere[i] = "`" + path + "`"
	}
	return usagef("unknown %s %q: did you mean %s? `%s` lists all", what, args[0], agentready.Choice(elsewhere), help)
}

// unknown is the error for a name that is in no list; it suggests the nearest one.
func unknown(what, name string, known []string, help string) error {
	suggestion := ""
	if nearest := tools.Nearest(name, known, 1); len(nearest) > 0 {
		suggestion = fmt.Sprintf("did you mean %s? ", nearest[0])
	}
	return usagef("unknown %s %q: %s`%s` lists all", what, name, suggestion, help)
}

// invalidValue takes apart what pflag says of a bad value.
var invalidValue = regexp.MustCompile(`(?s)^invalid argument "(.*)" for "(?:-\w, )?(--[\w-]+)" flag: (.*)$`)

// flagError words the parser's errors as one line that says what to do. A command that only
// holds others has none of their flags: what is wrong is the name before the flag.
func flagError(cmd *cobra.Command, err error) error {
	named, help := cmd.Flags().Args(), cmd.CommandPath()+" -h"
	switch {
	case cmd.HasSubCommands() && len(named) > 0:
		return unknownCommand(cmd, named)
	case cmd.HasSubCommands() && cmd.HasParent():
		return usagef("%v: name a command before it; `%s` lists all", err, help)
	}
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		return unknown("flag", "--"+name, known, help)
	}
	if m := invalidValue.FindStringSubmatch(err.Error()); m != nil {
		return usagef("%s %q: %s", m[2], m[1], m[3])
	}
	return usagef("%v: `%s` lists all flags", err, help)
}

// exactly refuses another number of arguments than n, and names what the command takes.
func exactly(n int, takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usagef("%s takes %s: `%s -h` shows how", cmd.CommandPath(), takes, cmd.CommandPath())
		}
		return atMost(n, takes)(cmd, args)
	}
}

// atMost refuses more than n arguments, and names what the command takes.
func atMost(n int, takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s takes %s, not %q", cmd.CommandPath(), takes, args[n])
		}
		return nil
	}
}
