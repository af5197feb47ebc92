package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// An empty value is a variable that nobody set: taken as no value, it would leave out the
// check, or the end, that the flag asks for. Every flag of every command refuses it.
func TestEmptyValueIsRefused(t *testing.T) {
	tried := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" {
				return // it takes no value
			}
			tried++
			for _, value := range []string{"", " \t"} {
				args := append(strings.Fields(cmd.CommandPath())[1:], "--"+f.Name, value)
				code, stdout, stderr := call(args...)
				if code != exitUsage || stdout != "" || !strings.Contains(stderr, "--"+f.Name) {
					t.Errorf("plumbline %q: code %d, %q, %q: it must be refused by the flag's name", args, code, stdout, stderr)
				}
			}
		})
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRootCmd(&process{}))
	if tried < 100 {
		t.Errorf("only %d flags were found", tried)
	}
}
