//go:build unix

package runner_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// stubborn ignores the signal to end, has a child that does so too and holds the
// output open, and says through a pipe with a name that it lives. The pipe gives end of
// file once nobody lives who could write to it.
const stubborn = `trap '' TERM
(trap '' TERM; exec 3>"$PWD/alive"; echo alive >&3; while :; do sleep 600; done) &
echo began
while :; do sleep 600; done`

// alive opens the pipe that a stubborn command lives by.
func alive(t *testing.T, dir string) *os.File {
	t.Helper()
	path := filepath.Join(dir, "alive")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestTimeoutKillsTheWholeGroup(t *testing.T) {
	r, dir := newRunner(t)
	pipe := alive(t, dir)
	got := one(t, r, contract.Check{Type: contract.Command, Run: stubborn, Timeout: 10})
	if !got.TimedOut || got.Passed || got.ExitCode == 0 || got.OutputTail != "began\n" || got.Problem != "it took longer than 10s and was killed" {
		t.Errorf("got %+v", got)
	}
	if said, err := io.ReadAll(pipe); err != nil || string(said) != "alive\n" {
		t.Errorf("the child said %q, error %v", said, err)
	}
}

func TestCancelKillsTheWholeGroupAndKeepsWhatWasDone(t *testing.T) {
	r, dir := newRunner(t)
	path := filepath.Join(dir, "alive")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said := make(chan string)
	go func() {
		pipe, err := os.Open(path) // waits for the child
		cancel()
		var text []byte
		if err == nil {
			text, _ = io.ReadAll(pipe) // waits for its end
		}
		said <- string(text)
	}()
	checks := []contract.Check{{Type: contract.Command, Run: "echo first"}, {Type: contract.Command, Run: stubborn}, {Type: contract.Command, Run: "touch third"}}
	outcomes, err := r.Run(ctx, checks)
	if err != context.Canceled || len(outcomes) != 1 || !outcomes[0].Passed {
		t.Errorf("outcomes %+v, error %v", outcomes, err)
	}
	if text := <-said; text != "alive\n" {
		t.Errorf("the child said %q", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "third")); err == nil {
		t.Error("a check was run after the cancel")
	}
}
