package server

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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
