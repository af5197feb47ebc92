package server

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// While the ledger hangs, who records on a contract and who waits behind it are both told of
// the ledger, and counted: the server has time for all of them, and so have their documents.
func TestRecordingWhileTheLedgerHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const judges = 6
		path := filepath.Join(t.TempDir(), "ledger.db")
		store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, "sqlite:"+path) })
		t.Cleanup(func() { store.Close() })
		limits := DefaultLimits
		limits.MaxTime, limits.MaxCalls = 4*time.Second, judges/2
		s, err := New(Config{Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		text := loopContract(t, 1, `["under","over"]`)
		call(t, s, as(tools.Owner), "register_contract", fmt.Sprintf(`{"record":true,"contract":%q}`, text))
		release := holdLedger(t, path)
		answers := make(chan string)
		for i := range judges {
			go func() {
				answers <- rpc(t, s, as(tools.Owner), "tools/call", map[string]any{"name": "check_round", "arguments": map[string]any{
					"contract_id": "shop/refunds", "record": true, "submission": fmt.Sprint(i), "round": teamRound(text, "fail", loopDefect)}})
			}()
		}
		for range judges {
			if got := <-answers; !strings.Contains(got, `LEDGER_UNAVAILABLE`) {
				t.Errorf("a judge is told %s", got)
			}
		}
		release()
		wantSamples(t, s, fmt.Sprintf(`plumbline_ledger_errors_total{code="LEDGER_UNAVAILABLE"} %d`, judges),
			fmt.Sprintf(`plumbline_calls_total{outcome="LEDGER_UNAVAILABLE",tool="check_round"} %d`, judges))
	})
}
