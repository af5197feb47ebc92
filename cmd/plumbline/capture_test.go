package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/contract"
)

// call runs the program in this process.
func call(args ...string) (code int, stdout, stderr string) {
	var out, complaints bytes.Buffer
	p := &process{args: args, env: os.Environ(), stdin: strings.NewReader(""), stdout: &out, stderr: &complaints}
	code = p.exit(execute(context.Background(), p))
	return code, out.String(), complaints.String()
}

// listServer is a real server over HTTP, behind what stands before it.
func listServer(t *testing.T, tools int, before func(http.Handler) http.Handler, opts ...server.StreamableHTTPOption) string {
	t.Helper()
	s := server.NewMCPServer("desk", "3", server.WithPaginationLimit(2))
	for i := range tools {
		s.AddTool(mcp.NewToolWithRawSchema(fmt.Sprintf("get_%d", i), "Return it.", json.RawMessage(`{"type":"object"}`)), nil)
	}
	web := httptest.NewServer(before(server.NewStreamableHTTPServer(s, opts...)))
	t.Cleanup(web.Close)
	return web.URL + "/mcp"
}

// keyed lets only those in who know the key.
func keyed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "s3cret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestCaptureHTTP(t *testing.T) {
	modern := server.WithStreamableHTTPProtocolVersions(mcp.LATEST_PROTOCOL_VERSION)
	for name, opts := range map[string][]server.StreamableHTTPOption{"with a session": nil, "stateless": {server.WithStateLess(true)}, "newest revision alone": {modern}} {
		t.Run(name, func(t *testing.T) {
			url := listServer(t, 5, keyed, opts...)
			code, stdout, stderr := call("capture", "--url", url, "--header", "X-Api-Key: s3cret")
			var list struct {
				ServerInfo struct{ Name string }
				Tools      []struct{ Name string }
			}
			if err := json.Unmarshal([]byte(stdout), &list); code != 0 || err != nil || len(list.Tools) != 5 || list.ServerInfo.Name != "desk" {
				t.Errorf("code %d, %v, %+v\n%s", code, err, list, stderr)
			}
			if strings.Contains(stdout+stderr, "s3cret") {
				t.Error("the header is shown")
			}
		})
	}
}

func TestCaptureHTTPFails(t *testing.T) {
	echo := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no such key: "+r.Header.Get("X-Api-Key")+" "+r.RequestURI, http.StatusInternalServerError)
		})
	}
	away := func(http.Handler) http.Handler {
		return http.RedirectHandler("http://198.51.100.7/mcp", http.StatusTemporaryRedirect)
	}
	hang := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		})
	}
	flood := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for junk := []byte(`"` + strings.Repeat("x", 1<<20)); ; junk[0] = 'x' {
				if _, err := w.Write(junk); err != nil {
					return
				}
			}
		})
	}
	for name, tc := range map[string]struct {
		before func(http.Handler) http.Handler
		header string
		want   string
	}{
		"wrong key":     {keyed, "X-Api-Key: hunter22", "with 401: it wants to know who asks"},
		"error echoes":  {echo, "X-Api-Key: hunter22", "no such key: [secret]"},
		"leads away":    {away, "X-Api-Key: hunter22", "it leads on to http://198.51.100.7/mcp, which is not followed"},
		"says nothing":  {hang, "X-Api-Key: hunter22", "did not answer initialize within 1s"},
		"says too much": {flood, "X-Api-Key: hunter22", "wrote more than 128 MiB"},
		"no server":     {func(http.Handler) http.Handler { return http.NotFoundHandler() }, "A: hunter22", "no MCP server answers at this URL"},
	} {
		t.Run(name, func(t *testing.T) {
			timeout := "1m"
			if name == "says nothing" {
				timeout = "1s"
			}
			code, stdout, stderr := call("capture", "--timeout", timeout, "--url", listServer(t, 1, tc.before)+"?key=hunter23", "--header", tc.header)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, tc.want) {
				t.Errorf("code %d, want %q\n%s%s", code, tc.want, stdout, stderr)
			}
			if strings.Contains(stderr, "hunter") {
				t.Errorf("a secret is shown: %s", stderr)
			}
		})
	}
}

// A server behind a name that does not lead to it is asked by that name.
func TestCaptureByAnotherHost(t *testing.T) {
	named := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host != "tools.example" {
				http.Error(w, "no such host: "+r.Host, http.StatusMisdirectedRequest)
				return
			}
			r.Host = "localhost"
			next.ServeHTTP(w, r)
		})
	}
	code, stdout, stderr := call("capture", "--url", listServer(t, 1, named), "--header", "host: tools.example")
	if code != exitPass || !strings.Contains(stdout, "get_0") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
}

// Why a server refuses is told in its own words, unless it says that nothing is there.
func TestCaptureIsRefused(t *testing.T) {
	for code, want := range map[int]string{
		400: "initialize with 400 Bad Request: ask at localhost, not with [secret]",
		401: "initialize with 401: it wants to know who asks",
		403: "initialize with 403 Forbidden: ask at localhost, not with [secret]",
		404: "no MCP server answers at this URL",
		405: "no MCP server answers at this URL",
		429: "initialize with 429 Too Many Requests: ask at localhost, not with [secret]",
		500: "status 500: ask at localhost, not with [secret]",
		503: "status 503: ask at localhost, not with [secret]",
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "ask at localhost, not with "+r.Header.Get("X-Api-Key"), code)
		}))
		exit, _, stderr := call("capture", "--url", web.URL, "--header", "X-Api-Key: s3cret")
		if web.Close(); exit != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%d: code %d, want %q\n%s", code, exit, want, stderr)
		}
	}
}

// A URL may hold keys and a password: nothing that is said of it repeats them.
func TestUnreachableURLKeepsItsSecrets(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	host := strings.TrimPrefix(gone.URL, "http://")
	address := "http://hunter21:hunter22%21x@" + host + "/mcp?key=hunter23%2Fx&hunter24"
	text := fmt.Appendf(nil, `{"mcpServers": {"desk": {"type": "http", "url": %q}}}`, address)
	config, trust := place(t, t.TempDir(), "client.json", text), trustPrefix+contract.SHA256(text)
	for name, args := range map[string][]string{
		"capture":       {"capture", "--url", address},
		"scan":          {"scan", "mcp", "--url", address},
		"configuration": {"scan", "mcp", "--config", config, "--trust", trust},
		"question":      {"scan", "mcp", "--config", config},
	} {
		t.Run(name, func(t *testing.T) {
			want := "the server cannot be reached: "
			if name == "question" {
				want = "http://[secret]@" + host + "/mcp?key=[secret]&[secret]"
			}
			code, stdout, stderr := call(args...)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, want) {
				t.Errorf("code %d, want %q\n%s%s", code, want, stdout, stderr)
			}
			if strings.Contains(stderr, "hunter") {
				t.Errorf("a secret is shown: %s", stderr)
			}
		})
	}
}
