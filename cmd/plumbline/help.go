package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan/report"
)

// helpWidth is how many characters a line of help has at most.
const helpWidth = 80

// secondUsage is what cobra writes under the usage line of a command that holds others:
// another usage line, which says the same.
const secondUsage = `{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}`

// layOut gives the help of all commands below root its form.
func layOut(root *cobra.Command) {
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), secondUsage, "", 1))
	fitHelp(root)
}

// fitHelp breaks the lines of what commands say of themselves.
func fitHelp(cmd *cobra.Command) {
	paragraphs := strings.Split(cmd.Long, "\n\n")
	for i, text := range paragraphs {
		if !strings.HasPrefix(text, " ") { // what is indented is no prose
			paragraphs[i] = strings.TrimSuffix(report.Wrap(text, "", "", helpWidth), "\n")
		}
	}
	cmd.Long = strings.Join(paragraphs, "\n\n")
	for _, below := range cmd.Commands() {
		fitHelp(below)
	}
}
