package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// emptyServer is a server of the library, as it comes, with a tool that does nothing. It
// gives the URL, and a header with a session.
func emptyServer(b *testing.B) (url, header string) {
	s := mcpserver.NewMCPServer("empty", "1")
	s.AddTool(mcp.NewTool("nothing"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("done"), nil
	})
	web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(s))
	b.Cleanup(web.Close)
	reply, err := http.Post(web.URL, "application/json", strings.NewReader(initialize))
	if err != nil {
		b.Fatal(err)
	}
	defer reply.Body.Close()
	return web.URL, "Mcp-Session-Id: " + reply.Header.Get("Mcp-Session-Id")
}

// quietTeam is a server with every tool over an empty ledger, whose log nobody keeps.
func quietTeam(t testing.TB) *Server {
	dsn := "sqlite:" + t.TempDir() + "/ledger.db"
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	t.Cleanup(func() { store.Close() })
	log, err := NewLog(io.Discard, "text", "info")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Tools: tools.All(tools.Deps{Ledger: store}), Ledger: store, Log: log, Limits: DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// teamServer is a server with tokens and a ledger, in which a contract is registered.
// It gives the URL, the contract, and a header with an owner's token.
func teamServer(b *testing.B) (url, contract, header string) {
	tokens := newTokens(b)
	header = tokens.add("olga", tools.Owner)
	web := open(b, quietTeam(b), tokens.config())
	contract = loopContract(b, 1, `["under","over"]`)
	if got := web.call("1", "register_contract", fmt.Sprintf(`{"record":true,"contract":%q}`, contract), header); !strings.Contains(got.body, `"recorded":true`) {
		b.Fatalf("registering gives %d %s", got.status, got.body)
	}
	// A tokens file that was just written is read at every request, for some seconds.
	for end := time.Now().Add(settled); time.Now().Before(end); {
		web.call("2", "chain_status", "{}", header)
	}
	return web.url("/mcp"), contract, header
}

// settled is more than a tokens file takes to count as one that stays as it is.
const settled = 5 * time.Second

// BenchmarkHTTP measures calls a second over HTTP, beside those of an empty tool.
func BenchmarkHTTP(b *testing.B) {
	empty, session := emptyServer(b)
	team, contract, token := teamServer(b)
	calls := []struct{ tool, url, header, args string }{
		{"nothing", empty, session, `{}`},
		{"render_brief", team, token, `{"role":"builder","contract_id":"shop/refunds"}`},
		{"validate_contract", team, token, fmt.Sprintf(`{"contract":%q}`, contract)},
	}
	for _, clients := range []int{1, 8, 32} {
		for _, call := range calls {
			b.Run(fmt.Sprintf("%s/clients=%d", call.tool, clients), func(b *testing.B) {
				client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
				defer client.CloseIdleConnections()
				body := callLine("1", call.tool, call.args)
				callFrom(b, clients, func(read *bytes.Buffer) error { return post(client, call.url, call.header, body, read) })
			})
		}
	}
}

// callFrom makes b.N calls from so many clients at once.
func callFrom(b *testing.B, clients int, call func(read *bytes.Buffer) error) {
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	b.ResetTimer()
	for range clients {
		all.Go(func() {
			var read bytes.Buffer
			for left.Add(-1) >= 0 {
				if err := call(&read); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// post makes a call that must succeed. The answer is read into a client's buffer: clients
// share the processors with the server that is measured.
func post(client *http.Client, url, header, body string, read *bytes.Buffer) error {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	name, value, _ := strings.Cut(header, ": ")
	r.Header.Set(name, value)
	reply, err := client.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	read.Reset()
	if _, err := read.ReadFrom(reply.Body); err != nil {
		return err
	}
	text := read.Bytes()
	if !bytes.Contains(text, []byte(`"result"`)) || bytes.Contains(text, []byte(`"isError":true`)) {
		return fmt.Errorf("the call gives %s %s", reply.Status, text)
	}
	return nil
}
