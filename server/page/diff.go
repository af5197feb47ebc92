package page

import (
	"context"
	"fmt"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// diffPage is what the template diff shows: what differs between two revisions.
type diffPage struct {
	frame
	From, To about
	Answer   string // of a revision to the one before it; empty for any other two
	Changes  []change
	Unshown  int
	Diff     diffForm
}

// diffForm asks for a diff between two revisions.
type diffForm struct {
	Address  string
	From, To int64
	Newest   int64
}

// newDiffForm is the form of a contract; nothing is compared with a revision 0.
func newDiffForm(id string, from, newest int64) diffForm {
	return diffForm{addressOf(id, "diff"), max(from, 1), newest, newest}
}

func diffAddress(id string, from, to int64) string {
	return fmt.Sprintf("%s?from=%d&to=%d", addressOf(id, "diff"), from, to)
}

// diffView compares two revisions, by default the newest with the one before it.
func diffView(ctx context.Context, l *ledger.Ledger, r request) (view, error) {
	number, err := r.number("to")
	if err != nil {
		return view{}, err
	}
	to, err := l.Contract(ctx, r.id, number)
	if err != nil {
		return view{}, err
	}
	if number, err = r.number("from"); err != nil {
		return view{}, err
	}
	if number == 0 {
		number = max(to.Contract.Revision-1, 1)
	}
	from, err := l.Contract(ctx, r.id, number)
	if err != nil {
		return view{}, err
	}
	all := contract.Changes(from.Contract, to.Contract)
	p := diffPage{
		frame: newFrame(ctx, fmt.Sprintf("%s, revision %d to %d", show(r.id, maxLabel), from.Contract.Revision, to.Contract.Revision)),
		From:  newAbout(from.Contract), To: newAbout(to.Contract),
		Diff: diffForm{addressOf(r.id, "diff"), from.Contract.Revision, to.Contract.Revision, to.Newest},
	}
	if to.Contract.Revision == from.Contract.Revision+1 {
		p.Answer = contract.Answer(all)
	}
	p.Changes, p.Unshown = newChanges(all, maxChanges)
	return view{"diff", p}, nil
}
