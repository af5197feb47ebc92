package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// demoProgram is the program as scripts run it.
func demoProgram(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("plumbline")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// emptyTemp is a temporary directory for the demo; at the end it must be empty.
func emptyTemp(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("the demo left %v behind (%v)", left, err)
		}
	})
}

// A server that answers otherwise than the story says ends it, at the step.
func TestDemoSaysWhichStepFails(t *testing.T) {
	registers := demoStory[0].steps[0]
	otherwise := registers
	otherwise.gets = []demoFact{fact("valid: {valid}", "false")}
	tests := []struct {
		name  string
		steps []demoStep
		want  []string
	}{
		{"another answer", []demoStep{otherwise}, []string{"owner, register_contract", `"valid" is "true"`, `needs "false"`}},
		{"a tool error", []demoStep{readsBrief(tools.Judge)}, []string{"judge, render_brief", "UNKNOWN_CONTRACT"}},
		{"a command without an answer", []demoStep{asks("gate")}, []string{"build, gate", "there is no ledger"}},
		{"the builder is shown the extension", []demoStep{registers, readsBrief(tools.Judge),
			judges("round-2.json", "commit-2"), {who: tools.Owner, does: "chain_status", sends: statusOf, notes: []demoNote{hidesExtension}}},
			[]string{"owner, chain_status", `extension's text "double-refund"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			emptyTemp(t)
			var stdout bytes.Buffer
			p := &process{env: os.Environ(), stdout: &stdout}
			err := outcome(p.demo(t.Context(), demoProgram(t), []demoChapter{{"A wrong turn", "It must be seen.", test.steps}}))
			if err == nil || err.code != exitInternal {
				t.Fatalf("the outcome is %v, want one of exit code %d", err, exitInternal)
			}
			for _, want := range append(test.want, "chapter 1, A wrong turn") {
				if !strings.Contains(err.message, want) {
					t.Errorf("the message %q lacks %q", err.message, want)
				}
			}
			if !strings.Contains(stdout.String(), "1. A wrong turn") {
				t.Errorf("what came before is not shown: %s", stdout.String())
			}
		})
	}
}

// cancelling ends a run as soon as it has written something.
type cancelling struct {
	cancel context.CancelFunc
}

func (w cancelling) Write(p []byte) (int, error) {
	w.cancel()
	return len(p), nil
}

func TestDemoEndsOnASignal(t *testing.T) {
	emptyTemp(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := &process{env: os.Environ(), stdout: cancelling{cancel}}
	if err := outcome(p.demo(ctx, demoProgram(t), demoStory)); err != errInterrupted {
		t.Errorf("the outcome is %v, want %v", err, errInterrupted)
	}
}

func TestDemoSaysWhyNoServerStarts(t *testing.T) {
	for program, want := range map[string]string{"/bin/sh": "serve", "/gone/plumbline": "no such file"} {
		t.Run(program, func(t *testing.T) {
			emptyTemp(t)
			p := &process{env: os.Environ(), stdout: &bytes.Buffer{}}
			err := outcome(p.demo(t.Context(), program, demoStory))
			if err == nil || err.code != exitInternal {
				t.Fatalf("the outcome is %v, want one of exit code %d", err, exitInternal)
			}
			for _, want := range []string{"cannot start the owner's server, " + program, want} {
				if !strings.Contains(err.message, want) {
					t.Errorf("the message %q lacks %q", err.message, want)
				}
			}
		})
	}
}

func TestFactLines(t *testing.T) {
	value := map[string]any{"done": true, "none": []any{}, "ones": []any{1.0},
		"next": []any{map[string]any{"actor": "owner", "why": "an extension waits"}, map[string]any{"actor": "builder", "why": "a defect waits"}}}
	tests := []struct {
		fact demoFact
		want string // the lines, or what the error holds
	}{
		{fact("done: {done}", "true"), "done: true"},
		{fact("next: {next.*.actor} ({next.*.why})", "owner, builder"), "next: owner (an extension waits)\nnext: builder (a defect waits)"},
		{fact("second: {next.1.actor}"), "second: builder"},
		{fact("list: {none.*.actor} ({none.*.why})", noValue), "list: none"},
		{fact("list: {ones}"), "list: [1]"},
		{fact("done: {done}", "false"), `"done" is "true", but the story needs "false"`},
		{fact("{next.*.actor}: {ones.*}"), `"ones.*" has 1 values, not 2`},
		{fact("third: {next.2.actor}"), `"next.2.actor" is missing: there is no "2"`},
		{fact("deep: {done.really}"), `"done.really" is missing: there is no "really"`},
	}
	for _, test := range tests {
		lines, err := test.fact.lines(value)
		got := strings.Join(lines, "\n")
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q gives %q, want %q", test.fact.text, got, test.want)
		}
	}
}

func TestClientConfigOfAProgramThatDoesNotStay(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	tests := map[string]string{
		"/tmp/go-build17/b001/exe/plumbline":                        "plumbline",
		"/home/ann/.cache/go-build/01/" + digest + "-d/plumbline":   "plumbline",
		"/home/ann/go/bin/plumbline":                                "/home/ann/go/bin/plumbline",
		"/home/ann/.cache/go-build/01/" + digest + "-d/x/plumbline": "/home/ann/.cache/go-build/01/" + digest + "-d/x/plumbline",
	}
	for binary, want := range tests {
		if got := installed(binary); got != want {
			t.Errorf("a client would start %s as %q, want %q", binary, got, want)
		}
	}
}
