package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tidwall/jsonc"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// liveFlags are the flags of `scan` about live servers.
type liveFlags struct {
	serverFlags
	config, trust string
}

func (f *liveFlags) add(flags *pflag.FlagSet) {
	f.serverFlags.add(flags)
	flags.StringVar(&f.config, "config", "", "scan every server that a client's `FILE`, such as .mcp.json, names; asks before it starts any")
	flags.StringVar(&f.trust, "trust", "", "start the servers of --config without asking, if the file's bytes have this digest: `sha256:HEX` with 64 hex digits")
}

// any says whether the flags or a command name a server.
func (f *liveFlags) any(command []string) bool {
	return f.url != "" || f.config != "" || len(command) > 0 || len(f.headers) > 0 || f.trust != ""
}

// live are the servers that a scan asks.
type live struct {
	inputs []input
	named  []input // those, and the broken ones among them
	// asked is what somebody must agree to first; nil where the servers were named by hand.
	asked *batch
	// broken are the servers that cannot be asked.
	broken []error
}

// splitCommand parts arguments at their --, which is -1 for none: what follows is a
// server's command. Unless mcp stands before it, a word that names a file is a document, as
// after the -- of other programs: scripts that guard file names by -- must not start one. A
// word that begins with - is a file in any case.
func splitCommand(args []string, dash int) (before, command []string, err error) {
	if dash < 0 || dash == len(args) || strings.HasPrefix(args[dash], "-") {
		return args, nil, nil
	}
	before, command = args[:dash], args[dash:]
	if len(before) == 0 || before[0] != string(surface.MCP) {
		if _, err := os.Lstat(command[0]); err == nil || isDocument(command[0]) {
			return args, nil, nil
		}
	}
	if isDocument(command[0]) {
		return nil, nil, usagef("after -- stands a server's command, and %s is no command: leave out the -- to scan the file", command[0])
	}
	return before, command, nil
}

// findLive finds the servers that flags and the command after -- name.
func findLive(ctx context.Context, p *process, flags *liveFlags, kind surface.Kind, files, command []string) (live, error) {
	switch {
	case kind == surface.OpenAPI && len(command) > 0:
		return live{}, usagef("an MCP server has tools, no OpenAPI document: write `plumbline scan mcp -- %s`", strings.Join(command, " "))
	case kind != surface.MCP:
		return live{}, usagef("servers offer MCP tools: write `plumbline scan mcp` before --url or --config")
	case len(files) > 0:
		return live{}, usagef("a scan is of files or of servers: give %s to a scan of its own", files[0])
	case flags.config != "" && (flags.url != "" || len(command) > 0):
		return live{}, usagef("--config names the servers itself: leave out --url and what follows --")
	case flags.config == "" && flags.trust != "":
		return live{}, usagef("--trust is for the file of --config: give that too")
	}
	server, err := flags.server(p, command)
	switch {
	case err != nil:
		return live{}, err
	case server != nil:
		one := []input{{name: serverName(server), server: server}}
		return live{inputs: one, named: one}, nil
	}
	file, err := p.readObject(ctx, maxObject, flags.config)
	if err != nil {
		return live{}, err
	}
	return p.readClient(file, flags)
}

// clientEntry is one server of a client's configuration. Clients write more members than
// these, which concern no server.
type clientEntry struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Dir      string            `json:"cwd"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
}

// clientEntries are the servers that a client's configuration names, in either list.
func clientEntries(file object) (map[string]clientEntry, error) {
	var config struct {
		MCPServers map[string]clientEntry `json:"mcpServers"`
		Servers    map[string]clientEntry `json:"servers"`
	}
	if err := agentready.Decode(file.text, &config); err != nil {
		return nil, usagef("%s: not a client's configuration: %v: mend it, or move it away", file.name, err)
	}
	entries := map[string]clientEntry{}
	maps.Copy(entries, config.MCPServers)
	for _, name := range slices.Sorted(maps.Keys(config.Servers)) {
		entry := config.Servers[name]
		if other, twice := entries[name]; twice && !reflect.DeepEqual(entry, other) {
			return nil, usagef("%s: mcpServers and servers both name the server %s, and not alike: leave one of them", file.name, name)
		}
		entries[name] = entry
	}
	return entries, nil
}

// readClient reads a client's configuration: each of its servers is an input, or broken.
// Some clients allow comments in it, and commas behind the last of a list.
func (p *process) readClient(file object, flags *liveFlags) (live, error) {
	entries, err := clientEntries(object{file.name, jsonc.ToJSON(file.text)})
	if err != nil {
		return live{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return live{}, usagef("the working directory cannot be found: %v: change to one that exists", err)
	}
	found := live{asked: &batch{kind: "configuration", file: file, root: dir, trust: flags.trust}}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		entry := entries[name]
		if entry.Disabled {
			continue
		}
		server, err := (&filler{p: p, dir: dir}).server(entry)
		in := input{name: name, server: server}
		found.named = append(found.named, in)
		if err != nil {
			found.broken = append(found.broken, usagef("%s: server %s: %v", file.name, name, err))
			continue
		}
		server.Timeout = flags.timeout
		found.inputs = append(found.inputs, in)
		found.asked.labels = append(found.asked.labels, name)
		found.asked.checks = append(found.asked.checks, entry.shown())
	}
	if len(found.named) == 0 {
		return live{}, usagef("%s: it names no server: give a file with an object mcpServers or servers that holds some", file.name)
	}
	return found, nil
}

// server is the server of an entry, with its variables filled in.
func (f *filler) server(e clientEntry) (*mcplist.Server, error) {
	s := &mcplist.Server{Headers: map[string]string{}, Dir: f.in(e.Dir)}
	switch {
	case e.Command != "" && e.URL != "":
		return nil, errors.New("it has a command and a url: leave one of them")
	case e.Command != "":
		s.Command, s.Env = []string{f.in(e.Command)}, f.p.serverEnv()
		for _, arg := range e.Args {
			s.Command = append(s.Command, f.in(arg))
		}
		for _, name := range slices.Sorted(maps.Keys(e.Env)) {
			value := f.in(e.Env[name])
			s.Env, s.Secrets = append(s.Env, name+"="+value), append(s.Secrets, value)
		}
	case e.URL != "":
		s.URL, s.SSE = f.in(e.URL), e.Type == "sse"
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			s.Headers[name] = f.in(e.Headers[name])
		}
		if _, err := readURL(s.URL); err != nil && f.problem == nil && !variable.MatchString(s.URL) {
			return nil, err
		}
	default:
		return nil, errors.New("it has neither a command nor a url")
	}
	if f.problem != nil {
		return nil, f.problem
	}
	s.Secrets = append(s.Secrets, f.values...)
	return s, nil
}

// filler fills the variables of one entry in.
type filler struct {
	p   *process
	dir string // what workspace stands for, but asClient
	// asClient is for what a client would start: that has plumbline's own variables too,
	// and some that it alone knows, which stay as they are written.
	asClient bool
	values   []string // may be secret
	problem  error    // why the first variable without a value has none
}

// variable is ${NAME}, ${env:NAME} or ${NAME:-DEFAULT}; anything else in ${} is a client's
// own.
var variable = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}|\$\{[^}]*\}`)

// clientVariables are the names that clients have values of their own for.
var clientVariables = []string{"pathSeparator", "userHome", "workspaceFolder", "workspaceFolderBasename", "workspaceRoot"}

// workspace are the variables for the directory that a client is opened in.
var workspace = []string{"${workspaceFolder}", "${workspaceRoot}"}

func (f *filler) in(text string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		if !f.asClient && slices.Contains(workspace, found) {
			return f.dir
		}
		m := variable.FindStringSubmatch(found)
		name, standard := m[1], m[2]
		if value := f.p.getenv(name); name != "" && value != "" && (f.asClient || !isOwn(name)) {
			f.values = append(f.values, value)
			return value
		}
		if f.asClient && isClients(name) {
			return found
		}
		if standard == "" && f.problem == nil {
			f.problem = f.lacks(found, name)
		}
		return strings.TrimPrefix(standard, ":-")
	})
}

// isClients says whether a client alone has a value for a name; an empty one is for what
// is no variable.
func isClients(name string) bool { return name == "" || slices.Contains(clientVariables, name) }

// lacks says why a variable has no value. To write one into the file is no advice: most
// are secret, and the file is committed.
func (f *filler) lacks(found, name string) error {
	switch {
	case strings.HasPrefix(found, "${input:"):
		return fmt.Errorf("%s is asked for by a client: in a copy of the file put a variable in its place, as ${NAME}, and set that", found)
	case isClients(name):
		return fmt.Errorf("%s is filled in by a client alone: ask this server by itself, with its command after -- or with --url", found)
	case isOwn(name) && !f.asClient:
		return fmt.Errorf("%s is plumbline's own and is given to no server that it asks", found)
	}
	return fmt.Errorf("%s has no value here: set the variable", found)
}

// askAll asks every server of the scan for its list, once somebody agreed to that, and
// gives the inputs that can be read now.
func (s *scanRun) askAll(ctx context.Context) ([]input, error) {
	if s.live.asked != nil {
		if err := s.agree(ctx, *s.live.asked); err != nil {
			return nil, err
		}
	}
	s.reader.lists = map[input]serverList{}
	var answered []input
	for _, in := range s.inputs {
		if in.server != nil {
			list, err := s.askServer(ctx, in)
			if errors.Is(err, errInterrupted) {
				return nil, err
			}
			if err != nil {
				s.failInput(err)
				continue
			}
			if s.live.asked != nil || len(in.server.Command) == 0 {
				list.name = "" // a configuration and a URL name it
			}
			s.reader.lists[in] = list
		}
		answered = append(answered, in)
	}
	return answered, nil
}
