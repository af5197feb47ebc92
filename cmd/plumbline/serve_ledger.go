package main

import (
	"cmp"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// checkLedger refuses a DSN that no ledger can have. Whether the ledger can be reached is
// found out later: who only scans needs none, and a database may start after the server.
func (f *ledgerFlags) checkLedger() error {
	dsn := cmp.Or(f.dsn, f.getenv("PLUMBLINE_LEDGER"))
	if dsn == "" {
		return nil
	}
	return refusal(ledger.CheckDSN(dsn))
}
