package ledger

import (
	"fmt"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Scoped gives the ledger as a caller has it who may use only some contracts (design:
// Roles): every method answers about the others as if they were not registered, lists
// leave them out, and none of their ids can be registered. It shares the connections:
// closing either closes both. Every id that it may use begins with one of the prefixes, so
// that lists read no others; where none are given, lists look through all.
func (l *Ledger) Scoped(may func(id string) bool, prefixes ...string) *Ledger {
	scoped := *l
	scoped.may = func(id string) bool { return l.sees(id) && may(id) }
	if len(prefixes) > 0 { // which are no fewer ids than both scopes allow
		scoped.prefixes = slices.Sorted(slices.Values(prefixes))
	}
	return &scoped
}

// sees says whether a contract of that id is in the ledger's scope. [Ledger.view] and
// [Ledger.change] ask it for every id, so that no method can forget to. What no text of
// a database can hold is the id of nothing.
func (l *Ledger) sees(id string) bool { return id == storable(id) && (l.may == nil || l.may(id)) }

// admits refuses a revision of a contract outside the scope, whether it is registered
// or not.
func (l *Ledger) admits(c *contract.Contract) error {
	if l.sees(c.ID) {
		return nil
	}
	return refuse(UnknownContract, fmt.Sprintf("the contracts that you may use do not include %s", quote(c.ID)),
		"register it under an id that is among them, or ask who runs the server for a token that includes it")
}
