package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

const (
	soakCalls = 20_000
	// soakWarm are calls before the first measurement, which fill what is kept for good.
	soakWarm = 2_000
	// soakTurn is how many calls a client makes before it leaves and another comes.
	soakTurn = 500
)

// soakMessages are what the clients of a soak send, with what stands in the answer.
func soakMessages(t *testing.T) []struct{ line, want string } {
	text := loopContract(t, 1, `["under","over"]`)
	quoted := fmt.Sprintf("%q", text)
	call := func(tool, args string) string { return strings.TrimSpace(callLine(`"soak"`, tool, args)) }
	quick := []struct{ line, want string }{
		{pingLine(`"soak"`), `"result":{}`},
		{`{"jsonrpc":"2.0","id":"soak","method":"tools/list"}`, `"chain_status"`},
		{call("validate_contract", `{"contract":`+quoted+`}`), `\"valid\":true`},
		{call("validate_contract", `{"contracts":1}`), "BAD_ARGUMENT"},
		{call("scan_mcp_tools", `{"tools":[{"name":"wipe_disk","description":"Wipes."}]}`), "FAIL"},
		{call("scan_openapi", `{"document":"{"}`), "UNREADABLE_DOCUMENT"},
		{call("wipe_disk", `{}`), "-32602"},
		{`{"jsonrpc":"2.0","id":"soak","method":"no/such"}`, "-32601"},
	}
	overLedger := []struct{ line, want string }{
		{call("render_brief", `{"role":"judge","contract_id":"shop/refunds"}`), "round_template"},
		{call("chain_status", `{}`), "shop/refunds"},
		{call("chain_status", `{"contract_id":"nothing"}`), "UNKNOWN_CONTRACT"},
		{call("check_done", `{"contract_id":"shop/refunds","record":false,"report":`+loopReport(t, text)+`}`), `\"complete\":true`},
		{call("register_contract", `{"record":true,"contract":`+quoted+`}`), "already_registered"},
		{`{"jsonrpc":"2.0","id":"soak","method":"resources/read","params":{"uri":"plumbline://contracts/shop%2Frefunds/chain"}}`, `"contents"`},
		{`{"jsonrpc":"2.0","id":"soak","method":"prompts/get","params":{"name":"judge_round","arguments":{"contract_id":"shop/refunds"}}}`, `"messages"`},
	}
	// The database is many times slower under the race detector than everything else.
	return slices.Concat(quick, quick, quick, overLedger)
}

// asker is a client that makes one request at a time.
type asker struct {
	ask   func(line string) (string, error)
	leave func()
}

// soakers come to the server by every transport.
var soakers = []func(*site) asker{postingAsker, postingAsker, listeningAsker, listeningAsker, stdioAsker}

// postingAsker uses /mcp, and now and then leaves before its answer comes.
func postingAsker(web *site) asker {
	n := 0
	return asker{leave: func() {}, ask: func(line string) (string, error) {
		if n++; n%20 == 0 {
			ctx, leave := context.WithCancel(context.Background())
			gone := web.background(ctx, "/mcp", line)
			leave()
			<-gone
		}
		got, err := web.try(web.request(context.Background(), http.MethodPost, "/mcp", line))
		return got.body, err
	}}
}

// listeningAsker uses SSE.
func listeningAsker(web *site) asker {
	l := web.listen()
	return asker{leave: l.leave, ask: func(line string) (string, error) {
		got, err := web.try(web.request(context.Background(), http.MethodPost, l.path, line))
		if err != nil || got.status != http.StatusAccepted {
			return "", fmt.Errorf("posting gives %d %s, %v", got.status, got.body, err)
		}
		return (<-l.events).data, nil
	}}
}

// stdioAsker uses stdio, on pipes.
func stdioAsker(web *site) asker {
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- web.ServeStdio(context.Background(), tools.Caller{Name: "stdio", Role: tools.Owner}, in, out)
	}()
	lines := bufio.NewReader(answers)
	return asker{
		leave: func() { requests.Close(); <-done },
		ask: func(line string) (string, error) {
			if _, err := io.WriteString(requests, line+"\n"); err != nil {
				return "", err
			}
			return lines.ReadString('\n')
		},
	}
}

// soak makes so many calls, of all kinds and over all transports at once.
func soak(t *testing.T, web *site, calls int64) {
	t.Helper()
	messages := soakMessages(t)
	var made atomic.Int64
	var all sync.WaitGroup
	for _, arrive := range soakers {
		all.Go(func() {
			for made.Load() < calls && !t.Failed() {
				client := arrive(web)
				for range soakTurn {
					message := messages[made.Add(1)%int64(len(messages))]
					if got, err := client.ask(message.line); err != nil || !strings.Contains(got, message.want) {
						t.Errorf("%s gives %.500s, %v; want %s", message.line, got, err, message.want)
						break
					}
				}
				client.leave()
			}
		})
	}
	all.Wait()
	web.client.CloseIdleConnections()
}

// standing is what the process holds once nothing runs: goroutines, and bytes on the
// heap.
func standing(web *site) (goroutines int, heap uint64) {
	await(web.t, "all clients have left", func() bool { return web.sessions.count() == 0 && web.requests.count() == 0 })
	var stats runtime.MemStats
	for range 3 { // what finalizers and pools let go of takes a second and a third round
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return runtime.NumGoroutine(), stats.HeapAlloc
}

// After 20,000 calls the server holds what it held before.
func TestSoak(t *testing.T) {
	web := open(t, quietTeam(t), HTTPConfig{Local: tools.Caller{Name: "olga", Role: tools.Owner}})
	if got := web.call("1", "register_contract", fmt.Sprintf(`{"record":true,"contract":%q}`, loopContract(t, 1, `["under","over"]`))); !strings.Contains(got.body, `"recorded":true`) {
		t.Fatalf("registering gives %d %s", got.status, got.body)
	}
	soak(t, web, soakWarm)
	goroutines, heap := standing(web)
	soak(t, web, soakCalls)
	var after int
	await(t, "no more goroutines are left than before", func() bool {
		after = runtime.NumGoroutine()
		return after <= goroutines+2
	})
	_, heapAfter := standing(web)
	t.Logf("goroutines %d, then %d; heap %d, then %d bytes", goroutines, after, heap, heapAfter)
	if float64(heapAfter) > 1.1*float64(heap) {
		t.Errorf("the heap grew from %d to %d bytes", heap, heapAfter)
	}
}
