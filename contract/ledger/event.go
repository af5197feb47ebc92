package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Kind says what an event records.
type Kind string

// The kinds of events.
const (
	Revision Kind = "revision" // a revision was registered
	Done     Kind = "done"     // a done report
	Round    Kind = "round"    // a round
)

// Event is one row of the ledger. It is never changed.
type Event struct {
	Contract   string         `json:"contract"` // its id
	Seq        int64          `json:"seq"`      // from 1 without gaps, in the contract
	Kind       Kind           `json:"kind"`
	Who        string         `json:"who"`         // the caller's name
	Role       contract.Actor `json:"role"`        // in which it acted
	Submission string         `json:"submission"`  // empty for a revision
	At         int64          `json:"at"`          // Unix time in milliseconds
	BodySHA256 string         `json:"body_sha256"` // 64 lower-case hex digits
	Prev       string         `json:"prev"`        // the hash of the event before; empty for the first
	Hash       string         `json:"hash"`        // [Event.ComputeHash]
	// Body is exactly the bytes that were recorded. Of a done report the output tails
	// are not: where a result had output_tail, the body has output_tail_sha256, the
	// digest of that text, and is else as it was given. So the ledger grows by what a
	// report says, not by its logs; who kept a tail can show that it is the one; and a
	// retry with other tails is another body.
	Body []byte `json:"-"`
}

// ComputeHash gives what Hash must be: the SHA-256, in 64 lower-case hex digits, over
// the canonical JSON of all other members (the body by its digest).
func (e *Event) ComputeHash() string {
	members := *e
	members.Hash = ""
	text, err := json.Marshal(struct {
		Event
		Hash *struct{} `json:"hash,omitempty"` // hides that of Event
	}{Event: members})
	if err != nil {
		return "" // strings and integers always encode
	}
	canonical, err := contract.Canonical(text)
	if err != nil {
		return ""
	}
	return contract.SHA256(canonical)
}

// hasBody says whether the body has the digest that was recorded.
func (e *Event) hasBody() bool { return contract.SHA256(e.Body) == e.BodySHA256 }

// hasHash says whether the hash is that of the fields. What is not UTF-8 would hash like
// the replacement character.
func (e *Event) hasHash() bool {
	for _, s := range []string{e.Contract, string(e.Kind), e.Who, string(e.Role), e.Submission, e.BodySHA256, e.Prev, e.Hash} {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return e.ComputeHash() == e.Hash
}

const eventColumns = `contract, seq, kind, who, role, submission, at, sha256, prev, hash, body`

// scanEvent reads one row of eventColumns.
func scanEvent(scan func(...any) error) (*Event, error) {
	e := &Event{}
	err := scan(&e.Contract, &e.Seq, &e.Kind, &e.Who, &e.Role, &e.Submission, &e.At, &e.BodySHA256, &e.Prev, &e.Hash, &e.Body)
	if err != nil {
		return nil, err
	}
	return e, nil
}

func insertEvent(ctx context.Context, q querier, e *Event) error {
	_, err := q.ExecContext(ctx, `INSERT INTO events (`+eventColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		e.Contract, e.Seq, string(e.Kind), e.Who, string(e.Role), e.Submission, e.At, e.BodySHA256, e.Prev, e.Hash, e.Body)
	return err
}

// eventAt reads one event of a contract, and refuses one that was changed: what the
// ledger answers and decides rests on such events.
func eventAt(ctx context.Context, q querier, id string, seq int64) (*Event, error) {
	e, err := scanEvent(q.QueryRowContext(ctx, `SELECT `+eventColumns+` FROM events WHERE contract = $1 AND seq = $2`, id, seq).Scan)
	if err == sql.ErrNoRows {
		return nil, damaged(id, seq, "is missing")
	}
	if err == nil {
		err = e.intact()
	}
	return e, err
}

// intact refuses an event that was changed.
func (e *Event) intact() error {
	if e.hasBody() && e.hasHash() {
		return nil
	}
	return damaged(e.Contract, e.Seq, "was changed after it was recorded")
}

// eventOf reads the event that a caller submitted under a key; nil if there is none.
func eventOf(ctx context.Context, q querier, id, who, submission string) (*Event, error) {
	e, err := scanEvent(q.QueryRowContext(ctx,
		`SELECT `+eventColumns+` FROM events WHERE contract = $1 AND who = $2 AND submission = $3 AND submission <> ''`, id, who, submission).Scan)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	if err == nil {
		err = e.intact()
	}
	return e, err
}

// allEvents is behind every sequence number.
const allEvents = math.MaxInt64

// eventsBetween reads the events of a contract behind one and before another, at most
// limit.
func eventsBetween(ctx context.Context, q querier, id string, after, before int64, limit int) ([]*Event, error) {
	rows, err := q.QueryContext(ctx,
		`SELECT `+eventColumns+` FROM events WHERE contract = $1 AND seq > $2 AND seq < $3 ORDER BY seq LIMIT $4`, id, after, before, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var events []*Event
	for rows.Next() {
		e, err := scanEvent(rows.Scan)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, rows.Err()
}

// eachEvent calls do for the events of a contract behind one and before another, in
// order. Rows are read in batches, so that do may query too.
func eachEvent(ctx context.Context, q querier, id string, after, before int64, do func(*Event) error) error {
	for {
		events, err := eventsBetween(ctx, q, id, after, before, readEvents)
		if err != nil {
			return err
		}
		for _, e := range events {
			if err := do(e); err != nil {
				return err
			}
			after = e.Seq
		}
		if len(events) < readEvents {
			return nil
		}
	}
}
