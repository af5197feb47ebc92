package main

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

const registerHelp = `Register a contract's next revision in the ledger: its exact bytes, and the files of
cases and rows that it names, which are read below --root. From then on builder and
judge get these bytes. What is registered never changes: the same bytes again change
nothing, and other bytes of a registered revision are refused.

The answer says what changed since the revision before, and holds a receipt. Kept
elsewhere, the receipt proves that nothing up to it was cut off or rewritten.`

func newContractRegisterCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "register FILE",
		Short: "Register a contract's next revision in the ledger",
		Long:  registerHelp,
		Args:  exactly(1, "one contract"),
	}
	view := addView(cmd)
	flags := addService(p, cmd)
	flags.begins = true
	cmd.Flags().StringVar(&flags.root, "root", ".", "read the contract's cases and rows in `DIR`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := p.readObject(cmd.Context(), maxObject, args[0])
		if err != nil {
			return err
		}
		if err := sendable(given.text); err != nil {
			return p.refuse(*view, given.name, notJSON(err))
		}
		p.warnUntouched(parseContract(given, nil).Contract, given.name)
		answer, err := register(cmd.Context(), flags, given)
		if err != nil {
			return err
		}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printRegistration(given, answer), notValidUnless(answer.Valid))
	}
	return cmd
}

// register registers the contract. A ledger of this machine reads the artifacts itself; a
// server is sent them.
func register(ctx context.Context, flags *serviceFlags, given object) (answer tools.RegisterAnswer, err error) {
	args := map[string]any{"contract": string(given.text), "record": true}
	if remote, err := flags.remote(); err != nil {
		return answer, err
	} else if remote {
		if args["artifacts"], err = artifactTexts(given, flags.root); err != nil {
			return answer, err
		}
	}
	answer, err = callTool[tools.RegisterAnswer](ctx, flags, "register_contract", args)
	if err == nil && answer.SHA256 != contract.SHA256(given.text) {
		err = mistaken(errors.New("it is about other bytes than those of " + given.name))
	}
	return answer, err
}

// artifactTexts reads the files that a valid contract names, by their paths.
func artifactTexts(given object, dir string) (map[string]string, error) {
	texts := map[string]string{}
	c, report := contract.ParseContract(given.text)
	if !report.Valid() {
		return texts, nil
	}
	root, close, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer close()
	files, err := contract.ReadArtifacts(c, root)
	if errors.Is(err, contract.ErrTooMuchKept) {
		return nil, usagef("%s: %v: name fewer or smaller files", tools.TooLarge, err)
	}
	if err != nil {
		return nil, usagef("%s: %v: give with --root the directory that the file lies under, with the bytes that the contract declares", tools.UnreadableFile, err)
	}
	for name, data := range files {
		if !utf8.Valid(data) {
			return nil, usagef("%s: the artifact %q is not UTF-8, so that it cannot be sent: register where the server's ledger can be reached with --ledger", tools.UnreadableFile, name)
		}
		texts[name] = string(data)
	}
	return texts, nil
}

// sendable says why a text cannot be sent as a JSON string, nil where it can. What cannot
// is no JSON itself.
func sendable(text []byte) error {
	if len(text) > 0 && utf8.Valid(text) {
		return nil
	}
	_, err := contract.Decode(text)
	return err
}

func (p *process) printRegistration(given object, a tools.RegisterAnswer) error {
	page := p.newPage(p.stdout)
	page.verdict(given.name, a.About)
	if a.AlreadyRegistered {
		page.line("    registered already: nothing changed")
	}
	page.receipt(a.Receipt)
	if a.Answer != nil {
		page.line("    answer %s", *a.Answer)
	}
	for _, change := range a.Changes[:min(len(a.Changes), maxShown)] {
		where := "contract"
		if change.Criterion != "" {
			where = "criterion " + change.Criterion
		}
		page.line("    %s: %s", where, change.Kind)
		page.text("%s", change.What)
		for _, side := range change.Sides() {
			page.line("      %s", side)
		}
	}
	page.more(len(a.Changes), "changes")
	page.problems(given.name, placed(given.text, a.Errors), placed(given.text, a.Warnings))
	page.omitted(a.Omitted)
	if a.Valid {
		page.next(a.Next)
	}
	return page.print(p.stdout)
}

// receipt writes where something was recorded, if it was.
func (b *page) receipt(r *ledger.Receipt) {
	if r != nil {
		b.line("    recorded as event %d, receipt %s: keep it elsewhere", r.Seq, r.Hash)
		if r.Signature != "" {
			b.line("    signature %s", r.Signature)
		}
	}
}
