package tools

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

const chainStatusDescription = `Shows how a contract stands: done report, rounds, extension budget, the last round's findings to mend, and who acts next; without contract_id, lists all contracts. Use it to find your turn, and as builder to read what to mend. Do not use it for the standard itself (render_brief).`

const chainStatusInput = `{
"type": "object",
"additionalProperties": false,
"properties": {
	` + contractIDProperty + `,
	"waiting_on": {"type": "string", "enum": ["owner", "builder", "judge"], "description": "List only contracts that wait for this role"},
	"cursor": {"type": "string", "maxLength": 250, "description": "next_cursor of the last answer"}
}}`

const chainStatusOutput = `{
"type": "object",
"additionalProperties": false,
"properties": {` + labelProperties + `, "subject": {"type": "string"}, "rounds": {"type": "integer"},
	"extensions_used": {"type": "integer"}, "extensions_budget": {"type": "integer"}, "last_verdict": {"type": "string"},
	"done_report": {"type": ["object", "null"]}, "last_round": {"type": ["object", "null"]}, "open": {"type": ["object", "null"]},
	"facts": {"type": "array"}, "head": {"type": "object"}, "next": {"type": "array"},
	"contracts": {"type": "array", "items": {"type": "object"}}, "next_cursor": {"type": "string"}, "omitted": {"type": "object"}
}}`

// chainStatus is the input of chain_status.
type chainStatus struct {
	ContractID string         `json:"contract_id"`
	WaitingOn  contract.Actor `json:"waiting_on"`
	Cursor     string         `json:"cursor"`
}

// StatusRow is how one contract stands, as a list shows it.
type StatusRow struct {
	Label
	Rounds           int64            `json:"rounds"`       // of all revisions
	LastVerdict      contract.Verdict `json:"last_verdict"` // on the newest revision; empty for none
	ExtensionsUsed   int64            `json:"extensions_used"`
	ExtensionsBudget int64            `json:"extensions_budget"`
	Head             ledger.Receipt   `json:"head"`
	Next             []contract.Step  `json:"next"`
}

// StatusAnswer is the answer of chain_status about one contract.
type StatusAnswer struct {
	StatusRow
	Subject    string        `json:"subject"`
	DoneReport *DoneRow      `json:"done_report"`
	LastRound  *RoundRow     `json:"last_round"`
	Open       *OpenRow      `json:"open"`
	Facts      []ledger.Fact `json:"facts"`
	cuts
}

// StatusList is its answer about all, a page.
type StatusList struct {
	Contracts  []StatusRow `json:"contracts"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

func newChainStatus(name string, deps Deps) Tool {
	return Tool{
		Definition: define(name, "Show how contracts stand", chainStatusDescription, chainStatusInput, chainStatusOutput, readsOnly()),
		Run: typed(func(ctx context.Context, in chainStatus) (any, error) {
			l, err := deps.Ledger.Ledger(ctx)
			if err != nil {
				return nil, err
			}
			if in.ContractID == "" {
				return listStatus(ctx, l, in)
			}
			return oneStatus(ctx, l, in)
		}),
	}
}

func oneStatus(ctx context.Context, l *ledger.Ledger, in chainStatus) (*StatusAnswer, error) {
	if in.WaitingOn != "" || in.Cursor != "" {
		return nil, &Error{Code: BadArgument, Path: "/contract_id", Message: "`waiting_on` and `cursor` are for the list of all contracts",
			Hint: "leave them out, or leave `contract_id` out"}
	}
	s, err := statusFor(ctx, l, in.ContractID, "")
	if err != nil {
		return nil, lookupFailure(ctx, l, in.ContractID, err, "")
	}
	a := &StatusAnswer{
		StatusRow: StatusRow{
			Label: NewLabel(s.Contract), Rounds: s.Rounds, ExtensionsUsed: s.ExtensionsUsed, ExtensionsBudget: s.ExtensionsBudget,
			LastVerdict: s.Progress.Verdict, Head: s.Head, Next: s.Next,
		},
		Subject: clip(s.Subject, maxLabel), DoneReport: newDoneRow(s.Done), LastRound: newRoundRow(s.Last),
		Open: newOpenRow(s, roleOf(ctx)), Facts: facts(s),
	}
	parts := []part{listPart("facts", factShare, &a.Facts)}
	if a.Open != nil {
		parts = append(parts, listPart("findings", 100, &a.Open.Findings))
	}
	a.fit(a, parts...)
	return a, nil
}

// listStatus gives a page of contracts. So few rows of bounded length always fit.
func listStatus(ctx context.Context, l *ledger.Ledger, in chainStatus) (*StatusList, error) {
	after, err := decodeAfter(in.Cursor)
	if err != nil {
		return nil, err
	}
	page, more, err := l.Contracts(ctx, ledger.Query{WaitingOn: in.WaitingOn, After: after})
	if err != nil {
		return nil, ledgerFailure(err, "/waiting_on")
	}
	list := &StatusList{Contracts: make([]StatusRow, len(page))}
	for i, s := range page {
		list.Contracts[i] = StatusRow{
			Label: Label{s.ContractID, s.Revision, s.Fingerprint, s.SHA256}, Rounds: s.Rounds, LastVerdict: s.LastVerdict,
			ExtensionsUsed: s.ExtensionsUsed, ExtensionsBudget: s.ExtensionsBudget, Head: s.Head, Next: s.Next,
		}
	}
	if more {
		list.NextCursor = encodeAfter(page[len(page)-1].ContractID)
	}
	return list, nil
}

// A cursor of the list names the last contract that was shown.
const afterPrefix = "after:"

func encodeAfter(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(afterPrefix + id))
}

func decodeAfter(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	id, found := strings.CutPrefix(string(text), afterPrefix)
	if err != nil || !found || id == "" {
		return "", &Error{Code: BadArgument, Path: "/cursor", Message: "`cursor` is none that this server gave out",
			Hint: "leave `cursor` out to start again, or pass `next_cursor` as it was answered"}
	}
	return id, nil
}
