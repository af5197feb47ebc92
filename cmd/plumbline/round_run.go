package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/runner"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const roundRunHelp = `Run the command check of each finding, in order, through the shell in --root, and say
which still fail: those defects can still be seen. Exit code 1 means that one does.

The commands are the judge's: they are shown, and nothing runs before you agree.
Without a terminal, --trust names the round that you have read.`

// roundRun is one call of `round run`.
type roundRun struct {
	*process
	root, trust string
	view        *viewFlag
}

func newRoundRunCmd(p *process) *cobra.Command {
	run := &roundRun{process: p}
	cmd := &cobra.Command{
		Use:     "run ROUND",
		Short:   "Reproduce the findings of a round",
		Long:    roundRunHelp,
		Args:    exactly(1, "one round"),
		Example: "  plumbline round run round.json",
		RunE:    func(cmd *cobra.Command, args []string) error { return run.run(cmd.Context(), args[0]) },
	}
	run.view = addView(cmd)
	cmd.Flags().StringVar(&run.root, "root", ".", "run in `DIR`")
	cmd.Flags().StringVar(&run.trust, "trust", "", trustUsage)
	return cmd
}

// roundRunAnswer is the answer of `round run`.
type roundRunAnswer struct {
	SHA256         string                `json:"sha256"` // of the round's bytes
	Subject        *runner.Subject       `json:"subject,omitempty"`
	StillFailing   int                   `json:"still_failing"`
	Findings       []runner.Reproduction `json:"findings"`
	WithoutCommand []int                 `json:"without_command"` // findings that have nothing to run
}

func (d *roundRun) run(ctx context.Context, path string) error {
	r, close, err := d.newRunner(d.root, path)
	if err != nil {
		return err
	}
	defer close()
	given, err := d.readObject(ctx, maxObject, path)
	if err != nil {
		return err
	}
	round, problems := contract.ParseRound(given.text)
	if !problems.Valid() {
		return d.refuse(*d.view, given.name, tools.NewAbout(&contract.Contract{}, problems))
	}
	checks, findings := runner.RoundChecks(round)
	labels := make([]string, len(checks))
	for i, finding := range findings {
		labels[i] = fmt.Sprintf("finding %d, %s", finding+1, round.Findings[finding].Class)
	}
	batch := batch{kind: "round", file: given, root: d.root, trust: d.trust, labels: labels, checks: checks}
	if err := d.agree(ctx, batch); err != nil {
		return err
	}
	show, end := d.showChecks(labels)
	r.Show = show
	reproduced, err := r.Round(ctx, round)
	end()
	if err != nil {
		return err
	}
	answer := newRoundRunAnswer(given, round, reproduced)
	answer.Subject = r.Subject(ctx)
	if *d.view == viewJSON {
		return worstOf(d.writeJSON(answer), notValidUnless(answer.StillFailing == 0))
	}
	return worstOf(d.print(answer, round), notValidUnless(answer.StillFailing == 0))
}

func newRoundRunAnswer(given object, round *contract.Round, reproduced []runner.Reproduction) roundRunAnswer {
	answer := roundRunAnswer{SHA256: contract.SHA256(given.text), Findings: reproduced, WithoutCommand: []int{}}
	ran := map[int]bool{}
	for _, one := range reproduced {
		ran[one.Finding] = true
		if one.StillFails {
			answer.StillFailing++
		}
	}
	for i := range round.Findings {
		if !ran[i] {
			answer.WithoutCommand = append(answer.WithoutCommand, i)
		}
	}
	return answer
}

func (d *roundRun) print(a roundRunAnswer, round *contract.Round) error {
	page := d.newPage(d.stdout)
	for _, one := range a.Findings {
		state := "passes now"
		if one.StillFails {
			state = "still fails"
		}
		at := ""
		if one.Location != "" {
			at = " at " + one.Location
		}
		page.line("finding %d %s: %s%s", one.Finding+1, state, one.Class, at)
		page.finding("", one.Message)
	}
	for _, i := range a.WithoutCommand {
		page.line("finding %d has no command to run: %s", i+1, round.Findings[i].Class)
		page.finding("", round.Findings[i].Message)
	}
	page.line("still failing: %d of %s with a command", a.StillFailing, agentready.Count(len(a.Findings), "finding"))
	return page.print(d.stdout)
}
