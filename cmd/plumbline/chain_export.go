package main

import (
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

const exportHelp = `Print a contract's chain as the ledger has it: every revision and round, and the events
with their hashes, so that ` + "`plumbline chain verify FILE`" + ` needs no ledger. The files of
cases and rows are not in it.

With --role builder only what a builder may see is printed; that proves nothing.`

func newChainExportCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export ID",
		Short:   "Print a contract's chain with its events, to verify it elsewhere",
		Long:    exportHelp,
		Example: "  plumbline chain export checkout-refunds > chain.json",
		Args:    exactly(1, "one contract's id"),
	}
	flags := addService(p, cmd)
	out := ""
	addOut(cmd.Flags(), &out, "chain")
	addView(cmd)
	cmd.Flags().Lookup("format").Usage = "text or json: a chain is JSON in both"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.notOverLedger(out); err != nil {
			return err
		}
		var failed error
		write := func(w io.Writer) error {
			failed = writeChain(cmd.Context(), flags, args[0], w)
			return failed
		}
		if out == "" {
			return p.writeExact(write)
		}
		err := writeFile(out, write)
		if ofFile := (*fs.PathError)(nil); failed != nil && !errors.As(failed, &ofFile) {
			return failed // there was nothing to write
		}
		return err
	}
	return cmd
}

// notOverLedger refuses to write over a ledger that lies in a file.
func (f *serviceFlags) notOverLedger(out string) error {
	if f.server != "" {
		return nil
	}
	dsn, err := f.where()
	if err != nil {
		return refusal(err)
	}
	return notOver(out, strings.TrimPrefix(dsn, "sqlite:"), "ledger")
}
