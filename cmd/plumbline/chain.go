package main

import (
	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

const chainHelp = `A chain is the revisions of one contract and the rounds that judged them, in order.`

func newChainCmd(p *process) *cobra.Command {
	return newGroup("chain", "Check the revisions and rounds of one contract", chainHelp,
		newChainCheckCmd(p),
		newChainStatusCmd(p),
		newChainExportCmd(p),
		newChainVerifyCmd(p),
	)
}

// chainAnswer is the answer of `chain check`. The contract is the newest revision's.
type chainAnswer struct {
	tools.About
	Revisions []chainRevision `json:"revisions"`
	Rounds    []chainRound    `json:"rounds"`
	Next      []contract.Step `json:"next"` // as far as the file tells

	recorded bool // the file has a ledger's events, which tell what was reported done
}

type chainRevision struct {
	Revision       int64  `json:"revision"`
	Fingerprint    string `json:"fingerprint"`
	ExtensionsUsed int64  `json:"extensions_used"` // extension rounds against it
}

type chainRound struct {
	Revision       int64                 `json:"revision"` // it was held against; 0 for none
	Verdict        contract.Verdict      `json:"verdict"`
	Counts         bool                  `json:"counts"` // it names a revision, and no older one than those before
	ExtensionRound bool                  `json:"extension_round"`
	Findings       []tools.JudgedFinding `json:"findings"`
}

const chainCheckHelp = `Check a chain: that each revision follows the one before, and each round by the
rules. Who acts next is said as far as the file tells: an exported chain holds the
done reports, any other has its last round alone.`

func newChainCheckCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a chain: every revision, every round, and their order",
		Long:  chainCheckHelp,
		Args:  exactly(1, "one chain"),
	}
	view := addView(cmd)
	dir := addRoot(cmd, "", "read the contracts' cases and rows in `DIR`; without it they are not looked up")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, close, err := openRoot(*dir)
		if err != nil {
			return err
		}
		defer close()
		given, err := p.readObject(cmd.Context(), maxChain, args[0])
		if err != nil {
			return err
		}
		answer, err := interruptible(cmd.Context(), func() (chainAnswer, error) {
			return newChainAnswer(contract.CheckChain(given.text, root), ledger.ReadRecord(given.text, root)), nil
		})
		if err != nil {
			return err
		}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printChain(given.name, answer), notValidUnless(answer.Valid))
	}
	return cmd
}

// newChainAnswer is the answer about a chain; record is what a ledger's events in the file
// tell, nil for none.
func newChainAnswer(result *contract.ChainResult, record *ledger.Record) chainAnswer {
	newest := &contract.Contract{}
	answer := chainAnswer{Revisions: []chainRevision{}, Rounds: []chainRound{}, Next: []contract.Step{}}
	if chain := result.Chain; chain != nil {
		if last := chain.Newest(); last != nil {
			newest = last
		}
		for _, r := range chain.Revisions() {
			answer.Revisions = append(answer.Revisions, chainRevision{r.Number, r.Fingerprint, r.Extensions})
		}
		answer.Next = contract.NextAfterChain(result)
	}
	for _, r := range result.Rounds {
		answer.Rounds = append(answer.Rounds, chainRound{r.Revision, r.Round.Verdict, r.Counts, r.ExtensionRound, tools.NewJudgedFindings(r)})
	}
	answer.About = tools.NewAbout(newest, result.Report)
	if record != nil && answer.Valid {
		answer.SHA256, answer.Next, answer.recorded = record.SHA256, contract.Next(record.Progress), true
	}
	return answer
}

func (p *process) printChain(file string, a chainAnswer) error {
	page := p.newPage(p.stdout)
	page.verdict(file, a.About)
	for _, r := range a.Revisions[:min(len(a.Revisions), maxShown)] {
		page.line("    revision %d, %s: extension rounds %d", r.Revision, r.Fingerprint, r.ExtensionsUsed)
	}
	page.more(len(a.Revisions), "revisions")
	for i, r := range a.Rounds[:min(len(a.Rounds), maxShown)] {
		page.line("    round %d on revision %d: %s, findings %d", i+1, r.Revision, r.Verdict, len(r.Findings))
	}
	page.more(len(a.Rounds), "rounds")
	page.problems(file, a.Errors, a.Warnings)
	page.next(a.Next)
	if a.recorded {
		page.nothingNext(a.Next)
	}
	return page.print(p.stdout)
}
