package main

import (
	"bufio"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// team starts a server over HTTP with further arguments, which logs into server.log, and
// sets SERVER to its URL: `team ARGUMENT...`.
func team(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command("plumbline", append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	cmd.Dir = ts.Getenv("WORK")
	logged, err := cmd.StderrPipe()
	ts.Check(err)
	kept, err := os.Create(ts.MkAbs("server.log"))
	ts.Check(err)
	ts.Check(cmd.Start())
	lines := bufio.NewReader(io.TeeReader(logged, kept))
	drained := make(chan struct{})
	ts.Defer(func() {
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
		<-drained
		ts.Check(cmd.Wait())
		ts.Check(kept.Close())
	})
	first, err := lines.ReadString('\n')
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, lines)
	}()
	ts.Check(err)
	at := regexp.MustCompile(`msg=listening .*addr=(\S+)`).FindStringSubmatch(first)
	if at == nil {
		ts.Fatalf("the server's first line is %s", first)
	}
	ts.Setenv("SERVER", "http://"+at[1])
}

// keep sets a variable to what the last command printed: `keep NAME`.
func keep(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// same runs a command over the ledger in a role, then through the server with the token
// of that role, TOKEN_role, and compares exit code and output: `same CODE ROLE COMMAND...`.
func same(ts *testscript.TestScript, _ bool, args []string) {
	code, role, command := args[0], args[1], args[2:]
	said := func(more ...string) string {
		exits(ts, false, append(append([]string{code, "plumbline"}, command...), more...))
		return ts.ReadFile("stdout") + ts.ReadFile("stderr")
	}
	local := said("--role", role, "--as", role)
	ts.Setenv("PLUMBLINE_TOKEN", ts.Getenv("TOKEN_"+role))
	if diff := cmp.Diff(local, said("--server", ts.Getenv("SERVER"))); diff != "" {
		ts.Fatalf("the server's answer is another (-ledger +server):\n%s", diff)
	}
}

// A server's certificate is checked before a token is sent, and a private authority can be
// named.
func TestServerCertificate(t *testing.T) {
	const token = "plb_abcdefghijklmnopqrstuvwxyz"
	sent := make(chan string, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case sent <- r.Header.Get("Authorization"):
		default: // later requests of the same command
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(env ...string) string {
		cmd := exec.Command("plumbline", "chain", "status", "--server", server.URL)
		cmd.Env = append(append(os.Environ(), "PLUMBLINE_TOKEN="+token), env...)
		said, err := cmd.CombinedOutput()
		if code := exitCode(err); code != exitUsage {
			t.Errorf("exit code %d, want %d: %s", code, exitUsage, said)
		}
		return string(said)
	}
	if said := ask(); !strings.Contains(said, "name the authority's file in SSL_CERT_FILE if you trust it") || len(sent) != 0 {
		t.Errorf("a certificate of nobody known gives %q, and %d requests", said, len(sent))
	}
	secure := server.URL
	server.URL = strings.Replace(secure, "https:", "http:", 1)
	if said := ask(); !strings.Contains(said, "it speaks https there: give an https URL") {
		t.Errorf("plain HTTP to a port with TLS gives %q", said)
	}
	server.URL = secure
	if said := ask("SSL_CERT_FILE=" + authority); !strings.Contains(said, "Service Unavailable") || <-sent != "Bearer "+token {
		t.Errorf("a certificate of the named authority gives %q", said)
	}
}

// A token goes to no other address than the one that was given, and a server that is none
// gets no further than its first answer.
func TestStrangeServers(t *testing.T) {
	const token = "plb_abcdefghijklmnopqrstuvwxyz"
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	answer := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	fault := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"\u001b[31mso it says"}}`
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"redirect", answer(307, "Location", other.URL+"/mcp", ""), "leads to another address"},
		{"no server", answer(404, "Content-Type", "text/html", "<h1>no</h1>"), "no plumbline server answers"},
		{"a page", answer(200, "Content-Type", "text/html", "<h1>hello</h1>"), "did not answer"},
		{"an answer that is cut", answer(200, "Content-Length", "1000", "{"), "may be sent again under its submission"},
		{"too large", answer(413, "Content-Type", "application/json", fault), "Request Entity Too Large: "},
		{"busy", answer(503, "Content-Type", "application/json", fault), "try again later"},
		{"forbidden", answer(403, "Content-Type", "application/json", fault), "so it says"},
		{"events that are cut", answer(200, "Content-Type", "text/event-stream", "data: {\"jsonrpc\""), "did not answer in full"},
		{"events that are lost", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "did not answer in full"},
		{"events of junk", answer(200, "Content-Type", "text/event-stream", "data: "+token+"\n\n"), "did not answer in full"},
		{"no events", answer(200, "Content-Type", "text/event-stream", ""), "did not answer in full"},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "cannot be reached"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(tt.handler)
			defer server.Close()
			cmd := exec.Command("plumbline", "chain", "status", "--server", server.URL)
			cmd.Env = append(os.Environ(), "PLUMBLINE_TOKEN="+token)
			said, err := cmd.CombinedOutput()
			if code := exitCode(err); code != exitUsage || !strings.Contains(string(said), tt.want) {
				t.Errorf("exit code %d and %q, want %d and %q", code, said, exitUsage, tt.want)
			}
			if strings.Contains(string(said), token) || strings.Contains(string(said), "\x1b") || strings.Count(string(said), "\n") != 1 {
				t.Errorf("it prints %q, want one line without the token", said)
			}
		})
	}
	if reached {
		t.Error("the redirect was followed")
	}
}

// The protocol has one code for whatever keeps a server from giving a resource: what its
// tools say of the ledger is passed on.
func TestServerWithoutItsLedger(t *testing.T) {
	answers := map[string]string{
		"initialize":     `"result":{"protocolVersion":"2025-06-18","capabilities":{"resources":{},"tools":{}},"serverInfo":{"name":"plumbline","version":"0"}}`,
		"resources/read": `"error":{"code":-32603,"message":"internal error"}`,
		"tools/call": `"result":{"isError":true,"content":[{"type":"text",
			"text":"{\"code\":\"LEDGER_UNAVAILABLE\",\"message\":\"the database cannot be reached\",\"hint\":\"try again\"}"}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			ID     json.RawMessage
			Method string
		}
		answer := ""
		if err := json.NewDecoder(r.Body).Decode(&asked); err == nil {
			answer = answers[asked.Method]
		}
		if answer == "" { // a notification
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, asked.ID, answer)
	}))
	defer server.Close()
	for _, command := range [][]string{{"gate", "--id", "refunds"}, {"chain", "export", "refunds"}, {"chain", "verify", "--id", "refunds"}} {
		said, err := exec.Command("plumbline", append(command, "--server", server.URL)...).CombinedOutput()
		const want = "plumbline: LEDGER_UNAVAILABLE: the database cannot be reached (try again)\n"
		if code := exitCode(err); code != exitUsage || string(said) != want {
			t.Errorf("%v: exit code %d and %q, want %d and %q", command, code, said, exitUsage, want)
		}
	}
}

// A token with a line break, as from a file with two, is named before anything is sent.
func TestTokenWithALineBreak(t *testing.T) {
	for _, token := range []string{"plb_a\nplb_b", "plb_a\rb"} {
		if _, err := endpointOf("https://plumbline.example", token); err == nil || !strings.Contains(err.Error(), "PLUMBLINE_TOKEN has a line break") || strings.Contains(err.Error(), "plb_") {
			t.Errorf("%q gives %v", token, err)
		}
	}
}

// What a server sends without being asked is not repeated: it may hold secrets.
func TestUnsolicitedAnswers(t *testing.T) {
	const secret = "plb_abcdefghijklmnopqrstuvwxyz"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ ID json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { conn.Close() })
		reply := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, asked.ID)
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%sHTTP/1.1 500 %s\r\n\r\n", len(reply), reply, secret)
	}))
	defer server.Close()
	for _, args := range [][]string{{"chain", "status", "--server", server.URL}, {"capture", "--url", server.URL}} {
		said, err := exec.Command("plumbline", args...).CombinedOutput()
		if code := exitCode(err); code != exitUsage || strings.Contains(string(said), secret) || strings.Count(string(said), "\n") != 1 {
			t.Errorf("%v: exit code %d and %q, want %d and one line without what was not asked for", args, code, said, exitUsage)
		}
	}
}
