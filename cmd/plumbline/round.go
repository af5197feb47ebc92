package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
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
	recording
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

const roundCheckHelp = `Hold a round against a contract: one of a file, alone, or with --id the newest revision
in the ledger, as its next round. --record records a valid round for good, under a key
of your own for this attempt: a retry under the same key is not recorded twice.`

const roundCheckExample = `  plumbline round check --contract contract.json --root . round.json
  plumbline round check --id checkout-refunds --role judge --record --submission round-1 round.json`

func newRoundCheckCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "check [--contract FILE | --id ID] ROUND",
		Short:   "Check a round against a contract: what each finding is, and whose",
		Long:    roundCheckHelp,
		Args:    exactly(1, "one round"),
		Example: roundCheckExample,
	}
	view := addView(cmd)
	dir := addRoot(cmd, "", "read the contract's cases and rows in `DIR`; without it they are not looked up")
	held := addHeld(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		check := p.checkRoundAlone
		if local, err := held.local(*dir); err != nil {
			return err
		} else if !local {
			check = p.checkRoundOnLedger
		}
		file, answer, err := check(cmd.Context(), held, *dir, args[0])
		if err != nil {
			return err
		}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printRound(file, answer), notValidUnless(answer.Valid))
	}
	return cmd
}

// checkRoundAlone holds a round against the contract of --contract, without a ledger.
// file is the one that problems are about.
func (p *process) checkRoundAlone(ctx context.Context, held *heldFlags, dir, path string) (file string, answer roundAnswer, err error) {
	c, text, err := p.contractAnd(ctx, held.contract, path, maxObject)
	if err != nil {
		return "", answer, err
	}
	root, close, err := openRoot(dir)
	if err != nil {
		return "", answer, err
	}
	defer close()
	given := parseContract(c, root)
	result, err := interruptible(ctx, func() (*contract.RoundResult, error) {
		return contract.CheckRound(given.Contract, given.report, text.text, root), nil
	})
	if err != nil {
		return "", answer, err
	}
	answer = newRoundAnswer(given.Contract, result)
	if given.report.Valid() {
		answer.Next = nextOf(given.Contract, result)
	}
	return given.faulty(text), answer, nil
}

// checkRoundOnLedger holds a round against the newest revision of --id, as its next,
// and records it with --record.
func (p *process) checkRoundOnLedger(ctx context.Context, held *heldFlags, _, path string) (file string, answer roundAnswer, err error) {
	given, err := p.readObject(ctx, maxObject, path)
	if err != nil {
		return "", answer, err
	}
	a, err := withLedger(ctx, held.ledger, func(l ledgerUse) (*ledger.RoundAnswer, error) {
		if !tools.SeesExtensions(l.caller.Role) {
			return nil, usagef("--role %s: a builder checks no rounds; act as judge or owner", l.caller.Role)
		}
		if held.record {
			return l.RecordRound(ctx, l.recorder(), held.submissionOf(given))
		}
		return l.CheckRound(ctx, held.id, given.text)
	})
	if err != nil {
		return "", answer, err
	}
	answer = newRoundAnswer(a.Contract, a.Result)
	answer.recording = held.recording(a.Receipt, a.Repeated, a.Next)
	return given.name, answer, nil
}

// faulty is the name of the file that problems are about: on a contract that is not
// valid, nothing else is judged.
func (c givenContract) faulty(other object) string {
	if c.report.Valid() {
		return other.name
	}
	return c.name
}

func newRoundAnswer(c *contract.Contract, result *contract.RoundResult) roundAnswer {
	answer := roundAnswer{
		about:            newAbout(c, result.Report),
		Findings:         []judgedFinding{},
		ExtensionRound:   result.ExtensionRound,
		ExtensionsUsed:   result.ExtensionsUsed,
		ExtensionsBudget: result.ExtensionsBudget,
		MustEscalate:     result.MustEscalate,
		recording:        recording{Next: []contract.Step{}},
	}
	if result.Round != nil {
		answer.Verdict = result.Round.Verdict
		answer.Findings = judged(result)
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
	page.recorded(a.recording)
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
