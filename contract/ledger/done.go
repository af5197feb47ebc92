package ledger

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// DoneAnswer is what the ledger says of a done report.
type DoneAnswer struct {
	Result *contract.DoneResult
	Recorded
}

// CheckDone checks a done report against the contract's newest revision, and records
// nothing.
func (l *Ledger) CheckDone(ctx context.Context, id string, text []byte) (*DoneAnswer, error) {
	if err := checkGiven(Done, text); err != nil {
		return nil, err
	}
	a := newDoneAttempt(text)
	if err := l.hold(ctx, id, a); err != nil {
		return nil, err
	}
	return &a.answer, nil
}

// RecordDone checks a done report and, where it is complete, records it, without its
// output tails ([Event]). One with failing checks is recorded too: it is a report of
// unfinished work. One that is not complete is an answer without a receipt.
func (l *Ledger) RecordDone(ctx context.Context, caller Caller, s Submission) (*DoneAnswer, error) {
	if err := s.check(caller, Done); err != nil {
		return nil, err
	}
	a := newDoneAttempt(s.Text)
	if err := l.submit(ctx, caller, s, Done, withoutTails(a.given, s.Text), a); err != nil {
		return nil, err
	}
	return &a.answer, nil
}

// doneAttempt is a done report as an [attempt].
type doneAttempt struct {
	given  *contract.Done
	report *contract.Report // what is wrong with its form
	answer DoneAnswer
}

func newDoneAttempt(text []byte) *doneAttempt {
	d, report := contract.ParseDone(text)
	return &doneAttempt{given: d, report: report}
}

func (a *doneAttempt) judge(ctx context.Context, q querier, s *chainState) error {
	registered, err := eventTime(ctx, q, s.id, s.newest().seq)
	if err == nil {
		a.answer.Result = s.chain.CheckDone(a.given, a.report, registered)
	}
	return err
}

func (a *doneAttempt) recordable() bool { return a.answer.Result.Complete() }

func (a *doneAttempt) add(_ context.Context, _ querier, s *chainState) error {
	s.chain.AddDone(a.answer.Result)
	s.lastDone = s.seq + 1
	return nil
}

func (a *doneAttempt) recorded() *Recorded { return &a.answer.Recorded }

// eventTime is when an event was recorded.
func eventTime(ctx context.Context, q querier, id string, seq int64) (time.Time, error) {
	var at int64
	err := q.QueryRowContext(ctx, `SELECT at FROM events WHERE contract = $1 AND seq = $2`, id, seq).Scan(&at)
	return time.UnixMilli(at), err
}

const (
	tailMember   = "output_tail"
	digestMember = "output_tail_sha256"
)

// withoutTails gives a report's text with each result's output tail replaced by its
// digest, in its place; all else stays byte for byte. A digest that the report itself
// gives beside a tail goes.
func withoutTails(d *contract.Done, text []byte) []byte {
	if d == nil {
		return text
	}
	bom := text[:len(text)-len(bytes.TrimPrefix(text, []byte("\ufeff")))]
	inner := text[len(bom):]
	out := bytes.NewBuffer(append(make([]byte, 0, len(text)), bom...))
	from := 0
	for _, result := range d.Results {
		tail, isText := result.Value.Get(tailMember).Text()
		if !isText {
			continue
		}
		out.Write(inner[from:result.Value.Offset])
		writeWithoutTail(out, result.Value, inner, contract.SHA256([]byte(tail)))
		from = result.Value.End
	}
	out.Write(inner[from:])
	return out.Bytes()
}

// writeWithoutTail writes one result that has a tail. What stands between its members
// stays, but for that before a member that goes.
func writeWithoutTail(out *bytes.Buffer, result *contract.Value, inner []byte, digest string) {
	from := result.Offset
	for i, m := range result.Members {
		switch m.Name {
		case tailMember:
			out.Write(inner[from:m.Offset])
			out.WriteString(strconv.Quote(digestMember) + ":" + strconv.Quote(digest))
		case digestMember:
			if i > 0 { // with the comma before it
				break
			}
			// The comma behind it goes: a tail follows, since there is one.
			out.Write(inner[from:m.Offset])
			from = result.Members[i+1].Offset
			continue
		default:
			out.Write(inner[from:m.Value.End])
		}
		from = m.Value.End
	}
	out.Write(inner[from:result.End])
}
