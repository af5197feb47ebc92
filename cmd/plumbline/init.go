package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const initHelp = `Set a project up in this directory: propose the files that are missing, show them, and
write them once you agree. They are
  .mcp.json        starts this server for MCP clients; an old one gets an entry
  contract.json    a stamped contract around the command that runs the tests
  .plumbline.yaml  the recommended policy of scans, explained
No file is written over: what is there stays, and is said, also what applies here from
further up in the repository. The test command is found by files such as go.mod or
package.json; --test names another one, and without either no contract is made. Without
a terminal nothing is written unless --yes is given.`

const initExample = `  plumbline init
  plumbline init --yes --test "make check" --owner payments-lead \
    --goal "Refunds over the limit are refused."`

// initFlags are the flags of `init`, as given.
type initFlags struct {
	test, goal, owner string
	yes               bool
}

func newInitCmd(p *process) *cobra.Command {
	flags := &initFlags{}
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "Set a project up: client configuration, contract and policy",
		Long:    initHelp,
		Example: initExample,
		Args:    atMost(0, "no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.init(cmd.Context(), flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.test, "test", "", "the `COMMAND` that runs the tests (default found by the files here)")
	f.StringVar(&flags.goal, "goal", "", "what the work is for, as a sentence of `TEXT`: a reader judges it")
	f.StringVar(&flags.owner, "owner", "", "`NAME` of who answers what no criterion covers (default the system's user)")
	f.BoolVar(&flags.yes, "yes", false, "write the files without asking")
	return cmd
}

// proposal is a file that `init` would write, or leaves.
type proposal struct {
	name  string // relative to the working directory
	left  string // why the file stays as it is, or is not made; empty for one to write
	lacks bool   // the file is not there, and what it would hold is not known
	about string // what is to be known of it; may be empty
	old   []byte // nil for a new file
	text  []byte // the whole file
	added string // what is added to an old one
}

// propose makes all proposals. An error means that nothing can be written.
func (p *process) propose(flags *initFlags) (list []proposal, err error) {
	for _, file := range []func() (proposal, error){
		p.proposeClient,
		func() (proposal, error) { return p.proposeContract(flags) },
		p.proposePolicy,
	} {
		made, err := file()
		if err != nil {
			return nil, err
		}
		list = append(list, made)
	}
	return list, nil
}

// init proposes, asks and writes.
func (p *process) init(ctx context.Context, flags *initFlags) error {
	list, err := p.propose(flags)
	if err != nil {
		return err
	}
	writes := false
	page := p.newPage(p.stdout)
	for _, file := range list {
		switch {
		case file.lacks:
			page.line("made no %s: %s", file.name, file.left)
		case file.left != "":
			page.line("left %s as it is: %s", file.name, file.left)
		}
		writes = writes || file.left == ""
	}
	if !writes {
		page.line("nothing to write; `plumbline doctor` checks how the parts fit")
		return page.print(p.stdout)
	}
	if err := p.agreeToWrite(ctx, list, flags.yes); err != nil {
		return err
	}
	for _, file := range list {
		if file.left == "" {
			if err := file.write(ctx); err != nil {
				return worstOf(page.print(p.stdout), err)
			}
			page.line("wrote %s", file.name)
		}
	}
	page.nextCommands(slices.ContainsFunc(list, func(f proposal) bool { return f.lacks }))
	return page.print(p.stdout)
}

// agreeToWrite makes sure that somebody wants the files: by --yes, or by showing them on
// a terminal and asking there.
func (p *process) agreeToWrite(ctx context.Context, list []proposal, yes bool) error {
	if yes {
		return nil
	}
	page := p.newPage(p.stderr)
	for _, file := range list {
		page.proposal(file)
	}
	if _, err := io.WriteString(p.stderr, page.String()); err != nil {
		return written(err)
	}
	if !p.canAsk() {
		return usagef("nothing was written: there is no terminal to ask on: run it on one, or give --yes to write what is shown")
	}
	agreed, err := p.confirm(ctx, "Write them?")
	if err == nil && !agreed {
		err = usagef("nothing was written: the answer was not yes")
	}
	return err
}

// proposal shows what would be written to a file.
func (b *page) proposal(f proposal) {
	switch {
	case f.lacks:
		b.line("%s is not made: %s", f.name, f.left)
		b.WriteByte('\n')
		return
	case f.left != "":
		b.line("%s stays as it is: %s", f.name, f.left)
		b.WriteByte('\n')
		return
	case f.added != "":
		b.line("%s gets an entry:", f.name)
	default:
		b.line("%s, new:", f.name)
	}
	if f.about != "" {
		b.text("%s", f.about)
	}
	b.WriteByte('\n')
	for _, line := range strings.Split(f.shownText(), "\n") {
		b.line("    %s", line)
	}
	b.WriteByte('\n')
}

// nextCommands says how to go on, with the contract or for want of one.
func (b *page) nextCommands(lacksContract bool) {
	commands := [][2]string{
		{"plumbline doctor", "check that the parts fit"},
		{"plumbline contract register " + contractName, "before the work begins"},
		{"plumbline done run " + contractName, "once it is done"},
	}
	if lacksContract {
		commands = append(commands[:1], [2]string{"plumbline init --test COMMAND", "make the contract"})
	}
	b.WriteString("\nNext:\n")
	for _, next := range commands {
		b.line("  %-42s # %s", next[0], next[1])
	}
}

// proposeContract proposes a contract around the test command that is given or found.
func (p *process) proposeContract(flags *initFlags) (proposal, error) {
	made := proposal{name: contractName}
	switch info, err := os.Stat(contractName); {
	case isThere(contractName) && (err != nil || !info.Mode().IsRegular()):
		return made, usagef("%s is no file that can be read as a contract: move it away; nothing was written", contractName)
	case err == nil:
		made.left = "`plumbline contract validate " + contractName + "` checks it"
		return made, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return made, usagef("the working directory cannot be found: %v: change to one that exists", err)
	}
	test := flags.test
	if test == "" {
		found := findSuites(dir)
		if len(found) == 0 {
			made.lacks, made.left = true, "nothing here says how the tests are run: name the command with --test COMMAND"
			return made, nil
		}
		test, made.about = found[0].command, aboutSuites(found)
	}
	owner := flags.owner
	if owner == "" {
		owner = (&ledgerFlags{process: p}).name()
	}
	made.text, err = newInitialContract(filepath.Base(dir), test, flags.goal, owner)
	return made, err
}

// aboutSuites says why a test command was chosen, and which were not.
func aboutSuites(found []foundSuite) string {
	about := "Around `" + found[0].command + "`, since there is " + found[0].file + "."
	for i, other := range found[1:] {
		about += map[bool]string{true: " Not chosen: ", false: ", "}[i == 0] + "`" + other.command + "` (" + other.file + ")"
	}
	if len(found) > 1 {
		about += "; --test names another."
	}
	return about
}

// isThere says whether a name is taken, if by a link that leads nowhere.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// staysInside refuses a file that is a link out of the working directory: who agrees to a
// change here does not expect one elsewhere.
func staysInside(name string) error {
	real, err := filepath.EvalSymlinks(name)
	switch {
	case err != nil:
		return usagef("%s is a link that leads nowhere: remove it; nothing was written", name)
	case !within(realPath("."), realPath(real)):
		return usagef("%s is a link to %s, outside of this directory: add the server there by hand, or remove the link; nothing was written", name, real)
	}
	return nil
}
