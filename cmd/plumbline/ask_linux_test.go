package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/plumbline-mcp/plumbline/contract"
)

// openTerminal gives both ends of a terminal: what a person types and sees, and what
// the program reads and writes.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var number, unlock int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close(); person.Close() })
	return person, program
}

// small is a contract with one check.
func small(t *testing.T, dir, run string) string {
	t.Helper()
	text, err := contract.Stamp([]byte(fmt.Sprintf(`{"aac": "0.1.0", "contract": {"id": "work", "owner": "lead"}, "budget": {"extensions": 2}, "criteria": [
		{"id": "first", "class": "first", "kind": "enumerable", "statement": "The listed cases end as stated.", "cases": ["one"],
		 "checks": [{"type": "command", "run": %q}]}]}`, run)), 1)
	if err != nil {
		t.Fatal(err)
	}
	return place(t, dir, "contract.json", text)
}

func TestATerminalIsAskedBeforeAnythingRuns(t *testing.T) {
	for answer, runs := range map[string]bool{"y\n": true, "Yes\n": true, "n\n": false, "\n": false, "yesterday\n": false, "\x04": false} {
		t.Run(fmt.Sprintf("%q", answer), func(t *testing.T) {
			dir := t.TempDir()
			path := small(t, dir, "touch ran")
			person, program := openTerminal(t)
			if _, err := person.WriteString(answer); err != nil {
				t.Fatal(err)
			}
			var stdout bytes.Buffer
			code := run(context.Background(), []string{"done", "run", path, "--root", dir}, os.Environ(), program, &stdout, program)
			_, err := os.Stat(filepath.Join(dir, "ran"))
			if ran := err == nil; ran != runs {
				t.Errorf("ran: %v, want %v", ran, runs)
			}
			want := map[bool]int{true: exitPass, false: exitUsage}[runs]
			if code != want || (stdout.Len() > 0) != runs {
				t.Errorf("exit code %d, want %d; stdout: %s", code, want, stdout.String())
			}
			program.Close() // so that reading comes to an end, which is an error here
			if shown, _ := io.ReadAll(person); !strings.Contains(string(shown), "touch ran\r\n") {
				t.Errorf("the terminal showed %q", shown)
			}
		})
	}
}

func TestATerminalThatShowsNothingIsNotAsked(t *testing.T) {
	dir := t.TempDir()
	path := small(t, dir, "touch ran")
	_, program := openTerminal(t)
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"done", "run", path, "--root", dir}, os.Environ(), program, &stdout, &stderr)
	if code != exitUsage || !strings.Contains(stderr.String(), "there is no terminal to ask on") {
		t.Errorf("exit code %d; stderr: %s", code, stderr.String())
	}
}

func TestInterruptWhileATerminalIsAsked(t *testing.T) {
	dir := t.TempDir()
	path := small(t, dir, "touch ran")
	person, program := openTerminal(t)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = person.Read(make([]byte, 4096)) // something is shown
		cancel()
	}()
	if code := run(ctx, []string{"done", "run", path, "--root", dir}, os.Environ(), program, &bytes.Buffer{}, program); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}

func TestInterruptedRunKeepsItsReport(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "alive")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := contract.Stamp([]byte(`{"aac": "0.1.0", "contract": {"id": "work", "owner": "lead"}, "budget": {"extensions": 2}, "criteria": [
		{"id": "first", "class": "first", "kind": "enumerable", "statement": "The listed cases end as stated.", "cases": ["one"],
		 "checks": [{"type": "command", "run": "true"}, {"type": "command", "run": "exec >alive; sleep 600"}]}]}`), 1)
	if err != nil {
		t.Fatal(err)
	}
	path, out := place(t, dir, "contract.json", text), filepath.Join(dir, "done.json")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		if f, err := os.Open(pipe); err == nil { // waits until the second check runs
			f.Close()
		}
		cancel()
	}()
	var stderr bytes.Buffer
	args := []string{"done", "run", path, "--root", dir, "--out", out, "--trust", "sha256:" + contract.SHA256(text)}
	if code := run(ctx, args, os.Environ(), nil, &bytes.Buffer{}, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, want %d; stderr: %s", code, exitInterrupted, stderr.String())
	}
	report, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	c, problems := contract.ParseContract(text)
	checked := contract.CheckDone(c, problems, report)
	if errs := checked.Report.Errors(); len(errs) != 1 || errs[0].Code != contract.CheckNotReported {
		t.Errorf("the report holds %+v", errs)
	}
}
