package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/tools"
)

const exportHelp = `Print a contract's chain as the ledger has it: every revision and round, and the events
with their hashes, so that ` + "`plumbline chain verify FILE`" + ` needs no ledger. The files of
cases and rows are not in it.

With --role builder only what a builder may see is printed; that proves nothing.`

func newChainExportCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export ID",
		Short:   "Print a contract's chain, with its events, for verification elsewhere",
		Long:    exportHelp,
		Example: "  plumbline chain export checkout-refunds > chain.json",
		Args:    exactly(1, "one contract's id"),
	}
	flags := addService(p, cmd)
	out := cmd.Flags().String("out", "", "write the chain to `FILE` instead of stdout")
	addView(cmd)
	cmd.Flags().Lookup("format").Usage = "text or json: a chain is JSON in both"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		text, err := exportChain(cmd.Context(), flags, args[0])
		if err != nil {
			return err
		}
		if *out != "" {
			return writeFile(*out, writing(text))
		}
		return p.writeExact(text)
	}
	return cmd
}

// exportChain gives a contract's chain byte for byte, as far as who asks may see it.
func exportChain(ctx context.Context, flags *serviceFlags, id string) ([]byte, error) {
	return readResource(ctx, flags, id, tools.ChainURI(id))
}
