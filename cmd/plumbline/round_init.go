package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

const roundInitHelp = `Write a round to start from: with the fingerprint and the classes of a contract, of
a file or with --id the newest revision in the ledger, and then the commit too that was
last reported or judged. The verdict and the findings are the judge's to fill in: until
then the round is not valid. FILE must not exist yet; without it, or with -, the round
goes to stdout. ` + "`plumbline round check -h`" + ` shows a finding.`

const roundInitExample = `  plumbline round init --id checkout-refunds round.json
  plumbline round init --contract contract.json round.json`

// roundStart is the round that `round init` writes.
type roundStart struct {
	Note string `json:"note"`
	contract.RoundTemplate
	Subject  roundSubject `json:"subject"`
	Verdict  string       `json:"verdict"` // empty: nobody has judged yet
	Findings []struct{}   `json:"findings"`
}

type roundSubject struct {
	Commit string `json:"commit"`
}

const roundNote = "Fill in verdict (pass, fail or escalate), the commit that you judged, and findings. " +
	"`plumbline round check -h` shows a finding, `plumbline schema agc` has every member. Remove this note."

func newRoundInitCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "init [--contract FILE | --id ID] [FILE]",
		Short:   "Write a round to start from",
		Long:    roundInitHelp,
		Example: roundInitExample,
		Args:    atMost(1, "at most one file"),
	}
	standard := addStandard(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		start, err := standard.roundStart(cmd.Context(), p)
		if err != nil {
			return err
		}
		text, err := encodeJSON(start)
		if err != nil {
			return err
		}
		return p.start(args, text, "fill in its verdict and findings, then check it with `plumbline round check`")
	}
	return cmd
}

// roundStart makes the round of the contract that the flags name.
func (s *standardFlags) roundStart(ctx context.Context, p *process) (*roundStart, error) {
	alone, err := s.alone()
	if err != nil {
		return nil, err
	}
	if !alone {
		a, err := askBrief(ctx, s.service, contract.Judge, s.id, &revisionFlag{})
		if errors.Is(err, errForJudges) {
			return nil, usagef("a builder writes no round: act as judge or owner, over a ledger by --role, at a server by a token of one in PLUMBLINE_TOKEN")
		}
		if err == nil && a.State.RoundTemplate == nil {
			err = mistaken(errors.New("it holds no round to fill in"))
		}
		if err != nil {
			return nil, err
		}
		return newRoundStart(*a.State.RoundTemplate, a.State.Subject), nil
	}
	if s.contract == "" {
		return nil, usagef("no contract to judge by: name its file with --contract FILE, or its id with --id ID")
	}
	given, err := p.readContract(ctx, s.contract, "")
	if err != nil {
		return nil, err
	}
	if !given.report.Valid() {
		return nil, p.refuse(viewText, given.name, tools.NewAbout(given.Contract, given.report))
	}
	return newRoundStart(contract.NewRoundTemplate(given.Contract), ""), nil
}

func newRoundStart(template contract.RoundTemplate, commit string) *roundStart {
	return &roundStart{Note: roundNote, RoundTemplate: template, Subject: roundSubject{commit}, Findings: []struct{}{}}
}
