package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The help of every command fits a terminal, has one usage line, and names what a flag
// takes. The table of flags may be wider.
func TestHelp(t *testing.T) {
	var help bytes.Buffer
	root := newRootCmd(&process{stdout: &help, stderr: &help})
	root.SetOut(&help)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		help.Reset()
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		prose, _, _ := strings.Cut(help.String(), "\nFlags:\n")
		for line := range strings.Lines(prose) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth {
				t.Errorf("%s -h has a line of %d characters: %s", cmd.CommandPath(), n, line)
			}
		}
		if n := strings.Count(prose, "\n  "+cmd.CommandPath()+" ["); cmd.HasSubCommands() && n > 0 {
			t.Errorf("%s -h has a second usage line:\n%s", cmd.CommandPath(), prose)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); name == "string" || name == "strings" || name == "int" {
				t.Errorf("%s --%s takes a %s: name what it takes", cmd.CommandPath(), f.Name, name)
			}
		})
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(root)
}
