package server

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// transports are the ways to a real server, each with a ledger of its own.
var transports = []struct {
	name string
	dial func(t *testing.T, args ...string) *client.Client
}{
	{"stdio", func(t *testing.T, args ...string) *client.Client {
		c, err := client.NewStdioMCPClient(filepath.Join(binaries, "plumbline"), nil, args...)
		return dialled(t, c, err)
	}},
	{"streamable HTTP", func(t *testing.T, args ...string) *client.Client {
		c, err := client.NewStreamableHttpClient(hosted(t, args).url("/mcp"))
		return dialled(t, c, err)
	}},
	{"streamable HTTP before 2026", func(t *testing.T, args ...string) *client.Client {
		way, err := transport.NewStreamableHTTP(hosted(t, args).url("/mcp"))
		return dialled(t, client.NewClient(way, client.WithProtocolVersion(mcp.ProtocolVersion20251125)), err)
	}},
	{"streamable HTTP/2 over TLS", dialHTTP2},
	{"SSE", func(t *testing.T, args ...string) *client.Client {
		c, err := client.NewSSEMCPClient(hosted(t, args).url("/sse"))
		return dialled(t, c, err)
	}},
}

func hosted(t *testing.T, args []string) *site {
	return startProcess(t, t.TempDir(), "plumbline", append(args, "--http", "127.0.0.1:0")...).site()
}

func dialled(t *testing.T, c *client.Client, err error) *client.Client {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// One suite over every transport: every tool, resource, prompt and error.
func TestTransports(t *testing.T) {
	list := steps(t)
	for _, way := range transports {
		t.Run(way.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), hang)
			defer cancel()
			v := newVisit(t, ctx)
			for name, content := range map[string]string{v.ledgerFile(): "these are notes\n", filepath.Join(v.dir, tooLargeFile): strings.Repeat(" ", 200_000)} {
				if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			v.c = way.dial(t, "serve", "--ledger", "sqlite:"+v.ledgerFile(), "--root", v.dir, "--max-file", suiteMaxFile)
			v.begin()
			for _, s := range list {
				v.take(s)
			}
			v.usedAll()
			v.metAll()
		})
	}
}

// take does one step.
func (v *visit) take(s step) {
	v.t.Helper()
	got, err := s.do(v)
	switch {
	case s.err == "" && err != nil:
		v.t.Errorf("%s: %v", s.name, err)
	case s.err != "" && (err == nil || !strings.Contains(err.Error(), s.err)):
		v.t.Errorf("%s: the error is %v, want %q", s.name, err, s.err)
	case !strings.Contains(got, s.answer):
		v.t.Errorf("%s: the answer is %.2000s, want %q in it", s.name, got, s.answer)
	}
}

// begin makes the handshake of the transport's own protocol version.
func (v *visit) begin() {
	v.t.Helper()
	if err := v.c.Start(v.ctx); err != nil {
		v.t.Fatal(err)
	}
	hello, err := v.c.Initialize(v.ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "suite", Version: "1"}}})
	if err != nil || hello.ServerInfo.Name != "plumbline" || !strings.Contains(hello.Instructions, "scan_openapi") {
		v.t.Fatalf("initialize gives %+v, %v", hello, err)
	}
}

// usedAll holds what was used to what the server lists.
func (v *visit) usedAll() {
	v.t.Helper()
	listed, err := v.c.ListTools(v.ctx, mcp.ListToolsRequest{})
	if err != nil || len(listed.Tools) != 8 {
		v.t.Fatalf("the tools are %+v, %v; want eight", listed, err)
	}
	resources, err := v.c.ListResources(v.ctx, mcp.ListResourcesRequest{})
	if err != nil {
		v.t.Fatal(err)
	}
	prompts, err := v.c.ListPrompts(v.ctx, mcp.ListPromptsRequest{})
	if err != nil {
		v.t.Fatal(err)
	}
	var unused []string
	check := func(name string) {
		if !v.used[name] {
			unused = append(unused, name)
		}
	}
	for _, tool := range listed.Tools {
		check(tool.Name)
	}
	for _, resource := range resources.Resources {
		check(resource.URI)
	}
	for _, prompt := range prompts.Prompts {
		check(prompt.Name)
	}
	if diff := cmp.Diff([]string(nil), unused); diff != "" {
		v.t.Errorf("listed and not tried (-want +got):\n%s", diff)
	}
	v.usedTemplates()
}

// usedTemplates holds the URIs that were read to the templates that the server lists.
func (v *visit) usedTemplates() {
	v.t.Helper()
	listed, err := v.c.ListResourceTemplates(v.ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil || len(listed.ResourceTemplates) != 5 {
		v.t.Fatalf("the templates are %+v, %v; want five", listed, err)
	}
	variable := regexp.MustCompile(`\\\{\w+\\\}`) // as quoted
	for _, template := range listed.ResourceTemplates {
		raw := template.URITemplate.Raw()
		matches := regexp.MustCompile("^" + variable.ReplaceAllString(regexp.QuoteMeta(raw), "[^/]+") + "$").MatchString
		if !slices.ContainsFunc(slices.Collect(maps.Keys(v.used)), matches) {
			v.t.Errorf("nothing was read of %s", raw)
		}
	}
}

// metAll holds the errors that were met to those that a tool may give.
func (v *visit) metAll() {
	v.t.Helper()
	for _, code := range tools.Codes() {
		if !v.codes[code] {
			v.t.Errorf("no call met %s", code)
		}
	}
}

// A scan reports its progress to a client of any transport, which may give up on it and
// then has the next one answered.
func TestProgressAndCancelOverTransports(t *testing.T) {
	for _, way := range transports {
		t.Run(way.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), hang)
			defer cancel()
			v := newVisit(t, ctx)
			v.c = way.dial(t, "serve", "--ledger", "sqlite:"+v.ledgerFile(), "--max-scans", "1")
			progress := make(chan struct{}, 1000)
			v.c.OnNotification(func(n mcp.JSONRPCNotification) {
				if n.Method == "notifications/progress" {
					progress <- struct{}{}
				}
			})
			v.begin()
			scan := func(ctx context.Context) error {
				_, err := v.c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "scan_openapi", Arguments: object{"document": api(3000)},
					Meta: &mcp.Meta{ProgressToken: "p"}}})
				return err
			}
			given, giveUp := context.WithCancel(ctx)
			ended := make(chan error, 1)
			go func() { ended <- scan(given) }()
			receive(t, progress, "the progress of a scan")
			giveUp()
			if err := receive(t, ended, "the end of the call"); err == nil {
				t.Error("the call was answered although the client gave up")
			}
			if err := scan(ctx); err != nil { // there is one slot: it is free again
				t.Errorf("the next scan: %v", err)
			}
		})
	}
}
