package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

func newVersionCmd(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, what it was built with, and the ruleset",
		Args:  atMost(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.stdout, "plumbline %s\ngo        %s\nruleset   %s\nexport    agentready.json v%s\n",
				version(), runtime.Version(), agentready.Ruleset, agentready.Version)
			return err
		},
	}
}

// version is the module's version, with the commit where the build knows it:
// "(devel) commit 0123456789ab, modified".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v += " commit " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			v += ", modified"
		}
	}
	return v
}
