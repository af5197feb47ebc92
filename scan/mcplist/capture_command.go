package mcplist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// grace is how long a server may take to end after its stdin is closed, and again after
// it is told to end.
const grace = 2 * time.Second

// maxOutput is how many bytes of the end of a server's stderr are kept.
const maxOutput = 4 << 10

// start starts the command. It does not outlive ctx.
func (s Server) start(ctx context.Context) (*link, error) {
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.Dir, s.Env, grace
	ownGroup(cmd)
	output := &tail{}
	cmd.Stderr = output
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, s.notStarted(err)
	}
	m := &meter{left: maxCaptured}
	t := transport.NewIO(m.reader(stdout), stdin, nil)
	// A request that the server does not read would block beyond ctx.
	disarm := context.AfterFunc(ctx, func() { _ = t.Close() })
	closing := func(gently bool) ending {
		disarm()
		end := ending{died: m.ended()}
		_ = t.Close() // it closes stdin, which asks a server to end
		stop(cmd, gently)
		end.how, end.output = cmd.ProcessState.String(), output.text(s.secrets())
		return end
	}
	return &link{t, m, closing}, nil
}

// notStarted words why the command could not be started.
func (s Server) notStarted(err error) error {
	// The system names the program also where it is the directory that is missing.
	if _, dirErr := os.Stat(s.Dir + string(os.PathSeparator) + "."); s.Dir != "" && dirErr != nil {
		return &surface.ReadError{
			Message: fmt.Sprintf("the server could not be started: the directory %s, its cwd, cannot be entered: %v", quote(s.secrets().redact(s.Dir)), cause(dirErr)),
			Hint:    "make it, or mend the cwd",
		}
	}
	name, hint := s.secrets().redact(s.Command[0]), "check the command"
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		hint = "install it, or give its path"
		if strings.ContainsAny(name, " \t") {
			hint = "give the program and each argument on its own: in a configuration the program is the command, the others are its args"
		}
	}
	return &surface.ReadError{Message: "the server could not be started: " + quote(name) + ": " + cause(err).Error(), Hint: hint}
}

// cause is an error without the name that the system puts before it.
func cause(err error) error {
	var program *exec.Error
	var path *fs.PathError
	switch {
	case errors.As(err, &program):
		return program.Err
	case errors.As(err, &path):
		return path.Err
	}
	return err
}

// stop waits for a server to end, and then ends it and all that it started.
func stop(cmd *exec.Cmd, gently bool) {
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the state says the same
		close(done)
	}()
	pid := cmd.Process.Pid
	if !gently || !await(done) {
		terminate(pid)
	}
	if !await(done) {
		kill(pid)
		<-done
	}
	kill(pid) // what it left behind
}

// await waits for at most [grace].
func await(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-time.After(grace):
		return false
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu    sync.Mutex
	bytes []byte
	cut   bool // whether there was more
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut = t.cut || len(t.bytes)+len(p) > maxOutput
	t.bytes = append(t.bytes, p[max(0, len(p)-maxOutput):]...)
	t.bytes = t.bytes[max(0, len(t.bytes)-maxOutput):]
	return len(p), nil
}

// text is the end as valid UTF-8, without secrets.
func (t *tail) text(s secrets) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := s.redact(string(t.bytes))
	if t.cut {
		text = s.redactEnd(text)
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
