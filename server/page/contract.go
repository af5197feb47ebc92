package page

import (
	"context"
	"net/url"
	"strconv"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// contractPage is what the template contract shows: how a contract stands, its revisions
// and its chain, a page of each.
type contractPage struct {
	frame
	About                  about
	Open                   bool // the gate
	Reasons                []reason
	Next                   []contract.Step
	Facts                  []fact
	Rounds                 bool // whether there is one
	Used, Budget, UsedEver int64

	Revisions      []revision
	OlderRevisions string // address; empty for none
	Moments        []moment
	Newest, Older  string
	Diff           diffForm
	Head           receipt
}

// about names a revision of a contract.
type about struct {
	ID, Address             string
	Title, Owner, Authority string
	Revision                int64
	RevisionAddress         string
	Fingerprint, SHA256     string
}

func newAbout(c *contract.Contract) about {
	return about{
		ID: show(c.ID, maxLabel), Address: addressOf(c.ID), Title: show(c.Title, maxText), Owner: show(c.Owner, maxLabel), Authority: show(c.Authority, maxText),
		Revision: c.Revision, RevisionAddress: revisionAddress(c.ID, c.Revision), Fingerprint: c.Fingerprint, SHA256: c.SHA256(),
	}
}

// reason is why the gate is closed.
type reason struct{ Why, Who, Do string }

type fact struct{ Name, Text string }

type receipt struct {
	Seq  int64
	Hash string
}

func contractView(ctx context.Context, l *ledger.Ledger, r request) (view, error) {
	before, err := r.number("before")
	if err != nil {
		return view{}, err
	}
	revisionsBefore, err := r.number("revisions_before")
	if err != nil {
		return view{}, err
	}
	gate, err := tools.AskGate(ctx, l, r.id, "")
	if err != nil {
		return view{}, err
	}
	found, err := l.Contract(ctx, r.id, gate.Revision)
	if err != nil {
		return view{}, err
	}
	p := contractPage{frame: newFrame(ctx, show(r.id, maxLabel)), About: newAbout(found.Contract), Diff: newDiffForm(r.id, gate.Revision-1, gate.Revision)}
	p.stand(gate)
	revisions, older, err := tools.Revisions(ctx, l, r.id, revisionsBefore, maxRevised)
	if err != nil {
		return view{}, err
	}
	for i := range revisions {
		p.Revisions = append(p.Revisions, newRevision(&revisions[i], maxGlance))
	}
	if older > 0 {
		p.OlderRevisions = listsAddress(r.id, before, older)
	}
	moments, older, err := tools.History(ctx, l, r.id, before, maxEvents)
	if err != nil {
		return view{}, err
	}
	for _, m := range moments {
		p.Moments = append(p.Moments, newMoment(m))
	}
	if older > 0 {
		p.Older = listsAddress(r.id, older, revisionsBefore)
	}
	if before+revisionsBefore > 0 {
		p.Newest = p.About.Address
	}
	return view{"contract", p}, nil
}

// listsAddress is the address of a contract's page with the events and the revisions in
// front of a number each, 0 for the newest.
func listsAddress(id string, events, revisions int64) string {
	query := url.Values{}
	for name, n := range map[string]int64{"before": events, "revisions_before": revisions} {
		if n > 0 {
			query.Set(name, strconv.FormatInt(n, 10))
		}
	}
	return addressOf(id) + "?" + query.Encode()
}

// stand takes over how the contract stands.
func (p *contractPage) stand(gate *tools.GateAnswer) {
	p.Open, p.Next, p.Rounds = gate.Open, gate.Next, gate.LastRound != nil
	p.Used, p.Budget, p.UsedEver = gate.ExtensionsUsed, gate.ExtensionsBudget, gate.ExtensionsEver
	p.Head = receipt{gate.Head.Seq, gate.Head.Hash}
	for _, why := range gate.Reasons {
		p.Reasons = append(p.Reasons, reason{show(why.Reason, maxText), string(why.Actor), show(why.Do, maxText)})
	}
	for _, f := range gate.Facts {
		p.Facts = append(p.Facts, fact{words(f.Name), show(f.Text, maxText)})
	}
}
