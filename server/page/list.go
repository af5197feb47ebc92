package page

import (
	"context"
	"net/url"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// listPage is what the template list shows: a page of the contracts.
type listPage struct {
	frame
	Filters   []filter
	Contracts []listed
	// Start is the address of the first page, empty there; Next that of the page after.
	Start, Next string
}

// filter lists only the contracts that wait for one actor.
type filter struct {
	Name, Address string
	Current       bool
}

type listed struct {
	ID, Address string
	Waiting     string // for whom
	Verdict     contract.Verdict
	Revision    int64
	Rounds      int64
	Used        int64 // extension rounds
	Budget      int64
}

// actors are those whom a contract may wait for, with the name of the list of all.
var actors = []struct {
	actor contract.Actor
	name  string
}{{"", "All"}, {contract.ActorOwner, "Owner"}, {contract.ActorBuilder, "Builder"}, {contract.ActorJudge, "Judge"}}

func listView(ctx context.Context, l *ledger.Ledger, r request) (view, error) {
	waiting, after := contract.Actor(r.query.Get("waiting_on")), r.query.Get("after")
	found, more, err := l.Contracts(ctx, ledger.Query{WaitingOn: waiting, After: after})
	if err != nil {
		return view{}, err
	}
	p := listPage{frame: newFrame(ctx, "Contracts")}
	for _, a := range actors {
		p.Filters = append(p.Filters, filter{a.name, listAddress(a.actor, ""), a.actor == waiting})
	}
	for _, s := range found {
		p.Contracts = append(p.Contracts, listed{
			ID: show(s.ContractID, maxLabel), Address: addressOf(s.ContractID), Waiting: waitingFor(s.Next), Verdict: s.LastVerdict,
			Revision: s.Revision, Rounds: s.Rounds, Used: s.ExtensionsUsed, Budget: s.ExtensionsBudget,
		})
	}
	if after != "" {
		p.Start = listAddress(waiting, "")
	}
	if more {
		p.Next = listAddress(waiting, found[len(found)-1].ContractID)
	}
	return view{"list", p}, nil
}

// waitingFor names who has to act; nobody once the work is done and passed.
func waitingFor(next []contract.Step) string {
	var who []string
	for _, step := range next {
		who = append(who, string(step.Actor))
	}
	if len(who) == 0 {
		return "nobody"
	}
	return strings.Join(who, " and ")
}

func listAddress(waiting contract.Actor, after string) string {
	query := url.Values{}
	if waiting != "" {
		query.Set("waiting_on", string(waiting))
	}
	if after != "" {
		query.Set("after", after)
	}
	if len(query) == 0 {
		return Home
	}
	return Home + "?" + query.Encode()
}
