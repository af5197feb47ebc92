package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

const roundHelp = `A round is a judge's answer (AGC 0.1): a verdict with findings, each of which is
against a criterion of the contract or else an extension for its owner.`

const roundExample = `  plumbline round init --id checkout-refunds round.json
  plumbline round check --id checkout-refunds round.json`

func newRoundCmd(p *process) *cobra.Command {
	group := newGroup("round", "Write and check a judge's round, and reproduce its findings", roundHelp,
		newRoundInitCmd(p),
		newRoundCheckCmd(p),
		newRoundRunCmd(p),
	)
	group.Example = roundExample
	return group
}

const roundCheckHelp = `Hold a round against a contract: one of a file, alone, or with --id the newest revision
in the ledger, as its next round. --record records a valid round for good, under a key
of your own for this attempt: a retry under the same key is not recorded twice.

` + "`plumbline round init`" + ` writes a round to start from. A finding in it is against the
criterion of its class that holds its location, an input of that criterion; the check
shows the defect. It looks like this:

  {"class": "refund-limit", "severity": "blocking",
   "location": "over-limit", "message": "a refund of 501 was accepted",
   "check": {"type": "command", "run": "go test -run Over ./refund"},
   "remedy": {"type": "patch"}}

A finding that no criterion holds is an extension: its remedy is delegate, "to" the
owner, or decide, with "options". One of severity advisory binds nobody, and needs
neither check nor remedy. ` + "`plumbline schema agc`" + ` has every member.`

const roundCheckExample = `  plumbline round check --contract contract.json --root . round.json
  plumbline round check --id refunds --record --submission round-1 round.json`

func newRoundCheckCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "check [--contract FILE | --id ID] ROUND",
		Short:   "Check a round against a contract: what each finding is, and whose",
		Long:    roundCheckHelp,
		Args:    exactly(1, "one round"),
		Example: roundCheckExample,
	}
	view := addView(cmd)
	held := addHeld(p, cmd, "read the contract's cases and rows in `DIR`; without it they are not looked up")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return roundChecking.run(cmd.Context(), p, held, *view, args[0])
	}
	return cmd
}

var roundChecking = checking[tools.RoundAnswer]{
	tool: "check_round", argument: "round", limit: maxObject,
	alone: func(c givenContract, text []byte, root fs.FS) tools.RoundAnswer {
		result := contract.CheckRound(c.Contract, c.report, text, root)
		return *tools.NewRoundAnswer(c.Contract, result, tools.Recording{Next: contract.NextAfterRound(result)})
	},
	parts: func(a *tools.RoundAnswer) (*tools.About, *tools.Recording, map[string]int) {
		return &a.About, &a.Recording, a.Omitted
	},
	details: (*page).round,
}

// round writes what a round says and what each of its findings is; their messages are in
// its text.
func (b *page) round(text []byte, a *tools.RoundAnswer) error {
	var given []contract.Finding
	if round, _ := contract.ParseRound(text); round != nil {
		given = round.Findings
	}
	if len(a.Findings) > len(given) {
		return unreadable(fmt.Errorf("it tells of %d findings and the round has %d", len(a.Findings), len(given)))
	}
	if a.Verdict != "" {
		b.line("    verdict %s", a.Verdict)
	}
	if a.ExtensionsBudget > 0 {
		must := ""
		if a.MustEscalate {
			must = ": this one must escalate"
		}
		b.line("    extension rounds %d of %d%s", a.ExtensionsUsed, a.ExtensionsBudget, must)
	}
	for i, f := range a.Findings[:min(len(a.Findings), maxShown)] {
		b.line("    finding %d: %s", i+1, label(f.Disposition, f.Criterion, f.Class, f.Owner))
		b.finding(f.Location, given[i].Message)
	}
	b.more(len(a.Findings), "findings")
	return nil
}

// finding writes where a finding is and what it says; it need say neither.
func (b *page) finding(location, message string) {
	said := slices.DeleteFunc([]string{location, message}, func(s string) bool { return s == "" })
	if len(said) > 0 {
		b.text("%s", strings.Join(said, ": "))
	}
}

// label says in a few words what a finding is and whose.
func label(disposition contract.Disposition, criterion, class, owner string) string {
	switch disposition {
	case contract.DispositionAgainst:
		return fmt.Sprintf("against %s, for the builder", criterion)
	case contract.DispositionExtension:
		return fmt.Sprintf("extension of class %s, for its owner %s", class, owner)
	case contract.DispositionAdvisory:
		return fmt.Sprintf("advisory, of class %s", class)
	}
	return "not judged"
}
