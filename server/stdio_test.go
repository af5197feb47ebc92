package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/tools"
)

const initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":` + initializeParams + "}\n"

func callLine(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, tool, args)
}

func cancelLine(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n", id)
}

// ids gives the ids of the replies as they stand on the wire, in order.
func ids(t *testing.T, lines []string) []string {
	t.Helper()
	var got []string
	for _, l := range lines {
		var reply struct {
			ID json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal([]byte(l), &reply); err != nil {
			t.Fatalf("%v in line %q", err, l)
		}
		got = append(got, string(reply.ID))
	}
	return got
}

// All that was read before the end of input is answered, the last line without a
// newline too.
func TestEndOfInput(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	input := initialize
	want := map[string]bool{`"init"`: true}
	for i := range 20 {
		input += callLine(fmt.Sprint(i), "echo", "{}")
		want[fmt.Sprint(i)] = true
	}
	got := map[string]bool{}
	for _, id := range ids(t, talk(t, s, strings.TrimSuffix(input, "\n"))) {
		got[id] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answered ids (-want +got):\n%s", diff)
	}
}

func TestLinesThatAreNoRequests(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":99,"method":"ping"}`
	const pong = `{"jsonrpc":"2.0","id":99,"result":{}}`
	fault := func(id string, code int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s"}}`, id, code, text)
	}
	tests := []struct{ name, line, want string }{
		{"broken JSON", `{"jsonrpc":"2.0","id":1,`, fault("null", -32700, "parse error: the message is not valid JSON")},
		{"trailing text", `{} {}`, fault("null", -32700, "parse error: the message is not valid JSON")},
		{"nested too deep", strings.Repeat("[", 1001), fault("null", -32700, "parse error: the message is nested too deep")},
		{"braces in a string", `{"jsonrpc":"2.0","id":5,"x":"` + strings.Repeat(`[\"{`, 1001) + `"}`, fault("5", -32600, "the message has no method, or one that is not a string")},
		{"no version", `{"id":5,"method":"ping"}`, fault("5", -32600, `the message is not JSON-RPC 2.0: it needs \"jsonrpc\":\"2.0\"`)},
		{"a notification without a version", `{"method":"notifications/initialized"}`, fault("null", -32600, `the message is not JSON-RPC 2.0: it needs \"jsonrpc\":\"2.0\"`)},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"x\":\"\xff\"}", fault("7", -32700, "parse error: the message is not valid UTF-8")},
		{"invalid UTF-8 in the id", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", fault("null", -32700, "parse error: the message is not valid UTF-8")},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, fault("null", -32600, "batches are not supported: send one message at a time")},
		{"a scalar", `42`, fault("null", -32600, "a message is a JSON object")},
		{"no method", `{"jsonrpc":"2.0","id":5}`, fault("5", -32600, "the message has no method, or one that is not a string")},
		{"a method that is a number", `{"jsonrpc":"2.0","id":5,"method":5}`, fault("5", -32600, "the message has no method, or one that is not a string")},
		{"a null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, fault("null", -32600, "an id is a string or a number")},
		{"an object as id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, fault("null", -32600, "an id is a string or a number")},
		{"a request with a result", `{"jsonrpc":"2.0","id":5,"method":"ping","result":{}}`, fault("5", -32600, "a message is a request or an answer, not both")},
		{"a call with an error", `{"jsonrpc":"2.0","id":5,"method":"tools/call","error":{}}`, fault("5", -32600, "a message is a request or an answer, not both")},
		{"a blank line", "  \t ", ""},
		{"a client's result", `{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{"a client's error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, ""},
		{"a client's error without an id", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, ""},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/unheard"}`, ""},
		{"a cancel of nothing", strings.TrimSpace(cancelLine("4")), ""},
		{"a cancel without params", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := newServer(t, DefaultLimits, fakes()...)
			want := []string{pong}
			if tt.want != "" {
				want = []string{tt.want, pong}
			}
			if diff := cmp.Diff(want, talk(t, s, tt.line+"\n"+ping+"\n")); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownMethodAndTool(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	for name, line := range map[string]string{
		"-32601": `{"jsonrpc":"2.0","id":1,"method":"nothing/here"}`,
		"-32602": strings.TrimSpace(callLine("1", "nothing", "{}")),
	} {
		got := talk(t, s, line)
		if len(got) != 1 || !strings.Contains(got[0], `"id":1,"error":{"code":`+name) {
			t.Errorf("%s: got %q, want the error %s", line, got, name)
		}
	}
}

func TestIDsAreEchoedExactly(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	for _, id := range []string{`0`, `-1`, `9007199254740993`, `123456789012345678901234567890`, `1.50`, `""`, `"9"`, `"ü\n"`} {
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list"}`, id)
		if diff := cmp.Diff([]string{id}, ids(t, talk(t, s, line))); diff != "" {
			t.Errorf("id (-want +got):\n%s", diff)
		}
	}
}

func TestLongLines(t *testing.T) {
	limits := DefaultLimits
	limits.MaxMessage = 100_000
	s, _ := newServer(t, limits, fakes()...)
	longest := callLine("1", "echo", `{"x":""}`)
	longest = strings.Replace(longest, `""`, `"`+strings.Repeat("x", limits.MaxMessage-len(longest)+len("\n"))+`"`, 1)
	tooLong := strings.Replace(longest, "xx", "xxx", 1)
	got := talk(t, s, longest+tooLong+strings.TrimSuffix(tooLong, "\n"))
	if len(got) != 3 {
		t.Fatalf("got %d answers, want 3", len(got))
	}
	faults := strings.Count(strings.Join(got, "\n"), `"id":null,"error":{"code":-32600,"message":"message too large`)
	if faults != 2 || !strings.Contains(strings.Join(got, "\n"), `"id":1,"result"`) {
		t.Errorf("%d lines were too large, want 2 and one answer: %.300q", faults, got)
	}
}

func TestCancel(t *testing.T) {
	tests := []struct {
		name     string
		maxCalls int
		wait     int // calls to wait for before the cancels
	}{
		{"before it starts", 8, 0},
		{"while it runs", 8, 2},
		{"while it waits for another", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBlocker()
			limits := DefaultLimits
			limits.MaxCalls = tt.maxCalls
			s, _ := newServer(t, limits, append(fakes(), fake("block", b.run))...)
			in, client := io.Pipe()
			var out bytes.Buffer
			done := start(s, in, &out)
			io.WriteString(client, callLine(`1`, "block", "{}")+callLine(`"1"`, "block", "{}"))
			for range tt.wait {
				receive(t, b.started, "the start of a call")
			}
			io.WriteString(client, cancelLine(`1`)+cancelLine(`"\u0031"`)+callLine(`2`, "echo", "{}"))
			client.Close()
			finished(t, done)
			if diff := cmp.Diff([]string{"2"}, ids(t, strings.Split(strings.TrimSpace(out.String()), "\n"))); diff != "" {
				t.Errorf("answered ids (-want +got):\n%s", diff)
			}
		})
	}
}

// Every progress notification comes before its result, there are not too many of
// them, and the last one says that all is done.
func TestProgress(t *testing.T) {
	const steps = 100_000
	s, _ := newServer(t, DefaultLimits, fake("work", func(ctx context.Context, _ json.RawMessage) (any, error) {
		for i := range steps {
			tools.ReportProgress(ctx, i+1, steps)
		}
		return said{"done"}, nil
	}))
	work := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":"p"}}}` + "\n"
	got := talk(t, s, initialize+work)[1:]
	last := fmt.Sprintf(`"progress":%d,"progressToken":"p","total":%d`, steps, steps)
	if n := len(got); n < 2 || n > 1000 || !strings.Contains(got[n-1], `"id":1,"result"`) || !strings.Contains(got[n-2], last) {
		t.Errorf("got %d lines, want few, the last two the whole progress and the result: %.500q", n, got)
	}
	if got := talk(t, s, initialize+callLine("1", "work", "{}")); len(got) != 2 {
		t.Errorf("a call that did not ask for progress got %d lines, want 2", len(got))
	}
}

// What is sent first is written first, be it a reply or a notification, also while
// the client does not read.
func TestOneOrderOfRepliesAndProgress(t *testing.T) {
	const pings = 50
	reported := make(chan struct{})
	s, _ := newServer(t, DefaultLimits, fake("work", func(ctx context.Context, _ json.RawMessage) (any, error) {
		tools.ReportProgress(ctx, 1, 2)
		tools.ReportProgress(ctx, 2, 2)
		close(reported)
		return said{"done"}, nil
	}))
	input, want := initialize, []string{`"init"`}
	for i := range pings {
		input += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
		want = append(want, fmt.Sprint(i))
	}
	input += `{"jsonrpc":"2.0","id":"work","method":"tools/call","params":{"name":"work","_meta":{"progressToken":"p"}}}` + "\n"
	want = append(want, "", "", `"work"`)
	client, out := io.Pipe()
	done := start(s, strings.NewReader(input), out)
	receive(t, reported, "the progress")
	var got []string
	lines := bufio.NewScanner(client)
	for len(got) < len(want) && lines.Scan() {
		got = append(got, lines.Text())
	}
	finished(t, done)
	if diff := cmp.Diff(want, ids(t, got)); diff != "" {
		t.Errorf("ids in the order of the output (-want +got):\n%s", diff)
	}
}

// brokenPipe is the output of a client that has left.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestClientThatLeavesMidCall(t *testing.T) {
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, append(fakes(), fake("block", b.run))...)
	in, client := io.Pipe()
	done := start(s, in, brokenPipe{})
	io.WriteString(client, callLine("1", "block", "{}"))
	receive(t, b.started, "the start of the call")
	io.WriteString(client, callLine("2", "echo", "{}"))
	finished(t, done)
	if err := receive(t, b.ended, "the end of the call"); err != context.Canceled {
		t.Errorf("the running call ended with %v, want it cancelled", err)
	}
}

func TestSignal(t *testing.T) {
	tests := []struct {
		name    string
		grace   time.Duration
		release bool
		want    []string
	}{
		{"a call that ends within the grace is answered", hang, true, []string{"1"}},
		{"a call that does not is cancelled", time.Millisecond, false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBlocker()
			limits := DefaultLimits
			limits.Grace = tt.grace
			s, _ := newServer(t, limits, fake("block", b.run))
			in, client := io.Pipe()
			defer client.Close()
			var out bytes.Buffer
			ctx, signal := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- s.ServeStdio(ctx, somebody, in, &out) }()
			io.WriteString(client, callLine("1", "block", "{}"))
			receive(t, b.started, "the start of the call")
			signal()
			if tt.release {
				close(b.release)
			}
			finished(t, done)
			if diff := cmp.Diff(tt.want, ids(t, slices.Collect(strings.Lines(out.String())))); diff != "" {
				t.Errorf("answered ids (-want +got):\n%s", diff)
			}
			if ended := receive(t, b.ended, "the end of the call"); (ended == nil) != tt.release {
				t.Errorf("the call ended with %v", ended)
			}
		})
	}
}

// A client that sends much more than it reads is kept waiting, and nothing is lost.
func TestMoreThanMayBePending(t *testing.T) {
	limits := DefaultLimits
	limits.MaxMessage = 1000
	s, _ := newServer(t, limits, fakes()...)
	input := strings.Repeat(callLine("1", "echo", `{"x":"`+strings.Repeat("x", 500)+`"}`), 100)
	if got := talk(t, s, input); len(got) != 100 {
		t.Errorf("got %d answers, want 100", len(got))
	}
}

// Tiny requests cost memory too, however few their bytes; and the longest one that is
// read must find room.
func TestPendingRequestsAreBounded(t *testing.T) {
	const most = 20_000
	for _, maxMessage := range []int{1, 1000, DefaultLimits.MaxMessage} {
		limits := DefaultLimits
		limits.MaxMessage = maxMessage
		s, _ := newServer(t, limits)
		pending := newConn(s, "test", maxMessage).pending
		if !pending.TryAcquire(weight(maxMessage)) {
			t.Errorf("with messages of %d bytes the longest finds no room", maxMessage)
		}
		pending.Release(weight(maxMessage))
		n := 0
		for n <= most && pending.TryAcquire(weight(1)) {
			n++
		}
		if n > most {
			t.Errorf("with messages of %d bytes more than %d tiny requests may be pending", maxMessage, most)
		}
	}
}

// The working directory may be gone: all that a server needs of it was given.
func TestServerInADeletedDirectory(t *testing.T) {
	dir := t.TempDir() + "/gone"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	s, _ := newServer(t, DefaultLimits, fakes()...)
	if got := talk(t, s, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); len(got) != 1 {
		t.Errorf("answers %q, want one", got)
	}
}
