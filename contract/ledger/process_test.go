package ledger

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// The test binary runs itself as other processes: childEnv says what to do there.
const childEnv = "LEDGER_TEST_CHILD"

// children are what other processes do: they get a DSN and their own name, and print
// receipts, one a line.
var children = map[string]func(dsn, name string, out io.Writer) error{
	"rounds":  recordMany,
	"forever": recordForever,
	"write":   tryToWrite,
	"load":    recordUnderLoad,
}

func TestMain(m *testing.M) {
	if child := children[os.Getenv(childEnv)]; child != nil {
		if err := child(os.Args[1], os.Args[2], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func childCommand(t testing.TB, child, dsn, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, dsn, name)
	cmd.Env = append(os.Environ(), childEnv+"="+child)
	return cmd
}

const (
	processes      = 8
	roundsPerChild = 50
)

// childContract is the same text in every process.
func childContract() (*contract.Contract, error) {
	text, err := contract.Stamp([]byte(`{"aac":"0.1.0","contract":{"id":"shared","revision":1,"fingerprint":"","owner":"olga"},"budget":{"extensions":2},
		"criteria":[{"id":"one","class":"one","kind":"enumerable","statement":"The case ends well.","cases":["a"],"checks":[{"type":"command","run":"go test"}]}]}`), 1)
	if err != nil {
		return nil, err
	}
	c, _ := contract.ParseContract(text)
	return c, nil
}

func childRound(c *contract.Contract, verdict, finding string) []byte {
	return []byte(fmt.Sprintf(`{"agc":"0.1.0","gate":{"version":%q},"verdict":%q,"coverage":{"classes":["one"]},"findings":[%s]}`, c.Fingerprint, verdict, finding))
}

const (
	childDefect     = `{"class":"one","severity":"blocking","location":"a","message":"m","check":{"type":"command","run":"go test -run a"},"remedy":{"type":"patch"}}`
	childExtension  = `{"class":"two","severity":"blocking","location":"b","message":"m","remedy":{"type":"delegate","to":"olga"}}`
	childEscalation = `{"class":"two","severity":"blocking","location":"b","message":"m","remedy":{"type":"decide","options":["grow it","close it","narrow it"]}}`
)

// recordMany opens the ledger, registers the contract as everybody does, records
// rounds, and in the middle tries to use up more of the budget than there is.
func recordMany(dsn, name string, out io.Writer) error {
	ctx := context.Background()
	l, err := Open(ctx, dsn)
	if err != nil {
		return err
	}
	defer l.Close()
	c, err := childContract()
	if err != nil {
		return err
	}
	r, err := l.Register(ctx, olga, c.Text, nil)
	if err != nil {
		return err
	}
	if !r.Already {
		fmt.Fprintln(out, string(marshalReceipt(r.Receipt)))
	}
	for i := range roundsPerChild {
		texts := [][]byte{childRound(c, "fail", childDefect)}
		if i == roundsPerChild/2 {
			texts = append(texts, childRound(c, "fail", childExtension), childRound(c, "escalate", childEscalation))
		}
		for k, text := range texts {
			a, err := l.RecordRound(ctx, Caller{name, contract.ActorJudge}, Submission{"shared", fmt.Sprint(i, ".", k), text})
			if err != nil {
				return err
			}
			if a.Receipt != nil {
				fmt.Fprintln(out, string(marshalReceipt(a.Receipt)))
			}
		}
	}
	return nil
}

func marshalReceipt(r *Receipt) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return text
}

// testProcesses: several processes at once open a ledger that is not there, register
// one contract and record rounds. None is lost, none is there twice.
func testProcesses(t *testing.T, b testBackend) {
	dsn := b.newDSN(t)
	outputs := make([]bytes.Buffer, processes)
	var wait sync.WaitGroup
	for i := range processes {
		cmd := childCommand(t, "rounds", dsn, fmt.Sprint("judge-", i))
		cmd.Stdout, cmd.Stderr = &outputs[i], os.Stderr
		wait.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	wait.Wait()
	receipts := map[int64]string{}
	for i := range outputs {
		for line := range strings.Lines(outputs[i].String()) {
			var r Receipt
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if receipts[r.Seq] != "" {
				t.Errorf("two receipts are of event %d", r.Seq)
			}
			receipts[r.Seq] = r.Hash
		}
	}
	l := openLedger(t, dsn)
	const want = 1 + processes*roundsPerChild + 2 // the revision, the defects, the budget
	v := verify(t, l, "shared", "")
	if v.Events != want || len(receipts) != want || v.Head.Seq != want {
		t.Errorf("%d events, %d receipts, the last is %d; want %d", v.Events, len(receipts), v.Head.Seq, want)
	}
	events, err := l.Events(context.Background(), "shared", 0, want+1)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if receipts[e.Seq] != e.Hash {
			t.Errorf("event %d is not the one of its receipt", e.Seq)
		}
	}
	s, err := l.Status(context.Background(), "shared")
	if err != nil || s.ExtensionsUsed != 2 {
		t.Errorf("extension rounds: %+v, %v", s, err)
	}
}

// recordForever records rounds until it is killed.
func recordForever(dsn, name string, out io.Writer) error {
	ctx := context.Background()
	l, err := Open(ctx, dsn)
	if err != nil {
		return err
	}
	c, err := childContract()
	if err != nil {
		return err
	}
	if _, err := l.Register(ctx, olga, c.Text, nil); err != nil {
		return err
	}
	for i := 0; ; i++ {
		a, err := l.RecordRound(ctx, Caller{name, contract.ActorJudge}, Submission{"shared", fmt.Sprint(i), childRound(c, "fail", childDefect)})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, string(marshalReceipt(a.Receipt))); err != nil {
			return err
		}
	}
}

// testKilled: a writer that is killed in the middle leaves a ledger that verifies and
// takes the next event, and holds every event that it gave a receipt for.
func testKilled(t *testing.T, b testBackend) {
	dsn := b.newDSN(t)
	for i := range 4 {
		cmd := childCommand(t, "forever", dsn, fmt.Sprint("judge-", i))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		var last Receipt
		for n := 0; n < 5+i && lines.Scan(); n++ {
			if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it still got to say
			if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
				break // cut off
			}
		}
		_ = cmd.Wait() // it was killed
		l := openLedger(t, dsn)
		if v := verify(t, l, "shared", last.Hash); v.KeptAt != last.Seq || v.Events < last.Seq {
			t.Errorf("the last receipt is %+v, the ledger ends at %+v", last, v.Head)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// testCancelled: a caller that is gone before its recording begins records nothing;
// one that goes while it runs leaves no half.
func testCancelled(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.RecordRound(gone, jane, Submission{fixtureID, "k", roundText(t, c, "pass")}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	if _, err := l.Status(gone, fixtureID); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	leaving, cancel := context.WithCancel(context.Background())
	err := l.change(leaving, fixtureID, func(ctx context.Context, q querier) error {
		cancel()
		state, err := l.loadState(ctx, q, fixtureID)
		if err != nil {
			return err
		}
		text := roundText(t, c, "pass")
		a := newRoundAttempt(text)
		if err := judge(ctx, q, state, a); err != nil {
			return err
		}
		return l.recordAttempt(ctx, q, state, jane, &Event{Kind: Round, Submission: "k", Body: text}, a)
	})
	if err != nil {
		t.Errorf("leaving broke the recording: %v", err)
	}
	if v := verify(t, l, fixtureID, ""); v.Events != 2 {
		t.Errorf("got %d events", v.Events)
	}
}

// testGoroutines: one Ledger serves many callers at once.
func testGoroutines(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	const callers, each = 16, 6
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			for k := range each {
				text := roundText(t, c, "fail", defect, rowDefect("1"))
				a, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, fmt.Sprint(i, ".", k%(each/2)), text})
				if err != nil || a.Receipt == nil || a.Repeated != (k >= each/2) {
					t.Errorf("got %+v, %v", a, err)
				}
				if _, err := l.Status(context.Background(), fixtureID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if v := verify(t, l, fixtureID, ""); v.Events != 1+callers*each/2 {
		t.Errorf("got %d events", v.Events)
	}
}
