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
	cmd.Long = fitText(cmd.Long)
	for _, below := range cmd.Commands() {
		fitHelp(below)
	}
}

// fitText breaks the lines of prose. A line that is indented is none, but an item of a
// list, which stays as it is.
func fitText(text string) string {
	var fitted, prose []string
	flush := func() {
		if len(prose) > 0 {
			fitted = append(fitted, strings.TrimSuffix(report.Wrap(strings.Join(prose, " "), "", "", helpWidth), "\n"))
		}
		prose = nil
	}
	for _, line := range strings.Split(text, "\n") {
		if line != "" && line[0] != ' ' {
			prose = append(prose, line)
			continue
		}
		flush()
		fitted = append(fitted, line)
	}
	flush()
	return strings.Join(fitted, "\n")
}
