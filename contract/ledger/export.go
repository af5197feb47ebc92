package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/plumbline-mcp/plumbline/contract"
)

// How many bytes the events of a chain may have together to be exported.
const (
	// AnyLength is no limit: for what writes to a file as it reads.
	AnyLength = math.MaxInt64
	// MaxAnswerBytes is for exports that become one answer: it holds everything twice,
	// and what encodes it for the wire makes copies.
	MaxAnswerBytes = 8 << 20
)

// exportedEvent is an event as an export holds it.
type exportedEvent struct {
	Event
	Text string `json:"body"` // the exact bytes, which are UTF-8
}

// Export writes a contract's chain file (objects page, section 6) to w, with the member
// "ledger": {"events": […]}, each event with its exact body as a string, so that
// [VerifyExport] needs no store. Kept artifacts are not in it. It is written as it is
// read, and takes little memory. A chain whose events have more than most bytes is
// TOO_LARGE, and nothing is written. An error of w is given as it is.
func (l *Ledger) Export(ctx context.Context, id string, most int64, w io.Writer) error {
	return l.export(ctx, id, most, w, func(x *chainExport) error {
		if err := x.each(x.revision); err != nil {
			return err
		}
		if err := x.each(x.round); err != nil {
			return err
		}
		return x.file.Close(x.record)
	})
}

// chainExport is a chain file that is being written. Its parts are told by kind, so that the
// events are read once for each.
type chainExport struct {
	q    querier
	file *contract.ChainWriter
	on   int64 // the number of the revision that the next round is on
	each func(do func(*Event) error) error
}

// export runs write on the chain as it stands at one moment.
func (l *Ledger) export(ctx context.Context, id string, most int64, w io.Writer, write func(*chainExport) error) error {
	out := &target{w: w}
	err := l.viewWhole(ctx, id, func(q querier) error {
		if err := exportable(ctx, q, id, most); err != nil {
			return err
		}
		err := write(&chainExport{q: q, file: contract.NewChainWriter(out), each: func(do func(*Event) error) error {
			return eachEvent(ctx, q, id, 0, allEvents, do)
		}})
		if syntax := (*contract.SyntaxError)(nil); errors.As(err, &syntax) {
			return damaged(id, 0, "or a later one holds no JSON")
		}
		return err
	})
	if out.err != nil {
		return out.err
	}
	return err
}

// target keeps the error of what is written to apart from the store's.
type target struct {
	w   io.Writer
	err error
}

func (t *target) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.err = err
	return n, err
}

// exportable refuses a contract that is not known, or whose events are too large.
func exportable(ctx context.Context, q querier, id string, most int64) error {
	if _, err := knownHead(ctx, q, id); err != nil {
		return err
	}
	var size int64
	err := q.QueryRowContext(ctx, `SELECT CAST(COALESCE(SUM(octet_length(body)), 0) AS BIGINT) FROM events WHERE contract = $1`, id).Scan(&size)
	if err == nil && size > most {
		err = refuse(TooLarge, fmt.Sprintf("the chain of %s has %d bytes, more than the %d of one answer", quote(id), size, most),
			"ask who runs the server for a file that `plumbline chain export` wrote there, which has no limit")
	}
	return err
}

func (x *chainExport) revision(e *Event) error {
	if e.Kind != Revision {
		return nil
	}
	return x.file.Revision(e.Body)
}

// round writes a round; on a ledger it is on the newest revision.
func (x *chainExport) round(e *Event) error {
	switch e.Kind {
	case Revision:
		x.on++
	case Round:
		return x.file.Round(e.Body, x.on)
	}
	return nil
}

// record writes all events.
func (x *chainExport) record(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	separator := "\n"
	_, err := io.WriteString(w, `{"events":[`)
	if err != nil {
		return err
	}
	err = x.each(func(e *Event) error {
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ","
		return encoder.Encode(exportedEvent{Event: *e, Text: string(e.Body)})
	})
	if err == nil {
		_, err = io.WriteString(w, "]}")
	}
	return err
}
