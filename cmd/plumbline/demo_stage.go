package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// demoLedger is the setting that makes servers and commands keep their ledger in their
// working directory, the temporary one.
const demoLedger = "PLUMBLINE_LEDGER=sqlite:ledger.db"

// demoCast are who plays, each with a server of their own.
var demoCast = []struct {
	role tools.Role
	name string
}{{tools.Owner, "olga"}, {tools.Builder, "ben"}, {tools.Judge, "judy"}}

// demoStage is where the story is played.
type demoStage struct {
	*process
	binary string // this program's file
	dir    string // temporary
	agents map[tools.Role]*demoAgent
	// replies are the last ones, by who asked and what: "judge render_brief".
	replies map[string]demoReply
}

// demoAgent is one of the cast, with its session.
type demoAgent struct {
	name   string
	client *client.Client
	log    *bytes.Buffer // what the server wrote on stderr: to be read once it has ended
}

// open starts the servers and shows what each lets its client do.
func (s *demoStage) open(ctx context.Context) error {
	page := s.newDemoPage()
	page.opening()
	var all []string // what the owner, who comes first, is offered
	s.agents = map[tools.Role]*demoAgent{}
	for _, c := range demoCast {
		args := []string{"serve", "--role", string(c.role), "--as", c.name}
		offered, err := s.connect(ctx, c.role, c.name, args)
		if err != nil {
			return s.notStarted(ctx, c.role, args, err)
		}
		if all == nil {
			all = offered
		}
		page.server(c.role, args, offered, all)
	}
	return page.print(s.stdout)
}

// connect starts a server, opens a session with it, and gives the names of its tools.
func (s *demoStage) connect(ctx context.Context, role tools.Role, name string, args []string) ([]string, error) {
	agent := &demoAgent{name: name, log: &bytes.Buffer{}}
	command := func(context.Context, string, []string, []string) (*exec.Cmd, error) {
		cmd := s.command(ctx, args)
		cmd.Stderr = agent.log
		return cmd, nil
	}
	c, err := client.NewStdioMCPClientWithOptions(s.binary, nil, args,
		transport.WithCommandFunc(command), transport.WithCommandLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, err
	}
	agent.client = c
	s.agents[role] = agent
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "plumbline demo", Version: version()}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, err
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list.Tools))
	for i, tool := range list.Tools {
		names[i] = tool.Name
	}
	return names, nil
}

// command is a run of this program in the temporary directory, with none of the user's
// own settings of it, so that nothing outside is read or written.
func (s *demoStage) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.binary, args...)
	cmd.Dir = s.dir
	theirs := func(setting string) bool { return strings.HasPrefix(setting, "PLUMBLINE_") }
	cmd.Env = append(slices.DeleteFunc(slices.Clone(s.env), theirs), demoLedger)
	return cmd
}

// close ends the sessions, and with them the servers. How one ends is no matter: what
// the story needs of it was answered.
func (s *demoStage) close() {
	for _, agent := range s.agents {
		_ = agent.client.Close()
	}
}

// call lets one of the cast call a tool.
func (s *demoStage) call(ctx context.Context, role tools.Role, tool string, args json.RawMessage) (demoReply, error) {
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, args
	result, err := s.agents[role].client.CallTool(ctx, request)
	if err != nil {
		return demoReply{}, lost(ctx, err)
	}
	whole, err := json.Marshal(result)
	if err != nil {
		return demoReply{}, err
	}
	if result.IsError {
		return demoReply{}, fmt.Errorf("the server refused it: %s", whole)
	}
	return demoReply{value: result.StructuredContent, whole: string(whole)}, nil
}

// run runs a command that answers in JSON, and adds its exit code to the answer.
func (s *demoStage) run(ctx context.Context, args []string) (demoReply, error) {
	cmd := s.command(ctx, args)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return demoReply{}, lost(ctx, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(out, &answer); err != nil {
		return demoReply{}, lost(ctx, fmt.Errorf("it ended with %v and answered no JSON: %s", cmd.ProcessState, cmp.Or(strings.TrimSpace(stderr.String()), err.Error())))
	}
	answer["exit_code"] = float64(cmd.ProcessState.ExitCode())
	return demoReply{value: answer, whole: string(out)}, nil
}

// signalLag is how long a signal may reach the servers before this process: Ctrl-C goes
// to all of them.
const signalLag = 300 * time.Millisecond

// lost is the error of a server or command that did not answer.
func lost(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
	case <-time.After(signalLag):
		return err
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %v: %w", demoDeadline, err)
	}
	return errInterrupted
}

// notStarted words the error of a server that does not serve.
func (s *demoStage) notStarted(ctx context.Context, role tools.Role, args []string, err error) error {
	if err = lost(ctx, err); errors.Is(err, errInterrupted) {
		return err
	}
	said := ""
	if agent := s.agents[role]; agent != nil {
		_ = agent.client.Close() // what it said is whole only then
		said = strings.TrimSpace(agent.log.String())
	}
	return demoFailed("cannot start the %s's server, %s %s: %v. It said: %s", role, s.binary, strings.Join(args, " "), err, cmp.Or(said, "nothing"))
}

// demoFailed ends a demo whose story did not come true.
func demoFailed(format string, args ...any) error {
	return &exitError{code: exitInternal, message: "demo: " + fmt.Sprintf(format, args...)}
}

// demoIn says at which step of the story an error came up.
func demoIn(number int, chapter demoChapter, step demoStep, err error) error {
	if errors.Is(err, errInterrupted) {
		return err
	}
	return demoFailed("chapter %d, %s: %s, %s: %v", number, chapter.title, step.who, step.does, err)
}
