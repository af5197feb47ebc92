package server

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// api is a document of n operations without any description.
func api(n int) string {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `"/things%d":{"delete":{"operationId":"deleteThing%d","responses":{"200":{"description":"OK"}}}}`, i, i)
	}
	b.WriteString("}}")
	return b.String()
}

// serve starts the real server in a directory with an API document in it.
func serve(t testing.TB, args ...string) *process {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "api.json"), []byte(api(25)), 0o600); err != nil {
		t.Fatal(err)
	}
	return startProcess(t, dir, "plumbline", append([]string{"serve"}, args...)...)
}

type scanPage struct {
	Verdict    string
	ToolCount  int `json:"tool_count"`
	Tools      []struct{ ID string }
	NextCursor string `json:"next_cursor"`
}

// answered gives a call's answer.
func answered(t *testing.T, r reply) scanPage {
	t.Helper()
	var got scanPage
	if r.Error != nil || r.Result.IsError || json.Unmarshal(r.Result.StructuredContent, &got) != nil {
		t.Fatalf("the call was not answered: %+v", r)
	}
	return got
}

// refused gives the code of a tool error.
func refused(t *testing.T, r reply) string {
	t.Helper()
	var told struct{ Code string }
	if !r.Result.IsError || len(r.Result.Content) != 1 || json.Unmarshal([]byte(r.Result.Content[0].Text), &told) != nil {
		t.Fatalf("the call was not refused: %+v", r)
	}
	return told.Code
}

// A whole session: what a client sends, right and wrong, and after each wrong thing
// a call that is still answered.
func TestSession(t *testing.T) {
	p := serve(t)
	hello := p.initialize()
	if hello.Result.ProtocolVersion != "2025-06-18" || !strings.Contains(hello.Result.Instructions, "scan_openapi") {
		t.Errorf("initialize gives %+v", hello.Result)
	}
	if list := p.ask(1, "tools/list", "{}").Result.Tools; len(list) != 8 || list[0].Name != "chain_status" || list[7].Name != "validate_contract" {
		t.Errorf("the tools are %+v, want all eight", list)
	}
	if got := answered(t, p.call(2, "scan_mcp_tools", `{"tools":[{"name":"wipe_disk","description":"Wipes."}]}`)); got.Verdict != "FAIL" || got.ToolCount != 1 {
		t.Errorf("scan_mcp_tools answers %+v", got)
	}
	seen := map[string]bool{}
	for cursor, id := "", 3; id == 3 || cursor != ""; id++ {
		got := answered(t, p.call(id, "scan_openapi", fmt.Sprintf(`{"path":"api.json","limit":10,"cursor":%q}`, cursor)))
		for _, tool := range got.Tools {
			seen[tool.ID] = true
		}
		cursor = got.NextCursor
	}
	if len(seen) != 25 {
		t.Errorf("the pages show %d operations, want 25", len(seen))
	}
	if got := answered(t, p.call(10, "scan_openapi", `{"path":"api.json","only":"deleteThing7"}`)); len(got.Tools) != 1 || got.Tools[0].ID != "deleteThing7" {
		t.Errorf("`only` shows %+v", got.Tools)
	}
	p.stdin.Close()
	p.exits()
}

func TestSessionOutlivesErrors(t *testing.T) {
	p := serve(t)
	p.initialize()
	stillServes := func(after string) {
		t.Helper()
		if got := answered(t, p.call(99, "scan_openapi", `{"path":"api.json"}`)); got.ToolCount != 25 {
			t.Errorf("after %s the answer is %+v", after, got)
		}
	}
	for args, want := range map[string]string{
		`{"path":"api.json","document":"x"}`: "BAD_ARGUMENT",
		`{"min_score":1e-9999999}`:           "BAD_ARGUMENT",
		`null`:                               "BAD_ARGUMENT",
		`{"path":"/etc/passwd"}`:             "PATH_OUTSIDE_ROOT",
		`{"path":"missing.json"}`:            "UNREADABLE_FILE",
		`{"document":"{\"openapi\":"}`:       "UNREADABLE_DOCUMENT",
	} {
		if got := refused(t, p.call(1, "scan_openapi", args)); got != want {
			t.Errorf("%s is refused with %s, want %s", args, got, want)
		}
		stillServes(args)
	}
	for line, code := range map[string]int{
		`{"jsonrpc":"2.0","id":1,"method"`: -32700,
		`[]`:                               -32600,
		`{"jsonrpc":"2.0","id":1,"method":"no/such"}`:                                                             -32601,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}`:                                 -32602,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"scan_openapi","arguments":{"a":1e999}}}`: -32600,
		strings.Repeat("x", 16<<20+1):                                                                             -32600,
	} {
		p.send(line)
		if got := p.next(); got.Error == nil || got.Error.Code != code {
			t.Errorf("%.80q gives %+v, want the error %d", line, got.Error, code)
		}
		stillServes(line[:min(80, len(line))])
	}
	p.stdin.Close()
	p.exits()
}

func TestFiveMegabyteArgument(t *testing.T) {
	p := serve(t)
	p.initialize()
	text, err := json.Marshal(strings.Replace(api(25), `"title":"t"`, `"title":"`+strings.Repeat("t", 5<<20)+`"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if got := answered(t, p.call(1, "scan_openapi", `{"document":`+string(text)+`}`)); got.ToolCount != 25 {
		t.Errorf("the answer is %+v, want 25 operations", got)
	}
	p.stdin.Close()
	p.exits()
}

// Twenty calls and the end of input: twenty answers, though the last has no newline.
func TestAnswersBeforeTheEnd(t *testing.T) {
	p := serve(t)
	var lines []string
	for id := range 20 {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"scan_openapi","arguments":{"path":"api.json"}}}`, id))
	}
	if _, err := io.WriteString(p.stdin, strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	p.stdin.Close()
	seen := map[string]bool{}
	for range 20 {
		r := p.next()
		answered(t, r)
		seen[string(r.ID)] = true
	}
	if _, err := p.lines.ReadByte(); err != io.EOF || len(seen) != 20 {
		t.Errorf("%d calls were answered, then %v; want 20 and the end", len(seen), err)
	}
	p.exits()
}

// A client may leave by closing both pipes while calls run: no signal kills the
// process, and nothing fills its log.
func TestClientLeaves(t *testing.T) {
	p := serve(t)
	p.initialize()
	p.stdout.Close()
	for id := range 5 {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"scan_openapi","arguments":{"path":"api.json"}}}`, id))
	}
	p.stdin.Close()
	p.exits()
}

func TestSignalEndsTheServer(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := serve(t)
		p.initialize()
		if err := p.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		p.exits()
	}
}

// Where a server is started decides what it may read.
func TestDefaultRoot(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	p := startProcess(t, home, "plumbline", "serve")
	if got := refused(t, p.call(1, "scan_openapi", `{"path":"api.json"}`)); got != "PATH_OUTSIDE_ROOT" {
		t.Errorf("in a home directory a path is refused with %s, want PATH_OUTSIDE_ROOT", got)
	}
}

func TestServeFlags(t *testing.T) {
	p := serve(t, "--role", "judge", "--as", "ada", "--max-message", "1000")
	p.call(1, "scan_openapi", `{"path":"api.json"}`)
	p.send(strings.Repeat("x", 1001))
	if got := p.next(); got.Error == nil || !strings.Contains(got.Error.Message, "too large") {
		t.Errorf("a line over --max-message gives %+v", got)
	}
	p.stdin.Close()
	p.exits()
	if log := p.stderr.String(); !strings.Contains(log, "who=ada role=judge") {
		t.Errorf("the log does not say who called: %s", log)
	}
	for _, args := range [][]string{{"--role", "king"}, {"--root", "/no/such/dir"}, {"--max-calls", "0"}, {"--grace", "-1s"}, {"extra"}} {
		p := serve(t, args...)
		p.stdin.Close()
		p.cmd.Wait()
		if code := p.cmd.ProcessState.ExitCode(); code != 2 || strings.Count(p.stderr.String(), "\n") != 1 {
			t.Errorf("serve %v ends with %d and says %q, want 2 and one line", args, code, p.stderr)
		}
	}
}

// BenchmarkStart measures from the start of the process to the reply to initialize,
// against a server of the library with nothing in it.
func BenchmarkStart(b *testing.B) {
	for program, args := range map[string][]string{"emptyserver": nil, "plumbline": {"serve"}} {
		b.Run(program, func(b *testing.B) {
			for b.Loop() {
				p := startProcess(b, b.TempDir(), program, args...)
				p.ask(0, "initialize", initializeParams)
				b.StopTimer()
				p.stdin.Close()
				p.cmd.Wait()
				b.StartTimer()
			}
		})
	}
}
