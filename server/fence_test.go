package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dial opens a connection to the site.
func dial(t testing.TB, web *site) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", web.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(hang)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// status reads the status of the answer on a connection.
func status(t testing.TB, conn net.Conn) int {
	t.Helper()
	reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode
}

// Every route is fenced: a web page of somebody else cannot use a server that its
// visitor's browser reaches, neither by a request from the page nor by a name that the
// page's owner makes point here.
func TestFences(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	cfg := local
	cfg.AllowHosts = []string{"plumbline.example"}
	cfg.AllowOrigins = []string{"https://tools.example"}
	web := open(t, s, cfg)
	tests := []struct {
		name    string
		headers []string
		allowed bool
	}{
		{"a program", nil, true},
		{"a foreign origin", []string{"Origin: https://attacker.example"}, false},
		{"no origin that can be told", []string{"Origin: null"}, false},
		{"an empty origin", []string{"Origin: "}, false},
		{"two origins", []string{"Origin: http://localhost:1", "Origin: https://attacker.example"}, false},
		{"two good origins", []string{"Origin: http://localhost:1", "Origin: http://localhost:1"}, false},
		{"two origins in one", []string{"Origin: http://localhost:1 https://attacker.example"}, false},
		{"an origin that begins like a good one", []string{"Origin: http://localhost.attacker.example"}, false},
		{"a good name as the user of a foreign one", []string{"Origin: http://localhost@attacker.example"}, false},
		{"an origin with a path", []string{"Origin: http://localhost/x"}, false},
		{"an origin with a slash", []string{"Origin: https://tools.example/"}, false},
		{"an origin with a query", []string{"Origin: http://localhost?x"}, false},
		{"an origin with a user", []string{"Origin: http://x@localhost"}, false},
		{"an origin without its port", []string{"Origin: http://localhost:"}, false},
		{"another scheme", []string{"Origin: file://localhost"}, false},
		{"a page of this machine", []string{"Origin: http://localhost:5173"}, true},
		{"a page of an allowed origin", []string{"Origin: https://tools.example", "Sec-Fetch-Site: cross-site"}, true},
		{"an allowed origin in plain text", []string{"Origin: http://tools.example"}, false},
		{"a page of an allowed host", []string{"Host: plumbline.example", "Origin: https://plumbline.example"}, true},
		{"a foreign host", []string{"Host: attacker.example"}, false},
		{"a foreign host with the right port", []string{"Host: attacker.example:" + port(web.addr)}, false},
		{"a host that begins like a good one", []string{"Host: localhost.attacker.example"}, false},
		{"an address of another network", []string{"Host: 192.0.2.1"}, false},
		{"localhost", []string{"Host: localhost:" + port(web.addr)}, true},
		{"localhost in capitals with a dot", []string{"Host: LOCALHOST."}, true},
		{"the other loopback address", []string{"Host: [::1]:8080"}, true},
		{"an allowed host", []string{"Host: Plumbline.Example:443"}, true},
		{"a request that another site makes", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"}, false},
		{"a link on another site", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for path, route := range web.routes {
				ctx, stop := context.WithCancel(context.Background())
				reply, err := web.client.Do(web.request(ctx, route.methods[0], path, "", tt.headers...))
				if err != nil {
					t.Fatal(err)
				}
				reply.Body.Close()
				stop()
				if allowed := reply.StatusCode != http.StatusForbidden; allowed != tt.allowed {
					t.Errorf("%s answers %d, want it allowed: %v", path, reply.StatusCode, tt.allowed)
				}
			}
		})
	}
}

func port(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// A server that other machines reach has tokens, and names that it may not know itself.
func TestFencesOfAPublicServer(t *testing.T) {
	open, named := newFence(false, HTTPConfig{}), newFence(false, HTTPConfig{AllowHosts: []string{"plumbline.example"}})
	tests := []struct {
		name, host, origin string
		open, named        bool
	}{
		{"any name", "team.example", "", true, false},
		{"a page of the same host", "team.example", "https://team.example", true, false},
		{"a page of another host", "team.example", "https://attacker.example", false, false},
		{"the allowed name", "plumbline.example", "https://plumbline.example", true, true},
		{"a page of this machine", "plumbline.example", "http://localhost", false, false},
		{"a loopback name", "localhost", "", true, false},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Host = tt.host
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if got := open.allows(r); got != tt.open {
			t.Errorf("%s: without allowed hosts it is %v, want %v", tt.name, got, tt.open)
		}
		if got := named.allows(r); got != tt.named {
			t.Errorf("%s: with an allowed host it is %v, want %v", tt.name, got, tt.named)
		}
	}
}

// A probe may name any host where other machines reach the server, a page of another site
// may not; nothing but a probe may.
func TestFencesOfProbes(t *testing.T) {
	public, inside := newFence(false, HTTPConfig{AllowHosts: []string{"plumbline.example"}}), newFence(true, HTTPConfig{})
	tests := []struct {
		method, path, origin string
		want                 bool
	}{
		{http.MethodGet, "/healthz", "", true},
		{http.MethodHead, "/readyz", "", true},
		{http.MethodGet, "/readyz?full=1", "", true},
		{http.MethodPost, "/readyz", "", false},
		{http.MethodGet, "/readyz", "https://attacker.example", false},
		{http.MethodGet, "/readyz", "http://10.0.0.7:8080", false},
		{http.MethodGet, "/readyz", "https://plumbline.example", true},
		{http.MethodGet, "/metrics", "", false},
		{http.MethodGet, "/healthz/x", "", false},
		{http.MethodPost, "/mcp", "", false},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(tt.method, tt.path, nil)
		r.Host = "10.0.0.7:8080"
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if got := public.allows(r); got != tt.want {
			t.Errorf("%s %s from %q to an address is %v, want %v", tt.method, tt.path, tt.origin, got, tt.want)
		}
		if inside.allows(r) {
			t.Errorf("%s %s from %q is allowed by a name that is none of the loopback interface", tt.method, tt.path, tt.origin)
		}
	}
}

// A body of 100 MB is refused without being read, whether its length is told or not.
func TestHugeBodies(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	l := web.listen()
	for _, path := range []string{"/mcp", l.path} {
		conn := dial(t, web)
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n", path, web.addr)
		if got := status(t, conn); got != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: a told length of 100 MB gives %d, want 413", path, got)
		}
		conn = dial(t, web)
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", path, web.addr)
		go func() {
			chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat(" ", 1<<20))
			for range 100 {
				if _, err := io.WriteString(conn, chunk); err != nil {
					return // the server has seen enough
				}
			}
		}()
		if got := status(t, conn); got != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: 100 MB in chunks give %d, want 413", path, got)
		}
	}
	conn := dial(t, web)
	go fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nX: %s\r\n\r\n", web.addr, strings.Repeat("x", 1<<20))
	if got := status(t, conn); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 1 MB gives %d, want 431", got)
	}
	if got := web.post(pingLine("1")); got.status != 200 {
		t.Errorf("the next ping gives %d %s", got.status, got.body)
	}
}

// Connections that say nothing cost nobody anything.
func TestIdleConnections(t *testing.T) {
	const many = 5000
	p := startProcess(t, t.TempDir(), "plumbline", "serve", "--http", "127.0.0.1:0", "--ledger", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	web := p.site()
	for range many {
		dial(t, web)
	}
	if got := web.call("1", "chain_status", "{}"); got.status != 200 || got.Result.IsError {
		t.Errorf("beside %d idle connections a call gives %d %s", many, got.status, got.body)
	}
}

// A client that sends its message slowly holds no slot and no room; in the end it is
// told that it took too long.
func TestSlowClients(t *testing.T) {
	limits := DefaultLimits
	limits.MaxCalls, limits.MaxRequests = 1, 1
	short := callLine("1", "echo", "{}")
	for declared, sent := range map[string]struct{ begin, whole string }{
		"Content-Length: " + fmt.Sprint(len(short)): {"{", short},
		"Transfer-Encoding: chunked":                {"1\r\n{", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(short), short)},
	} {
		s, _ := newServer(t, limits, fakes()...)
		web := open(t, s, local, func(h *httpServer) { h.times.body, h.times.room = 2*time.Second, 2*hang })
		send := func(body string) net.Conn {
			conn := dial(t, web)
			fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s\r\n\r\n%s", web.addr, declared, body)
			return conn
		}
		var slow []net.Conn
		for range 20 {
			slow = append(slow, send(sent.begin))
		}
		if got := status(t, send(sent.whole)); got != http.StatusOK {
			t.Errorf("%s: beside slow clients a call gives %d", declared, got)
		}
		for _, conn := range slow {
			if got := status(t, conn); got != http.StatusRequestTimeout {
				t.Errorf("%s: a slow client gets %d, want 408", declared, got)
			}
		}
	}
}

// A client that does not read its answer holds no slot, and is cut off.
func TestClientsThatDoNotRead(t *testing.T) {
	limits := DefaultLimits
	limits.MaxCalls = 1
	s, _ := newServer(t, limits, fakes()...)
	web := open(t, s, local, func(h *httpServer) { h.times.stall = 300 * time.Millisecond })
	conn := dial(t, web)
	long := callLine("1", "echo", `{"x":"`+strings.Repeat(`\u0001`, DefaultLimits.MaxBody/8)+`"}`) // longer in its answer
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", web.addr, len(long), long)
	await(t, "the long call is here", func() bool { return web.requests.count() == 1 })
	if got := web.call("2", "echo", "{}"); got.status != 200 {
		t.Errorf("beside a client that does not read a call gives %d %s", got.status, got.body)
	}
	await(t, "the client is cut off", func() bool { return web.requests.count() == 0 })
	if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
		if rest, err := io.ReadAll(conn); err == nil && strings.HasSuffix(string(rest), "}\n\r\n0\r\n\r\n") {
			t.Error("the client got its whole answer: the test shows nothing")
		}
	}
}
