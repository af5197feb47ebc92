package server

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// servers serve over each version of HTTP.
var servers = map[string]func(testing.TB, *Server, HTTPConfig, ...func(*httpServer)) *site{"HTTP/1.1": open, "HTTP/2": openHTTP2}

// A recording whose client leaves, by its connection or by its stream, is kept whole or not
// at all, and the client that comes again with it has it recorded once.
func TestLeavingInMidRecording(t *testing.T) {
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ledger.db")
			store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, "sqlite:"+path) })
			t.Cleanup(func() { store.Close() })
			s, _ := serverOver(t, store, "json")
			web := serve(t, s, HTTPConfig{Local: tools.Caller{Name: "olga", Role: tools.Owner}})
			text := loopContract(t, 1, `["under","over"]`)
			web.call("1", "register_contract", fmt.Sprintf(`{"record":true,"contract":%q}`, text))
			leaveTwo(t, web, path, text)
			if events := exported(t, s); events != 2 {
				t.Errorf("the ledger has %d events, want the revision and the round that had begun", events)
			}
			seqs := map[int64]bool{}
			for _, key := range []string{"a", "b", "a", "b"} {
				seqs[recordRound(t, web, text, key)] = true
			}
			if events := exported(t, s); events != 3 || len(seqs) != 2 {
				t.Errorf("after both came again the ledger has %d events, and the receipts are of %v", events, seqs)
			}
		})
	}
}

func roundLine(text, key string) string {
	return callLine("1", "check_round", fmt.Sprintf(`{"contract_id":"shop/refunds","record":true,"submission":%q,"round":%s}`, key, teamRound(text, "fail", loopDefect)))
}

// leaveTwo sends two recordings while the ledger is held, of which one has begun and one
// waits for it, and cuts both off.
func leaveTwo(t *testing.T, web *site, path, text string) {
	t.Helper()
	release := holdLedger(t, path)
	given, giveUp := context.WithCancel(context.Background())
	var gone []<-chan answer
	for _, key := range []string{"a", "b"} {
		gone = append(gone, web.background(given, "/mcp", roundLine(text, key)))
	}
	running := func(n int) bool {
		return strings.Contains(scrape(t, web.Server), fmt.Sprintf("plumbline_calls_running %d\n", n))
	}
	await(t, "one records and one waits", func() bool {
		return running(2) && goroutinesIn("ledger.(*statements).begin") == 1 && goroutinesIn("ledger.(*queues).enter") == 1
	})
	giveUp()
	for _, g := range gone {
		receive(t, g, "the end of a request")
	}
	await(t, "who waited has left", func() bool { return running(1) })
	release()
	await(t, "what had begun has ended", func() bool { return running(0) })
}

// goroutinesIn is how many goroutines are in a function: nothing that a client sees tells whether
// a recording has begun.
func goroutinesIn(function string) int {
	stacks := make([]byte, 16<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), function+"(")
}

// recordRound records a round and gives the number of its event.
func recordRound(t *testing.T, web *site, text, key string) int64 {
	t.Helper()
	got := web.post(roundLine(text, key))
	var told struct {
		Recorded bool
		Receipt  struct{ Seq int64 }
	}
	if err := json.Unmarshal(got.Result.StructuredContent, &told); err != nil || !told.Recorded {
		t.Fatalf("recording %s gives %d %s", key, got.status, got.body)
	}
	return told.Receipt.Seq
}

// exported verifies the contract's chain, and gives how many events it has.
func exported(t *testing.T, s *Server) int {
	t.Helper()
	whole := resourceText(t, readResource(t, s, as(tools.Owner), tools.ChainURI("shop/refunds")))
	v, err := ledger.VerifyExport(strings.NewReader(whole), nil, "")
	if err != nil || !v.OK() {
		t.Errorf("the chain does not verify: %v, %+v", err, v)
	}
	return int(v.Events)
}
