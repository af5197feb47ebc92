package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
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

func newChainStatusCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status [ID | all]",
		Short:   "Show how contracts in the ledger stand, and who acts next",
		Long:    chainStatusHelp,
		Example: chainStatusExample,
		Args:    atMost(1, "one contract's id, or all"),
	}
	view := addView(cmd)
	flags := addService(p, cmd)
	waitingOn := cmd.Flags().String("waiting-on", "", "list only contracts that wait for this `ROLE`: "+agentready.Choice(tools.Roles))
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

func (p *process) listStatus(ctx context.Context, flags *serviceFlags, view viewFlag, waitingOn contract.Actor) error {
	rows, err := statusRows(ctx, flags, waitingOn)
	if err != nil {
		return err
	}
	if view == viewJSON {
		return p.writeJSON(tools.StatusList{Contracts: rows})
	}
	page := p.newPage(p.stdout)
	for _, row := range rows {
		page.status(row)
		page.next(row.Next)
		page.nothingNext(row.Next)
	}
	if waitingOn == "" {
		page.none(len(rows))
	} else if len(rows) == 0 {
		page.line("no contract waits for the %s", waitingOn)
	}
	return page.print(p.stdout)
}

func (p *process) oneStatus(ctx context.Context, flags *serviceFlags, view viewFlag, id string) error {
	answer, err := callTool[tools.StatusAnswer](ctx, flags, "chain_status", map[string]any{"contract_id": id})
	if err != nil {
		return err
	}
	if view == viewJSON {
		return p.writeJSON(answer)
	}
	return p.printStatus(answer)
}
