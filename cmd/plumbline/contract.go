package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

const contractHelp = `An acceptance contract (AAC 0.1) is the one standard that builder and judge hold the
work to: a JSON object with criteria, each with its checks. FILE may be - for stdin.`

const contractExample = `  plumbline contract init --id refunds --owner payments-lead contract.json
  plumbline contract stamp contract.json
  plumbline contract validate contract.json`

func newContractCmd(p *process) *cobra.Command {
	group := newGroup("contract", "Write, check and show acceptance contracts", contractHelp,
		newContractInitCmd(p),
		newContractStampCmd(p),
		newContractValidateCmd(p),
		newContractFingerprintCmd(p),
		newContractCanonicalCmd(p),
		newContractBriefCmd(p),
		newContractDiffCmd(p),
		newContractRegisterCmd(p),
		newContractListCmd(p),
		newContractShowCmd(p),
	)
	group.Example = contractExample
	return group
}

const contractInitHelp = `Write a contract to start from: valid, with an example of each kind of criterion, and
explained by members named note. Put your own criteria in place of the examples. FILE
must not exist yet; without it, or with -, the contract goes to stdout.`

func newContractInitCmd(p *process) *cobra.Command {
	var id, owner string
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a contract to start from, explained by its notes",
		Long:  contractInitHelp,
		Args:  atMost(1, "at most one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := contract.Init(id, owner)
			if err != nil {
				return usagef("--%v", err) // it begins with id or owner, as the flags are named
			}
			return p.start(args, text, "put your own criteria into it, then run `plumbline contract stamp` on it")
		},
	}
	cmd.Flags().StringVar(&id, "id", "my-change", "the contract's `ID`, the same for all its revisions")
	cmd.Flags().StringVar(&owner, "owner", "owner", "`NAME` of who answers what no criterion covers")
	return cmd
}

// start writes a document to start from: into the file that is the only argument and
// must not exist yet, else to stdout. then is what to do with it.
func (p *process) start(args []string, text []byte, then string) error {
	if len(args) == 0 || args[0] == stdinArg {
		_, err := p.stdout.Write(text)
		return written(err)
	}
	if _, err := os.Lstat(args[0]); err == nil {
		return usagef("%s exists already: choose another file, or remove it first", args[0])
	}
	if err := writeFile(args[0], writing(text)); err != nil {
		return err
	}
	p.complain("wrote %s: %s", args[0], then)
	return nil
}

// writing is what writeFile takes to write a text.
func writing(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

const stampHelp = `Set contract.revision and contract.fingerprint, which nobody can compute by hand, and
leave every other byte as it is. A FILE is changed in place; stdin goes to stdout.`

func newContractStampCmd(p *process) *cobra.Command {
	var revision int64
	cmd := &cobra.Command{
		Use:   "stamp FILE",
		Short: "Set a contract's revision and fingerprint",
		Long:  stampHelp,
		Args:  exactly(1, "one contract"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("revision") && (revision < 1 || revision > contract.MaxSafeInteger) {
				return usagef("--revision %d: use a whole number from 1 to %d", revision, int64(contract.MaxSafeInteger))
			}
			given, err := p.readObject(cmd.Context(), maxObject, args[0])
			if err != nil {
				return err
			}
			return p.stamp(given, args[0], revision)
		},
	}
	cmd.Flags().Int64Var(&revision, "revision", 0, "the revision to set, as `N` (default what the contract says, else 1)")
	return cmd
}

func (p *process) stamp(given object, path string, revision int64) error {
	text, err := contract.Stamp(given.text, revision)
	if problems := syntaxProblem(err); len(problems) > 0 {
		return p.refuse(viewText, given.name, tools.About{Errors: problems})
	}
	if err != nil {
		return &exitError{code: exitFail, message: given.name + ": " + err.Error()}
	}
	if path == stdinArg {
		_, err := p.stdout.Write(text)
		return written(err)
	}
	if string(text) != string(given.text) {
		if err := writeFile(path, writing(text)); err != nil {
			return err
		}
	}
	c := parseContract(object{given.name, text}, nil)
	page := p.newPage(p.stdout)
	page.line("stamped %s: revision %d, %s", path, c.Revision, c.Fingerprint)
	page.line("    sha256 %s", c.SHA256())
	return page.print(p.stdout)
}

// validAnswer is the answer of `contract validate`.
type validAnswer struct {
	tools.About
	Kind string `json:"kind"`
}

func newContractValidateCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate FILE",
		Short: "Check a contract by every rule",
		Args:  exactly(1, "one contract"),
	}
	view := addView(cmd)
	dir := addRoot(cmd, "", "look in `DIR` for links that lead out of it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := p.readContract(cmd.Context(), args[0], *dir)
		if err != nil {
			return err
		}
		p.warnUntouched(c.Contract, c.name)
		answer := validAnswer{tools.NewAbout(c.Contract, c.report), "contract"}
		return p.judge(*view, c.name, answer.About, answer)
	}
	return cmd
}

// warnUntouched says on stderr of a contract that its criteria are nobody's own.
func (p *process) warnUntouched(c *contract.Contract, file string) {
	if contract.Untouched(c) {
		p.complain("the criteria of %s are still the examples of `plumbline contract init`: put your own in their place", file)
	}
}

// fingerprintAnswer is the answer of `contract fingerprint`.
type fingerprintAnswer struct {
	Fingerprint string `json:"fingerprint"`
	SHA256      string `json:"sha256"`             // of the file's bytes
	Declared    string `json:"declared,omitempty"` // what the contract says of itself
}

const fingerprintHelp = `Print the fingerprint that a contract must declare, and the SHA-256 of its bytes. The
fingerprint is a label: the SHA-256 is what tells contracts apart. With --artifact,
the fingerprint of a file of cases or rows, as a contract names it.`

func newContractFingerprintCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fingerprint FILE",
		Short: "Print a contract's fingerprint, or an artifact's",
		Long:  fingerprintHelp,
		Args:  exactly(1, "one file"),
	}
	view := addView(cmd)
	artifact := cmd.Flags().Bool("artifact", false, "the file is an artifact: of its bytes as they are")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		limit := int64(maxObject)
		if *artifact {
			limit = contract.MaxArtifactBytes
		}
		given, err := p.readObject(cmd.Context(), limit, args[0])
		if err != nil {
			return err
		}
		answer := fingerprintAnswer{contract.Fingerprint(given.text), contract.SHA256(given.text), ""}
		if !*artifact {
			c := parseContract(given, nil)
			if answer.Fingerprint, answer.Declared = c.CriteriaFingerprint(), c.Fingerprint; answer.Fingerprint == "" {
				return p.refuse(*view, c.name, tools.NewAbout(c.Contract, c.report))
			}
		}
		if *view == viewJSON {
			return p.writeJSON(answer)
		}
		page := p.newPage(p.stdout)
		page.line("fingerprint %s", answer.Fingerprint)
		page.line("sha256      %s", answer.SHA256)
		return page.print(p.stdout)
	}
	return cmd
}
