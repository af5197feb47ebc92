package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

const gateHelp = `Open only where the newest revision of a contract has a done report and a later round
that passes it, with full coverage; with --subject, both about that commit. This is the
line that a CI job or a merge rule calls. It says every reason why it is closed, and what
the record shows that no rule can forbid, such as a judge who judged their own work.

Exit code 0 is open, 1 closed; 2 means that there is nothing to decide on, such as an id
that is not registered.`

func newGateCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "gate --id ID",
		Short:   "Exit with 0 only if the work is reported done and passed",
		Long:    gateHelp,
		Example: "  plumbline gate --id checkout-refunds --subject \"$(git rev-parse HEAD)\"",
		Args:    atMost(0, "no arguments"),
	}
	view := addView(cmd)
	flags := addService(p, cmd)
	id := cmd.Flags().String("id", "", "the contract's `ID`")
	subject := cmd.Flags().String("subject", "", "the `COMMIT` that must be done and passed, as report and round name it")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *id == "" {
			return usagef("no contract: name it with --id ID; `plumbline contract list` shows them")
		}
		answer, err := askGate(cmd.Context(), flags, *id, *subject)
		if err != nil {
			return err
		}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Open))
		}
		return worstOf(p.printGate(answer), notValidUnless(answer.Open))
	}
	return cmd
}

func askGate(ctx context.Context, flags *serviceFlags, id, subject string) (answer tools.GateAnswer, err error) {
	text, err := readResource(ctx, flags, id, tools.GateURI(id, subject))
	if err == nil {
		err = decodeAbout(text, id, &answer)
	}
	if err == nil {
		err = mistaken(checkGate(&answer, subject))
	}
	return answer, err
}

// checkGate says why an answer is not one about a gate: what says open must show by what.
func checkGate(a *tools.GateAnswer, subject string) error {
	done, round := a.DoneReport, a.LastRound
	switch {
	case a.Subject != subject:
		return fmt.Errorf("it is about the commit %q, not about %q", clip(a.Subject), subject)
	case a.Reasons == nil || a.Open != (len(a.Reasons) == 0):
		return errors.New("its reasons do not fit whether it is open")
	case a.Open && (done == nil || !done.Done || done.Revision != a.Revision):
		return errors.New("it is open without a done report of the newest revision")
	case a.Open && (round == nil || round.Verdict != contract.Pass || round.Revision != a.Revision):
		return errors.New("it is open without a round that passes the newest revision")
	}
	return nil
}

func (p *process) printGate(a tools.GateAnswer) error {
	page := p.newPage(p.stdout)
	page.line("%s %s, revision %d, %s", map[bool]string{true: "OPEN", false: "CLOSED"}[a.Open], a.ContractID, a.Revision, a.Fingerprint)
	page.line("    sha256 %s", a.SHA256)
	if a.Subject != "" {
		page.line("    subject %s", a.Subject)
	}
	page.record(a.DoneReport, a.LastRound)
	page.line("    extension rounds %d of %d, %d over all revisions", a.ExtensionsUsed, a.ExtensionsBudget, a.ExtensionsEver)
	page.line("    head %s at event %d", a.Head.Hash, a.Head.Seq)
	for _, r := range a.Reasons {
		page.line("closed: %s", r.Reason)
		page.text("%s: %s", r.Actor, r.Do)
	}
	page.facts(a.Facts)
	return page.print(p.stdout)
}
