package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// screen collects what a terminal shows.
type screen struct {
	person *os.File
	shown  strings.Builder
}

// until reads until the terminal has shown a text; false where it shows no more.
func (s *screen) until(text string) bool {
	for part := make([]byte, 4096); !strings.Contains(s.shown.String(), text); {
		n, err := s.person.Read(part)
		if s.shown.Write(part[:n]); err != nil {
			return strings.Contains(s.shown.String(), text)
		}
	}
	return true
}

// TestTerminalSeesHowFarAScanIs has a scan wait for its input until the terminal shows
// that it does.
func TestTerminalSeesHowFarAScanIs(t *testing.T) {
	good, err := os.ReadFile("testdata/tools/good.json")
	if err != nil {
		t.Fatal(err)
	}
	person, program := openTerminal(t)
	seen := &screen{person: person}
	stdin, document := io.Pipe()
	go func() {
		seen.until("] file 2 of 2: reading stdin")
		_, _ = document.Write(good)
		document.Close()
	}()
	code := run(context.Background(), []string{"scan", "testdata/tools/good.json", "-"}, []string{"TERM=xterm", "NO_COLOR=1"}, stdin, program, program)
	program.Close()
	seen.until("no such text, so all")
	_, after, drawn := strings.Cut(seen.shown.String(), "\r\x1b[K[##########----------] file 2 of 2: reading stdin")
	if code != exitPass || !drawn {
		t.Fatalf("exit code %d; the terminal showed %q", code, seen.shown.String())
	}
	last := strings.LastIndex(after, "\r\x1b[K")
	if result := after[last+len("\r\x1b[K"):]; last < 0 || !strings.HasPrefix(result, "testdata/tools/good.json: mcp, 1 tool") {
		t.Errorf("the line is not gone before the result: %q", after)
	}
}

func TestTerminalSeesHowLongACheckRuns(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "go-on")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	path := small(t, dir, "read line <go-on")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	person, program := openTerminal(t)
	seen := &screen{person: person}
	go func() {
		seen.until("[--------------------] check 1 of 1, for ")
		_ = os.WriteFile(pipe, []byte("\n"), 0)
	}()
	args := []string{"done", "run", path, "--root", dir, "--trust", "sha256:" + contract.SHA256(text)}
	code := run(context.Background(), args, []string{"TERM=xterm", "PATH=" + os.Getenv("PATH")}, nil, io.Discard, program)
	program.Close()
	seen.until("no such text, so all")
	if code != exitPass || !strings.Contains(seen.shown.String(), "\r\x1b[K      passed after ") {
		t.Errorf("exit code %d; the terminal showed %q", code, seen.shown.String())
	}
}

// What cannot write over a line has no progress: the terminal of an editor, or a pipe.
func TestDumbTerminalsAndPipesHaveNoProgress(t *testing.T) {
	_, program := openTerminal(t)
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reads.Close()
	defer writes.Close()
	for _, tt := range []struct {
		stderr *os.File
		term   string
		shows  bool
	}{{program, "xterm", true}, {program, "", true}, {program, "dumb", false}, {writes, "xterm", false}} {
		p := &process{stderr: tt.stderr, env: []string{"TERM=" + tt.term, "NO_COLOR=1"}}
		bar := p.newProgress()
		bar.end()
		if (bar != nil) != tt.shows {
			t.Errorf("%s, TERM=%q: %v, want %v", tt.stderr.Name(), tt.term, bar != nil, tt.shows)
		}
	}
}
