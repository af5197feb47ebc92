package tools

import (
	"context"
	"encoding/json"

	"github.com/plumbline-mcp/plumbline/contract"
)

const validateContractDescription = `Checks an acceptance contract, or a chain of revisions and rounds, by every rule, and lists each problem with its place and fix. Use it when drafting a contract, before register_contract. Do not use it for a done report (check_done) or a round (check_round).`

const validateContractInput = `{
"type": "object",
"additionalProperties": false,
"properties": {` + pathProperty + `, ` + contractProperty + `
}}`

const validateContractOutput = `{
"type": "object",
"additionalProperties": false,
"required": ["kind", ` + aboutRequired + `],
"properties": {"kind": {"enum": ["contract", "chain"]}, ` + aboutProperties + `}}`

// validateContract is the input of validate_contract.
type validateContract struct {
	Path     string          `json:"path"`
	Contract json.RawMessage `json:"contract"`
}

// validateAnswer is its answer; of a chain, the labels are those of the newest revision.
type validateAnswer struct {
	Kind string `json:"kind"`
	About
	cuts
}

func newValidateContract(name string, deps Deps) Tool {
	return Tool{
		Definition: define(name, "Validate a contract", validateContractDescription, validateContractInput, validateContractOutput, readsOnly()),
		Run: typed(func(_ context.Context, in validateContract) (*validateAnswer, error) {
			o, err := deps.one(given{"contract", in.Contract}, in.Path)
			if err != nil {
				return nil, err
			}
			return validate(o), nil
		}),
	}
}

func validate(o object) *validateAnswer {
	a := &validateAnswer{Kind: "contract"}
	c, report := o.parse()
	if isChain(c.Value) {
		result := contract.CheckChain(o.text, o.files)
		a.Kind, c, report = "chain", result.Chain.Newest(), result.Report
	}
	a.About = NewAbout(c, report)
	a.fit(a, a.About.parts()...)
	return a
}
