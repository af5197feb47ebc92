package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// contractList is the answer of `contract list`.
type contractList struct {
	Contracts []tools.Label `json:"contracts"` // by id, each in its newest revision
}

func newContractListCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the registered contracts",
		Args:  atMost(0, "no arguments"),
	}
	view := addView(cmd)
	flags := addService(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		rows, err := statusRows(cmd.Context(), flags, "")
		if err != nil {
			return err
		}
		list := contractList{make([]tools.Label, len(rows))}
		for i, row := range rows {
			list.Contracts[i] = row.Label
		}
		if *view == viewJSON {
			return p.writeJSON(list)
		}
		page := p.newPage(p.stdout)
		for _, c := range list.Contracts {
			page.label(c)
		}
		page.none(len(list.Contracts))
		return page.print(p.stdout)
	}
	return cmd
}

// label writes which contract something is about.
func (b *page) label(c tools.Label) {
	b.line("%s, revision %d, %s", c.ContractID, c.Revision, c.Fingerprint)
	b.line("    sha256 %s", c.SHA256)
}

// none says that a list of contracts is empty.
func (b *page) none(n int) {
	if n == 0 {
		b.line("no contracts: `plumbline contract register FILE` registers one")
	}
}

// statusRows asks how all contracts stand that wait for an actor, page by page; for any
// actor if it is empty.
func statusRows(ctx context.Context, flags *serviceFlags, waitingOn contract.Actor) ([]tools.StatusRow, error) {
	args := map[string]any{}
	if waitingOn != "" {
		args["waiting_on"] = waitingOn
	}
	return withService(ctx, flags, func(s service) ([]tools.StatusRow, error) {
		rows := []tools.StatusRow{}
		for {
			list, err := callOn[tools.StatusList](ctx, s, "chain_status", args)
			if errors.Is(err, errNoneYet) {
				return rows, nil
			}
			if err != nil {
				return nil, err
			}
			if err := checkList(list.Contracts); err != nil {
				return nil, mistaken(err)
			}
			rows = append(rows, list.Contracts...)
			if list.NextCursor == "" {
				return rows, nil
			}
			args["cursor"] = list.NextCursor
		}
	})
}

// checkList says why what was answered is no list of contracts.
func checkList(rows []tools.StatusRow) error {
	if rows == nil {
		return errors.New("it holds no list of contracts")
	}
	for _, row := range rows {
		if err := row.CheckID(row.ContractID); err != nil {
			return err
		}
	}
	return nil
}
