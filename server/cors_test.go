package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// A browser lets pages of the allowed origins call and read the answers, and no others.
func TestPagesOfOtherSites(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	tokens := newTokens(t)
	ann := tokens.add("ann", tools.Builder)
	cfg := tokens.config()
	cfg.AllowOrigins = []string{"https://Tools.example:443", "http://127.0.0.2:5173"}
	web := open(t, s, cfg)
	const method = "Access-Control-Request-Method: POST"
	tests := []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		origin                   string // that may read the answer
	}{
		{"a preflight", "OPTIONS", "/mcp", "", []string{"Origin: https://tools.example", method, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"}, 204, "https://tools.example"},
		{"a preflight of an origin with a port", "OPTIONS", "/message", "", []string{"Origin: http://127.0.0.2:5173", method}, 204, "http://127.0.0.2:5173"},
		{"a preflight of another origin", "OPTIONS", "/mcp", "", []string{"Origin: https://attacker.example", method}, 403, ""},
		{"a preflight of the server's own page", "OPTIONS", "/mcp", "", []string{"Origin: http://localhost:1", method}, 405, ""},
		{"a preflight of nobody", "OPTIONS", "/mcp", "", []string{method}, 405, ""},
		{"options that are no preflight", "OPTIONS", "/mcp", "", []string{"Origin: https://tools.example"}, 405, "https://tools.example"},
		{"a call", "POST", "/mcp", callLine("1", "echo", "{}"), []string{ann, "Origin: https://tools.example"}, 200, "https://tools.example"},
		{"a call without a token", "POST", "/mcp", callLine("1", "echo", "{}"), []string{"Origin: https://tools.example"}, 401, "https://tools.example"},
		{"a call of another origin", "POST", "/mcp", callLine("1", "echo", "{}"), []string{ann, "Origin: https://attacker.example"}, 403, ""},
		{"a call of a program", "POST", "/mcp", callLine("1", "echo", "{}"), []string{ann}, 200, ""},
	}
	for _, tt := range tests {
		got := web.do(web.request(context.Background(), tt.method, tt.path, tt.body, tt.headers...))
		if got.status != tt.status || got.header.Get("Access-Control-Allow-Origin") != tt.origin || got.header.Get("Vary") != "Origin" {
			t.Errorf("%s gives %d and %v, want %d for %q", tt.name, got.status, got.header, tt.status, tt.origin)
		}
		if got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s lets a page send cookies", tt.name)
		}
		preflight := got.status == http.StatusNoContent
		for name, has := range map[string]string{"Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "authorization, content-type, mcp-protocol-version", "Access-Control-Max-Age": "600"} {
			if value := got.header.Get(name); preflight != strings.Contains(value, has) || !preflight && value != "" {
				t.Errorf("%s has %s: %q", tt.name, name, value)
			}
		}
	}
}

// Nothing that is answered is kept or taken for something else on its way.
func TestAnswersAreNotKept(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	progress := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":"p"}}}`
	for _, body := range []string{callLine("1", "echo", "{}"), progress, pingLine("1"), initialize, "{", `{"jsonrpc":"2.0","method":"notifications/initialized"}`} {
		got := web.post(body)
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s is answered %d with %v", body, got.status, got.header)
		}
	}
}

// Whoever is behind the proxy needs a token for the metrics.
func TestMetricsBehindAProxy(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	tokens := newTokens(t)
	ann := tokens.add("ann", tools.Builder)
	cfg := tokens.config()
	cfg.BehindProxy = true
	web := open(t, s, cfg)
	for header, want := range map[string]int{"": http.StatusUnauthorized, ann: http.StatusOK} {
		if got := web.do(web.request(context.Background(), http.MethodGet, "/metrics", "", header)); got.status != want {
			t.Errorf("with %q /metrics gives %d, want %d", header, got.status, want)
		}
	}
}

// Origins and hosts that would never match, or match more than was meant, are refused.
func TestCheckOriginsAndHosts(t *testing.T) {
	tests := []struct {
		text         string
		origin, host bool
	}{
		{"https://tools.example", true, false}, {"http://tools.example:8080", true, false}, {"HTTPS://Tools.example", true, false}, {"http://[::1]:80", true, false},
		{"tools.example", false, true}, {"TOOLS_1.example.", false, true}, {"::1", false, true}, {"[::1]", false, true}, {"192.0.2.1", false, true},
		{"*", false, false}, {"https://*.example", false, false}, {"*.example", false, false}, {"", false, false}, {"null", false, true},
		{"https://tools.example/", false, false}, {"https://tools.example/x", false, false}, {"https://u@tools.example", false, false}, {"https://tools.example?", false, false},
		{"https://tools.example#", false, false}, {"https://tools.example:", false, false}, {"ftp://tools.example", false, false}, {"https://", false, false},
		{"tools.example:8080", false, false}, {"a b", false, false}, {"a,b", false, false}, {"https://a.example,https://b.example", false, false}, {"https://a.example https://b.example", false, false},
	}
	for _, tt := range tests {
		if err := CheckOrigin(tt.text); (err == nil) != tt.origin {
			t.Errorf("%q as an origin gives %v", tt.text, err)
		}
		if err := CheckHost(tt.text); (err == nil) != tt.host {
			t.Errorf("%q as a host gives %v", tt.text, err)
		}
	}
}
