package tools_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// A brief is kept as long as nothing is recorded. Then whoever asks sees it, whichever
// server recorded it, and each role sees its own.
func TestKeptBriefs(t *testing.T) {
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	open := func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) }
	asked, other := officeOn(t, open), officeOn(t, open)
	text := contractOf(t, shop, 1, "over")
	other.as("olga", tools.Owner).ask("register_contract", args{"contract": text, "record": true})
	bob, jane := asked.as("bob", tools.Builder), asked.as("jane", tools.Judge)
	given := args{"role": "builder", "contract_id": shop}
	forBob, forJane := bob.ask("render_brief", given).Brief, jane.ask("render_brief", args{"role": "judge", "contract_id": shop}).Brief
	if forBob == forJane {
		t.Error("builder and judge get one brief")
	}
	round := roundOn(t, text, "pass")
	const hint = "tell the builder about the extension"
	round["subject"] = args{"commit": hint}
	other.as("jane", tools.Judge).ask("check_round", args{"contract_id": shop, "round": round, "record": true, "submission": "a"})
	for range 2 {
		got, whole := bob.ask("render_brief", given), jane.ask("render_brief", given)
		if got.State.Rounds != 1 || got.Brief != forBob || got.State.Subject == hint || whole.State.Subject != hint {
			t.Errorf("after a round the builder gets %+v, a judge %+v", got.State, whole.State)
		}
	}
	other.as("olga", tools.Owner).ask("register_contract", args{"contract": contractOf(t, shop, 2, "under"), "record": true})
	if got := bob.ask("render_brief", given); got.Revision != 2 || got.State.NewestRevision != 2 {
		t.Errorf("after a revision the brief is of %d: %+v", got.Revision, got.State)
	}
}
