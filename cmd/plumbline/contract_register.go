package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const registerHelp = `Register a contract's next revision in the ledger: its exact bytes, and the files of
cases and rows that it names, which are read below --root. From then on builder and
judge get these bytes. What is registered never changes: the same bytes again change
nothing, and other bytes of a registered revision are refused.

The answer says what changed since the revision before, and holds a receipt. Kept
elsewhere, the receipt proves that nothing up to it was cut off or rewritten.`

// registerAnswer is the answer of `contract register`.
type registerAnswer struct {
	about
	// Answer is what the revision answers to an extension; nil for a first revision and
	// for one that is not valid.
	Answer            *string           `json:"answer"`
	Changes           []contract.Change `json:"changes"`
	AlreadyRegistered bool              `json:"already_registered"`
	Recorded          bool              `json:"recorded"`
	Receipt           *ledger.Receipt   `json:"receipt"` // null where it is not registered
	Next              []contract.Step   `json:"next"`
}

func newContractRegisterCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "register FILE",
		Short: "Register a contract's next revision in the ledger",
		Long:  registerHelp,
		Args:  exactly(1, "one contract"),
	}
	view := addView(cmd)
	flags := addLedger(p, cmd)
	dir := addRoot(cmd, ".", "read the contract's cases and rows in `DIR`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := p.readObject(cmd.Context(), maxObject, args[0])
		if err != nil {
			return err
		}
		r, err := register(cmd.Context(), flags, given, *dir)
		if err != nil {
			return err
		}
		answer := newRegisterAnswer(given, r)
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printRegistration(given.name, answer), notValidUnless(answer.Valid))
	}
	return cmd
}

func register(ctx context.Context, flags *ledgerFlags, given object, dir string) (*ledger.Registration, error) {
	root, close, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer close()
	return withLedger(ctx, flags, func(l ledgerUse) (*ledger.Registration, error) {
		return l.Register(ctx, l.recorder(), given.text, root)
	})
}

func newRegisterAnswer(given object, r *ledger.Registration) registerAnswer {
	c := r.Contract
	if c == nil {
		c = &contract.Contract{Text: given.text}
	}
	answer := registerAnswer{
		about: newAbout(c, r.Report), Changes: []contract.Change{}, AlreadyRegistered: r.Already,
		Recorded: r.Receipt != nil, Receipt: r.Receipt, Next: r.Next,
	}
	if r.Review != nil {
		answer.Changes = append(answer.Changes, r.Review.Changes...)
		if r.Review.Answer != "" {
			answer.Answer = &r.Review.Answer
		}
	}
	return answer
}

func (p *process) printRegistration(file string, a registerAnswer) error {
	page := p.newPage(p.stdout)
	page.verdict(file, a.about)
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
	}
	page.more(len(a.Changes), "changes")
	page.problems(file, a.Errors, a.Warnings)
	if a.Valid {
		page.next(a.Next)
	}
	return page.print(p.stdout)
}

// receipt writes where something was recorded, if it was.
func (b *page) receipt(r *ledger.Receipt) {
	if r != nil {
		b.line("    receipt event %d, %s: keep it elsewhere", r.Seq, r.Hash)
	}
}
