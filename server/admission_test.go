package server

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// Who waits to record on a contract that is held takes nobody else's slot.
func TestWaitersForAContractHoldNoSlots(t *testing.T) {
	const waiters, slots = 12, 2
	path := filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, "sqlite:"+path) })
	t.Cleanup(func() { store.Close() })
	limits := DefaultLimits
	limits.MaxCalls = slots
	s, err := New(Config{Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	text := loopContract(t, 1, `["under","over"]`)
	call(t, s, as(tools.Owner), "register_contract", fmt.Sprintf(`{"record":true,"contract":%q}`, text))
	release := holdLedger(t, path)
	ended := make(chan string, waiters)
	for i := range waiters {
		go func() {
			ended <- rpc(t, s, as(tools.Owner), "tools/call", map[string]any{"name": "check_round", "arguments": map[string]any{
				"contract_id": "shop/refunds", "record": true, "submission": fmt.Sprint(i), "round": teamRound(text, "fail", loopDefect)}})
		}()
	}
	await(t, "all wait", func() bool {
		return strings.Contains(scrape(t, s), fmt.Sprintf("plumbline_calls_running %d\n", waiters))
	})
	for range slots {
		if got := call(t, s, as(tools.Owner), "chain_status", `{"contract_id":"shop/refunds"}`); strings.Contains(got, "isError") {
			t.Errorf("reading beside them gives %s", got)
		}
	}
	if len(ended) > 0 {
		t.Errorf("reading waited until %d of them had ended", len(ended))
	}
	release()
	for range waiters {
		if got := receive(t, ended, "a recording"); !strings.Contains(got, `"recorded":true`) {
			t.Errorf("a recording gives %s", got)
		}
	}
	if n := len(s.admission.calls); n != 0 {
		t.Errorf("%d slots are still taken", n)
	}
}

// holdLedger keeps everybody from recording until release is called.
func holdLedger(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range []string{`PRAGMA busy_timeout = 10000`, `BEGIN IMMEDIATE`} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		t.Helper()
		if _, err := db.Exec(`ROLLBACK`); err != nil {
			t.Error(err)
		}
	}
}
