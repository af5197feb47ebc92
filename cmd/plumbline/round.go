package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
)

const roundHelp = `A round is a judge's answer (AGC 0.1): a verdict with findings, each of which is
against a criterion of the contract or else an extension for its owner.`

func newRoundCmd(p *process) *cobra.Command {
	return newGroup("round", "Check a judge's round, and reproduce its findings", roundHelp,
		newRoundCheckCmd(p),
		newRoundRunCmd(p),
	)
}

// roundAnswer is the answer of `round check`.
type roundAnswer struct {
	about
	Verdict          contract.Verdict `json:"verdict"`
	Findings         []judgedFinding  `json:"findings"`
	ExtensionRound   bool             `json:"extension_round"`
	ExtensionsUsed   int64            `json:"extensions_used"`
	ExtensionsBudget int64            `json:"extensions_budget"`
	MustEscalate     bool             `json:"must_escalate"`
	Next             []contract.Step  `json:"next"`
}

// judgedFinding is one finding with what it is under the contract.
type judgedFinding struct {
	Disposition contract.Disposition `json:"disposition"`
	Criterion   string               `json:"criterion"` // that holds its input; empty for none
	Route       contract.Route       `json:"route"`
	Owner       string               `json:"owner,omitempty"` // who answers it, of an extension
	Class       string               `json:"class"`
	Severity    contract.Weight      `json:"severity"`
	Location    string               `json:"location"`
	Message     string               `json:"message"`
}

func newRoundCheckCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "check --contract FILE ROUND",
		Short:   "Check a round against a contract: what each finding is, and whose",
		Args:    exactly(1, "one round"),
		Example: "  plumbline round check --contract contract.json --root . round.json",
	}
	view := addView(cmd)
	dir := addRoot(cmd, "", "read the contract's cases and rows in `DIR`; without it they are not looked up")
	path := addContract(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, text, err := p.contractAnd(cmd.Context(), *path, args[0], maxObject)
		if err != nil {
			return err
		}
		root, close, err := openRoot(*dir)
		if err != nil {
			return err
		}
		defer close()
		held := parseContract(c, root)
		result, err := interruptible(cmd.Context(), func() (*contract.RoundResult, error) {
			return contract.CheckRound(held.Contract, held.report, text.text, root), nil
		})
		if err != nil {
			return err
		}
		answer := newRoundAnswer(held, result)
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printRound(held.faulty(text), answer), notValidUnless(answer.Valid))
	}
	return cmd
}

// addContract gives a command the flag --contract.
func addContract(cmd *cobra.Command) *string {
	return cmd.Flags().String("contract", "", "the contract to hold it against, as `FILE` or - for stdin")
}

// contractAnd reads the contract that --contract names, and the document of at most
// limit bytes that is held against it.
func (p *process) contractAnd(ctx context.Context, path, document string, limit int64) (c, other object, err error) {
	if path == "" {
		return c, other, usagef("no contract to hold %s against: name its file with --contract FILE", document)
	}
	given, err := p.readObjects(ctx, []int64{maxObject, limit}, path, document)
	if err != nil {
		return c, other, err
	}
	return given[0], given[1], nil
}

// faulty is the name of the file that problems are about: on a contract that is not
// valid, nothing else is judged.
func (c givenContract) faulty(other object) string {
	if c.report.Valid() {
		return other.name
	}
	return c.name
}

func newRoundAnswer(c givenContract, result *contract.RoundResult) roundAnswer {
	answer := roundAnswer{
		about:            newAbout(c.Contract, result.Report),
		Findings:         []judgedFinding{},
		ExtensionRound:   result.ExtensionRound,
		ExtensionsUsed:   result.ExtensionsUsed,
		ExtensionsBudget: result.ExtensionsBudget,
		MustEscalate:     result.MustEscalate,
		Next:             []contract.Step{},
	}
	if result.Round != nil {
		answer.Verdict = result.Round.Verdict
		answer.Findings = judged(result)
	}
	if c.report.Valid() {
		answer.Next = nextOf(c.Contract, result)
	}
	return answer
}

// nextOf says who acts once a round was given on work that is reported done: what was
// reported in truth, only a ledger knows. A round that is not valid changes nothing.
func nextOf(c *contract.Contract, result *contract.RoundResult) []contract.Step {
	chain := contract.ResumeChain(contract.Snapshot{
		Revisions: []contract.ChainRevision{{Number: c.Revision, Fingerprint: c.Fingerprint}},
		Newest:    c,
		Progress:  contract.Progress{Revision: c.Revision, Done: true},
	})
	if result.Report.Valid() {
		chain.AddRound(result)
	}
	return contract.Next(chain.Progress())
}

func judged(result *contract.RoundResult) []judgedFinding {
	list := make([]judgedFinding, len(result.Findings))
	for i, j := range result.Findings {
		f := result.Round.Findings[i]
		list[i] = judgedFinding{
			Disposition: j.Disposition, Route: j.Route(), Owner: j.Owner,
			Class: f.Class, Severity: f.Weight, Location: f.Location, Message: f.Message,
		}
		if j.Criterion != nil {
			list[i].Criterion = j.Criterion.ID
		}
	}
	return list
}

func (p *process) printRound(file string, a roundAnswer) error {
	page := p.newPage(p.stdout)
	page.verdict(file, a.about)
	if a.Verdict != "" {
		page.line("    verdict %s", a.Verdict)
	}
	if a.ExtensionsBudget > 0 {
		page.line("    extension rounds %d of %d%s", a.ExtensionsUsed, a.ExtensionsBudget, map[bool]string{true: ": this one must escalate"}[a.MustEscalate])
	}
	for i, f := range a.Findings[:min(len(a.Findings), maxShown)] {
		page.line("    finding %d: %s", i, f.label())
		page.text("%s: %s", f.Location, f.Message)
	}
	page.more(len(a.Findings), "findings")
	page.problems(file, a.Errors, a.Warnings)
	page.next(a.Next)
	return page.print(p.stdout)
}

// label says in a few words what a finding is and whose.
func (f judgedFinding) label() string {
	switch f.Disposition {
	case contract.DispositionAgainst:
		return fmt.Sprintf("against %s, for the builder", f.Criterion)
	case contract.DispositionExtension:
		return fmt.Sprintf("extension of class %s, for its owner %s", f.Class, f.Owner)
	case contract.DispositionAdvisory:
		return fmt.Sprintf("advisory, of class %s", f.Class)
	}
	return "not judged"
}

// next writes who has to act.
func (b *page) next(steps []contract.Step) {
	for _, step := range steps {
		b.line("next: %s (%s)", step.Actor, step.Tool)
		b.text("%s", step.Why)
	}
}
