//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// shed is a directory with a ledger that holds one contract, and the binary that works
// on it. Every user may look into it.
type shed struct {
	binary string
	dir    string
	round  string // the path of one that fails the work
}

func newShed(t *testing.T) *shed {
	t.Helper()
	dir, err := os.MkdirTemp("", "shed-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &shed{binary: filepath.Join(dir, "plumbline"), dir: dir, round: filepath.Join(dir, "round.json")}
	chmod(t, dir, 0o755)
	if err := os.Rename(build(t), s.binary); err != nil {
		t.Fatal(err)
	}
	text, err := contract.Init("work", "lead")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := contract.ParseContract(text)
	round := fmt.Sprintf(`{"agc": "0.1.0", "gate": {"version": %q}, "verdict": "fail", "findings": [
		{"class": "message-tone", "severity": "blocking", "location": "refusal", "message": "it is curt", "remedy": {"type": "rewrite"}}]}`, c.Fingerprint)
	for name, text := range map[string]string{"contract.json": string(text), "round.json": round} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := s.command(t, "contract", "register", "contract.json").CombinedOutput(); err != nil {
		t.Fatalf("registering: %v\n%s", err, out)
	}
	return s
}

// command is one of the binary on the ledger of the shed.
func (s *shed) command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), s.binary, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PLUMBLINE_LEDGER=sqlite:"+filepath.Join(s.dir, "ledger.db"))
	return cmd
}

// verify holds the ledger against a receipt that was given out.
func (s *shed) verify(t *testing.T, kept *ledger.Receipt) {
	t.Helper()
	out, err := s.command(t, "chain", "verify", "--id", "work", "--head", kept.Hash, "--format", "json").Output()
	var answer struct {
		Valid  bool  `json:"valid"`
		KeptAt int64 `json:"kept_at"`
	}
	if json.Unmarshal(out, &answer) != nil || err != nil || !answer.Valid || answer.KeptAt != kept.Seq {
		t.Fatalf("with the receipt %+v the ledger does not verify: %v\n%s", kept, err, out)
	}
}

// recorder is an MCP server on the ledger that records what it is sent.
type recorder struct {
	*exec.Cmd
	in      io.Writer
	answers *bufio.Scanner
}

func (s *shed) serve(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{Cmd: s.command(t, "serve", "--role", "judge", "--as", "joe")}
	var err error
	if r.in, err = r.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.answers = bufio.NewScanner(out)
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// receipt reads the receipt of the next answer; nil at the end, or of another answer.
func (r *recorder) receipt() *ledger.Receipt {
	if !r.answers.Scan() {
		return nil
	}
	var answer struct {
		Result struct {
			StructuredContent struct {
				Receipt *ledger.Receipt `json:"receipt"`
			} `json:"structuredContent"`
		} `json:"result"`
	}
	if json.Unmarshal(r.answers.Bytes(), &answer) != nil {
		return nil // cut off
	}
	return answer.Result.StructuredContent.Receipt
}

// Whoever is killed while recording leaves a ledger that verifies, that has every event
// of the receipts that were given out, and that the next writer goes on with.
func TestKilledWriterLeavesAWholeLedger(t *testing.T) {
	s := newShed(t)
	t.Run("a server", func(t *testing.T) {
		for run := range 5 {
			s.killServer(t, run)
		}
	})
	t.Run("commands", func(t *testing.T) {
		for run := range 5 {
			s.killCommands(t, run)
		}
	})
}

// killServer kills a server after a few of many recordings that it was sent.
func (s *shed) killServer(t *testing.T, run int) {
	r := s.serve(t)
	if _, err := io.WriteString(r.in, strings.Join(s.recordings(t, run), "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	var last *ledger.Receipt
	for receipts := 0; receipts <= run; {
		got := r.receipt()
		switch {
		case got != nil:
			last = got
			receipts++
		case len(r.answers.Bytes()) == 0:
			t.Fatalf("the server ended after %d receipts: %v", receipts, r.answers.Err())
		}
	}
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for got := r.receipt(); got != nil; got = r.receipt() { // what it still got to say
		if got.Seq > last.Seq {
			last = got
		}
	}
	_ = r.Wait() // it was killed
	s.verify(t, last)
}

// recordings are the messages by which a client has many rounds recorded.
func (s *shed) recordings(t *testing.T, run int) []string {
	t.Helper()
	text, err := os.ReadFile(s.round)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{
		`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"check_round","arguments":{"contract_id":"work","round":%s,"record":true,"submission":"run %d, round %d"}}}`,
			i, strings.ReplaceAll(string(text), "\n", " "), run, i))
	}
	return lines
}

// killCommands starts commands that record at once, and kills all once the first has
// ended, each wherever it is.
func (s *shed) killCommands(t *testing.T, run int) {
	ended := make(chan []byte)
	commands := make([]*exec.Cmd, 4)
	for i := range commands {
		commands[i] = s.command(t, "round", "check", "--id", "work", "--role", "judge", "--as", "joe", "--format", "json",
			"--record", "--submission", fmt.Sprintf("run %d, command %d", run, i), s.round)
		out, err := commands[i].StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := commands[i].Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			text, _ := io.ReadAll(out)
			ended <- text
		}()
	}
	texts := [][]byte{<-ended}
	for _, c := range commands {
		_ = c.Process.Kill() // some have ended
	}
	for range commands[1:] {
		texts = append(texts, <-ended)
	}
	receipts := 0
	for _, text := range texts {
		var answer struct {
			Receipt *ledger.Receipt `json:"receipt"`
		}
		if json.Unmarshal(text, &answer) == nil && answer.Receipt != nil {
			receipts++
			s.verify(t, answer.Receipt)
		}
	}
	if receipts == 0 {
		t.Fatalf("no command gave a receipt: %q", texts)
	}
	for _, c := range commands {
		_ = c.Wait() // most were killed
	}
}
