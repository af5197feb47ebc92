package page

import (
	"context"
	"strconv"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// revision is a registered revision among others.
type revision struct {
	Number       int64
	Address      string
	Diff         string // address; empty for the first revision
	Who          string
	Role         contract.Actor // in which who registered it
	At           instant
	Used, Budget int64 // extension rounds
	Answer       string
	Changes      []change
	Unshown      int // changes for which the page has no room
	Warnings     []string
	Receipt      receipt
}

// change is one difference between two revisions.
type change struct {
	Kind  contract.ChangeKind
	Where string
	What  string
	// From and To are what stood there and what stands there now; empty for nothing to tell.
	From, To string
}

func newRevision(r *tools.RevisionRow, most int) revision {
	shown := revision{Number: r.Revision, Address: revisionAddress(r.ContractID, r.Revision), Who: show(r.Who, maxLabel), Role: r.Role, At: newInstant(r.At),
		Used: r.ExtensionsUsed, Budget: r.ExtensionsBudget, Answer: r.Answer, Receipt: newReceipt(r.Receipt)}
	if r.Revision > 1 {
		shown.Diff = diffAddress(r.ContractID, r.Revision-1, r.Revision)
	}
	shown.Changes, shown.Unshown = newChanges(r.Changes, most)
	for _, w := range r.Warnings {
		shown.Warnings = append(shown.Warnings, show(w.Message, maxText))
	}
	return shown
}

func newChanges(all []contract.Change, most int) (shown []change, more int) {
	all, more = first(all, most)
	for _, c := range all {
		where := "the contract"
		if c.Criterion != "" {
			where = c.Criterion
		}
		shown = append(shown, change{c.Kind, show(where, maxLabel), show(c.What, maxText), show(c.From, maxText), show(c.To, maxText)})
	}
	return shown, more
}

func revisionAddress(id string, revision int64) string {
	return addressOf(id, "revisions", strconv.FormatInt(revision, 10))
}

// revisionPage is what the template revision shows: what a revision says and changes.
type revisionPage struct {
	frame
	About    about
	Newest   int64
	Revision revision
	Criteria []criterion
	Unshown  int // criteria for which the page has no room
}

// criterion is one condition of a contract.
type criterion struct {
	ID, Class, Statement, Owner string
	Kind                        contract.Kind
	Parts                       []part // cases, entries, or the file they are in
	Unshown                     int
	Checks                      []string
}

// part is a case, an entry or a file, with what else the contract says of it.
type part struct{ Name, Told string }

func newPart(name string, most int, v *contract.Value, named ...string) part {
	return part{show(name, most), show(contract.Members(v, named...), maxText)}
}

func revisionView(ctx context.Context, l *ledger.Ledger, r request) (view, error) {
	n, err := strconv.ParseInt(r.last, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != r.last {
		return view{}, noPage()
	}
	found, err := l.Contract(ctx, r.id, n)
	if err != nil {
		return view{}, err
	}
	// The revisions before the next one begin with this one.
	rows, _, err := tools.Revisions(ctx, l, r.id, n+1, 1)
	if err != nil {
		return view{}, err
	}
	p := revisionPage{frame: newFrame(ctx, show(r.id, maxLabel)+", revision "+r.last), About: newAbout(found.Contract),
		Newest: found.Newest, Revision: newRevision(&rows[0], maxChanges)}
	criteria, more := first(found.Contract.Criteria, maxCriteria)
	p.Unshown = more
	for i := range criteria {
		p.Criteria = append(p.Criteria, newCriterion(found.Contract, &criteria[i]))
	}
	return view{"revision", p}, nil
}

func newCriterion(c *contract.Contract, cr *contract.Criterion) criterion {
	shown := criterion{ID: show(cr.ID, maxLabel), Class: show(cr.Class, maxLabel), Statement: show(cr.Statement, maxText), Owner: show(c.OwnerOf(cr), maxLabel), Kind: cr.Kind}
	for _, one := range cr.Cases {
		shown.Parts = append(shown.Parts, newPart(one.ID, maxLabel, one.Value, "id"))
	}
	for _, entry := range cr.Construction {
		shown.Parts = append(shown.Parts, newPart(entry.Statement, maxText, entry.Value, "statement"))
	}
	for _, file := range []*contract.ArtifactRef{cr.CaseFile, cr.Domain} {
		if file != nil {
			shown.Parts = append(shown.Parts, newPart(file.Path+"@"+file.Fingerprint, maxLabel, file.Value, "artifact", "fingerprint"))
		}
	}
	shown.Parts, shown.Unshown = first(shown.Parts, maxListed)
	for _, check := range cr.Checks {
		text := string(check.Type) + ": " + check.Run + check.Text
		if check.Expect != "" {
			text += "; expects: " + check.Expect
		}
		if told := contract.Members(check.Value, "type", "run", "text", "expect"); told != "" {
			text += "; " + told
		}
		shown.Checks = append(shown.Checks, show(text, maxText))
	}
	return shown
}
