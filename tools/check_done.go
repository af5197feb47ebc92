package tools

import (
	"context"
	"encoding/json"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const checkDoneDescription = `Checks a builder's done report: every command and preview check of the contract run, once, as written, and passed. Use it as builder when the work is finished, with record: true to hand it to the judge. Do not use it to judge the work (check_round), or to run the checks: it runs nothing.`

const checkDoneInput = `{
"type": "object",
"additionalProperties": false,
"required": ["record"],
"properties": {` + contractIDProperty + `, ` + contractProperty + `,
	"report": {"type": ["object", "string"], "description": "The done report: object or JSON text"},
	` + pathProperty + `, ` + recordProperty + `, ` + submissionProperty + `
}}`

const checkDoneOutput = `{
"type": "object",
"additionalProperties": false,
"required": ["complete", "done", ` + aboutRequired + `, "next", "recorded"],
"properties": {` + aboutProperties + `, "complete": {"type": "boolean"}, "done": {"type": "boolean"}, ` + recordingProperties + `}}`

// checkDone is the input of check_done.
type checkDone struct {
	heldArguments
	Report json.RawMessage `json:"report"`
}

// DoneAnswer is the answer of check_done.
type DoneAnswer struct {
	About
	// Complete says that the report tells the result of each check, Done that all
	// passed too.
	Complete bool `json:"complete"`
	Done     bool `json:"done"`
	Recording
	cuts
}

func newCheckDone(name string, deps Deps) Tool {
	return Tool{
		Definition: define(name, "Check a done report", checkDoneDescription, checkDoneInput, checkDoneOutput, appends()),
		Run: typed(func(ctx context.Context, in checkDone) (*DoneAnswer, error) {
			return deps.checkDone(ctx, in)
		}),
	}
}

func (d Deps) checkDone(ctx context.Context, in checkDone) (*DoneAnswer, error) {
	s, err := d.standard(ctx, in.heldArguments)
	if err != nil {
		return nil, err
	}
	o, err := d.one(given{"report", in.Report}, in.Path)
	if err != nil {
		return nil, err
	}
	if s.ledger == nil {
		result := contract.CheckDone(s.inline, s.report, o.text)
		return NewDoneAnswer(s.inline, result, newRecording(s.alone(), nil, false)).fitted(), nil
	}
	var answer *ledger.DoneAnswer
	if in.Record {
		answer, err = s.ledger.RecordDone(ctx, recorder(ctx), ledger.Submission{Contract: s.id, Key: in.Submission, Text: o.text})
	} else {
		answer, err = s.ledger.CheckDone(ctx, s.id, o.text)
	}
	if err != nil {
		return nil, s.failed(ctx, err, "/"+o.argument)
	}
	return NewDoneAnswer(answer.Contract, answer.Result, newRecording(answer.Next, answer.Receipt, answer.Repeated)).fitted(), nil
}

// NewDoneAnswer is the answer about a report that was held against a contract, with
// every problem in full.
func NewDoneAnswer(c *contract.Contract, result *contract.DoneResult, r Recording) *DoneAnswer {
	return &DoneAnswer{About: NewAbout(c, result.Report), Complete: result.Complete(), Done: result.IsDone(), Recording: r}
}

func (a *DoneAnswer) fitted() *DoneAnswer {
	a.fit(a, a.About.parts()...)
	return a
}
