package main

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger/pgtest"
)

const (
	dockerfile = ".packaging/Dockerfile"
	// maxBinary is the most that the image's one program may weigh, in bytes.
	maxBinary = 40 << 20
	// containerHang is how long a server may take before a test calls it hung.
	containerHang = time.Minute
)

// image is what the Dockerfile says.
type image struct {
	from       []string
	build      string // the command line that builds the program
	built      string // where that puts it
	user       string
	port       string
	entrypoint []string
}

func readImage(t *testing.T) image {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, dockerfile))
	if err != nil {
		t.Fatal(err)
	}
	var i image
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, `\`) {
			t.Fatalf("%s has a line that goes on, which this test does not read: %s", dockerfile, line)
		}
		instruction, rest, _ := strings.Cut(line, " ")
		switch instruction {
		case "FROM":
			i.from = append(i.from, strings.Fields(rest)[0])
		case "RUN":
			i.build = rest // the last one
		case "USER":
			i.user = rest
		case "EXPOSE":
			i.port = rest
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(rest), &i.entrypoint); err != nil {
				t.Fatalf("ENTRYPOINT: %v", err)
			}
		}
	}
	_, i.built, _ = strings.Cut(i.build, " -o ")
	i.built, _, _ = strings.Cut(i.built, " ")
	return i
}

// argument gives the value of a flag of the entry point.
func (i image) argument(t *testing.T, flag string) string {
	t.Helper()
	at := slices.Index(i.entrypoint, flag)
	if at < 0 || at+1 >= len(i.entrypoint) {
		t.Fatalf("the entry point has no %s: %q", flag, i.entrypoint)
	}
	return i.entrypoint[at+1]
}

// with gives the entry point's arguments with others in place of some.
func (i image) with(replaced map[string]string) []string {
	args := slices.Clone(i.entrypoint[1:])
	for at, arg := range args {
		if other, ok := replaced[arg]; ok {
			args[at] = other
		}
	}
	return args
}

// container is what the image would hold, in a directory of its own.
type container struct {
	binary string
	etc    string // mounted for the tokens
	work   string // an empty directory in which it may write nothing
	user   *syscall.SysProcAttr
}

// newContainer builds the program as the Dockerfile does.
func newContainer(t *testing.T, i image) *container {
	t.Helper()
	dir := t.TempDir()
	c := &container{binary: filepath.Join(dir, "plumbline"), etc: filepath.Join(dir, "etc"), work: filepath.Join(dir, "work")}
	build := exec.Command("sh", "-c", strings.Replace(i.build, i.built, c.binary, 1))
	build.Dir = checkout
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", i.build, err, out)
	}
	for _, made := range []string{c.etc, c.work} {
		if err := os.Mkdir(made, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() != 0 { // as ourselves, who are nobody special
		return c
	}
	uid, gid, ok := numbers(i.user)
	if !ok {
		t.Fatalf("USER is %q, want numbers: an orchestrator cannot tell that a name is not root", i.user)
	}
	c.user = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}}
	for _, opened := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(opened, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(c.etc, int(uid), int(gid)); err != nil {
		t.Fatal(err)
	}
	return c
}

// numbers reads USER; false for names, and for root.
func numbers(user string) (uid, gid uint32, ok bool) {
	u, g, _ := strings.Cut(user, ":")
	uid64, uidErr := strconv.ParseUint(u, 10, 32)
	gid64, gidErr := strconv.ParseUint(g, 10, 32)
	return uint32(uid64), uint32(gid64), uidErr == nil && gidErr == nil && uid64 > 0 && gid64 > 0
}

// command runs the program as the container's user, with its environment alone.
func (c *container) command(env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(c.binary, args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = c.work, append([]string{}, env...), c.user
	return cmd
}

// addToken makes a token as the container's user.
func (c *container) addToken(t *testing.T, file string, args ...string) string {
	t.Helper()
	out, err := c.command(nil, append([]string{"token", "add", "--tokens", file}, args...)...).Output()
	if err != nil {
		t.Fatalf("token add: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// containerLog is the server's log, whose first line says where it listens.
type containerLog struct {
	mu    sync.Mutex
	text  bytes.Buffer
	first chan string
}

func (l *containerLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	line, _, complete := strings.Cut(l.text.String(), "\n")
	if complete {
		select {
		case l.first <- line:
		default:
		}
	}
	return len(p), nil
}

func (l *containerLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// What the image would hold and run, held and run without a container engine.
func TestImage(t *testing.T) {
	i := readImage(t)
	for _, from := range i.from {
		if strings.Contains(from, "/") {
			t.Errorf("FROM %s names a registry", from)
		}
	}
	if from := i.from[len(i.from)-1]; from != "scratch" {
		t.Errorf("the image is built on %s, want scratch", from)
	}
	if _, port, _ := strings.Cut(i.argument(t, "--http"), ":"); port != i.port {
		t.Errorf("EXPOSE is %s, and the program listens on %s", i.port, port)
	}
	c := newContainer(t, i)
	t.Run("program", func(t *testing.T) { wantStatic(t, c.binary) })
	t.Run("run", func(t *testing.T) { c.runs(t, i) })
}

// wantStatic holds the program to what an empty image needs: it is static, small, and
// without symbols.
func wantStatic(t *testing.T, binary string) {
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxBinary {
		t.Errorf("the program has %d bytes, more than %d", info.Size(), maxBinary)
	}
	program, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for _, part := range program.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the program is not static: it asks for a loader, which an empty image lacks")
		}
	}
	if program.Section(".symtab") != nil || program.Section(".debug_info") != nil {
		t.Error("the program holds symbols, which only make it larger")
	}
}

const askStatus = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chain_status","arguments":{}}}`

// runs starts the program as the unprivileged user, in a directory where it may write
// nothing, with the arguments of the Dockerfile and the environment of compose.yaml
// over a real Postgres; makes calls; and ends it.
func (c *container) runs(t *testing.T, i image) {
	log := &containerLog{first: make(chan string, 1)}
	file := filepath.Join(c.etc, "tokens.json")
	token := c.addToken(t, file, "--name", "olga", "--role", "owner")
	cmd := c.command(ledgerEnv(t), i.with(map[string]string{i.argument(t, "--http"): "0.0.0.0:0", i.argument(t, "--tokens"): file})...)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cmd.Process.Kill() })

	at := baseURL(t, log, ended)
	await(t, at+"/readyz")
	if status, _ := exchange(t, http.MethodPost, at+"/mcp", "", askStatus); status != http.StatusUnauthorized {
		t.Errorf("a call without a token gets %d, want 401", status)
	}
	if status, answer := exchange(t, http.MethodPost, at+"/mcp", token, askStatus); status != http.StatusOK || !strings.Contains(answer, `"structuredContent":{"contracts":[]}`) {
		t.Errorf("a call with the token gets %d: %s", status, answer)
	}
	if _, text := exchange(t, http.MethodGet, at+"/metrics", token, ""); !strings.Contains(text, `plumbline_calls_total{outcome="ok",tool="chain_status"} 1`) || !strings.Contains(text, `plumbline_http_refusals_total{reason="token"} 1`) {
		t.Errorf("the metrics do not count what was called:\n%s", text)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if exitCode(err) != exitPass {
			t.Errorf("after a signal the server ends with %v:\n%s", err, log)
		}
	case <-time.After(containerHang):
		t.Fatalf("after a signal the server does not end:\n%s", log)
	}
	if text := log.String(); !strings.Contains(text, `"who":"olga","role":"owner","tool":"chain_status"`) || strings.Contains(text, token) || strings.Contains(text, pgtest.Password) {
		t.Errorf("the log lacks the call or holds a secret:\n%s", text)
	}
	if left, err := os.ReadDir(c.work); err != nil || len(left) > 0 {
		t.Errorf("the server left %v in its directory (%v)", left, err)
	}
}

// ledgerEnv gives the environment of compose.yaml, for a real Postgres in the place of its.
func ledgerEnv(t *testing.T) []string {
	t.Helper()
	database := pgtest.Start(t)
	dsn, err := url.Parse(readCompose(t).Services.Plumbline.Environment["PLUMBLINE_LEDGER"])
	if err != nil {
		t.Fatal(err)
	}
	dsn.Host, dsn.Path = database.Address(), pgtest.Database
	return []string{"PLUMBLINE_LEDGER=" + dsn.String(), "PGPASSWORD=" + pgtest.Password}
}

// baseURL gives the server's URL from the first line of its log.
func baseURL(t *testing.T, log *containerLog, ended <-chan error) string {
	t.Helper()
	select {
	case line := <-log.first:
		var said struct{ Msg, Addr string }
		if err := json.Unmarshal([]byte(line), &said); err != nil || said.Msg != "listening" {
			t.Fatalf("the log begins with %s", line)
		}
		return "http://127.0.0.1" + said.Addr[strings.LastIndex(said.Addr, ":"):]
	case err := <-ended:
		t.Fatalf("the server ended: %v\n%s", err, log)
	case <-time.After(containerHang):
		t.Fatalf("the server does not listen:\n%s", log)
	}
	panic("unreachable")
}

// await asks until the answer is 200.
func await(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(containerHang); ; {
		status, answer := exchange(t, http.MethodGet, url, "", "")
		if status == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s gives %d: %s", url, status, answer)
		}
	}
}

// exchange sends a request as a client of /mcp does, and gives the answer.
func exchange(t *testing.T, method, url, token, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}
