package server

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// outsideAddress is an address of this machine that other machines reach; of one that has
// no network, the loopback interface's.
func outsideAddress(t *testing.T) string {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range addrs {
		if n, ok := addr.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	t.Log("this machine has no address but its own")
	return "127.0.0.1"
}

// A server behind a proxy, on all of the machine's addresses, answers at the one that other
// machines see, to tokens alone.
func TestServerOnAllAddresses(t *testing.T) {
	tokens := newTokens(t)
	bea := tokens.add("bea", tools.Builder)
	serve := func(more ...string) *site {
		args := append([]string{"serve", "--http", "0.0.0.0:0", "--tokens", tokens.path, "--behind-proxy", "--ledger", "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")}, more...)
		web := startProcess(t, t.TempDir(), "plumbline", args...).site()
		web.addr = net.JoinHostPort(outsideAddress(t), port(web.addr))
		return web
	}
	get, post := http.MethodGet, http.MethodPost
	const foreign, named = "Origin: https://attacker.example", "Host: plumbline.example"
	tests := []struct {
		name         string
		method, path string
		headers      []string
		any, allowed int // the status where any host is served, and where plumbline.example alone is
	}{
		{"a call", post, "/mcp", []string{bea}, 200, 403},
		{"a call by the name", post, "/mcp", []string{bea, named}, 200, 200},
		{"a call without a token", post, "/mcp", []string{named}, 401, 401},
		{"a call with a wrong token", post, "/mcp", []string{bea + "x", named}, 401, 401},
		{"a call of a foreign page", post, "/mcp", []string{bea, named, foreign}, 403, 403},
		{"a stream without a token", get, "/sse", []string{named}, 401, 401},
		{"the metrics without a token", get, "/metrics", []string{named}, 401, 401},
		{"the metrics", get, "/metrics", []string{bea, named}, 200, 200},
		{"a probe of the address", get, "/healthz", nil, 200, 200},
		{"another probe of it", get, "/readyz", nil, 200, 200},
		{"a foreign page's probe", get, "/healthz", []string{foreign}, 403, 403},
	}
	everybody, one := serve(), serve("--allow-host", "plumbline.example")
	for _, tt := range tests {
		body := ""
		if tt.method == post {
			body = strings.TrimSpace(callLine("1", "chain_status", "{}"))
		}
		for web, want := range map[*site]int{everybody: tt.any, one: tt.allowed} {
			got := web.do(web.request(context.Background(), tt.method, tt.path, body, tt.headers...))
			if got.status != want {
				t.Errorf("%s gives %d %s, want %d", tt.name, got.status, got.body, want)
			}
			if want == 200 && tt.method == post && (got.Result.IsError || len(got.Result.Content) == 0) {
				t.Errorf("%s gives %s", tt.name, got.body)
			}
		}
	}
}
