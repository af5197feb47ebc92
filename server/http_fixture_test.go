package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

// site is a server over HTTP, on a free port of the loopback interface.
type site struct {
	t testing.TB
	*httpServer
	scheme string
	addr   string
	client *http.Client
	signal func() // as a signal to the process would
	done   <-chan error
}

// local is HTTP without tokens.
var local = HTTPConfig{Local: somebody}

// open serves s; each change is made before.
func open(t testing.TB, s *Server, cfg HTTPConfig, changes ...func(*httpServer)) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHTTPServer(s, listener.Addr(), cfg)
	for _, change := range changes {
		change(h)
	}
	ctx, signal := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.run(ctx, listener) }()
	transport := &http.Transport{}
	web := &site{t: t, httpServer: h, scheme: "http", addr: listener.Addr().String(), client: &http.Client{Transport: transport}, signal: signal, done: done}
	t.Cleanup(func() {
		signal()
		transport.CloseIdleConnections()
		<-h.closing
	})
	return web
}

func (w *site) url(path string) string { return w.scheme + "://" + w.addr + path }

// answer is what came back of a request.
type answer struct {
	status int
	header http.Header
	body   string
	reply
}

// request makes a request; headers are "Name: value".
func (w *site) request(ctx context.Context, method, path, body string, headers ...string) *http.Request {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, w.url(path), strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case h == "":
		case name == "Host":
			r.Host = value
		case name == "Content-Type":
			r.Header.Set(name, value)
		default:
			r.Header.Add(name, value)
		}
	}
	return r
}

// do sends a request and reads its answer, whose body may be JSON.
func (w *site) do(r *http.Request) answer {
	w.t.Helper()
	got, err := w.try(r)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *site) try(r *http.Request) (got answer, err error) {
	reply, err := w.client.Do(r)
	if err != nil {
		return got, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return got, err
	}
	got = answer{status: reply.StatusCode, header: reply.Header, body: string(body)}
	_ = json.Unmarshal(body, &got.reply)
	return got, nil
}

// post posts a message to /mcp.
func (w *site) post(body string, headers ...string) answer {
	w.t.Helper()
	return w.do(w.request(context.Background(), http.MethodPost, "/mcp", body, headers...))
}

// call calls a tool on /mcp.
func (w *site) call(id, tool, args string, headers ...string) answer {
	w.t.Helper()
	return w.post(callLine(id, tool, args), headers...)
}

// background posts a message whose answer, or lack of one, comes later.
func (w *site) background(ctx context.Context, path, body string, headers ...string) <-chan answer {
	return w.later(w.request(ctx, http.MethodPost, path, body, headers...))
}

// later sends a request whose answer, or lack of one, comes later.
func (w *site) later(r *http.Request) <-chan answer {
	got := make(chan answer, 1)
	go func() {
		a, err := w.try(r)
		if err != nil {
			a.body = err.Error()
		}
		got <- a
	}()
	return got
}

// await waits until a condition holds.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(hang); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long until %s", what)
		}
	}
}

// event is one event of a stream.
type event struct{ name, data string }

// events reads a stream's events until it ends.
func events(body io.Reader) <-chan event {
	out := make(chan event, 1000)
	go func() {
		defer close(out)
		var e event
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case name == "event":
				e.name = value
			case name == "data":
				e.data = value
			case lines.Text() == "" && e.data != "":
				out <- e
				e = event{}
			}
		}
	}()
	return out
}

// listener is a client of the SSE transport.
type listener struct {
	*site
	headers []string
	path    string // to post to
	events  <-chan event
	leave   context.CancelFunc
}

// listen opens a stream.
func (w *site) listen(headers ...string) *listener {
	w.t.Helper()
	ctx, leave := context.WithCancel(context.Background())
	w.t.Cleanup(leave)
	reply, err := w.client.Do(w.request(ctx, http.MethodGet, "/sse", "", headers...))
	if err != nil {
		w.t.Fatal(err)
	}
	if reply.StatusCode != http.StatusOK {
		w.t.Fatalf("/sse gives %s", reply.Status)
	}
	l := &listener{site: w, headers: headers, events: events(reply.Body), leave: leave}
	first := l.next()
	if first.name != "endpoint" || !strings.HasPrefix(first.data, "/message?sessionId=") {
		w.t.Fatalf("the first event is %+v, want the endpoint", first)
	}
	l.path = first.data
	return l
}

// next is the next event; the zero event where the stream has ended.
func (l *listener) next() event {
	l.t.Helper()
	select {
	case e := <-l.events:
		return e
	case <-time.After(hang):
		l.t.Fatal("waited too long for an event")
		panic("unreachable")
	}
}

// post posts a message to the stream's endpoint.
func (l *listener) post(body string) answer {
	l.t.Helper()
	return l.do(l.request(context.Background(), http.MethodPost, l.path, body, l.headers...))
}

// accepted posts a message that is to be answered on the stream.
func (l *listener) accepted(body string) {
	l.t.Helper()
	if got := l.post(body); got.status != http.StatusAccepted || got.body != "" {
		l.t.Fatalf("%s is answered with %d %q, want 202 and nothing", body, got.status, got.body)
	}
}

// tokens are those of a team; the header of each is by its name.
type tokenFile struct {
	t    testing.TB
	path string
	*auth.Tokens
}

func newTokens(t testing.TB) *tokenFile {
	t.Helper()
	return &tokenFile{t: t, path: t.TempDir() + "/tokens.json"}
}

// add makes a token and gives the header that carries it.
func (f *tokenFile) add(name string, role tools.Role) string {
	f.t.Helper()
	token, _, err := auth.Add(f.path, auth.Grant{Name: name, Role: role})
	if err != nil {
		f.t.Fatal(err)
	}
	return "Authorization: Bearer " + token
}

// config is HTTP with these tokens.
func (f *tokenFile) config() HTTPConfig {
	f.t.Helper()
	tokens, err := auth.Open(f.path, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return HTTPConfig{Identify: tokens.Identify}
}

// count is how many there are now.
func (q *quota) count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.all
}

func pingLine(id string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id) }

var listensAt = regexp.MustCompile(`msg=listening addr=(\S+)`)

// site is the process's server over HTTP.
func (p *process) site() *site {
	p.t.Helper()
	var found []string
	await(p.t, "the server listens", func() bool {
		found = listensAt.FindStringSubmatch(p.stderr.String())
		return found != nil
	})
	transport := &http.Transport{}
	p.t.Cleanup(transport.CloseIdleConnections)
	return &site{t: p.t, scheme: "http", addr: found[1], client: &http.Client{Transport: transport}}
}
