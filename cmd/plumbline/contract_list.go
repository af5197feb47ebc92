package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// contractList is the answer of `contract list`.
type contractList struct {
	Contracts []namedContract `json:"contracts"` // by id, each in its newest revision
}

func newContractListCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the registered contracts",
		Args:  atMost(0, "no arguments"),
	}
	view := addView(cmd)
	flags := addLedger(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := summaries(cmd.Context(), flags, "")
		if err != nil {
			return err
		}
		list := contractList{make([]namedContract, len(all))}
		for i, s := range all {
			list.Contracts[i] = namedContract{s.ContractID, s.Revision, s.Fingerprint, s.SHA256}
		}
		if *view == viewJSON {
			return p.writeJSON(list)
		}
		page := p.newPage(p.stdout)
		for _, c := range list.Contracts {
			page.line("%s, revision %d, %s", c.ContractID, c.Revision, c.Fingerprint)
			page.line("    sha256 %s", c.SHA256)
		}
		page.none(len(list.Contracts))
		return page.print(p.stdout)
	}
	return cmd
}

// none says that a list of contracts is empty.
func (b *page) none(n int) {
	if n == 0 {
		b.line("no contracts: `plumbline contract register FILE` registers one")
	}
}

// summaries reads how all contracts stand that wait for an actor; for any if it is
// empty.
func summaries(ctx context.Context, flags *ledgerFlags, waitingOn contract.Actor) ([]ledger.Summary, error) {
	return withLedger(ctx, flags, func(l ledgerUse) ([]ledger.Summary, error) {
		all := []ledger.Summary{}
		query := ledger.Query{WaitingOn: waitingOn, Limit: ledger.MaxPageSize}
		for {
			page, more, err := l.Contracts(ctx, query)
			if err != nil {
				return nil, err
			}
			all = append(all, page...)
			if !more {
				return all, nil
			}
			query.After = page[len(page)-1].ContractID
		}
	})
}

// shownContract is the answer of `contract show`.
type shownContract struct {
	namedContract
	ContractText string         `json:"contract_text"` // the registered bytes
	Newest       int64          `json:"newest_revision"`
	Who          string         `json:"who"`
	At           string         `json:"at"`
	Receipt      ledger.Receipt `json:"receipt"`
}

const showHelp = `Print a registered contract: exactly the bytes that were registered. --format json
adds who registered it, when, and the receipt.`

func newContractShowCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print a registered contract, byte for byte",
		Long:  showHelp,
		Args:  exactly(1, "one contract's id"),
	}
	view := addView(cmd)
	flags := addLedger(p, cmd)
	revision := cmd.Flags().Int64("revision", 0, "the revision to show, as `N` (default the newest)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("revision") && *revision < 1 {
			return usagef("--revision %d: use a whole number from 1", *revision)
		}
		r, err := withLedger(cmd.Context(), flags, func(l ledgerUse) (*ledger.Registered, error) {
			return l.Contract(cmd.Context(), args[0], *revision)
		})
		if err != nil {
			return err
		}
		c := r.Contract
		if *view == viewJSON {
			return p.writeJSON(shownContract{
				namedContract{c.ID, c.Revision, c.Fingerprint, c.SHA256()}, string(c.Text), r.Newest, r.Who, stamp(r.At), r.Receipt,
			})
		}
		return p.writeExact(c.Text)
	}
	return cmd
}
