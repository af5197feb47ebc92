package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

const verifyHelp = `Recompute a contract's chain: every digest, every hash, the order of the events and
every rule. FILE is an exported chain, which needs no ledger; --id names a contract in
the ledger, or with --server one whose chain the server exports. --head is the hash of
a receipt that was kept elsewhere, --receipt the whole of one: they show whether
anything up to it was cut off or rewritten. --key shows too whether a server with
--signing-key gave the receipt. The answer says what such a check sees, and what it
cannot.`

// verifyAnswer is the answer of `chain verify`.
type verifyAnswer struct {
	Valid      bool           `json:"valid"`
	ContractID string         `json:"contract_id"`
	Events     int64          `json:"events"`
	Head       ledger.Receipt `json:"head"`    // of the last event: keep it elsewhere
	KeptAt     int64          `json:"kept_at"` // the event that --head or --receipt belongs to; 0 for none
	Faults     []ledger.Fault `json:"faults"`
	Sees       []string       `json:"sees"`
	Blind      []string       `json:"blind"`
}

const verifyExample = `  plumbline chain verify --id checkout-refunds --head HASH
  plumbline chain verify chain.json
  plumbline chain verify --id refunds --receipt receipt.json --key server.pub`

// chainVerify is one call of `chain verify`.
type chainVerify struct {
	*process
	service       *serviceFlags
	kept          *keptReceipt
	dir, head, id string
	changed       func(flag string) bool
}

func newChainVerifyCmd(p *process) *cobra.Command {
	call := &chainVerify{process: p}
	cmd := &cobra.Command{
		Use:     "verify [FILE | --id ID]",
		Short:   "Recompute the hashes of a chain, exported or in the ledger",
		Long:    verifyHelp,
		Example: verifyExample,
		Args:    atMost(1, "one exported chain"),
	}
	view := addView(cmd)
	call.service, call.changed = addService(p, cmd), cmd.Flags().Changed
	f := cmd.Flags()
	call.kept = addReceipt(f)
	f.StringVar(&call.dir, "root", "", "with FILE: read the contracts' cases and rows in `DIR`; without it, rounds that need them are not judged anew")
	f.StringVar(&call.head, "head", "", "the `HASH` of a receipt that was kept elsewhere")
	f.StringVar(&call.id, "id", "", "the `ID` of a contract whose chain in the ledger is recomputed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := call.check(args); err != nil {
			return err
		}
		if err := call.kept.read(cmd.Context(), p); err != nil {
			return err
		}
		name, found, err := call.verify(cmd.Context(), args)
		if problems := syntaxProblem(err); len(problems) > 0 {
			return p.refuse(*view, name, notJSON(err))
		}
		if err != nil {
			return err
		}
		call.kept.hold(found)
		answer := verifyAnswer{found.OK(), found.ContractID, found.Events, found.Head, found.KeptAt, found.Faults, found.Sees, found.Blind}
		if *view == viewJSON {
			return worstOf(p.writeJSON(answer), notValidUnless(answer.Valid))
		}
		return worstOf(p.printVerification(name, answer), notValidUnless(answer.Valid))
	}
	return cmd
}

var headForm = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// check refuses arguments that do not go together.
func (v *chainVerify) check(args []string) error {
	switch {
	case v.changed("head") && !headForm.MatchString(v.head):
		return usagef("--head %q: use the 64 hex digits of a receipt's hash", v.head)
	case len(args) == 0 && v.id == "":
		return usagef("nothing to verify: give an exported chain, or --id ID for one in the ledger")
	case len(args) > 0 && v.id != "":
		return usagef("%s and --id are both given: verify one at a time", args[0])
	case v.id != "" && v.changed("root"):
		return usagef("--root is for a file: the ledger keeps the files of cases and rows itself")
	case v.id == "":
		if err := refuseRegisteredOnly(v.changed); err != nil {
			return err
		}
	}
	return v.kept.check(v.changed)
}

// keptHead is the hash that the chain is held against; empty for none.
func (v *chainVerify) keptHead() string {
	if v.kept.receipt != nil {
		return v.kept.receipt.Hash
	}
	return strings.ToLower(v.head)
}

// verify recomputes the chain; name says which it was.
func (v *chainVerify) verify(ctx context.Context, args []string) (name string, found *ledger.Verification, err error) {
	if v.id != "" {
		return v.verifyRegistered(ctx)
	}
	root, close, err := openRoot(v.dir)
	if err != nil {
		return "", nil, err
	}
	defer close()
	in, file, err := v.openObject(math.MaxInt64, args[0])
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	found, err = v.verifyExport(ctx, in.name, file, root)
	return in.name, found, err
}

func (v *chainVerify) verifyExport(ctx context.Context, name string, export io.Reader, root fs.FS) (*ledger.Verification, error) {
	found, err := interruptible(ctx, func() (*ledger.Verification, error) {
		return ledger.VerifyExport(export, root, v.keptHead())
	})
	switch {
	case errors.Is(err, ledger.ErrNoEvents) && v.id != "":
		return nil, usagef("%s for a builder lacks its events, so that it proves nothing: set PLUMBLINE_TOKEN to a judge's or an owner's token", name)
	case len(syntaxProblem(err)) > 0:
		return nil, err
	case err != nil:
		return nil, input{name: name}.explain(err)
	}
	return found, nil
}

// verifyRegistered recomputes a chain in the ledger; of one that a server keeps, what it
// exports.
func (v *chainVerify) verifyRegistered(ctx context.Context) (name string, found *ledger.Verification, err error) {
	remote, err := v.service.remote()
	if err != nil {
		return "", nil, err
	}
	if remote {
		var text bytes.Buffer
		if err := writeChain(ctx, v.service, v.id, &text); err != nil {
			return "", nil, err
		}
		name = v.id + ", as the server exports it"
		found, err = v.verifyExport(ctx, name, &text, nil)
		return name, found, err
	}
	l, err := v.service.open(ctx)
	if err != nil {
		return "", nil, refusal(err)
	}
	defer l.Close()
	found, err = l.Verify(ctx, v.id, v.keptHead())
	return v.id, found, refusal(err)
}

func (p *process) printVerification(file string, a verifyAnswer) error {
	page := p.newPage(p.stdout)
	page.verdict(file, tools.About{Valid: a.Valid})
	page.line("    contract %s, events %d", a.ContractID, a.Events)
	page.line("    head %s at event %d: keep it elsewhere", a.Head.Hash, a.Head.Seq)
	for _, fault := range a.Faults {
		at := ""
		if fault.Seq != 0 {
			at = fmt.Sprintf(" at event %d", fault.Seq)
		}
		page.line("fault%s: %s", at, fault.What)
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"This check sees:", a.Sees}, {"It cannot see:", a.Blind}} {
		page.line("%s", part.title)
		for _, line := range part.lines {
			page.text("%s", line)
		}
	}
	return page.print(p.stdout)
}
