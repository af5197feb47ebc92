package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/mcplist"
)

const captureHelp = `Ask a live MCP server for its tools and write the list, as scan mcp and lock mcp read
it. The server is a command after --, which is started and speaks over stdio, or a URL
that speaks streamable HTTP or the older transport over SSE. Every page of the list is
asked for; no tool is called. The command runs in this directory with this environment,
but for PLUMBLINE_*, and is ended when the list is there, with what it started, unless
that left its process group. Headers are sent to the URL's own host alone and are never
shown or written.`

const captureExample = `  plumbline capture --out tools.json -- \
    npx -y @modelcontextprotocol/server-memory
  plumbline capture --url https://tools.example.com/mcp \
    --header "Authorization: Bearer $TOKEN"`

// serverFlags are the flags that every command takes that asks live servers.
type serverFlags struct {
	url     string
	headers []string
	timeout time.Duration
}

// add declares the flags.
func (f *serverFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "url", "", "ask the server at this `URL` over HTTP")
	flags.StringArrayVar(&f.headers, "header", nil, "send this `HEADER`, as 'Name: value', to the URL; may be repeated")
	flags.DurationVar(&f.timeout, "timeout", mcplist.DefaultTimeout, "how long a server has to start and give its whole list, as 30s or 2m")
}

// server is the one server that the flags and the command after -- name; nil for none.
func (f *serverFlags) server(p *process, command []string) (*mcplist.Server, error) {
	headers, err := readHeaders(f.headers)
	switch {
	case err != nil:
		return nil, err
	case f.timeout <= 0:
		return nil, usagef("--timeout %v: give the server some time, as 30s or 2m", f.timeout)
	case f.url != "" && len(command) > 0:
		return nil, usagef("--url and a command after -- name two servers: give one of them")
	case f.url == "" && len(headers) > 0:
		return nil, usagef("--header is sent to a URL: give --url too")
	case f.url != "":
		if _, err := readURL(f.url); err != nil {
			return nil, usagef("--url: %v", err)
		}
		return &mcplist.Server{URL: f.url, Headers: headers, Timeout: f.timeout}, nil
	case len(command) > 0:
		return &mcplist.Server{Command: command, Env: p.serverEnv(), Timeout: f.timeout}, nil
	}
	return nil, nil
}

// readHeaders reads the lines that --header gives. Errors do not repeat a value.
func readHeaders(lines []string) (map[string]string, error) {
	headers := map[string]string{}
	for i, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || value == "" || strings.ContainsAny(value, "\r\n") {
			return nil, usagef("--header number %d is no header: write it as 'Name: value'", i+1)
		}
		name = http.CanonicalHeaderKey(name)
		if _, twice := headers[name]; twice {
			return nil, usagef("--header gives %s twice: give each header once", name)
		}
		headers[name] = value
	}
	return headers, nil
}

// readURL takes the URL of a server apart. The error does not repeat it: it may hold a
// password.
func readURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("this is no address of a server: give one such as https://host/mcp")
	}
	return u, nil
}

// serverEnv is the environment of a server: this process's without what is plumbline's
// own, a token among that.
func (p *process) serverEnv() []string {
	var env []string
	for _, e := range p.env {
		if !isOwn(e) {
			env = append(env, e)
		}
	}
	return env
}

// isOwn says whether a variable is plumbline's own, by its name.
func isOwn(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "PLUMBLINE_") }

// serverName is how a server is called in messages and results: its command without
// arguments, its URL without what may be secret.
func serverName(s *mcplist.Server) string {
	if len(s.Command) > 0 {
		return filepath.Base(s.Command[0])
	}
	u, err := readURL(s.URL)
	if err != nil {
		return "server"
	}
	return u.Host + u.Path
}

func newCaptureCmd(p *process) *cobra.Command {
	flags := &serverFlags{}
	out := ""
	cmd := &cobra.Command{
		Use:     "capture [--out FILE] {-- COMMAND... | --url URL}",
		Short:   "Ask a live MCP server for its tools, and write the list",
		Long:    captureHelp,
		Example: captureExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.ArgsLenAtDash() != 0 {
				return usagef("put -- before the server's command: plumbline capture -- %s", strings.Join(args, " "))
			}
			server, err := flags.server(p, args)
			if err != nil {
				return err
			}
			if server == nil {
				return usagef("no server to ask: give its command after --, or --url")
			}
			return p.capture(cmd.Context(), server, out)
		},
	}
	cmd.DisableFlagsInUseLine = true
	flags.add(cmd.Flags())
	addOut(cmd.Flags(), &out, "list")
	return cmd
}

// capture writes the list of a server to a file, or to stdout for none.
func (p *process) capture(ctx context.Context, server *mcplist.Server, out string) error {
	list, err := p.askServer(ctx, input{name: serverName(server), server: server})
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		_, err := w.Write(list.text)
		return err
	}
	_, err = interruptibleWithin(ctx, cleanUp, func() (struct{}, error) {
		if out == "" {
			return struct{}{}, written(write(p.stdout))
		}
		return struct{}{}, writeFile(out, until(ctx, write))
	})
	return err
}

// serverList is the list of a server, and how that calls itself; empty for not at all.
type serverList struct {
	name string
	text []byte
}

// askServer asks the server of an input for its list. Where there is none, the end of what it
// wrote on stderr is shown.
func (p *process) askServer(ctx context.Context, in input) (serverList, error) {
	captured, err := guard(func() (*mcplist.Captured, error) { return mcplist.Capture(ctx, *in.server) })
	var failed *mcplist.CaptureError
	switch {
	case ctx.Err() != nil:
		return serverList{}, errInterrupted
	case errors.As(err, &failed):
		p.showOutput(in.name, failed.Output)
		return serverList{}, in.explain(err)
	case err != nil:
		return serverList{}, in.explain(err)
	}
	if len(captured.Tools) == 0 {
		p.complain("%s: the server answered and has no tools", in.name)
	}
	if captured.Hidden {
		p.complain("%s: the server's list repeats a key that was sent to it: [secret] stands in its place", in.name)
	}
	list, err := captured.JSON()
	return serverList{clip(captured.Name), agentready.EscapeUnseen(list)}, err
}

// showOutput shows the end of what a server wrote on stderr.
func (p *process) showOutput(name, output string) {
	lines := strings.Split(strings.TrimRight(output, "\r\n"), "\n")
	if output == "" {
		return
	}
	page := p.newPage(p.stderr)
	page.line("%s wrote on stderr:", name)
	for _, line := range lines[max(0, len(lines)-shownLines):] {
		page.line("    | %s", clip(strings.TrimRight(line, "\r")))
	}
	_, _ = io.WriteString(p.stderr, page.String())
}
