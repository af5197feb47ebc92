package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// faulty breaks as only a mistake in the program would.
type faulty struct{}

func (faulty) Read([]byte) (int, error) { panic("faulty") }

// What a host takes for leave to stop, such as the exit code of an internal error, or a
// hook that it must kill, is none of what a hook ends with.
func TestHookHoldsWhateverGoesWrong(t *testing.T) {
	silent, never := io.Pipe()
	defer never.Close()
	tests := []struct {
		name  string
		stdin io.Reader
		limit time.Duration
		want  string
	}{
		{"stdin that never ends", silent, time.Millisecond, "no answer came within 1ms"},
		{"a mistake in the program", faulty{}, hookTime, "internal error: faulty"},
		{"stdin that breaks", iotest.ErrReader(errors.New("broken")), hookTime, "stdin: broken"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &process{stdin: tt.stdin, stdout: io.Discard, stderr: &bytes.Buffer{}}
			hook := &stopHook{process: p, service: &serviceFlags{ledgerFlags: &ledgerFlags{process: p}}, ids: []string{"refunds"}, limit: tt.limit}
			if got := outcome(hook.run(context.Background(), nil)); got == nil || got.code != hookHolds || !strings.Contains(got.message, tt.want) {
				t.Errorf("it ends with %+v, want code %d and %q", got, hookHolds, tt.want)
			}
		})
	}
}

func TestHookThatIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code := run(ctx, []string{"hook", "stop", "--id", "refunds"}, nil, strings.NewReader(""), io.Discard, io.Discard)
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}
