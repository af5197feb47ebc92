package tools

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// standard is what a report or a round is held against: a registered contract, or one
// that was given inline.
type standard struct {
	// ledger has the contract with the id; nil for one that is judged alone.
	ledger *ledger.Ledger
	id     string

	inline   *contract.Contract
	report   *contract.Report // of the inline one
	artifact object
	unasked  error // why the ledger could not say whether the inline one is registered
}

// heldArguments are the arguments that check_done and check_round share.
type heldArguments struct {
	ContractID string          `json:"contract_id"`
	Contract   json.RawMessage `json:"contract"`
	Path       string          `json:"path"`
	Record     bool            `json:"record"`
	Submission string          `json:"submission"`
}

// standard finds what the call holds something against. An inline contract whose bytes
// are registered is the registered one; any other cannot be recorded on.
func (d Deps) standard(ctx context.Context, args heldArguments) (standard, error) {
	if args.Record && args.Submission == "" {
		return standard{}, &Error{Code: SubmissionRequired, Path: "/submission", Message: "a recording needs a submission",
			Hint: "give a key of your own for this attempt; a retry under the same key is not recorded twice"}
	}
	text, inline, err := given{"contract", args.Contract}.text()
	if err != nil {
		return standard{}, err
	}
	if inline == (args.ContractID != "") {
		return standard{}, oneContract(inline)
	}
	if !inline {
		l, err := d.Ledger.Ledger(ctx)
		return standard{ledger: l, id: args.ContractID}, err
	}
	o, err := bounded(object{"contract", text, d.Roots.trees()})
	if err != nil {
		return standard{}, err
	}
	s := standard{artifact: o}
	if s.inline, s.report = o.parse(); !s.report.Valid() {
		return s, nil
	}
	l, err := d.Ledger.Ledger(ctx)
	if err == nil {
		err = l.RequireRegistered(ctx, s.inline)
	}
	if err == nil {
		return standard{ledger: l, id: s.inline.ID}, nil
	}
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	told := ledgerFailure(err, "/contract")
	if args.Record {
		return s, told
	}
	if known := (*Error)(nil); !errors.As(told, &known) || known.Code != NotRegistered {
		s.unasked = told
	}
	return s, nil // judged alone, as the answer's next step says
}

func oneContract(both bool) error {
	e := &Error{Code: BadArgument, Message: "neither `contract_id` nor `contract` was given", Hint: "give one of `contract_id` and `contract`"}
	if both {
		e.Message = "both `contract_id` and `contract` were given"
	}
	return e
}

// alone is the next step of an inline contract that is not known as the registered one.
func (s standard) alone() []contract.Step {
	why := "the contract as given is not registered: it was judged alone, and nothing can be recorded on it"
	if s.unasked != nil {
		why = "the ledger could not be asked whether the contract is registered (" + clip(s.unasked.Error(), maxNote) + "): it was judged alone"
	}
	return []contract.Step{{Actor: contract.ActorOwner, Tool: "register_contract", Why: why}}
}

// failed words an error of the ledger about the standard; an unknown id gets the
// nearest ones.
func (s standard) failed(ctx context.Context, err error, path string) error {
	return lookupFailure(ctx, s.ledger, s.id, err, path)
}

func lookupFailure(ctx context.Context, l *ledger.Ledger, id string, err error, path string) error {
	told := ledgerFailure(err, path)
	var known *Error
	if !errors.As(told, &known) || known.Code != UnknownContract {
		return told
	}
	if ids := allContracts(ctx, l); len(ids) > 0 {
		known.Hint = "chain_status without arguments lists all"
		if near := Nearest(id, ids, maxNearest); len(near) > 0 {
			known.Hint = "the nearest: " + quoted(near) + "; " + known.Hint
		}
	}
	return known
}

// maxSearched is among how many contracts a mistyped id is looked for.
const maxSearched = 1_000

// allContracts are the ids of all contracts; none where they are too many to compare, as
// the first of them are no nearer than others.
func allContracts(ctx context.Context, l *ledger.Ledger) []string {
	var ids []string
	query := ledger.Query{Limit: ledger.MaxPageSize}
	for more := true; more; {
		var page []ledger.Summary
		var err error
		page, more, err = l.Contracts(ctx, query)
		if err != nil || len(ids)+len(page) > maxSearched {
			return nil
		}
		for _, c := range page {
			ids = append(ids, c.ContractID)
			query.After = c.ContractID
		}
	}
	return ids
}
