package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// A signal takes no more requests, and lets what runs finish within the grace.
func TestSignalOverHTTP(t *testing.T) {
	tests := []struct {
		name    string
		grace   time.Duration
		release bool
	}{
		{"calls that end within the grace are answered", hang, true},
		{"calls that do not are cancelled", 50 * time.Millisecond, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBlocker()
			limits := DefaultLimits
			limits.Grace = tt.grace
			s, _ := newServer(t, limits, fake("block", b.run))
			web := open(t, s, local)
			l, idle := web.listen(), web.listen()
			l.accepted(callLine("1", "block", "{}"))
			posted := web.background(context.Background(), "/mcp", callLine("2", "block", "{}"))
			receive(t, b.started, "the start of a call")
			receive(t, b.started, "the start of the other call")
			web.signal()
			if e := idle.next(); e != (event{}) {
				t.Errorf("a stream without a call gives %+v, want its end", e)
			}
			await(t, "nobody is let in", func() bool {
				conn, err := net.Dial("tcp", web.addr)
				if err == nil {
					conn.Close()
				}
				return err != nil
			})
			if code := web.unready(context.Background()); code != codeStopping {
				t.Errorf("while the server stops it is %q, want %q", code, codeStopping)
			}
			if tt.release {
				close(b.release)
			}
			got, streamed := receive(t, posted, "the answer on /mcp"), l.next()
			if answered := strings.Contains(got.body, "released") && strings.Contains(streamed.data, "released"); answered != tt.release {
				t.Errorf("the answers are %q and %+v", got.body, streamed)
			}
			if err := receive(t, web.done, "the server's end"); err != nil {
				t.Errorf("the server ended with %v", err)
			}
			for range 2 {
				if err := receive(t, b.ended, "the end of a call"); (err == nil) != tt.release {
					t.Errorf("a call ended with %v", err)
				}
			}
		})
	}
}

// stopsAtOnce ends calls as soon as the server stops, and then waits for them.
func stopsAtOnce(h *httpServer) {
	h.limits.Grace, h.times.stop = time.Millisecond, hang
}

// Who waits for an answer when the grace is over gets one that says so, whatever was asked.
func TestCutOffRequestsAreAnswered(t *testing.T) {
	opened := make(chan struct{})
	t.Cleanup(func() { close(opened) })
	store := tools.NewStore(func(context.Context) (*ledger.Ledger, error) {
		<-opened
		return nil, &ledger.Error{Code: ledger.Unavailable, Message: "the ledger is away"}
	})
	s, _ := serverOver(t, store, "json")
	web := open(t, s, local, stopsAtOnce)
	requests := map[string]struct {
		method, path, body string
		status             int
		want               string
	}{
		"a call":               {"POST", "/mcp", callLine("1", "chain_status", "{}"), 200, `"id":1,"result":{"content":[{"type":"text","text":"{\"code\":\"INTERNAL\",\"message\":\"the call was cancelled`},
		"a call with progress": {"POST", "/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"chain_status","_meta":{"progressToken":"p"}}}`, 503, `"error":{"code":-32603,"message":"the server stops`},
		"a read":               {"POST", "/mcp", `{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"plumbline://contracts/x"}}`, 503, `"error":{"code":-32603,"message":"the server stops`},
		"a page":               {"GET", "/", "", 503, "The server stops: try again"},
	}
	answers := map[string]<-chan answer{}
	for name, r := range requests {
		answers[name] = web.later(web.request(context.Background(), r.method, r.path, r.body))
	}
	await(t, "all run", func() bool {
		return strings.Contains(scrape(t, s), fmt.Sprintf("plumbline_calls_running %d\n", len(requests)))
	})
	web.signal()
	for name, want := range requests {
		got := receive(t, answers[name], "an answer")
		if got.status != want.status || !strings.Contains(got.body, want.want) {
			t.Errorf("%s gives %d %q, want %d with %s", name, got.status, got.body, want.status, want.want)
		}
	}
}

// A recording that outlasts the grace is answered with its receipt.
func TestRecordingThatOutlastsTheGrace(t *testing.T) {
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ledger.db")
			store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, "sqlite:"+path) })
			t.Cleanup(func() { store.Close() })
			s, _ := serverOver(t, store, "json")
			web := serve(t, s, HTTPConfig{Local: tools.Caller{Name: "olga", Role: tools.Owner}}, stopsAtOnce)
			text := loopContract(t, 1, `["under","over"]`)
			web.call("1", "register_contract", fmt.Sprintf(`{"record":true,"contract":%q}`, text))
			release := holdLedger(t, path)
			records := web.background(context.Background(), "/mcp", roundLine(text, "a"))
			await(t, "one records", func() bool { return goroutinesIn("ledger.(*statements).begin") == 1 })
			waits := web.background(context.Background(), "/mcp", roundLine(text, "b"))
			await(t, "one waits", func() bool { return goroutinesIn("ledger.(*queues).enter") == 1 })
			web.signal()
			if got := receive(t, waits, "the answer to who waits"); !strings.Contains(got.body, "the call was cancelled") {
				t.Errorf("who waits is told %d %q", got.status, got.body)
			}
			release()
			if got := receive(t, records, "the answer to who records"); !strings.Contains(got.body, `"recorded":true`) {
				t.Errorf("who records is told %d %q, want its receipt", got.status, got.body)
			}
		})
	}
}

// The process ends with code 0 on a signal, also while clients are connected.
func TestSignalEndsTheServerOverHTTP(t *testing.T) {
	p := startProcess(t, t.TempDir(), "plumbline", "serve", "--http", "127.0.0.1:0", "--ledger", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	web := p.site()
	l := web.listen()
	if got := web.do(web.request(context.Background(), http.MethodGet, "/readyz", "")); got.status != 200 {
		t.Errorf("/readyz gives %d %s", got.status, got.body)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.exits()
	if e := l.next(); e != (event{}) {
		t.Errorf("the stream gives %+v, want its end", e)
	}
}

// A ledger that cannot be reached makes the server not ready, in a word that tells
// nothing of where the ledger is.
func TestReadiness(t *testing.T) {
	dir := t.TempDir()
	p := startProcess(t, dir, "plumbline", "serve", "--http", "127.0.0.1:0", "--ledger", "sqlite:"+dir)
	web := p.site()
	got := web.do(web.request(context.Background(), http.MethodGet, "/readyz", ""))
	if want := `{"code":"LEDGER_UNAVAILABLE","status":"not ready"}` + "\n"; got.status != 503 || got.body != want {
		t.Errorf("/readyz gives %d %s, want 503 %s", got.status, got.body, want)
	}
	if got := web.do(web.request(context.Background(), http.MethodGet, "/healthz", "")); got.status != 200 {
		t.Errorf("/healthz gives %d %s", got.status, got.body)
	}
}
