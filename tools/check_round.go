package tools

import (
	"context"
	"encoding/json"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const checkRoundDescription = `Checks a judge's round: what each finding is (against a criterion, an extension for the owner, advisory), who acts on it, the extension budget and the verdict. Use it as judge, first with record: false, then true once it is valid. Do not use it for a builder's report (check_done); it runs no check.`

const checkRoundInput = `{
"type": "object",
"additionalProperties": false,
"required": ["record"],
"properties": {` + contractIDProperty + `, ` + contractProperty + `,
	"round": {"type": ["object", "string"], "description": "The round (AGC): object or JSON text"},
	` + pathProperty + `, ` + recordProperty + `, ` + submissionProperty + `
}}`

const checkRoundOutput = `{
"type": "object",
"additionalProperties": false,
"required": [` + aboutRequired + `, "verdict", "findings", "extension_round", "extensions_used", "extensions_budget", "must_escalate", "next", "recorded"],
"properties": {` + aboutProperties + `,
	"findings": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
		"disposition": {}, "criterion": {}, "route": {"enum": ["builder", "owner", "none"]}, "owner": {}, "class": {}, "location": {}}}},
	"verdict": {"type": "string"}, "extension_round": {"type": "boolean"}, "extensions_used": {"type": "integer"}, "extensions_budget": {"type": "integer"}, "must_escalate": {"type": "boolean"},
	` + recordingProperties + `
}}`

// checkRound is the input of check_round.
type checkRound struct {
	heldArguments
	Round json.RawMessage `json:"round"`
}

// RoundAnswer is the answer of check_round.
type RoundAnswer struct {
	About
	Verdict          contract.Verdict `json:"verdict"`  // the round's own; empty for text that is no round
	Findings         []JudgedFinding  `json:"findings"` // in the round's order
	ExtensionRound   bool             `json:"extension_round"`
	ExtensionsUsed   int64            `json:"extensions_used"`
	ExtensionsBudget int64            `json:"extensions_budget"`
	MustEscalate     bool             `json:"must_escalate"`
	Recording
	cuts
}

// JudgedFinding is what a finding is under the contract.
type JudgedFinding struct {
	Disposition contract.Disposition `json:"disposition"`
	Criterion   string               `json:"criterion"` // that holds its input; empty for none
	Route       contract.Route       `json:"route"`
	Owner       string               `json:"owner,omitempty"` // who answers it, of an extension
	Class       string               `json:"class"`
	Location    string               `json:"location"`
}

func newCheckRound(name string, deps Deps) Tool {
	return Tool{
		Definition: define(name, "Check a judge's round", checkRoundDescription, checkRoundInput, checkRoundOutput, appends()),
		Run: typed(func(ctx context.Context, in checkRound) (*RoundAnswer, error) {
			return deps.checkRound(ctx, in)
		}),
	}
}

func (d Deps) checkRound(ctx context.Context, in checkRound) (*RoundAnswer, error) {
	s, err := d.standard(ctx, in.heldArguments)
	if err != nil {
		return nil, err
	}
	o, err := d.one(given{"round", in.Round}, in.Path)
	if err != nil {
		return nil, err
	}
	if s.ledger == nil {
		result := contract.CheckRound(s.inline, s.report, o.text, s.artifact.files)
		return NewRoundAnswer(s.inline, result, newRecording(s.alone(), nil, false)).fitted(), nil
	}
	var answer *ledger.RoundAnswer
	if in.Record {
		answer, err = s.ledger.RecordRound(ctx, recorder(ctx), ledger.Submission{Contract: s.id, Key: in.Submission, Text: o.text})
	} else {
		answer, err = s.ledger.CheckRound(ctx, s.id, o.text)
	}
	if err != nil {
		return nil, s.failed(ctx, err, "/"+o.argument)
	}
	return NewRoundAnswer(answer.Contract, answer.Result, newRecording(answer.Next, answer.Receipt, answer.Repeated)).fitted(), nil
}

// NewRoundAnswer is the answer about a round that was held against a contract, with
// every problem and finding in full.
func NewRoundAnswer(c *contract.Contract, result *contract.RoundResult, r Recording) *RoundAnswer {
	a := &RoundAnswer{
		About: NewAbout(c, result.Report), Findings: NewJudgedFindings(result),
		ExtensionRound: result.ExtensionRound, ExtensionsUsed: result.ExtensionsUsed, ExtensionsBudget: result.ExtensionsBudget,
		MustEscalate: result.MustEscalate, Recording: r,
	}
	if result.Round != nil {
		a.Verdict = result.Round.Verdict
	}
	return a
}

func (a *RoundAnswer) fitted() *RoundAnswer {
	a.Verdict = contract.Verdict(clip(string(a.Verdict), maxLabel)) // any text, where it is not valid
	for i := range a.Findings {
		f := &a.Findings[i]
		f.Owner, f.Class, f.Location = clip(f.Owner, maxLabel), clip(f.Class, maxLabel), clip(f.Location, maxLabel)
	}
	a.fit(a, append(a.About.parts(), listPart("findings", 100, &a.Findings))...)
	return a
}

// NewJudgedFindings says what each finding of a round is, in its order; empty, never
// nil, for a round without any.
func NewJudgedFindings(result *contract.RoundResult) []JudgedFinding {
	rows := make([]JudgedFinding, len(result.Findings))
	for i, j := range result.Findings {
		f := result.Round.Findings[i]
		rows[i] = JudgedFinding{Disposition: j.Disposition, Route: j.Route(), Owner: j.Owner, Class: f.Class, Location: f.Location}
		if j.Criterion != nil {
			rows[i].Criterion = j.Criterion.ID
		}
	}
	return rows
}
