package main

import (
	"io"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// held are those of the contracts whose builder may not finish.
func (h *stopHook) held(answers []tools.StatusAnswer) []tools.StatusAnswer {
	return slices.DeleteFunc(slices.Clone(answers), func(a tools.StatusAnswer) bool { return len(whyHeld(a)) == 0 })
}

// whyHeld is why the builder of a contract may not finish; empty where they may.
func whyHeld(a tools.StatusAnswer) (why []string) {
	for _, step := range a.Next {
		if step.Actor == contract.ActorBuilder {
			why = append(why, step.Why)
		}
	}
	switch {
	case len(why) > 0:
	case a.DoneReport == nil || a.DoneReport.Revision != a.Revision:
		why = append(why, "no done report is about the newest revision: build, run every check and report done")
	case !a.DoneReport.Done:
		why = append(why, "the newest done report is of unfinished work: mend what did not pass, run every check and report done")
	}
	return why
}

// hold says to the agent what is missing and how to go on; lets says to let it go all the
// same.
func (h *stopHook) hold(held []tools.StatusAnswer, heard hearing, lets bool) error {
	page := h.newPage(h.stderr)
	for _, a := range held {
		page.line("NOT DONE %s, revision %d, %s", a.ContractID, a.Revision, a.Fingerprint)
		page.line("    sha256 %s", a.SHA256)
		page.line("    %s", heard.source)
		for _, why := range whyHeld(a) {
			page.text("%s", why)
		}
		if a.DoneReport != nil && a.DoneReport.Revision == a.Revision {
			page.criteria("checks of the newest done report did not pass of", a.DoneReport.Failing)
		}
		page.against(a.Open, a.Revision)
		page.wayOn(a, heard.flags)
	}
	if len(heard.failed) > 0 {
		h.complain("%s", heard.untold(lets))
	}
	_, _ = io.WriteString(h.stderr, page.String())
	if lets {
		return &exitError{code: hookTells, message: "the agent stops although its work is not done: with --once it was held only once"}
	}
	return &exitError{code: hookHolds}
}

// against names the criteria that findings of the last round on a revision stand against.
// Their texts are where the agent is sent: what a judge wrote is no instruction of a hook.
func (b *page) against(open *tools.OpenRow, revision int64) {
	if open == nil || open.Revision != revision {
		return
	}
	var criteria []string
	for _, f := range open.Findings {
		if f.Disposition == contract.DispositionAgainst && !slices.Contains(criteria, f.Criterion) {
			criteria = append(criteria, f.Criterion)
		}
	}
	b.criteria("findings of the last round stand against", criteria)
}

// wayOn names the commands that lead to a done report, with the flags that reach the same
// ledger.
func (b *page) wayOn(a tools.StatusAnswer, flags string) {
	id, hidden := shellWord(a.ContractID), ""
	if strings.HasSuffix(flags, " "+hiddenDSN) {
		hidden = ", " + hiddenDSN + " the one that this hook was given as --ledger"
	}
	b.line("    Do this, then stop again:")
	if a.Open != nil && len(a.Open.Findings) > 0 {
		b.line("      plumbline chain status%s %s", flags, id)
	}
	b.line("      plumbline contract show%s %s > plumbline-contract.json", flags, id)
	b.line("      plumbline done run plumbline-contract.json --trust sha256:%s --out plumbline-done.json", a.SHA256)
	b.line("      plumbline done check%s --id %s --record --submission KEY plumbline-done.json", flags, id)
	b.text("Read the contract before you run its checks: --trust says that you have. KEY is a key of your own for this attempt%s. Where you cannot go on, say so to the user.", hidden)
}

// letGo says that the builder may finish, and what waits for others.
func (h *stopHook) letGo(heard hearing) error {
	page := h.newPage(h.stdout)
	for _, a := range heard.answers {
		page.line("DONE %s, revision %d, %s: reported by %s (self-reported)", a.ContractID, a.Revision, a.Fingerprint, a.DoneReport.Who)
		page.line("    %s", heard.source)
		for _, step := range a.Next {
			page.text("waits for %s: %s", waiting[step.Actor], step.Why)
		}
		if a.LastVerdict == contract.Escalate {
			page.against(a.Open, a.Revision)
		}
	}
	return page.print(h.stdout)
}

// waiting are those whom done work may wait for.
var waiting = map[contract.Actor]string{contract.ActorOwner: "the owner", contract.ActorJudge: "a judge"}
