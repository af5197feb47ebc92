package tools

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const registerContractDescription = `Registers a contract's next revision, its exact bytes and case files, as the one standard for builder and judge, and tells what changed and whether it answers an extension: grow, close, narrow. Use it as owner to begin, and to answer an extension. Do not use it to try a draft (validate_contract): what is registered never changes.`

const registerContractInput = `{
"type": "object",
"additionalProperties": false,
"required": ["record"],
"properties": {` + pathProperty + `, ` + contractProperty + `, ` + recordProperty + `,
	"artifacts": {"type": "object", "additionalProperties": {"type": "string"}, "description": "Case files the server cannot read: path to text"}
}}`

const registerContractOutput = `{
"type": "object",
"additionalProperties": false,
"required": ["uri", "answer", "changes", "already_registered", "recorded", "next", ` + aboutRequired + `],
"properties": {` + aboutProperties + `, "uri": {"type": "string"}, "answer": {"type": ["string", "null"]}, "changes": {"type": "array"},
	"already_registered": {"type": "boolean"}, "recorded": {"type": "boolean"}, "receipt": {"type": "object"}, "next": {"type": "array"}
}}`

// registerContract is the input of register_contract.
type registerContract struct {
	Path      string          `json:"path"`
	Contract  json.RawMessage `json:"contract"`
	Artifacts sentFiles       `json:"artifacts"`
	Record    bool            `json:"record"`
}

// RegisterAnswer is the answer of register_contract.
type RegisterAnswer struct {
	About
	// URI gives the registered bytes; empty where they are not registered.
	URI string `json:"uri"`
	// Answer is what the revision answers to an extension; nil for a first revision
	// and for one that is not valid.
	Answer            *string           `json:"answer"`
	Changes           []contract.Change `json:"changes"`
	AlreadyRegistered bool              `json:"already_registered"`
	Recorded          bool              `json:"recorded"`
	// Receipt names the event; nil where the revision is not registered.
	Receipt *ledger.Receipt `json:"receipt,omitempty"`
	Next    []contract.Step `json:"next"` // who acts now
	cuts
}

func newRegisterContract(name string, deps Deps) Tool {
	return Tool{
		Definition: define(name, "Register a contract", registerContractDescription, registerContractInput, registerContractOutput, appends()),
		Run: typed(func(ctx context.Context, in registerContract) (*RegisterAnswer, error) {
			return deps.register(ctx, in)
		}),
	}
}

// appends are the hints of a tool that adds to the ledger: nothing is lost by it, and a
// retry adds nothing.
func appends() mcp.ToolAnnotation {
	hints := readsOnly()
	hints.ReadOnlyHint = mcp.ToBoolPtr(false)
	return hints
}

func (d Deps) register(ctx context.Context, in registerContract) (*RegisterAnswer, error) {
	o, err := d.one(given{"contract", in.Contract}, in.Path)
	if err != nil {
		return nil, err
	}
	l, err := d.Ledger.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	files := withSent(in.Artifacts, o.files)
	var r *ledger.Registration
	if in.Record {
		r, err = l.Register(ctx, recorder(ctx), o.text, files)
	} else {
		r, err = l.CheckRevision(ctx, o.text, files)
	}
	if err != nil {
		return nil, registerFailure(err, "/"+o.argument)
	}
	return newRegisterAnswer(o, r, in.Record), nil
}

// registerFailure is ledgerFailure where an unknown contract is the one that was given.
func registerFailure(err error, path string) error {
	told := ledgerFailure(err, path)
	if known, ok := told.(*Error); ok && known.Code == UnknownContract {
		known.Path = path
	}
	return told
}

func newRegisterAnswer(o object, r *ledger.Registration, record bool) *RegisterAnswer {
	c := r.Contract
	if c == nil {
		c = &contract.Contract{Text: o.text}
	}
	a := &RegisterAnswer{About: NewAbout(c, r.Report), Changes: []contract.Change{}, AlreadyRegistered: r.Already, Receipt: r.Receipt, Next: r.Next}
	if r.Receipt != nil {
		a.URI, a.Recorded = uriOf(c), record
	}
	if r.Review != nil {
		a.Changes = append(a.Changes, r.Review.Changes...)
		for i := range a.Changes {
			a.Changes[i].What = clip(a.Changes[i].What, maxMessage)
		}
		if r.Review.Answer != "" {
			a.Answer = &r.Review.Answer
		}
	}
	a.fit(a, append(a.About.parts(), listPart("changes", 100, &a.Changes))...)
	return a
}
