package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// namesArgument finds in a usage line what can be completed.
var namesArgument = regexp.MustCompile(`\b(FILE|CONTRACT|REPORT|ROUND|ID|CODE|NAME|SHELL|COMMAND)\b`)

// flagInUse is a flag and its value there.
var flagInUse = regexp.MustCompile(`--\S+ \S+`)

// notCompleted are the commands whose arguments are known to nothing at hand: DSNs, and
// tokens of a file that a flag names.
var notCompleted = []string{"ledger copy", "token revoke"}

// What a usage line names, the command completes; no line of the table is for a command
// that is not there.
func TestEveryArgumentIsCompleted(t *testing.T) {
	left := map[string]bool{}
	for name := range argumentCompleters {
		left[name] = true
	}
	var visit func(cmd *cobra.Command, name string)
	visit = func(cmd *cobra.Command, name string) {
		delete(left, name)
		_, takes, _ := strings.Cut(cmd.Use, " ")
		takes = flagInUse.ReplaceAllString(takes, "")
		completes := cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0 || cmd.HasSubCommands()
		if namesArgument.MatchString(takes) && !completes && !slices.Contains(notCompleted, name) {
			t.Errorf("plumbline %s takes %s and completes nothing", name, takes)
		}
		for _, below := range cmd.Commands() {
			visit(below, strings.TrimSpace(name+" "+below.Name()))
		}
	}
	visit(newRootCmd(&process{}), "")
	for name := range left {
		t.Errorf("there is no command %q to complete", name)
	}
}
