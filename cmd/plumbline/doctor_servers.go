package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/tools"
)

// client looks at the client configuration that counts here. What is wrong with another
// server there is a warning.
func (d *doctor) client(ctx context.Context) (diagnosis, error) {
	path := clientHere()
	if !isThere(path) {
		return warn("`plumbline init` writes one", "there is no %s, which MCP clients read", clientName), nil
	}
	file, err := d.readObject(ctx, maxObject, path)
	if err != nil {
		return diagnosis{}, err
	}
	entries, err := clientEntries(file)
	if err != nil {
		return diagnosis{}, err
	}
	return d.entries(path, entries), nil
}

// entries looks at the servers of a client configuration.
func (d *doctor) entries(path string, entries map[string]clientEntry) diagnosis {
	names := slices.Sorted(maps.Keys(entries))
	var broken []string
	for _, name := range names {
		err := d.entry(realPath(filepath.Dir(path)), entries[name])
		switch {
		case err == nil:
		case name == clientServer:
			return failed(usagef("%s: server %s: %v", path, name, err))
		default:
			broken = append(broken, fmt.Sprintf("server %s: %v", name, err))
		}
	}
	switch {
	case !slices.Contains(names, clientServer):
		return warn(initIn(path), "%s %s", path, namesNone)
	case entries[clientServer].Disabled:
		return warn("take its disabled out", "%s has the server %s disabled", path, clientServer)
	case len(broken) > 0:
		return warn("mend it, or take it out", "%s: %s", path, strings.Join(broken, "; "))
	}
	return fine("%s names %s, and what they start is there", path, agentready.Count(len(names), "server"))
}

// entry says whether a server can be started, as far as can be seen without starting it.
// dir is the configuration's, where clients start servers.
func (d *doctor) entry(dir string, e clientEntry) error {
	if e.Disabled {
		return nil
	}
	server, err := (&filler{p: d.process, asClient: true}).server(e)
	if err != nil || len(server.Command) == 0 {
		return err
	}
	command := server.Command[0]
	if strings.ContainsAny(command, "/"+string(filepath.Separator)) {
		command = below(below(dir, server.Dir), command)
	}
	if variable.MatchString(command) {
		return nil // the client knows where that is
	}
	_, err = exec.LookPath(command)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("its command %s is not found: install it, or give its whole path", server.Command[0])
	case err != nil:
		return fmt.Errorf("its command %s cannot be started: %v", server.Command[0], errors.Unwrap(err))
	}
	return nil
}

// below is a path that is meant in a directory, unless it is absolute.
func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// team asks the team's server, where one is named.
func (d *doctor) team(ctx context.Context) (diagnosis, error) {
	if d.service.server == "" {
		return diagnosis{}, errNoCheck
	}
	token := strings.TrimSpace(d.getenv("PLUMBLINE_TOKEN"))
	r, err := dial(ctx, d.service.server, token)
	if err != nil {
		return diagnosis{}, err
	}
	defer r.close()
	listed, err := r.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return diagnosis{}, r.failed(ctx, err)
	}
	if _, err := r.call(ctx, "chain_status", map[string]any{}); err != nil {
		return diagnosis{}, err
	}
	with := "with the token in PLUMBLINE_TOKEN"
	if token == "" {
		with = "without a token"
	}
	return fine("the server at %s answers %s, offers %s, and reaches its ledger", r.host, with, offer(listed.Tools)), nil
}

// offer tells of the tools that a server offers, and by them in which role one acts there;
// those of another version tell no role.
func offer(offered []mcp.Tool) string {
	count := agentready.Count(len(offered), "tool")
	for _, role := range tools.Roles {
		allowed := map[string]bool{}
		for _, tool := range tools.All(tools.Deps{}) {
			if tool.Allows(role) {
				allowed[tool.Definition.Name] = true
			}
		}
		unknown := func(t mcp.Tool) bool { return !allowed[t.Name] }
		if len(allowed) == len(offered) && !slices.ContainsFunc(offered, unknown) {
			return fmt.Sprintf("%s to the role %s", count, role)
		}
	}
	return count
}

// handshake starts this program as a server, as a client would, and asks for its tools.
func (d *doctor) handshake(ctx context.Context) (diagnosis, error) {
	self, err := os.Executable()
	if err != nil {
		return diagnosis{}, usagef("this program's own file cannot be found: %v: start it by its whole path", err)
	}
	args := []string{self, "serve", "--log-level", "error", "--role", string(d.caller.Role), "--as", d.caller.Name}
	for _, root := range d.roots {
		args = append(args, "--root", root)
	}
	server := mcplist.Server{Command: args, Env: d.env, Timeout: d.timeout}
	if d.service.dsn != "" { // not as an argument, which other users of the machine see
		server.Env = append(slices.Clone(d.env), "PLUMBLINE_LEDGER="+d.service.dsn)
		server.Secrets = []string{d.service.dsn}
	}
	captured, err := mcplist.Capture(ctx, server)
	var unanswered *mcplist.CaptureError
	if errors.As(err, &unanswered) {
		return diagnosis{}, usagef("a server started here does not answer: %v%s", err, lastLine(unanswered.Output))
	}
	if err != nil {
		return diagnosis{}, err
	}
	list, err := captured.JSON()
	if err != nil {
		return diagnosis{}, err
	}
	export, err := scanDocument(ctx, scan.Input{Name: clientServer, Data: list}, surface.MCP, scan.Options{})
	if err != nil {
		return diagnosis{}, err
	}
	return fine("a server started here answers: %s, which cost an agent about %s", agentready.Count(len(captured.Tools), "tool"), agentready.Count(export.Tokens, "token")), nil
}

// lastLine is the last line of what a server wrote on stderr.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + clip(last)
	}
	return ""
}
