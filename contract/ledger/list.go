package ledger

import (
	"context"
	"fmt"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Query asks for a page of the list of contracts.
type Query struct {
	WaitingOn contract.Actor // only those who wait for this actor; empty for all
	Prefix    string         // only those whose ids begin with it; empty for all
	After     string         // the last id of the page before; empty for the first page
	Limit     int            // contracts on the page; 0 for 20, at most [MaxPageSize]
}

// Summary is one contract in a list.
type Summary struct {
	ContractID       string
	Revision         int64 // the newest
	Fingerprint      string
	SHA256           string
	Rounds           int64            // of all revisions
	LastVerdict      contract.Verdict // on the newest revision; empty for none
	ExtensionsUsed   int64
	ExtensionsBudget int64
	Head             Receipt
	Next             []contract.Step
}

// Contracts lists contracts by id. more says that another page follows, asked for
// with the last id as After.
func (l *Ledger) Contracts(ctx context.Context, query Query) (page []Summary, more bool, err error) {
	if query.Limit, err = query.limit(); err != nil {
		return nil, false, err
	}
	if query.After != storable(query.After) {
		return nil, false, refuse(BadArgument, "no page ends with such an id", "ask for the first page, or for the one after the last id of a page")
	}
	page = []Summary{}
	if query.Prefix != storable(query.Prefix) {
		return page, false, nil
	}
	err = l.viewAll(ctx, func(ctx context.Context, q querier) error {
		for _, prefix := range l.reach(query.Prefix) {
			query.Prefix = prefix
			if page, more, err = l.fill(ctx, q, query, page); err != nil || more {
				return err
			}
		}
		return nil
	})
	return page, more, err
}

// reach gives what a list with a prefix has to read: prefixes in order, none of which
// begins with another.
func (l *Ledger) reach(asked string) []string {
	if l.prefixes == nil {
		return []string{asked}
	}
	var reach []string
	for _, prefix := range l.prefixes {
		if strings.HasPrefix(asked, prefix) {
			prefix = asked
		}
		within := len(reach) > 0 && strings.HasPrefix(prefix, reach[len(reach)-1])
		if strings.HasPrefix(prefix, asked) && !within {
			reach = append(reach, prefix)
		}
	}
	return reach
}

// fill adds contracts to a page that is not full. more says that there is one for which
// it has no room.
func (l *Ledger) fill(ctx context.Context, q querier, query Query, page []Summary) (filled []Summary, more bool, err error) {
	size := query.Limit + 1
	if l.may != nil {
		size = MaxPageSize + 1 // many may be left out
	}
	for {
		batch, err := summaries(ctx, q, query, size)
		if err != nil {
			return page, false, err
		}
		for _, s := range batch {
			query.After = s.ContractID
			switch {
			case !l.sees(s.ContractID):
				continue
			case len(page) == query.Limit:
				return page, true, nil
			}
			page = append(page, s)
		}
		if len(batch) < size {
			return page, false, nil
		}
	}
}

func (query Query) limit() (int, error) {
	if query.WaitingOn != "" && waitingBits[query.WaitingOn] == 0 {
		return 0, refuse(BadArgument, "no contract waits for "+quote(string(query.WaitingOn)), "use owner, builder or judge")
	}
	switch {
	case query.Limit == 0:
		return pageSize, nil
	case query.Limit < 0 || query.Limit > MaxPageSize:
		return 0, refuse(BadArgument, fmt.Sprintf("a page of %d contracts", query.Limit), fmt.Sprintf("ask for 1 to %d", MaxPageSize))
	}
	return query.Limit, nil
}

// bits is the set of actors asked for; all where it does not matter.
func (query Query) bits() int64 {
	if bits, ok := waitingBits[query.WaitingOn]; ok {
		return bits
	}
	return -1
}

// behindIDs sorts behind every character of an id.
const behindIDs = "~"

// summaries reads the contracts of a query from the start, whatever its limit. Databases
// find the first of them without reading those before: ids compare byte by byte.
func summaries(ctx context.Context, q querier, query Query, limit int) ([]Summary, error) {
	// A contract that waits for nobody has no bit, so that -1 asks for all.
	rows, err := q.QueryContext(ctx, `SELECT `+prefixed("c.", headColumns)+`, `+prefixed("r.", revisionColumns)+`
		FROM chains c JOIN revisions r ON r.contract = c.contract AND r.revision = c.revision
		WHERE c.contract >= $1 AND c.contract < $2 AND c.contract <> $3 AND ($4 < 0 OR (c.waiting & $4) <> 0)
		ORDER BY c.contract LIMIT $5`, max(query.Prefix, query.After), query.Prefix+behindIDs, query.After, query.bits(), limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var page []Summary
	for rows.Next() {
		var r revisionRow
		h, err := scanHead(func(into ...any) error { return rows.Scan(append(into, r.into()...)...) })
		if err != nil {
			return nil, err
		}
		page = append(page, Summary{
			ContractID: h.id, Revision: h.revision, Fingerprint: r.fingerprint, SHA256: r.sha256,
			Rounds: h.rounds, LastVerdict: h.progress.Verdict, ExtensionsUsed: r.extensions, ExtensionsBudget: r.budget,
			Head: Receipt{ContractID: h.id, Seq: h.seq, Hash: h.hash}, Next: contract.Next(h.progress),
		})
	}
	return page, rows.Err()
}
