package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// standardFlags say what is held to: the contract of a file, or a registered one.
type standardFlags struct {
	service  *serviceFlags
	contract string // a file
	id       string // of a registered contract

	changed func(flag string) bool
}

// addStandard gives a command the flags that it finds its contract by.
func addStandard(p *process, cmd *cobra.Command) *standardFlags {
	standard := &standardFlags{service: addService(p, cmd), changed: cmd.Flags().Changed}
	f := cmd.Flags()
	f.StringVar(&standard.contract, "contract", "", "the contract to hold to, as `FILE` or - for stdin")
	f.StringVar(&standard.id, "id", "", "the `ID` of the registered contract to hold to")
	return standard
}

// heldFlags say what a report or a round is held against, and whether it is recorded.
type heldFlags struct {
	*standardFlags
	dir        string // where the artifacts of the file's contract lie
	record     bool
	submission string
}

// addHeld gives a command the flags of what it holds something against, and of recording
// it. rootUse says what --root is for.
func addHeld(p *process, cmd *cobra.Command, rootUse string) *heldFlags {
	held := &heldFlags{standardFlags: addStandard(p, cmd)}
	f := cmd.Flags()
	f.StringVar(&held.dir, "root", "", rootUse)
	f.BoolVar(&held.record, "record", false, "with --id: record it in the ledger if it may be")
	f.StringVar(&held.submission, "submission", "", "with --record: your own `KEY` for this attempt")
	return held
}

// registeredOnly are the flags that say nothing without --id.
var registeredOnly = []string{"revision", "record", "submission", "server", "ledger", "role", "as"}

// refuseRegisteredOnly refuses them in a call without --id.
func refuseRegisteredOnly(changed func(flag string) bool) error {
	for _, flag := range registeredOnly {
		if changed(flag) {
			return usagef("--%s is about a registered contract: name it with --id ID", flag)
		}
	}
	return nil
}

// alone says whether the contract is that of a file, and refuses flags that do not go
// together.
func (s *standardFlags) alone() (bool, error) {
	if !s.changed("id") {
		return true, refuseRegisteredOnly(s.changed)
	}
	if s.contract != "" {
		return false, usagef("--contract and --id are both given: use one of them")
	}
	return false, nil
}

// alone refuses too what does not go with recording.
func (h *heldFlags) alone() (bool, error) {
	alone, err := h.standardFlags.alone()
	if err != nil || alone {
		return alone, err
	}
	switch {
	case h.dir != "":
		return false, usagef("--root is for --contract: the ledger keeps the files of cases and rows itself")
	case h.record && h.submission == "":
		return false, usagef("--record needs --submission KEY: a key of your own for this attempt, under which a retry is not recorded twice")
	case !h.record && h.changed("submission"):
		return false, usagef("--submission is for --record: without it nothing is recorded")
	}
	return false, nil
}

// checking is what `done check` and `round check` differ in; A is the type of the answer.
type checking[A any] struct {
	tool     string // that holds a document against a registered contract
	argument string // of the tool, for the document
	limit    int64  // of its bytes
	// alone holds a document against the contract of a file.
	alone func(c givenContract, text []byte, root fs.FS) A
	// parts are what all such answers have.
	parts func(a *A) (*tools.About, *tools.Recording, map[string]int)
	// details writes what only this answer has. The error is that it is not about text.
	details func(b *page, text []byte, a *A) error
}

// run checks the document at a path and writes the answer.
func (c checking[A]) run(ctx context.Context, p *process, held *heldFlags, view viewFlag, path string) error {
	alone, err := held.alone()
	if err != nil {
		return err
	}
	if alone {
		return c.runAlone(ctx, p, held, view, path)
	}
	given, err := p.readObject(ctx, c.limit, path)
	if err != nil {
		return err
	}
	if err := sendable(given.text); err != nil {
		return p.refuse(view, given.name, notJSON(err))
	}
	args := map[string]any{"contract_id": held.id, c.argument: string(given.text), "record": held.record}
	if held.record {
		args["submission"] = held.submission
	}
	answer, err := callTool[A](ctx, held.service, c.tool, args)
	if err == nil {
		err = mistaken(c.check(held, &answer))
	}
	if err != nil {
		return err
	}
	return c.write(p, view, given, given.text, &answer, held.record)
}

// check says why an answer is none about something that was held against a registered
// contract, and recorded if it was to be.
func (c checking[A]) check(held *heldFlags, a *A) error {
	about, recording, _ := c.parts(a)
	receipt := recording.Receipt
	done, isDone := any(a).(*tools.DoneAnswer)
	switch {
	case about.Valid && len(about.Errors) > 0:
		return errors.New("it says valid, and names errors")
	case isDone && done.Valid != done.Done:
		return errors.New("whether it is valid and whether it is done do not fit")
	case held.record && about.Valid && !recording.Recorded:
		return errors.New("it says valid, and not that it was recorded")
	case recording.Recorded && (receipt == nil || receipt.ContractID != held.id || receipt.Hash == ""):
		return errors.New("it says recorded without a receipt of the contract")
	}
	return nil
}

func (c checking[A]) runAlone(ctx context.Context, p *process, held *heldFlags, view viewFlag, path string) error {
	if held.contract == "" {
		return usagef("no contract to hold %s against: name its file with --contract FILE, or its id with --id ID", path)
	}
	given, err := p.readObjects(ctx, []int64{maxObject, c.limit}, held.contract, path)
	if err != nil {
		return err
	}
	root, close, err := openRoot(held.dir)
	if err != nil {
		return err
	}
	defer close()
	standard := parseContract(given[0], root)
	answer, err := interruptible(ctx, func() (A, error) { return c.alone(standard, given[1].text, root), nil })
	if err != nil {
		return err
	}
	faulty := given[1]
	if !standard.report.Valid() { // then nothing else is judged
		faulty = given[0]
	}
	return c.write(p, view, faulty, given[1].text, &answer, false)
}

// write writes an answer. faulty is the document that its problems are about, text the
// one that was checked; asked says whether it was to be recorded.
func (c checking[A]) write(p *process, view viewFlag, faulty object, text []byte, a *A, asked bool) error {
	about, recording, omitted := c.parts(a)
	if view == viewJSON {
		return worstOf(p.writeJSON(a), notValidUnless(about.Valid))
	}
	page := p.newPage(p.stdout)
	page.verdict(faulty.name, *about)
	if err := c.details(page, text, a); err != nil {
		return err
	}
	page.recorded(*recording, asked)
	page.problems(faulty.name, placed(faulty.text, about.Errors), placed(faulty.text, about.Warnings))
	page.omitted(omitted)
	page.next(recording.Next)
	if recording.Recorded {
		page.nothingNext(recording.Next)
	}
	return worstOf(page.print(p.stdout), notValidUnless(about.Valid))
}

// recorded writes whether and where it was recorded, where it was to be.
func (b *page) recorded(r tools.Recording, asked bool) {
	switch {
	case r.Repeated:
		b.line("    recorded already, under the same submission")
	case asked && !r.Recorded:
		b.line("    nothing was recorded")
	}
	b.receipt(r.Receipt)
}

// next writes who has to act, and by which command.
func (b *page) next(steps []contract.Step) {
	for _, step := range steps {
		b.line("next: %s: %s", step.Actor, withCommands(step.Tool))
		b.text("%s", step.Why)
	}
}

// nothingNext says of a ledger that nobody has to act, which an empty list of steps means
// there.
func (b *page) nothingNext(steps []contract.Step) {
	if len(steps) == 0 {
		b.line("next: none")
	}
}
