package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
	"github.com/plumbline-mcp/plumbline/tools"
)

const (
	manyJudges = 32
	turns      = 8
	stopAfter  = manyJudges * turns / 3 // rounds recorded when the database is stopped
)

// replicas are two servers over one Postgres, whose clients are sent to both in turn.
type replicas struct {
	t     *testing.T
	bases []string

	mu       sync.Mutex
	asked    int
	receipts map[string]ledger.Receipt // by submission
	failures int
	many     chan struct{} // closed when stopAfter rounds are recorded
}

// called is what stands in the answer to a call.
type called struct {
	Result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
}

// call calls a tool on the next replica. The code is that of a tool error.
func (r *replicas) call(tool string, args any, answer any) (code string) {
	r.t.Helper()
	r.mu.Lock()
	base := r.bases[r.asked%len(r.bases)]
	r.asked++
	r.mu.Unlock()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
	if err != nil {
		r.t.Error(err)
		return "the request"
	}
	status, text := exchange(r.t, http.MethodPost, base+"/mcp", "", string(body))
	var got called
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != http.StatusOK {
		r.t.Errorf("%s gives %d %s", tool, status, text)
		return "the answer"
	}
	if got.Result.IsError {
		var told tools.Error
		if err := json.Unmarshal([]byte(got.Result.Content[0].Text), &told); err != nil {
			r.t.Errorf("%s gives %s", tool, text)
		}
		return string(told.Code)
	}
	if err := json.Unmarshal(got.Result.StructuredContent, answer); err != nil {
		r.t.Errorf("%s gives %s: %v", tool, text, err)
	}
	return ""
}

// judge records rounds, each until it is recorded, always under its one submission.
func (r *replicas) judge(ctx context.Context, name int, c *contract.Contract) {
	for turn := range turns {
		submission := fmt.Sprintf("judge %d, %d", name, turn)
		args := map[string]any{"contract_id": c.ID, "record": true, "submission": submission,
			"round": map[string]any{"agc": "0.1.0", "gate": map[string]string{"version": c.Fingerprint}, "verdict": "pass", "findings": []any{}}}
		for {
			var answer tools.RoundAnswer
			code := r.call("check_round", args, &answer)
			if code == "" && answer.Receipt != nil {
				r.recorded(submission, *answer.Receipt)
				break
			}
			if code != string(tools.LedgerUnavailable) {
				r.t.Errorf("%s gives %q %+v", submission, code, answer)
				return
			}
			r.failed()
			select {
			case <-time.After(10 * time.Millisecond): // before it tries again
			case <-ctx.Done():
				r.t.Errorf("%s is never recorded", submission)
				return
			}
		}
	}
}

func (r *replicas) recorded(submission string, receipt ledger.Receipt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.receipts[submission] = receipt
	if len(r.receipts) == stopAfter {
		close(r.many)
	}
}

func (r *replicas) failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures++
}

// Any of two replicas answers any request, and 32 judges who use both at once while the
// database goes down and comes back lose no round and record none twice.
func TestReplicas(t *testing.T) {
	postgres := pgtest.Start(t)
	dsn, binary := postgres.DSN(t), build(t)
	text, err := os.ReadFile(filepath.Join("../../testdata/contracts", "collision-true.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := contract.ParseContract(text)
	r := &replicas{t: t, receipts: map[string]ledger.Receipt{}, many: make(chan struct{}),
		bases: []string{serveHTTP(t, binary, "--ledger", dsn), serveHTTP(t, binary, "--ledger", dsn)}}
	var registered tools.RegisterAnswer
	if code := r.call("register_contract", map[string]any{"contract": string(text), "record": true}, &registered); code != "" || !registered.Recorded {
		t.Fatalf("registering gives %q %+v", code, registered)
	}
	ctx, cancel := context.WithTimeout(t.Context(), sdkHang)
	defer cancel()
	var all sync.WaitGroup
	for name := range manyJudges {
		all.Go(func() { r.judge(ctx, name, c) })
	}
	select {
	case <-r.many:
		postgres.Restart(t)
	case <-ctx.Done():
		t.Fatal("the judges record too little")
	}
	all.Wait()
	if r.failures == 0 {
		t.Error("no call failed while the database was down")
	}
	r.check(c.ID)
	if out, err := exec.Command(binary, "chain", "verify", "--id", c.ID, "--ledger", dsn).CombinedOutput(); err != nil {
		t.Errorf("the chain does not verify: %v\n%s", err, out)
	}
}

// check holds both replicas to the receipts.
func (r *replicas) check(id string) {
	r.t.Helper()
	const rounds = manyJudges * turns
	var numbers []int64
	for _, receipt := range r.receipts {
		numbers = append(numbers, receipt.Seq)
	}
	slices.Sort(numbers)
	if numbers = slices.Compact(numbers); len(numbers) != rounds || numbers[0] != 2 || numbers[rounds-1] != rounds+1 {
		r.t.Errorf("%d receipts have %d numbers, %v", len(r.receipts), len(numbers), numbers)
	}
	for range r.bases {
		var stands tools.StatusAnswer
		if code := r.call("chain_status", map[string]string{"contract_id": id}, &stands); code != "" || stands.Rounds != rounds || stands.Head.Seq != rounds+1 {
			r.t.Errorf("a replica says %q %+v", code, stands)
		}
		await(r.t, r.bases[0]+"/readyz")
	}
}
