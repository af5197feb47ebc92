package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// documented is the host of a team's server in what we document.
const documented = "plumbline.example"

// onPath puts the built binary on the PATH as plumbline, as after `go install`.
func onPath(t *testing.T) (binary string) {
	t.Helper()
	binary = build(t)
	t.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return binary
}

// teamServer is a server over TLS that asks for tokens, in the place of plumbline.example.
type teamServer struct {
	host, token string // the token is a builder's
	web         *http.Client
}

func startTeam(t *testing.T, binary string) teamServer {
	t.Helper()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	trusted := x509.NewCertPool()
	trusted.AddCert(writeCertificate(t, file("cert.pem"), file("key.pem")))
	token, err := exec.Command(binary, "token", "add", "--tokens", file("tokens.json"), "--name", "ci", "--role", "builder").Output()
	if err != nil {
		t.Fatalf("token add: %v", err)
	}
	url := serveHTTP(t, binary, "--tokens", file("tokens.json"), "--tls-cert", file("cert.pem"), "--tls-key", file("key.pem"),
		"--ledger", "sqlite:"+file("ledger.db"))
	return teamServer{
		host:  strings.TrimPrefix(url, "http://"),
		token: strings.TrimSpace(string(token)),
		web:   &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}, Timeout: sdkHang},
	}
}

// newProject makes a clone to work in, with one document that fails a scan.
func newProject(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	document, err := os.ReadFile(filepath.Join(checkout, "testdata/published/refund-bare.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "openapi.yaml"), document, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "--quiet", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return dir
}

// started starts what an entry names in a directory, as a client does: with few variables
// of its own environment.
func started(t *testing.T, e clientEntry, dir string) *client.Client {
	t.Helper()
	home := t.TempDir()
	var log bytes.Buffer
	start := func(ctx context.Context, command string, _, args []string) (*exec.Cmd, error) {
		cmd := exec.CommandContext(ctx, command, args...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		for name, value := range e.Env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		return cmd, nil
	}
	c, err := client.NewStdioMCPClientWithOptions(e.Command, nil, e.Args, transport.WithCommandFunc(start), transport.WithCommandStderrWriter(&log))
	if err != nil {
		t.Fatalf("%s %q: %v", e.Command, e.Args, err)
	}
	t.Cleanup(func() {
		c.Close()
		if t.Failed() {
			t.Logf("%s %q:\n%s", e.Command, e.Args, log.String())
		}
	})
	return c
}

// reached reaches the URL that an entry names, with its headers.
func reached(t *testing.T, e clientEntry, web *http.Client) *client.Client {
	t.Helper()
	c, err := client.NewStreamableHttpClient(e.URL, transport.WithHTTPBasicClient(web), transport.WithHTTPHeaders(e.Headers))
	if err != nil {
		t.Fatalf("%s: %v", e.URL, err)
	}
	if err := c.Start(t.Context()); err != nil {
		t.Fatalf("%s: %v", e.URL, err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// plugCall is a call of a session, and what its answer holds.
type plugCall struct {
	tool string
	args map[string]any
	want string
}

var (
	askChains = plugCall{"chain_status", map[string]any{}, `"contracts":[]`}
	// scanProject reads the document of newProject: only a server that may read there can.
	scanProject = plugCall{"scan_openapi", map[string]any{"path": "openapi.yaml"}, `"verdict":"FAIL"`}
)

// holdSession initializes, lists the tools and makes calls, and gives the role that the
// server gave its client.
func holdSession(t *testing.T, c *client.Client, calls ...plugCall) (role string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sdkHang)
	defer cancel()
	name := mcp.Implementation{Name: "plumbline-test", Version: "1"}
	answer, err := c.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: name}})
	if err != nil || answer.ServerInfo.Name != "plumbline" {
		t.Fatalf("initialize: %v, %+v", err, answer)
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		t.Fatalf("tools/list: %v", err)
	}
	for _, call := range calls {
		res, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: call.tool, Arguments: call.args}})
		if err != nil {
			t.Fatalf("%s: %v", call.tool, err)
		}
		if text, ok := mcp.AsTextContent(res.Content[0]); !ok || res.IsError || !strings.Contains(text.Text, call.want) {
			t.Errorf("%s gives %s, want %s in it", call.tool, text.Text, call.want)
		}
	}
	return roleOf(list.Tools)
}

// roleOf is the role that is offered these tools.
func roleOf(offered []mcp.Tool) string {
	offers := func(name string) bool {
		return slices.ContainsFunc(offered, func(tool mcp.Tool) bool { return tool.Name == name })
	}
	switch {
	case offers("register_contract"):
		return "owner"
	case offers("check_round"):
		return "judge"
	case offers("check_done"):
		return "builder"
	}
	return "nobody"
}
