package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// schemas are the JSON Schemas that can be printed.
var schemas = []struct {
	name  string
	bytes func() []byte
}{
	{"agentready", agentready.Schema},
}

func newSchemaCmd(p *process) *cobra.Command {
	names := make([]string, len(schemas))
	for i, s := range schemas {
		names[i] = s.name
	}
	return &cobra.Command{
		Use:       "schema NAME",
		Short:     "Print a JSON Schema: " + strings.Join(names, ", "),
		ValidArgs: names,
		Args:      atMost(1, "one name"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("no schema named: use one of %s", strings.Join(names, ", "))
			}
			for _, s := range schemas {
				if s.name == args[0] {
					_, err := p.stdout.Write(s.bytes())
					return err
				}
			}
			return usagef("unknown schema %q: use one of %s", args[0], strings.Join(names, ", "))
		},
	}
}
