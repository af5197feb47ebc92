package main

import (
	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// diffAnswer is the answer of `contract diff`.
type diffAnswer struct {
	From     tools.Label        `json:"from"`
	To       tools.Label        `json:"to"`
	Answer   string             `json:"answer"` // grow, close, narrow, mixed or none
	Changes  []contract.Change  `json:"changes"`
	Warnings []contract.Problem `json:"warnings"`
}

const diffHelp = `Show what changes from one contract to another, and how that answers a judge who found
something that no criterion covers: it grows, closes or narrows. Both must be valid.
Whether the second may follow the first, registering it says.`

func newContractDiffCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff FROM TO",
		Short: "Show what changes from one contract to another",
		Long:  diffHelp,
		Args:  exactly(2, "two contracts"),
	}
	view := addView(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := p.readObjects(cmd.Context(), []int64{maxObject, maxObject}, args...)
		if err != nil {
			return err
		}
		from, to := parseContract(given[0], nil), parseContract(given[1], nil)
		for _, c := range []givenContract{from, to} {
			if !c.report.Valid() {
				return p.refuse(*view, c.name, tools.NewAbout(c.Contract, c.report))
			}
		}
		review := contract.ReviewRevision(from.Contract, to.Contract, false)
		if *view == viewJSON {
			return p.writeJSON(diffAnswer{tools.NewLabel(from.Contract), tools.NewLabel(to.Contract), review.Answer, review.Changes, review.Report.Warnings()})
		}
		page := p.newPage(p.stdout)
		page.WriteString(contract.Diff(from.Contract, to.Contract))
		page.problems(to.name, review.Report.Warnings())
		return page.print(p.stdout)
	}
	return cmd
}
