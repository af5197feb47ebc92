package main

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const chainStatusHelp = `Show how a contract in the ledger stands: its done report, rounds, budget, the last
round's findings, who acts next, and what the record shows because no rule can forbid
it. "all", or no id, lists every contract.

With --role builder only the findings against criteria are shown: a builder must not
build to what the contract does not say.`

const chainStatusExample = `  plumbline chain status checkout-refunds
  plumbline chain status all --waiting-on judge`

// allContracts is what `chain status` takes for the list of all.
const allContracts = "all"

// statusRow is how one contract stands, as a list shows it.
type statusRow struct {
	namedContract
	Rounds           int64            `json:"rounds"`       // of all revisions
	LastVerdict      contract.Verdict `json:"last_verdict"` // on the newest revision; empty for none
	ExtensionsUsed   int64            `json:"extensions_used"`
	ExtensionsBudget int64            `json:"extensions_budget"`
	Head             ledger.Receipt   `json:"head"`
	Next             []contract.Step  `json:"next"`
}

// statusList is the answer of `chain status` about all contracts.
type statusList struct {
	Contracts []statusRow `json:"contracts"`
}

// statusAnswer is its answer about one.
type statusAnswer struct {
	statusRow
	Subject    string        `json:"subject"` // the commit that the newest report or round names
	DoneReport *doneRow      `json:"done_report"`
	LastRound  *roundRow     `json:"last_round"`
	Open       []openFinding `json:"open"` // of the last round, as far as the role may see them
	Facts      []ledger.Fact `json:"facts"`
}

// doneRow is the newest done report: its builder's own word.
type doneRow struct {
	Who          string         `json:"who"`
	Role         contract.Actor `json:"role"`
	At           string         `json:"at"`
	SelfReported bool           `json:"self_reported"` // always: whoever recorded it says so
	Revision     int64          `json:"revision"`
	Commit       string         `json:"commit"`
	Dirty        bool           `json:"dirty"`
	Done         bool           `json:"done"`
	Receipt      ledger.Receipt `json:"receipt"`
}

// roundRow is the newest round.
type roundRow struct {
	Who        string           `json:"who"`
	Role       contract.Actor   `json:"role"`
	At         string           `json:"at"`
	Verdict    contract.Verdict `json:"verdict"`
	Revision   int64            `json:"revision"`
	Commit     string           `json:"commit"`
	Against    int              `json:"against"`
	Extensions int              `json:"extensions"`
	Advisory   int              `json:"advisory"`
	SelfJudged bool             `json:"self_judged"`
	Receipt    ledger.Receipt   `json:"receipt"`
}

// openFinding is a finding with what it takes to mend it.
type openFinding struct {
	judgedFinding
	Check  json.RawMessage `json:"check,omitempty"`
	Remedy json.RawMessage `json:"remedy,omitempty"`
}

func newChainStatusCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status [ID | all]",
		Short:   "Show how contracts in the ledger stand, and who acts next",
		Long:    chainStatusHelp,
		Example: chainStatusExample,
		Args:    atMost(1, "one contract's id, or all"),
	}
	view := addView(cmd)
	flags := addLedger(p, cmd)
	waitingOn := cmd.Flags().String("waiting-on", "", "list only contracts that wait for this role: "+agentready.Choice(tools.Roles))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		all := len(args) == 0 || args[0] == allContracts
		switch {
		case cmd.Flags().Changed("waiting-on") && !slices.Contains(tools.Roles, tools.Role(*waitingOn)):
			return usagef("--waiting-on %q: use %s", *waitingOn, agentready.Choice(tools.Roles))
		case all:
			return p.listStatus(cmd.Context(), flags, *view, contract.Actor(*waitingOn))
		case *waitingOn != "":
			return usagef("--waiting-on is for the list of all contracts: leave it out, or leave %s out", args[0])
		}
		return p.oneStatus(cmd.Context(), flags, *view, args[0])
	}
	return cmd
}

func (p *process) listStatus(ctx context.Context, flags *ledgerFlags, view viewFlag, waitingOn contract.Actor) error {
	all, err := summaries(ctx, flags, waitingOn)
	if err != nil {
		return err
	}
	list := statusList{make([]statusRow, len(all))}
	for i, s := range all {
		list.Contracts[i] = statusRow{namedContract{s.ContractID, s.Revision, s.Fingerprint, s.SHA256},
			s.Rounds, s.LastVerdict, s.ExtensionsUsed, s.ExtensionsBudget, s.Head, s.Next}
	}
	if view == viewJSON {
		return p.writeJSON(list)
	}
	page := p.newPage(p.stdout)
	for _, row := range list.Contracts {
		page.status(row)
		page.next(row.Next)
	}
	if waitingOn == "" {
		page.none(len(all))
	} else if len(all) == 0 {
		page.line("no contract waits for the %s", waitingOn)
	}
	return page.print(p.stdout)
}

func (p *process) oneStatus(ctx context.Context, flags *ledgerFlags, view viewFlag, id string) error {
	answer, err := withLedger(ctx, flags, func(l ledgerUse) (statusAnswer, error) {
		s, err := l.Status(ctx, id)
		if err != nil {
			return statusAnswer{}, err
		}
		return newStatusAnswer(s, l.caller.Role), nil
	})
	if err != nil {
		return err
	}
	if view == viewJSON {
		return p.writeJSON(answer)
	}
	return p.printStatus(answer)
}

func newStatusAnswer(s *ledger.Status, role tools.Role) statusAnswer {
	c := s.Contract
	return statusAnswer{
		statusRow: statusRow{namedContract{c.ID, c.Revision, c.Fingerprint, c.SHA256()},
			s.Rounds, s.Progress.Verdict, s.ExtensionsUsed, s.ExtensionsBudget, s.Head, s.Next},
		Subject: s.Subject, DoneReport: newDoneRow(s.Done), LastRound: newRoundRow(s.Last),
		Open: openFindings(s.Last, role), Facts: s.Facts,
	}
}

func newDoneRow(d *ledger.DoneStatus) *doneRow {
	if d == nil {
		return nil
	}
	return &doneRow{Who: d.Who, Role: d.Role, At: stamp(d.At), SelfReported: true, Revision: d.Revision,
		Commit: d.Report.Commit, Dirty: d.Report.Dirty, Done: d.Done, Receipt: d.Receipt}
}

func newRoundRow(r *ledger.RoundStatus) *roundRow {
	if r == nil {
		return nil
	}
	return &roundRow{Who: r.Who, Role: r.Role, At: stamp(r.At), Verdict: r.Result.Round.Verdict, Revision: r.Result.Revision,
		Commit: r.Result.Round.Commit, Against: r.Result.Against(), Extensions: r.Result.Extensions(), Advisory: r.Result.Advisory(),
		SelfJudged: r.SelfJudged, Receipt: r.Receipt}
}

// openFindings are the findings of a round, which may be nil, that a role may see.
func openFindings(last *ledger.RoundStatus, role tools.Role) []openFinding {
	list := []openFinding{}
	if last == nil {
		return list
	}
	for i, finding := range judged(last.Result) {
		if finding.Disposition != contract.DispositionAgainst && !tools.SeesExtensions(role) {
			continue
		}
		open := openFinding{judgedFinding: finding}
		if given := last.Result.Round.Findings[i]; given.Check != nil {
			open.Check = given.Check.Value.Canonical()
		}
		if given := last.Result.Round.Findings[i]; given.Remedy != nil {
			open.Remedy = given.Remedy.Value.Canonical()
		}
		list = append(list, open)
	}
	return list
}
