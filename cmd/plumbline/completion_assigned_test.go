package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flag that takes a file after =, as --format does, completes it, with what stands before
// the =: a shell puts the whole word in its place.
func TestFilesAreCompletedAfterAnEqualsSign(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	place(t, dir, "report.sarif", nil)
	place(t, dir, "reports/old.sarif", nil)
	place(t, dir, ".hidden", nil)
	flags := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if takes, _ := pflag.UnquoteUsage(f); !strings.Contains(takes, "=") {
				return
			}
			flags++
			for begun, want := range map[string][]string{
				"a=":                     {"a=report.sarif", "a=reports/"},
				"a=reports/":             {"a=reports/old.sarif"},
				"a=reports/x":            nil,
				"a=nowhere/":             nil,
				"a=" + dir + "/reports/": {"a=" + dir + "/reports/old.sarif"},
			} {
				args := append(append([]string{"__complete"}, strings.Fields(cmd.CommandPath())[1:]...), "--"+f.Name, begun)
				_, stdout, _ := call(args...)
				lines := strings.Split(strings.TrimSpace(stdout), "\n")
				if got := lines[:len(lines)-1]; !slices.Equal(got, want) {
					t.Errorf("%v gives %q, want %q", args, got, want)
				}
			}
		})
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRootCmd(&process{}))
	if flags == 0 {
		t.Error("no flag takes a file after =")
	}
}
