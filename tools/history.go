package tools

import (
	"context"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// Moment is one event of a contract's chain as a role may see it: one of Revision, Done
// and Round is not nil.
type Moment struct {
	Revision *RevisionRow
	Done     *DoneRow
	Round    *RoundRow
	// Findings are those of a round that the role may see, each cut as chain_status does.
	Findings []OpenFinding
	// Failing is how many criteria a check of a done report did not pass of;
	// [DoneRow] names the first of them.
	Failing int
	// Facts are names of what the record shows of a round ([ledger.Moment]).
	Facts []string
}

// RevisionRow is a registered revision, with what it does to the one before it.
type RevisionRow struct {
	Label
	Who              string
	Role             contract.Actor
	At               string
	Answer           string // grow, close, narrow, mixed or none; empty for a first revision
	Changes          []contract.Change
	Warnings         []contract.Problem
	ExtensionsUsed   int64 // extension rounds against it so far
	ExtensionsBudget int64
	Receipt          ledger.Receipt
}

func newRevisionRow(r *ledger.RevisionStatus) *RevisionRow {
	return &RevisionRow{Label: NewLabel(r.Contract), Who: r.Who, Role: r.Role, At: stamp(r.At), Answer: r.Review.Answer, Changes: r.Review.Changes,
		Warnings: r.Review.Report.Warnings(), ExtensionsUsed: r.ExtensionsUsed, ExtensionsBudget: r.ExtensionsBudget, Receipt: r.Receipt}
}

// History reads a page of a contract's chain, the newest event first, as the context's
// caller may see it. Arguments, older and errors are those of [ledger.Ledger.History].
func History(ctx context.Context, l *ledger.Ledger, id string, before int64, limit int) (page []Moment, older int64, err error) {
	moments, older, err := l.History(ctx, id, before, limit)
	if err != nil {
		return nil, 0, err
	}
	role := roleOf(ctx)
	for _, m := range moments {
		if !SeesExtensions(role) {
			m = m.ForBuilder()
		}
		row := Moment{Done: newDoneRow(m.Done), Round: newRoundRow(m.Round), Facts: m.Facts}
		if m.Revision != nil {
			row.Revision = newRevisionRow(m.Revision)
		}
		if m.Done != nil {
			row.Failing = len(m.Done.Failing)
		}
		if m.Round != nil {
			row.Findings = shownFindings(m.Round.Result, role)
		}
		page = append(page, row)
	}
	return page, older, nil
}

// Revisions reads a page of a contract's revisions, the newest first. Arguments, older
// and errors are those of [ledger.Ledger.Revisions].
func Revisions(ctx context.Context, l *ledger.Ledger, id string, before int64, limit int) (page []RevisionRow, older int64, err error) {
	revisions, older, err := l.Revisions(ctx, id, before, limit)
	for i := range revisions {
		page = append(page, *newRevisionRow(&revisions[i]))
	}
	return page, older, err
}
