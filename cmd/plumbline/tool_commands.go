package main

import "strings"

// toolCommands are the commands that do at a terminal what a tool does for an agent:
// answers name tools, which a person does not have.
var toolCommands = []struct{ tool, command string }{
	{"validate_contract", "plumbline contract validate"},
	{"register_contract", "plumbline contract register"},
	{"render_brief", "plumbline contract brief"},
	{"check_done", "plumbline done check"},
	{"check_round", "plumbline round check"},
	{"chain_status without arguments", "plumbline contract list"},
	{"chain_status", "plumbline chain status"},
}

// withCommands gives a text with each tool that it names as the command, quoted. Of two
// that begin alike the longer stands first.
func withCommands(text string) string {
	var pairs []string
	for _, c := range toolCommands {
		pairs = append(pairs, c.tool, "`"+c.command+"`")
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
