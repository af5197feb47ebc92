package tools

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const renderBriefDescription = `Gives the one standard to work by: the brief for builder or judge, the contract's exact bytes, and the state, for a judge with a round to fill in. Use it before building or judging, and again after each new revision. Do not use it for the last round's findings (chain_status).`

const renderBriefInput = `{
"type": "object",
"additionalProperties": false,
"required": ["role"],
"properties": {
	"role": {"type": "string", "enum": ["builder", "judge"], "description": "Whose brief"},
	` + contractIDProperty + `,
	"revision": {"type": "integer", "minimum": 1, "maximum": 9007199254740991, "description": "With contract_id (default the newest)"},
	` + contractProperty + `
}}`

const renderBriefOutput = `{
"type": "object",
"additionalProperties": false,
"required": ["brief", "contract_text", "contract_id", "revision", "fingerprint", "sha256", "uri", "state"],
"properties": {"brief": {"type": "string"}, "contract_text": {"type": "string"}, ` + labelProperties + `, "uri": {"type": "string"}, "state": {"type": ["object", "null"]}}}`

// renderBrief is the input of render_brief.
type renderBrief struct {
	Role       contract.Role   `json:"role"`
	ContractID string          `json:"contract_id"`
	Revision   *float64        `json:"revision"`
	Contract   json.RawMessage `json:"contract"`
}

// BriefAnswer is the answer of render_brief.
type BriefAnswer struct {
	Brief        string `json:"brief"`
	ContractText string `json:"contract_text"`
	Label
	// URI gives the same bytes; empty where they are not registered.
	URI string `json:"uri"`
	// State is how the registered contract stands; nil for one that is not.
	State *BriefState `json:"state"`

	text string
	made *made // nil for an answer that is not kept
}

// ResultText is the brief with the contract in a fence, and the state's JSON apart
// from it: hosts that forward text alone lose nothing.
func (a *BriefAnswer) ResultText() ([]string, error) {
	state, err := Encode(map[string]*BriefState{"state": a.State})
	return []string{a.text, string(state)}, err
}

func newRenderBrief(name string, deps Deps) Tool {
	b := briefs{Deps: deps, kept: newKeptBriefs()}
	return Tool{
		Definition: define(name, "Render a brief", renderBriefDescription, renderBriefInput, renderBriefOutput, readsOnly()),
		Run:        typed(b.brief),
	}
}

// briefs render briefs, and keep those of registered contracts.
type briefs struct {
	Deps
	kept *keptBriefs
}

func (d briefs) brief(ctx context.Context, in renderBrief) (*BriefAnswer, error) {
	if in.Role == contract.Judge && !SeesExtensions(roleOf(ctx)) {
		return nil, &Error{Code: BadArgument, Path: "/role", Message: "a builder gets the builder's brief; the judge's holds the same contract", Hint: "ask with role: builder"}
	}
	text, inline, err := given{"contract", in.Contract}.text()
	switch {
	case err != nil:
		return nil, err
	case inline == (in.ContractID != ""):
		return nil, oneContract(inline)
	case !inline:
		return d.registeredBrief(ctx, in)
	case in.Revision != nil:
		return nil, &Error{Code: BadArgument, Path: "/revision", Message: "`revision` goes with `contract_id`: an inline contract has its own", Hint: "leave `revision` out"}
	}
	o, err := bounded(object{"contract", text, d.Roots.trees()})
	if err != nil {
		return nil, err
	}
	c, report := o.parse()
	if !report.Valid() {
		return nil, invalidContract(o, report)
	}
	return d.inlineBrief(ctx, c, in.Role)
}

func newBriefAnswer(c *contract.Contract, role contract.Role) *BriefAnswer {
	brief := contract.Brief(c, role)
	return &BriefAnswer{Brief: brief, ContractText: string(c.Text), Label: NewLabel(c), text: contract.AppendContract(brief, c)}
}

func (d briefs) registeredBrief(ctx context.Context, in renderBrief) (*BriefAnswer, error) {
	l, err := d.Ledger.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	revision := int64(0)
	if in.Revision != nil {
		revision = int64(*in.Revision)
	}
	a, err := d.standing(ctx, l, in.ContractID, revision, in.Role)
	if err != nil {
		return nil, lookupFailure(ctx, l, in.ContractID, err, "")
	}
	return a, nil
}

// standing gives the brief of a registered revision, the newest for 0, with its state as
// the caller may see it. It is the kept one where nothing was recorded since.
func (d briefs) standing(ctx context.Context, l *ledger.Ledger, id string, revision int64, role contract.Role) (*BriefAnswer, error) {
	key := briefKey{revision: revision, role: role, whole: SeesExtensions(roleOf(ctx))}
	if head, err := l.Head(ctx, id); err == nil { // else reading it all says what is wrong
		key.head = head.Hash
		if a := d.kept.get(key); a != nil {
			return a, nil
		}
	}
	found, status, err := l.Standing(ctx, id, revision)
	if err != nil {
		return nil, err
	}
	key.head = status.Head.Hash // it may be newer than the one above
	if !key.whole {
		status = status.ForBuilder("")
	}
	a := newBriefAnswer(found.Contract, role)
	a.addState(found, status, role)
	d.kept.keep(key, a)
	return a, nil
}

// inlineBrief adds the state where exactly these bytes are registered. A brief needs no
// ledger, so that one which cannot be read is no failure.
func (d briefs) inlineBrief(ctx context.Context, c *contract.Contract, role contract.Role) (*BriefAnswer, error) {
	l, err := d.Ledger.Ledger(ctx)
	if err == nil {
		err = l.RequireRegistered(ctx, c)
	}
	var a *BriefAnswer
	if err == nil {
		a, err = d.standing(ctx, l, c.ID, c.Revision, role)
	}
	var told *Error
	var le *ledger.Error
	if errors.As(err, &told) || errors.As(err, &le) {
		return newBriefAnswer(c, role), nil
	}
	return a, err
}

func (a *BriefAnswer) addState(found *ledger.Registered, status *ledger.Status, role contract.Role) {
	c := found.Contract
	a.URI, a.State = uriOf(c), newBriefState(found, status)
	if role == contract.Judge && c.Revision == status.Contract.Revision {
		template := contract.NewRoundTemplate(c)
		a.State.RoundTemplate = &template
	}
}
