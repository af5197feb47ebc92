package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/scan/report"
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
			name, usage := pflag.UnquoteUsage(f)
			if strings.Contains(usage, "`") {
				t.Errorf("%s --%s quotes more than what it takes, which is called %s: %s", cmd.CommandPath(), f.Name, name, usage)
			}
			if name == "string" || name == "strings" || name == "int" {
				t.Errorf("%s --%s takes a %s: name what it takes", cmd.CommandPath(), f.Name, name)
			}
		})
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(root)
}

// A list in the help stays one: each format has its line.
func TestHelpListsFormats(t *testing.T) {
	code, stdout, stderr := call("scan", "-h")
	if code != 0 || !strings.Contains(stdout, "\nFormats:\n") {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	for _, f := range report.Formats {
		if line := fmt.Sprintf("\n  %-10s%s\n", f.Name, f.About); !strings.Contains(stdout, line) {
			t.Errorf("%q is no line of its own:\n%s", line, stdout)
		}
	}
}
