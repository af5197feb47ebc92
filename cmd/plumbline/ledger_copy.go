package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

const ledgerHelp = `A ledger keeps contracts, done reports and rounds: in a file, sqlite:PATH, or for a team
in a database, postgres://USER@HOST/DATABASE. The password of a database is better kept
in PGPASSWORD or PGPASSFILE: others on the machine can read a command line.`

func newLedgerCmd(p *process) *cobra.Command {
	return newGroup("ledger", "Move contracts from one ledger to another", ledgerHelp, newLedgerCopyCmd(p))
}

const ledgerCopyHelp = `Copy the chains of all contracts from one ledger to another, byte for byte: receipts
and kept heads hold there too. Every chain is verified in the source before and in TO
afterwards. What TO has must be the beginning of what FROM has; only the rest is
written, so a copy that was interrupted goes on when it is run again, and a repeated one
copies what is new. A chain that does not verify or does not follow is refused, the
others are copied; then the exit code is 1.`

const ledgerCopyExample = `  plumbline ledger copy sqlite:ledger.db postgres://team@db.example/plumbline
  PGPASSFILE=~/.pgpass plumbline ledger copy \
    postgres://team@db.example/plumbline sqlite:backup.db`

// copyAnswer is the answer of `ledger copy`.
type copyAnswer struct {
	Contracts int64            `json:"contracts"` // whose chains the target has whole
	Events    int64            `json:"events"`    // that were copied
	Refused   []ledger.Refusal `json:"refused"`
}

func newLedgerCopyCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "copy FROM TO",
		Short:   "Copy all contracts from one ledger to another, verified",
		Long:    ledgerCopyHelp,
		Example: ledgerCopyExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 { // none of which is repeated: it may hold a password
				return usagef("%s takes two ledgers, FROM and TO: `%s -h` shows how", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
	}
	view := addView(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		done, err := p.copyLedger(cmd.Context(), args[0], args[1])
		if err != nil {
			return refusal(err)
		}
		answer := copyAnswer{done.Contracts, done.Events, done.Refused}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(len(answer.Refused) == 0))
		}
		return worstOf(p.printCopy(answer), notValidUnless(len(answer.Refused) == 0))
	}
	return cmd
}

func (p *process) copyLedger(ctx context.Context, fromDSN, toDSN string) (*ledger.Copied, error) {
	from, err := ledger.Open(ctx, fromDSN, ledger.Existing())
	if err != nil {
		return nil, ledger.Within("FROM", err)
	}
	defer from.Close()
	to, err := ledger.Open(ctx, toDSN)
	if err != nil {
		return nil, ledger.Within("TO", err)
	}
	defer to.Close()
	progress := p.newProgress()
	defer progress.end()
	done, err := ledger.Copy(ctx, from, to, func(done ledger.Copied) {
		progress.tell(func(time.Time) string {
			return fmt.Sprintf("copied %s of %s", agentready.Count(int(done.Events), "event"), agentready.Count(int(done.Contracts), "contract"))
		})
	})
	if err != nil && done.Events > 0 {
		progress.end()
		fmt.Fprintf(p.stderr, "copied %s before it failed: run it again to go on\n", agentready.Count(int(done.Events), "event"))
	}
	return done, err
}

func (p *process) printCopy(a copyAnswer) error {
	page := p.newPage(p.stdout)
	page.line("copied %s: TO has the whole of %s", agentready.Count(int(a.Events), "event"), agentready.Count(int(a.Contracts), "chain"))
	for _, refused := range a.Refused[:min(len(a.Refused), maxShown)] {
		page.line("refused %s", refused.ContractID)
		page.text("%s", refused.Reason)
	}
	page.more(len(a.Refused), "refused contracts")
	return page.print(p.stdout)
}
