package main

import (
	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// canonicalAnswer is the answer of `contract canonical`.
type canonicalAnswer struct {
	Canonical   string `json:"canonical"`
	Fingerprint string `json:"fingerprint"`
	SHA256      string `json:"sha256"` // of the canonical form
}

const canonicalHelp = `Print the canonical form of any JSON value: what fingerprints are computed from. The
bytes are exact, without a line break at their end, but on a terminal.`

func newContractCanonicalCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "canonical FILE",
		Short: "Print the canonical form of a JSON value",
		Long:  canonicalHelp,
		Args:  exactly(1, "one JSON file"),
	}
	view := addView(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := p.readObject(cmd.Context(), maxChain, args[0])
		if err != nil {
			return err
		}
		text, err := contract.Canonical(given.text)
		if err != nil {
			return p.refuse(*view, given.name, notJSON(err))
		}
		if *view == viewJSON {
			return p.writeJSON(canonicalAnswer{string(text), contract.Fingerprint(text), contract.SHA256(text)})
		}
		if _, tty := terminal(p.stdout); tty {
			text = []byte(report.Escape(string(text)) + "\n")
		}
		_, err = p.stdout.Write(text)
		return written(err)
	}
	return cmd
}
