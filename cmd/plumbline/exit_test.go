package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestOutcome(t *testing.T) {
	tests := []struct {
		name string
		err  error
		code int
		line string
	}{
		{"none", nil, exitPass, ""},
		{"failed policy", errPolicy, exitFail, ""},
		{"usage", usagef("no %s", "files"), exitUsage, "plumbline: no files\n"},
		{"the parser's", errors.New("flag needs an argument"), exitUsage, "plumbline: flag needs an argument\n"},
		{"cancelled", context.Canceled, exitInterrupted, "plumbline: interrupted\n"},
		{"hostile", usagef("a\n::error ::b\x1b[2J"), exitUsage, "plumbline: a\\n::error :\\:b\\x1b[2J\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			p := &process{stderr: &stderr}
			if got := p.exit(test.err); got != test.code {
				t.Errorf("exit code %d, want %d", got, test.code)
			}
			if stderr.String() != test.line {
				t.Errorf("stderr %q, want %q", stderr.String(), test.line)
			}
		})
	}
}

func TestWorstOutcomeWins(t *testing.T) {
	var got *exitError
	for _, next := range []*exitError{errPolicy, errInput, errPolicy} {
		got = worst(got, next)
	}
	if got != errInput {
		t.Errorf("got %+v, want the unreadable input", got)
	}
	if got = worst(got, errInternal); got != errInternal {
		t.Errorf("got %+v, want the internal error", got)
	}
}

// withCommand adds a command to those that exist for the time of a test.
func withCommand(t *testing.T, run func(*cobra.Command, []string) error) {
	before := commands
	t.Cleanup(func() { commands = before })
	commands = append([]func(*process) *cobra.Command{}, before...)
	commands = append(commands, func(*process) *cobra.Command { return &cobra.Command{Use: "probe", RunE: run} })
}

func TestPanicIsAnInternalErrorOfOneLine(t *testing.T) {
	withCommand(t, func(*cobra.Command, []string) error { panic("index out of\nrange") })
	for debug, lines := range map[string]int{"": 1, "1": 5} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"probe"}, []string{"PLUMBLINE_DEBUG=" + debug}, nil, &stdout, &stderr)
		if code != exitInternal {
			t.Errorf("exit code %d, want %d", code, exitInternal)
		}
		if got := strings.Count(stderr.String(), "\n"); got != lines && (debug == "" || got < lines) {
			t.Errorf("PLUMBLINE_DEBUG=%q: %d lines on stderr:\n%s", debug, got, stderr.String())
		}
		if !strings.HasPrefix(stderr.String(), `plumbline: internal error: index out of\nrange`) {
			t.Errorf("stderr: %s", stderr.String())
		}
	}
}

// endless is a stdin that nobody closes.
type endless struct{ reading chan struct{} }

func (e endless) Read([]byte) (int, error) {
	close(e.reading)
	select {}
}

func TestInterruptEndsAScanThatWaitsForStdin(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	stdin := endless{make(chan struct{})}
	go func() {
		<-stdin.reading
		cancel()
	}()
	var stderr bytes.Buffer
	if code := run(ctx, []string{"scan", "-"}, nil, stdin, io.Discard, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if stderr.String() != "plumbline: interrupted\n" {
		t.Errorf("stderr: %q", stderr.String())
	}
}

func TestColorsOnATerminalOnly(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	tests := []struct {
		name string
		env  []string
		out  io.Writer
		want bool
	}{
		{"terminal", nil, tty, true},
		{"empty NO_COLOR says nothing", []string{"NO_COLOR="}, tty, true},
		{"NO_COLOR", []string{"NO_COLOR=1"}, tty, false},
		{"dumb terminal", []string{"TERM=dumb"}, tty, false},
		{"buffer", nil, io.Discard, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &process{env: test.env}
			if got := p.view(test.out); got.Color != test.want || got.Width <= 0 {
				t.Errorf("got %+v, want colour %v and a width", got, test.want)
			}
		})
	}
}
