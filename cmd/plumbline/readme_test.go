package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// fence is a code block of the README.
type fence struct{ language, text string }

var heading = regexp.MustCompile(`^#{2,3} (.+)$`)

// readmeFences are the README's code blocks by the heading that they stand under.
func readmeFences(t *testing.T) map[string][]fence {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]fence{}
	section, open := "", (*fence)(nil)
	for line := range strings.Lines(string(text)) {
		mark, fenced := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fenced && open == nil:
			open = &fence{language: mark}
		case fenced:
			found[section], open = append(found[section], *open), nil
		case open != nil:
			open.text += line
		default:
			if m := heading.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				section = m[1]
			}
		}
	}
	return found
}

// readmeClient is a client that a section of the README plugs the server into.
type readmeClient struct {
	section string
	key     string   // the member of its file that holds the servers
	members []string // what it knows of a server
	typed   bool     // it asks for the type of each
	token   string   // what stands for the token in the file
	folder  string   // what stands for the project in the file
	inside  bool     // it starts servers in the project; others start them in the root directory here
	// want are the sessions of the section's blocks: the transport, and the role.
	want []string
}

var readmeClients = []readmeClient{
	{section: "Claude Code", key: "mcpServers", members: []string{"type", "command", "args", "env", "url", "headers"},
		token: "${PLUMBLINE_TOKEN}", inside: true,
		want: []string{"stdio owner", "stdio builder", "http builder", "stdio builder", "stdio judge", "http builder"}},
	{section: "Claude Desktop", key: "mcpServers", members: []string{"command", "args", "env"},
		folder: "/path/to/your/project", want: []string{"stdio owner"}},
	{section: "VS Code", key: "servers", members: []string{"type", "command", "args", "env", "envFile", "url", "headers"}, typed: true,
		token: "${input:plumbline-token}", folder: "${workspaceFolder}", want: []string{"stdio owner", "http builder"}},
	{section: "Cursor", key: "mcpServers", members: []string{"type", "command", "args", "env", "envFile", "url", "headers"},
		token: "${env:PLUMBLINE_TOKEN}", folder: "${workspaceFolder}", want: []string{"stdio owner", "http builder"}},
	{section: "Any MCP client", key: "mcpServers", members: []string{"type", "command", "args", "url", "headers"},
		token: "plb_...", folder: "/path/to/your/project", want: []string{"stdio owner", "http builder"}},
}

// TestReadmeClients plugs the server in as each client would that was told what the README
// tells it, and holds a session with what the client then starts or reaches.
func TestReadmeClients(t *testing.T) {
	binary := onPath(t)
	team, project := startTeam(t, binary), newProject(t)
	blocks := readmeFences(t)
	for _, c := range readmeClients {
		t.Run(c.section, func(t *testing.T) {
			var got []string
			for _, block := range blocks[c.section] {
				for _, entry := range c.entries(t, block, team, project) {
					got = append(got, c.session(t, entry, team, project))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("sessions (-want +got):\n%s", diff)
			}
		})
	}
}

// session holds a session with what the entry names, and gives its transport and role.
func (c readmeClient) session(t *testing.T, e clientEntry, team teamServer, project string) string {
	if e.URL != "" {
		return "http " + holdSession(t, reached(t, e, team.web), askChains)
	}
	dir := "/"
	if c.inside {
		dir = project
	}
	return "stdio " + holdSession(t, started(t, e, dir), scanProject, askChains)
}

// entries are the servers that a block names, with what stands for something else filled in.
func (c readmeClient) entries(t *testing.T, block fence, team teamServer, project string) []clientEntry {
	text := strings.ReplaceAll(block.text, documented, team.host)
	switch block.language {
	case "json":
		return []clientEntry{c.fromFile(t, text, team.token, project)}
	case "sh":
		return fromCommands(t, text, team.token)
	}
	t.Fatalf("the section %s has a block of %q, which no client reads", c.section, block.language)
	return nil
}

// fromFile reads a client's file that names one server, plumbline.
func (c readmeClient) fromFile(t *testing.T, text, token, project string) clientEntry {
	var file map[string]json.RawMessage
	var servers map[string]map[string]any
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if err := json.Unmarshal(file[c.key], &servers); err != nil || len(servers) != 1 {
		t.Fatalf("%s reads one server below %q: %v\n%s", c.section, c.key, err, text)
	}
	server := servers["plumbline"]
	for member := range server {
		if !slices.Contains(c.members, member) {
			t.Errorf("%s knows no member %q of a server", c.section, member)
		}
	}
	var e clientEntry
	if err := remarshal(server, &e); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if kinds := map[string]string{"stdio": e.Command, "http": e.URL}; e.Type != "" && kinds[e.Type] == "" || e.Type == "" && c.typed {
		t.Errorf("%s is told the type %q:\n%s", c.section, e.Type, text)
	}
	checkInputs(t, file["inputs"], text)
	return c.filled(t, e, token, project)
}

func remarshal(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// checkInputs holds the questions of a file for VS Code to its variables: each is asked,
// hidden, and none in vain.
func checkInputs(t *testing.T, list json.RawMessage, text string) {
	var asked, used []string
	if list != nil {
		var inputs []struct {
			ID, Type, Description string
			Password              bool
		}
		if err := json.Unmarshal(list, &inputs); err != nil {
			t.Fatalf("inputs: %v", err)
		}
		for _, in := range inputs {
			asked = append(asked, in.ID)
			if in.Type != "promptString" || in.Description == "" || !in.Password {
				t.Errorf("the input %s asks for no secret: %+v", in.ID, in)
			}
		}
	}
	for _, m := range regexp.MustCompile(`\$\{input:([^}]*)\}`).FindAllStringSubmatch(text, -1) {
		used = append(used, m[1])
	}
	if diff := cmp.Diff(used, asked); diff != "" {
		t.Errorf("inputs (-used +asked):\n%s", diff)
	}
}

// filled fills in what this client's file may stand for something else with.
func (c readmeClient) filled(t *testing.T, e clientEntry, token, project string) clientEntry {
	fill := func(text string) string {
		for placeholder, value := range map[string]string{c.token: token, c.folder: project} {
			if placeholder != "" {
				text = strings.ReplaceAll(text, placeholder, value)
			}
		}
		if strings.Contains(text, "${") {
			t.Errorf("%s does not fill in %s", c.section, text)
		}
		return text
	}
	e.Command, e.URL = fill(e.Command), fill(e.URL)
	for i := range e.Args {
		e.Args[i] = fill(e.Args[i])
	}
	for _, values := range []map[string]string{e.Env, e.Headers} {
		for name := range values {
			values[name] = fill(values[name])
		}
	}
	return e
}

// fromCommands runs commands for Claude Code in a shell, in which claude only notes its
// arguments, and gives the servers that they add.
func fromCommands(t *testing.T, text, token string) []clientEntry {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes")
	if err := os.WriteFile(filepath.Join(dir, "claude"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" '' >>\"$NOTES\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euc", text)
	cmd.Env = append(os.Environ(), "NOTES="+notes, "PLUMBLINE_TOKEN="+token, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, text)
	}
	noted, err := os.ReadFile(notes)
	if err != nil {
		t.Fatal(err)
	}
	var entries []clientEntry
	for call := range bytes.SplitSeq(bytes.TrimSpace(noted), []byte("\n\n")) {
		e, err := fromCommand(strings.Split(string(call), "\n"))
		if err != nil {
			t.Fatalf("claude %s: %v", call, err)
		}
		entries = append(entries, e)
	}
	return entries
}

// fromCommand reads the arguments of claude as it does.
func fromCommand(args []string) (e clientEntry, err error) {
	if len(args) < 2 || args[0] != "mcp" || args[1] != "add" {
		return e, fmt.Errorf("adds no server")
	}
	flags := pflag.NewFlagSet("claude mcp add", pflag.ContinueOnError)
	scope := flags.StringP("scope", "s", "local", "")
	flags.StringVarP(&e.Type, "transport", "t", "stdio", "")
	headers := flags.StringArrayP("header", "H", nil, "")
	if err := flags.Parse(args[2:]); err != nil {
		return e, err
	}
	named := flags.Args()
	if dash := flags.ArgsLenAtDash(); dash >= 0 {
		named = flags.Args()[:dash]
		if command := flags.Args()[dash:]; len(command) > 0 {
			e.Command, e.Args = command[0], command[1:]
		}
	}
	if !slices.Contains([]string{"local", "project", "user"}, *scope) {
		return e, fmt.Errorf("there is no scope %q", *scope)
	}
	e.Headers = map[string]string{}
	for _, header := range *headers {
		name, value, _ := strings.Cut(header, ": ")
		e.Headers[name] = value
	}
	switch {
	case e.Type == "stdio" && len(named) == 1 && e.Command != "":
		return e, nil
	case e.Type == "http" && len(named) == 2 && e.Command == "":
		e.URL = named[1]
		return e, nil
	}
	return e, fmt.Errorf("the transport %s does not take the names %q and the command %q", e.Type, named, e.Command)
}
