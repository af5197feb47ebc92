package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// namedSchema is a JSON Schema that can be printed.
type namedSchema struct {
	name  string
	bytes func() []byte
}

// schemas are all of them.
func schemas() []namedSchema {
	all := []namedSchema{{"agentready", agentready.Schema}, {"policy", scan.PolicySchema}}
	for _, name := range contract.SchemaNames() {
		all = append(all, namedSchema{name, func() []byte {
			text, _ := contract.Schema(name)
			return text
		}})
	}
	return all
}

func newSchemaCmd(p *process) *cobra.Command {
	var names []string
	for _, s := range schemas() {
		names = append(names, s.name)
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
			for _, s := range schemas() {
				if s.name == args[0] {
					_, err := p.stdout.Write(s.bytes())
					return err
				}
			}
			return usagef("unknown schema %q: use one of %s", args[0], strings.Join(names, ", "))
		},
	}
}
