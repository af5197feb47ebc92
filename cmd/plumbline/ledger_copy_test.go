package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

// TestPostgresScripts runs the scripts that need a database: $POSTGRES is the DSN of an
// empty one, on a server at $ADDRESS.
func TestPostgresScripts(t *testing.T) {
	server := pgtest.Shared(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script/postgres",
		Setup: func(env *testscript.Env) error {
			env.Setenv("POSTGRES", server.DSN(t))
			env.Setenv("ADDRESS", server.Address())
			return nil
		},
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "tamper": tamper, "keephead": keephead},
	})
}
