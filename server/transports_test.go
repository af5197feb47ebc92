package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// transports are the ways to a real server, each with a ledger of its own.
var transports = []struct {
	name string
	dial func(t *testing.T, args ...string) *client.Client
}{
	{"stdio", func(t *testing.T, args ...string) *client.Client {
		c, err := client.NewStdioMCPClient(filepath.Join(binaries, "plumbline"), nil, append(args, "--root", t.TempDir())...)
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
	{"SSE", func(t *testing.T, args ...string) *client.Client {
		c, err := client.NewSSEMCPClient(hosted(t, args).url("/sse"))
		return dialled(t, c, err)
	}},
}

func hosted(t *testing.T, args []string) *site {
	return startProcess(t, t.TempDir(), "plumbline", append(args, "--http", "127.0.0.1:0", "--root", t.TempDir())...).site()
}

func dialled(t *testing.T, c *client.Client, err error) *client.Client {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// visit is one session of a client, and what it has used of the server.
type visit struct {
	t    *testing.T
	ctx  context.Context
	c    *client.Client
	used map[string]bool
}

// step is one thing that a client does: it calls a tool, reads a resource or gets a
// prompt, and finds a text in the answer, or in the error.
type step struct {
	name   string
	do     func(v *visit) (string, error)
	answer string
	err    string
}

func callStep(name, tool string, args map[string]any, answer string) step {
	return step{name: name, answer: answer, do: func(v *visit) (string, error) {
		v.used[tool] = true
		raw, err := json.Marshal(args)
		if err != nil {
			return "", err
		}
		res, err := v.c.CallTool(v.ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(raw)}})
		if err != nil {
			return "", err
		}
		var texts []string
		for _, c := range res.Content {
			texts = append(texts, c.(mcp.TextContent).Text)
		}
		if code := strings.HasPrefix(texts[0], `{"code":`); code != res.IsError {
			v.t.Errorf("%s: isError is %v in %s", name, res.IsError, texts[0])
		}
		return strings.Join(texts, "\n"), nil
	}}
}

func readStep(uri, answer string) step {
	return step{name: "read " + uri, answer: answer, do: func(v *visit) (string, error) {
		v.used[uri] = true
		res, err := v.c.ReadResource(v.ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: uri}})
		if err != nil {
			return "", err
		}
		return res.Contents[0].(mcp.TextResourceContents).Text, nil
	}}
}

func promptStep(name string, args map[string]string, answer string) step {
	return step{name: "prompt " + name, answer: answer, do: func(v *visit) (string, error) {
		v.used[name] = true
		res, err := v.c.GetPrompt(v.ctx, mcp.GetPromptRequest{Params: mcp.GetPromptParams{Name: name, Arguments: args}})
		if err != nil {
			return "", err
		}
		return res.Messages[0].Content.(mcp.TextContent).Text, nil
	}}
}

// failing is a step that is to end in an error of the protocol.
func failing(s step, with string) step {
	s.name += ", failing"
	s.err = with
	return s
}

// object is an argument that is sent as JSON.
type object = map[string]any

// steps use every tool, resource and prompt, and meet every error of a call.
func steps(t *testing.T) []step {
	first, second := loopContract(t, 1, `["under","over"]`), loopContract(t, 2, `["under","over","yen"]`)
	c, _ := contract.ParseContract([]byte(first))
	const id, uri = "shop/refunds", "plumbline://contracts/shop%2Frefunds"
	pass := object{"agc": "0.1.0", "gate": object{"version": c.Fingerprint}, "verdict": "pass", "coverage": object{"classes": []string{"limit"}}, "findings": []any{}}
	list := []step{
		callStep("a scan of an API", "scan_openapi", object{"document": api(3)}, `"verdict":"FAIL"`),
		callStep("a scan of tools", "scan_mcp_tools", object{"tools": []any{object{"name": "wipe_disk", "description": "Wipes."}}}, `"verdict":"FAIL"`),
		callStep("an argument that is none", "scan_openapi", object{"documents": "x"}, `"code":"BAD_ARGUMENT"`),
		callStep("a document that is none", "scan_openapi", object{"document": "{"}, `"code":"UNREADABLE_DOCUMENT"`),
		callStep("a path outside", "scan_openapi", object{"path": "/etc/passwd"}, `"code":"PATH_OUTSIDE_ROOT"`),
		callStep("a path to nothing", "scan_openapi", object{"path": "nothing.json"}, `"code":"UNREADABLE_FILE"`),
		callStep("a contract that is valid", "validate_contract", object{"contract": first}, `"valid":true`),
		callStep("a contract that is not", "validate_contract", object{"contract": strings.Replace(first, "limit", "", 1)}, `"valid":false`),
		callStep("a contract that is too large", "validate_contract", object{"contract": strings.Repeat(" ", 64<<10) + first}, `AAC407_TOO_LARGE`),
		callStep("no contract yet", "chain_status", object{"contract_id": id}, `"code":"UNKNOWN_CONTRACT"`),
		callStep("not registered", "check_round", object{"contract": first, "round": pass, "record": true, "submission": "1"}, `"code":"NOT_REGISTERED"`),
		callStep("registering", "register_contract", object{"contract": first, "record": true}, `"recorded":true`),
		callStep("registering again", "register_contract", object{"contract": first, "record": true}, `"already_registered":true`),
		callStep("registering other bytes", "register_contract", object{"contract": first + " ", "record": true}, `"code":"REVISION_CONFLICT"`),
		callStep("a brief", "render_brief", object{"role": "judge", "contract_id": id}, `"round_template"`),
		callStep("a brief of no revision", "render_brief", object{"role": "judge", "contract_id": id, "revision": 7}, `"code":"UNKNOWN_REVISION"`),
		callStep("a report without a key", "check_done", object{"contract_id": id, "report": loopReport(t, first), "record": true}, `"code":"SUBMISSION_REQUIRED"`),
		callStep("a report", "check_done", object{"contract_id": id, "report": loopReport(t, first), "record": true, "submission": "1"}, `"recorded":true`),
		callStep("a round", "check_round", object{"contract_id": id, "round": pass, "record": true, "submission": "2"}, `"recorded":true`),
		callStep("a key used again", "check_round", object{"contract_id": id, "round": object{"agc": "0.1.1", "gate": pass["gate"], "verdict": "pass", "coverage": pass["coverage"], "findings": []any{}}, "record": true, "submission": "2"}, `"code":"SUBMISSION_REUSED"`),
		callStep("the next revision", "register_contract", object{"contract": second, "record": false}, `"answer":"grow"`),
		callStep("how it stands", "chain_status", object{"contract_id": id}, `"last_verdict":"pass"`),
		failing(callStep("no such tool", "wipe_disk", object{}, ""), "not found"),
		readStep(uri, first), readStep(uri+"/revisions/1", first), readStep(uri+"/chain", `"verdict":"pass"`), readStep(uri+"/gate", `"open":true`),
		readStep("plumbline://rules", `"AAC407_TOO_LARGE"`),
		failing(readStep("plumbline://contracts/nothing", ""), "not found"),
		failing(readStep("plumbline://nothing", ""), "not found"),
		promptStep("draft_contract", map[string]string{"goal": "Refunds."}, "Refunds."),
		promptStep("build_to_contract", map[string]string{"contract_id": id}, "under"),
		promptStep("judge_round", map[string]string{"contract_id": id}, c.Fingerprint),
		failing(promptStep("judge_round", nil, ""), "needs its argument contract_id"),
		failing(promptStep("judge_round", map[string]string{"contract_id": "nothing"}, ""), "UNKNOWN_CONTRACT"),
		failing(promptStep("nothing", nil, ""), "not found"),
	}
	for _, name := range schemaNames() {
		list = append(list, readStep("plumbline://schemas/"+name, "$schema"))
	}
	return list
}

// One suite over every transport: every tool, resource, prompt and error.
func TestTransports(t *testing.T) {
	list := steps(t)
	for _, way := range transports {
		t.Run(way.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), hang)
			defer cancel()
			v := &visit{t: t, ctx: ctx, used: map[string]bool{}}
			v.c = way.dial(t, "serve", "--ledger", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
			v.begin()
			for _, s := range list {
				got, err := s.do(v)
				switch {
				case s.err == "" && err != nil:
					t.Errorf("%s: %v", s.name, err)
				case s.err != "" && (err == nil || !strings.Contains(err.Error(), s.err)):
					t.Errorf("%s: the error is %v, want %q", s.name, err, s.err)
				case !strings.Contains(got, s.answer):
					t.Errorf("%s: the answer is %.2000s, want %q in it", s.name, got, s.answer)
				}
			}
			v.usedAll()
			v.completes()
		})
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
	tools, err := v.c.ListTools(v.ctx, mcp.ListToolsRequest{})
	if err != nil || len(tools.Tools) != 8 {
		v.t.Fatalf("the tools are %+v, %v; want eight", tools, err)
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
	for _, tool := range tools.Tools {
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
	templates, err := v.c.ListResourceTemplates(v.ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil || len(templates.ResourceTemplates) < 3 {
		v.t.Errorf("the templates are %+v, %v", templates, err)
	}
}

// completes asks for the ids that begin like one.
func (v *visit) completes() {
	v.t.Helper()
	res, err := v.c.Complete(v.ctx, mcp.CompleteRequest{Params: mcp.CompleteParams{
		Ref: mcp.PromptReference{Type: "ref/prompt", Name: "judge_round"}, Argument: mcp.CompleteArgument{Name: "contract_id", Value: "shop"}}})
	if err != nil || !slices.Equal(res.Completion.Values, []string{"shop/refunds"}) {
		v.t.Errorf("completion gives %+v, %v", res, err)
	}
}

// A scan reports its progress to a client of any transport, which may give up on it and
// then has the next one answered.
func TestProgressAndCancelOverTransports(t *testing.T) {
	for _, way := range transports {
		t.Run(way.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), hang)
			defer cancel()
			v := &visit{t: t, ctx: ctx, used: map[string]bool{}}
			v.c = way.dial(t, "serve", "--ledger", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"), "--max-scans", "1")
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
