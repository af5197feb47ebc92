package main

import (
	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const verifyHelp = `Recompute an exported chain without its ledger: every digest, every hash, the order of
the events and every rule. --head is the hash of a receipt that was kept elsewhere: it
shows whether anything up to it was cut off or rewritten. The answer says what such a
check sees, and what it cannot.`

// verifyAnswer is the answer of `chain verify`.
type verifyAnswer struct {
	Valid      bool           `json:"valid"`
	ContractID string         `json:"contract_id"`
	Events     int64          `json:"events"`
	Head       ledger.Receipt `json:"head"`    // of the last event: keep it elsewhere
	KeptAt     int64          `json:"kept_at"` // the event that --head belongs to; 0 for none
	Faults     []ledger.Fault `json:"faults"`
	Sees       []string       `json:"sees"`
	Blind      []string       `json:"blind"`
}

func newChainVerifyCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Recompute the hashes of an exported chain",
		Long:  verifyHelp,
		Args:  exactly(1, "one exported chain"),
	}
	view := addView(cmd)
	dir := addRoot(cmd, "", "read the contracts' cases and rows in `DIR`; without it, rounds that need them are not judged anew")
	head := cmd.Flags().String("head", "", "the `HASH` of a receipt that was kept elsewhere")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, close, err := openRoot(*dir)
		if err != nil {
			return err
		}
		defer close()
		given, err := p.readObject(cmd.Context(), maxExport, args[0])
		if err != nil {
			return err
		}
		found, err := interruptible(cmd.Context(), func() (*ledger.Verification, error) {
			return ledger.VerifyExport(given.text, root, *head)
		})
		if err != nil {
			return input{name: given.name}.explain(err)
		}
		answer := verifyAnswer{found.OK(), found.ContractID, found.Events, found.Head, found.KeptAt, found.Faults, found.Sees, found.Blind}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printVerification(given.name, answer), notValidUnless(answer.Valid))
	}
	return cmd
}

func (p *process) printVerification(file string, a verifyAnswer) error {
	page := p.newPage(p.stdout)
	page.verdict(file, about{Valid: a.Valid})
	page.line("    contract %s, events %d", a.ContractID, a.Events)
	page.line("    head %s at event %d: keep it elsewhere", a.Head.Hash, a.Head.Seq)
	for _, fault := range a.Faults {
		page.line("fault at event %d: %s", fault.Seq, fault.What)
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"This check sees:", a.Sees}, {"It cannot see:", a.Blind}} {
		page.line("%s", part.title)
		for _, line := range part.lines {
			page.text("%s", line)
		}
	}
	return page.print(p.stdout)
}
