package ledger

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

const (
	loadServers = 2
	loadJudges  = 16 // of each server
	loadRounds  = 2000
	restartAt   = loadRounds / 3        // rounds recorded when Postgres is stopped
	retryAfter  = 50 * time.Millisecond // between a judge's attempts
	loadHangs   = 5 * time.Minute       // stands for a hang
	everyNth    = loadRounds / 20       // rounds after which each server tries to spend the budget
)

// loaded is what a server of the load test prints: a round that was recorded, or a call
// that failed.
type loaded struct {
	Round   int
	Receipt *Receipt
	Failed  string
}

// recordUnderLoad is one of the servers: its judges record its share of the rounds at
// once. A judge whose call fails tries again with the same submission.
func recordUnderLoad(dsn, name string, out io.Writer) error {
	ctx, cancel := context.WithTimeout(context.Background(), loadHangs)
	defer cancel()
	number, err := strconv.Atoi(name)
	if err != nil {
		return err
	}
	l, err := Open(ctx, dsn)
	if err != nil {
		return err
	}
	defer l.Close()
	c, err := childContract()
	if err != nil {
		return err
	}
	if _, err := l.Register(ctx, olga, c.Text, nil); err != nil {
		return err
	}
	rounds := make(chan int)
	go func() {
		defer close(rounds)
		for n := number; n < loadRounds; n += loadServers {
			rounds <- n
		}
	}()
	server := &loadServer{ledger: l, contract: c, out: json.NewEncoder(out)}
	var wait sync.WaitGroup
	for judge := range loadJudges {
		wait.Go(func() {
			for n := range rounds {
				server.record(ctx, fmt.Sprintf("judge-%d-%d", number, judge), n)
			}
		})
	}
	wait.Wait()
	return server.err
}

type loadServer struct {
	ledger   *Ledger
	contract *contract.Contract
	mu       sync.Mutex
	out      *json.Encoder
	err      error // the first that no retry mends
}

// record records one round: where the budget allows an extension or its escalation,
// that; else a defect.
func (s *loadServer) record(ctx context.Context, judge string, n int) {
	texts := [][]byte{childRound(s.contract, "fail", childDefect)}
	if n%everyNth < loadServers {
		texts = append([][]byte{childRound(s.contract, "fail", childExtension), childRound(s.contract, "escalate", childEscalation)}, texts...)
	}
	for _, text := range texts {
		answer := s.retry(ctx, Caller{judge, contract.ActorJudge}, Submission{"shared", fmt.Sprint(n), text})
		if answer == nil {
			return
		}
		if answer.Receipt != nil {
			s.print(loaded{Round: n, Receipt: answer.Receipt}, nil)
			return
		}
	}
	s.print(loaded{Round: n, Failed: "not valid"}, fmt.Errorf("round %d was not valid", n))
}

func (s *loadServer) retry(ctx context.Context, caller Caller, submission Submission) *RoundAnswer {
	for {
		answer, err := s.ledger.RecordRound(ctx, caller, submission)
		var known *Error
		switch {
		case err == nil:
			return answer
		case !errors.As(err, &known) || known.Code != Unavailable || ctx.Err() != nil:
			s.print(loaded{Failed: err.Error()}, err)
			return nil
		}
		s.print(loaded{Failed: string(known.Code)}, nil)
		select {
		case <-ctx.Done():
		case <-time.After(retryAfter):
		}
	}
}

func (s *loadServer) print(line loaded, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = errors.Join(s.err, err, s.out.Encode(line))
}

// TestTwoServers: two servers on one Postgres, which goes down in the middle, and 32
// judges at once. Calls fail with a clear error, then work again; no round is lost,
// none is there twice.
func TestTwoServers(t *testing.T) {
	postgres := pgtest.Start(t)
	dsn := postgres.DSN(t)
	openLedger(t, dsn)
	seen := &loadResult{receipts: map[int]Receipt{}, restart: make(chan struct{})}
	var wait sync.WaitGroup
	for i := range loadServers {
		cmd := childCommand(t, "load", dsn, fmt.Sprint(i))
		stderr := &bytes.Buffer{}
		cmd.Stderr = stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			seen.read(t, out)
			if err := cmd.Wait(); err != nil {
				t.Errorf("server %d: %v\n%s", i, err, stderr)
			}
		})
	}
	ended := make(chan struct{})
	go func() { wait.Wait(); close(ended) }()
	select {
	case <-seen.restart:
		postgres.Restart(t)
	case <-ended:
		t.Error("the servers ended before Postgres was restarted")
	}
	<-ended
	seen.check(t, openLedger(t, dsn))
}

// loadResult is what both servers printed.
type loadResult struct {
	mu       sync.Mutex
	receipts map[int]Receipt // by round
	failures int             // calls that failed, to be tried again
	restart  chan struct{}   // closed when Postgres is to be restarted
}

func (r *loadResult) read(t *testing.T, out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var line loaded
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Errorf("%q: %v", lines.Text(), err)
			continue
		}
		r.add(t, line)
	}
}

func (r *loadResult) add(t *testing.T, line loaded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if line.Receipt == nil {
		r.failures++
		if line.Failed != string(Unavailable) {
			t.Errorf("a call failed with %s", line.Failed)
		}
		return
	}
	if first, twice := r.receipts[line.Round]; twice {
		t.Errorf("round %d has two receipts, %+v and %+v", line.Round, first, line.Receipt)
	}
	r.receipts[line.Round] = *line.Receipt
	if len(r.receipts) == restartAt {
		close(r.restart)
	}
}

// check holds the receipts against the ledger.
func (r *loadResult) check(t *testing.T, l *Ledger) {
	t.Helper()
	if r.failures == 0 {
		t.Error("no call failed while Postgres was down")
	}
	t.Logf("%d calls failed and were tried again", r.failures)
	v := verify(t, l, "shared", "")
	if v.Events != 1+loadRounds || v.Head.Seq != 1+loadRounds || len(r.receipts) != loadRounds {
		t.Errorf("%d events, the last is %d, %d receipts; want a revision and %d rounds", v.Events, v.Head.Seq, len(r.receipts), loadRounds)
	}
	events, err := l.Events(context.Background(), "shared", 0, 2*loadRounds)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events[1:] {
		n, err := strconv.Atoi(e.Submission)
		if err != nil || r.receipts[n] != e.Receipt() {
			t.Errorf("event %d is not the one of its receipt", e.Seq)
		}
	}
	s, err := l.Status(context.Background(), "shared")
	if err != nil || s.ExtensionsUsed != 2 || s.Rounds != loadRounds {
		t.Errorf("the status is %+v, %v", s, err)
	}
}
