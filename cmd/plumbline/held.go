package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// heldFlags say what a report or a round is held against, and whether it is recorded.
type heldFlags struct {
	ledger     *ledgerFlags
	contract   string // a file
	id         string // of a registered contract
	record     bool
	submission string

	changed func(flag string) bool
}

// addHeld gives a command the flags that it finds its contract by.
func addHeld(p *process, cmd *cobra.Command) *heldFlags {
	held := &heldFlags{ledger: addLedger(p, cmd), changed: cmd.Flags().Changed}
	f := cmd.Flags()
	f.StringVar(&held.contract, "contract", "", "the contract to hold it against, as `FILE` or - for stdin")
	f.StringVar(&held.id, "id", "", "the `ID` of the registered contract to hold it against")
	f.BoolVar(&held.record, "record", false, "with --id: record it in the ledger if it may be")
	f.StringVar(&held.submission, "submission", "", "with --record: your own `KEY` for this attempt")
	return held
}

// ledgerOnly are the flags that say nothing without --id.
var ledgerOnly = []string{"record", "submission", "ledger", "role", "as"}

// local says whether the contract is that of a file, and refuses flags that do not go
// together. dir is --root.
func (h *heldFlags) local(dir string) (bool, error) {
	if !h.changed("id") {
		for _, flag := range ledgerOnly {
			if h.changed(flag) {
				return false, usagef("--%s is about a contract of the ledger: name it with --id ID", flag)
			}
		}
		return true, nil
	}
	switch {
	case h.id == "":
		return false, usagef("--id is empty: give a contract's id; `plumbline contract list` shows them")
	case h.contract != "":
		return false, usagef("--contract and --id are both given: use one of them")
	case dir != "":
		return false, usagef("--root is for --contract: the ledger keeps the files of cases and rows itself")
	case h.record && h.submission == "":
		return false, usagef("--record needs --submission KEY: a key of your own for this attempt, under which a retry is not recorded twice")
	case !h.record && h.changed("submission"):
		return false, usagef("--submission is for --record: without it nothing is recorded")
	}
	return false, nil
}

// submissionOf is what is recorded.
func (h *heldFlags) submissionOf(o object) ledger.Submission {
	return ledger.Submission{Contract: h.id, Key: h.submission, Text: o.text}
}

// recording is what an answer says of the ledger, and who acts next.
type recording struct {
	Recorded bool            `json:"recorded"`
	Repeated bool            `json:"repeated"` // whether an earlier call recorded it
	Receipt  *ledger.Receipt `json:"receipt"`  // null where it was not recorded
	Next     []contract.Step `json:"next"`

	asked bool // for a recording
}

func (h *heldFlags) recording(r *ledger.Receipt, repeated bool, next []contract.Step) recording {
	return recording{Recorded: r != nil, Repeated: repeated, Receipt: r, Next: next, asked: h.record}
}

// recorded writes whether and where it was recorded.
func (b *page) recorded(r recording) {
	switch {
	case r.Repeated:
		b.line("    recorded already, under the same submission")
	case r.asked && !r.Recorded:
		b.line("    nothing was recorded")
	}
	b.receipt(r.Receipt)
}

// contractAnd reads the contract that --contract names, and the document of at most
// limit bytes that is held against it.
func (p *process) contractAnd(ctx context.Context, path, document string, limit int64) (c, other object, err error) {
	if path == "" {
		return c, other, usagef("no contract to hold %s against: name its file with --contract FILE, or its id in the ledger with --id ID", document)
	}
	given, err := p.readObjects(ctx, []int64{maxObject, limit}, path, document)
	if err != nil {
		return c, other, err
	}
	return given[0], given[1], nil
}
