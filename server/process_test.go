package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// binaries is the directory that TestMain builds the programs into.
var binaries string

// programs are what is built, by name.
var programs = map[string]string{
	"plumbline":   "github.com/plumbline-mcp/plumbline/cmd/plumbline",
	"emptyserver": "./testdata/emptyserver",
}

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "plumbline-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binaries = dir
	for name, pkg := range programs {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the image's binary
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "building", pkg, err)
			return 1
		}
	}
	return m.Run()
}

// process is a server that runs on pipes.
type process struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	lines  *bufio.Reader
	stderr *lockedBuffer
	// guard kills a process that gives no sign of life for long: it fails the test by its
	// broken pipes.
	guard *time.Timer
}

// Write takes what the process logs.
func (p *process) Write(text []byte) (int, error) {
	p.guard.Reset(hang)
	return p.stderr.Write(text)
}

// startProcess starts a program in dir.
func startProcess(t testing.TB, dir, program string, args ...string) *process {
	t.Helper()
	ctx, kill := context.WithCancel(context.Background())
	p := &process{t: t, cmd: exec.CommandContext(ctx, filepath.Join(binaries, program), args...), stderr: &lockedBuffer{}, guard: time.AfterFunc(hang, kill)}
	p.cmd.Dir = dir
	p.cmd.Stderr = p
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.stdout, err = p.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.guard.Stop()
		p.stdin.Close()
		kill()
		p.cmd.Wait()
	})
	p.lines = bufio.NewReaderSize(p.stdout, 1<<20)
	return p
}

// send writes a line.
func (p *process) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
		p.t.Fatalf("writing: %v; stderr: %s", err, p.stderr)
	}
}

// reply is one line of output.
type reply struct {
	ID     json.RawMessage
	Method string
	Result struct {
		ProtocolVersion   string
		Instructions      string
		Tools             []struct{ Name string }
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
	Error *struct {
		Code    int
		Message string
	}
}

// next reads a line.
func (p *process) next() reply {
	p.t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil {
		p.t.Fatalf("reading: %v; stderr: %s", err, p.stderr)
	}
	p.guard.Reset(hang)
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		p.t.Fatalf("%v in the line %.500q", err, line)
	}
	return r
}

// ask sends a request and reads its reply.
func (p *process) ask(id int, method, params string) reply {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	r := p.next()
	if string(r.ID) != fmt.Sprint(id) {
		p.t.Fatalf("the reply to %d has the id %s", id, r.ID)
	}
	return r
}

// call calls a tool.
func (p *process) call(id int, tool, args string) reply {
	p.t.Helper()
	return p.ask(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
}

const initializeParams = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`

func (p *process) initialize() reply {
	p.t.Helper()
	r := p.ask(0, "initialize", initializeParams)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

// exits waits for the end and wants exit code 0 and a log without a stack trace.
func (p *process) exits() {
	p.t.Helper()
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("the process ended with %v, want exit code 0", err)
	}
	if log := p.stderr.String(); strings.Contains(log, "goroutine ") || strings.Contains(log, "panic") {
		p.t.Errorf("stderr has a stack trace: %s", log)
	}
}
