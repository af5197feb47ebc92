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
	// Contract is the newest revision, which the report was held against; of a retry,
	// the one that was the newest then.
	Contract *contract.Contract
	Receipt  *Receipt        // nil where it was not recorded
	Repeated bool            // whether the receipt is that of an earlier call
	Next     []contract.Step // who acts now
}

// CheckDone checks a done report against the contract's newest revision, and records
// nothing.
func (l *Ledger) CheckDone(ctx context.Context, id string, text []byte) (*DoneAnswer, error) {
	if err := checkGiven(Done, text); err != nil {
		return nil, err
	}
	d, report := contract.ParseDone(text)
	var answer *DoneAnswer
	err := l.view(ctx, id, func(q querier) error {
		s, err := l.loadState(ctx, q, id)
		if err == nil {
			answer, err = s.checkDone(ctx, q, d, report)
		}
		return err
	})
	return answer, err
}

// RecordDone checks a done report and, where it is complete, records it, without its
// output tails ([Event]). One with failing checks is recorded too: it is a report of
// unfinished work. One that is not complete is an answer without a receipt.
func (l *Ledger) RecordDone(ctx context.Context, caller Caller, s Submission) (*DoneAnswer, error) {
	if err := s.check(caller, Done); err != nil {
		return nil, err
	}
	d, report := contract.ParseDone(s.Text)
	body := withoutTails(d, s.Text)
	var answer *DoneAnswer
	err := l.change(ctx, s.Contract, func(ctx context.Context, q querier) error {
		first, err := earlier(ctx, q, caller, s, Done, body)
		if err != nil {
			return err
		}
		if first != nil {
			answer, err = l.repeatDone(ctx, q, first, d, report)
			return err
		}
		state, err := l.loadState(ctx, q, s.Contract)
		if err != nil {
			return err
		}
		if answer, err = state.checkDone(ctx, q, d, report); err != nil || !answer.Result.Complete() {
			return err
		}
		return l.recordDone(ctx, q, state, caller, &Event{Kind: Done, Submission: s.Key, Body: body}, answer)
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func (s *chainState) checkDone(ctx context.Context, q querier, d *contract.Done, report *contract.Report) (*DoneAnswer, error) {
	registered, err := eventTime(ctx, q, s.id, s.newest().seq)
	if err != nil {
		return nil, err
	}
	result := s.chain.CheckDone(d, report, registered)
	return &DoneAnswer{Result: result, Contract: s.chain.Newest(), Next: contract.Next(s.chain.Progress())}, nil
}

// eventTime is when an event was recorded.
func eventTime(ctx context.Context, q querier, id string, seq int64) (time.Time, error) {
	var at int64
	err := q.QueryRowContext(ctx, `SELECT at FROM events WHERE contract = $1 AND seq = $2`, id, seq).Scan(&at)
	return time.UnixMilli(at), err
}

func (l *Ledger) recordDone(ctx context.Context, q querier, state *chainState, caller Caller, e *Event, answer *DoneAnswer) error {
	state.chain.AddDone(answer.Result)
	state.progress = state.chain.Progress()
	state.lastDone = state.seq + 1
	if err := l.record(ctx, q, state.head, caller, e); err != nil {
		return err
	}
	answer.Next = contract.Next(state.progress)
	var err error
	answer.Receipt, err = l.receipt(e)
	return err
}

// repeatDone gives a retry its first answer.
func (l *Ledger) repeatDone(ctx context.Context, q querier, first *Event, d *contract.Done, report *contract.Report) (*DoneAnswer, error) {
	was, err := l.before(ctx, q, first)
	if err != nil {
		return nil, err
	}
	answer, err := was.checkDone(ctx, q, d, report)
	if err != nil {
		return nil, err
	}
	now, err := knownHead(ctx, q, first.Contract)
	if err != nil {
		return nil, err
	}
	answer.Repeated, answer.Next = true, contract.Next(now.progress)
	answer.Receipt, err = l.receipt(first)
	return answer, err
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
