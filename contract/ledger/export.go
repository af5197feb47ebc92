package ledger

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/plumbline-mcp/plumbline/contract"
)

// exportedEvent is an event as an export holds it.
type exportedEvent struct {
	Event
	Text string `json:"body"` // the exact bytes, which are UTF-8
}

// Export writes a contract's chain file (objects page, section 6) with the member
// "ledger": {"events": […]}, each event with its exact body as a string, so that
// [VerifyExport] needs no store. Kept artifacts are not in it.
func (l *Ledger) Export(ctx context.Context, id string) ([]byte, error) {
	var events []*Event
	err := l.view(ctx, id, func(q querier) error {
		if _, err := knownHead(ctx, q, id); err != nil {
			return err
		}
		return eachEvent(ctx, q, id, 0, allEvents, func(e *Event) error {
			events = append(events, e)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return exportEvents(id, events)
}

func exportEvents(id string, events []*Event) ([]byte, error) {
	record, err := exportRecord(events)
	if err != nil {
		return nil, err
	}
	revisions, rounds := chainLists(events)
	text, err := contract.ExportChain(revisions, rounds, record)
	if err != nil {
		return nil, damaged(id, 0, "or a later one holds no JSON")
	}
	return text, nil
}

// chainLists gives the lists of a chain file. On a ledger a round is on the newest
// revision.
func chainLists(events []*Event) (revisions [][]byte, rounds []contract.RoundOn) {
	for _, e := range events {
		switch e.Kind {
		case Revision:
			revisions = append(revisions, e.Body)
		case Round:
			rounds = append(rounds, contract.RoundOn{Text: e.Body, Revision: int64(len(revisions))})
		}
	}
	return revisions, rounds
}

func exportRecord(events []*Event) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	out.WriteString("{\"events\":[\n")
	for i, e := range events {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := encoder.Encode(exportedEvent{Event: *e, Text: string(e.Body)}); err != nil {
			return nil, err
		}
	}
	out.WriteString("]}")
	return out.Bytes(), nil
}

// readExport reads the events of an export; false where the file has none, or one
// that is not what an export writes.
func readExport(file *contract.Value) ([]*Event, bool) {
	list := file.Get("ledger").Get("events")
	if list.Type() != contract.Array {
		return nil, false
	}
	events := make([]*Event, 0, len(list.Items))
	for _, item := range list.Items {
		e, ok := readExported(item)
		if !ok {
			return nil, false
		}
		events = append(events, e)
	}
	return events, true
}

func readExported(v *contract.Value) (*Event, bool) {
	ok := true
	text := func(name string) string {
		s, is := v.Get(name).Text()
		ok = ok && is
		return s
	}
	number := func(name string) int64 {
		n, is := v.Get(name).Int()
		ok = ok && is
		return n
	}
	e := &Event{
		Contract: text("contract"), Seq: number("seq"), Kind: Kind(text("kind")),
		Who: text("who"), Role: contract.Actor(text("role")), Submission: text("submission"), At: number("at"),
		BodySHA256: text("body_sha256"), Prev: text("prev"), Hash: text("hash"), Body: []byte(text("body")),
	}
	return e, ok
}
