package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// shownContract is the answer of `contract show`.
type shownContract struct {
	tools.Label
	ContractText string `json:"contract_text"` // the registered bytes
	Newest       int64  `json:"newest_revision"`
	tools.RegisteredRow
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
	flags := addService(p, cmd)
	revision := addRevision(cmd, "the revision to show")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := revision.check(); err != nil {
			return err
		}
		// Both briefs hold the same contract; every role may have the builder's.
		a, err := askBrief(cmd.Context(), flags, contract.Builder, args[0], revision)
		if err != nil {
			return err
		}
		if *view == viewJSON {
			return p.writeJSON(shownContract{a.Label, a.ContractText, a.State.NewestRevision, a.State.Registered})
		}
		return p.writeExact(writing([]byte(a.ContractText)))
	}
	return cmd
}

// revisionFlag is --revision; its number is 0 for the newest.
type revisionFlag struct {
	number int64
	given  func() bool
}

func addRevision(cmd *cobra.Command, use string) *revisionFlag {
	r := &revisionFlag{given: func() bool { return cmd.Flags().Changed("revision") }}
	cmd.Flags().Int64Var(&r.number, "revision", 0, use+", as `N` (default the newest)")
	return r
}

func (r *revisionFlag) check() error {
	if r.given() && r.number < 1 {
		return usagef("--revision %d: use a whole number from 1", r.number)
	}
	return nil
}

// errForJudges is for a builder who asks for what a judge is given.
var errForJudges = usagef("a builder gets the builder's brief, which holds the same contract: ask with --role builder")

// askBrief asks for the brief of a registered contract, which comes with its bytes and
// its state. The error is errForJudges where the caller may not have it.
func askBrief(ctx context.Context, flags *serviceFlags, reader contract.Role, id string, revision *revisionFlag) (tools.BriefAnswer, error) {
	args := map[string]any{"role": reader, "contract_id": id}
	if revision.number > 0 {
		args["revision"] = revision.number
	}
	a, err := withService(ctx, flags, func(s service) (tools.BriefAnswer, error) {
		a, err := callOn[tools.BriefAnswer](ctx, s, "render_brief", args)
		var told *tools.Error
		if errors.As(err, &told) && told.Path == "/role" {
			err = errForJudges
		}
		return a, err
	})
	if err != nil {
		return a, err
	}
	switch {
	case a.State == nil:
		err = errors.New("it lacks the contract's state")
	case a.SHA256 != contract.SHA256([]byte(a.ContractText)):
		err = errors.New("the contract that it holds is not the one that it names")
	case revision.number > 0 && a.Revision != revision.number:
		err = fmt.Errorf("it is about revision %d, not about %d", a.Revision, revision.number)
	}
	return a, mistaken(err)
}

// briefRoles are the roles that a brief is for.
var briefRoles = map[string]contract.Role{"builder": contract.Builder, "judge": contract.Judge}

const briefHelp = `Print what a builder or a judge is given, with the contract itself: a contract of a
file, or with --id a registered one. --format json adds how the registered one stands.`

const briefExample = `  plumbline contract brief --role builder contract.json
  plumbline contract brief --role judge --id checkout-refunds`

// contractBrief is one call of `contract brief`.
type contractBrief struct {
	*process
	service  *serviceFlags
	id       string
	revision *revisionFlag
	reader   contract.Role
}

func newContractBriefCmd(p *process) *cobra.Command {
	call := &contractBrief{process: p, service: &serviceFlags{ledgerFlags: &ledgerFlags{process: p}}}
	cmd := &cobra.Command{
		Use:     "brief --role builder|judge [FILE | --id ID]",
		Short:   "Print what a builder or a judge is given, with the contract itself",
		Long:    briefHelp,
		Example: briefExample,
		Args:    atMost(1, "one contract"),
	}
	view := addView(cmd)
	call.revision = addRevision(cmd, "with --id: the revision")
	// Here --role is whom the brief is for, and so who asks.
	cmd.Flags().StringVar(&call.service.role, "role", "", "the `ROLE` that the brief is for: builder or judge")
	cmd.Flags().StringVar(&call.id, "id", "", "the `ID` of a registered contract")
	call.service.changed = func(flag string) bool { return flag != "role" && cmd.Flags().Changed(flag) }
	addDSN(cmd, call.service.ledgerFlags)
	addServer(cmd, call.service)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := call.check(cmd, args); err != nil {
			return err
		}
		if call.id == "" {
			return call.ofFile(cmd.Context(), *view, args[0])
		}
		a, err := askBrief(cmd.Context(), call.service, call.reader, call.id, call.revision)
		if err != nil {
			return err
		}
		return call.print(*view, a)
	}
	return cmd
}

// check refuses arguments that do not go together.
func (c *contractBrief) check(cmd *cobra.Command, args []string) error {
	var known bool
	if c.reader, known = briefRoles[c.service.role]; !known {
		return usagef("--role %q: use builder or judge", c.service.role)
	}
	switch {
	case len(args) == 0 && c.id == "":
		return usagef("no contract: give its file, or --id ID for a registered one")
	case len(args) > 0 && cmd.Flags().Changed("id"):
		return usagef("%s and --id are both given: use one of them", args[0])
	case c.id == "":
		return refuseRegisteredOnly(c.service.changed)
	}
	return c.revision.check()
}

func (c *contractBrief) ofFile(ctx context.Context, view viewFlag, path string) error {
	given, err := c.readContract(ctx, path, "")
	if err != nil {
		return err
	}
	if !given.report.Valid() {
		return c.refuse(view, given.name, tools.NewAbout(given.Contract, given.report))
	}
	return c.print(view, tools.BriefAnswer{
		Brief: contract.Brief(given.Contract, c.reader), ContractText: string(given.Text), Label: tools.NewLabel(given.Contract),
	})
}

func (c *contractBrief) print(view viewFlag, a tools.BriefAnswer) error {
	if view == viewJSON {
		return c.writeJSON(a)
	}
	_, err := io.WriteString(c.stdout, contract.AppendContract(a.Brief, &contract.Contract{Text: []byte(a.ContractText)}))
	return written(err)
}
