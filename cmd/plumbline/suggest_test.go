package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A name that is like no command and no flag gets no suggestion.
func TestNoSuggestionForUnrelatedNames(t *testing.T) {
	unrelated := func(args ...string) {
		t.Helper()
		code, _, stderr := call(args...)
		if code == exitPass || strings.Contains(stderr, "did you mean") || !strings.Contains(stderr, "unknown") {
			t.Errorf("%v: exit code %d and %q", args, code, stderr)
		}
	}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		for _, name := range []string{"nope", "bogus", "zzz"} {
			if cmd.HasSubCommands() {
				unrelated(append(path, name)...)
			} else if cmd.Name() != "help" && cmd.Name() != "stop" { // which takes any arguments, and which is a hook's
				unrelated(append(path, "--"+name)...)
			}
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRootCmd(&process{}))
}
