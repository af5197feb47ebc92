package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Registered is a revision as it was registered.
type Registered struct {
	Contract *contract.Contract // its Text is the registered bytes
	Newest   int64              // number of the contract's newest revision
	Receipt  Receipt
	Who      string    // who registered it
	At       time.Time // when
}

// Contract reads a revision of a contract, the newest for 0. Errors: UNKNOWN_CONTRACT,
// UNKNOWN_REVISION.
func (l *Ledger) Contract(ctx context.Context, id string, revision int64) (*Registered, error) {
	var found *Registered
	err := l.view(ctx, id, func(q querier) (err error) {
		found, err = l.registered(ctx, q, id, revision)
		return err
	})
	return found, err
}

func (l *Ledger) registered(ctx context.Context, q querier, id string, revision int64) (*Registered, error) {
	h, err := knownHead(ctx, q, id)
	if err != nil {
		return nil, err
	}
	rows, err := loadRevisions(ctx, q, id)
	if err != nil {
		return nil, err
	}
	if revision == 0 {
		revision = h.revision
	}
	if revision < 1 || revision > int64(len(rows)) {
		return nil, refuse(UnknownRevision, fmt.Sprintf("%s has no revision %d; its newest is %d", quote(id), revision, h.revision), "leave the revision out for the newest")
	}
	e, err := eventAt(ctx, q, id, rows[revision-1].seq)
	if err != nil {
		return nil, err
	}
	c, err := l.contractOf(ctx, q, id, rows[revision-1])
	if err != nil {
		return nil, err
	}
	return &Registered{Contract: c, Newest: h.revision, Receipt: e.Receipt(), Who: e.Who, At: time.UnixMilli(e.At)}, nil
}

// Events reads the events of a contract behind a sequence number, in order, at most
// limit; none for a contract that is not known.
func (l *Ledger) Events(ctx context.Context, id string, after int64, limit int) ([]*Event, error) {
	if !l.sees(id) {
		return nil, nil
	}
	var events []*Event
	err := l.view(ctx, id, func(q querier) (err error) {
		events, err = eventsBetween(ctx, q, id, after, allEvents, limit)
		return err
	})
	return events, err
}

// Query asks for a page of the list of contracts.
type Query struct {
	WaitingOn contract.Actor       // only those who wait for this actor; empty for all
	After     string               // the last id of the page before; empty for the first page
	Limit     int                  // contracts on the page; 0 for [PageSize]
	Match     func(id string) bool // which contracts the caller may see; nil for all
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
	limit, err := query.limit()
	if err != nil {
		return nil, false, err
	}
	page = []Summary{}
	err = l.viewAll(ctx, func(q querier) error {
		after, batchContracts := query.After, limit+1
		if l.may != nil || query.Match != nil {
			batchContracts = MaxPageSize + 1 // many may be left out
		}
		for {
			batch, err := summaries(ctx, q, query.bits(), after, batchContracts)
			if err != nil {
				return err
			}
			for _, s := range batch {
				after = s.ContractID
				if !l.sees(s.ContractID) || query.Match != nil && !query.Match(s.ContractID) {
					continue
				}
				if len(page) == limit {
					more = true
					return nil
				}
				page = append(page, s)
			}
			if len(batch) < batchContracts {
				return nil
			}
		}
	})
	return page, more, err
}

func (query Query) limit() (int, error) {
	if query.WaitingOn != "" && waitingBits[query.WaitingOn] == 0 {
		return 0, refuse(BadArgument, "no contract waits for "+quote(string(query.WaitingOn)), "use owner, builder or judge")
	}
	switch {
	case query.Limit == 0:
		return PageSize, nil
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

func summaries(ctx context.Context, q querier, bits int64, after string, limit int) ([]Summary, error) {
	// A contract that waits for nobody has no bit, so that -1 asks for all.
	rows, err := q.QueryContext(ctx, `SELECT `+prefixed("c.", headColumns)+`, `+prefixed("r.", revisionColumns)+`
		FROM chains c JOIN revisions r ON r.contract = c.contract AND r.revision = c.revision
		WHERE c.contract > $1 AND ($2 < 0 OR (c.waiting & $2) <> 0)
		ORDER BY c.contract LIMIT $3`, after, bits, limit)
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
