package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// demoSetup ends the demo with what makes a client start the server.
func (p *process) demoSetup(binary string) error {
	page := p.newDemoPage()
	page.WriteString("\n")
	page.bold("Now with your own agents")
	command := installed(binary)
	if passing(binary) {
		page.wrapped("  ", "  ", "This was `go run`, whose program does not stay. Install it first: go install ./cmd/plumbline")
	}
	config, err := clientConfig(command)
	if err != nil {
		return err
	}
	page.WriteString("\n  Claude Code:\n\n")
	page.line("    claude mcp add plumbline -- %s serve", shellWord(command))
	page.WriteString("\n  Other clients, in their configuration of MCP servers:\n\n")
	for line := range strings.Lines(config) {
		page.line("    %s", strings.TrimSuffix(line, "\n"))
	}
	page.WriteString("\n")
	page.wrapped("  ", "  ", "A server for a builder gets the further arguments --role builder --as NAME, one for a judge --role judge --as NAME.")
	return page.print(p.stdout)
}

// installed is how a client starts the program: by its name where that finds it, or
// where the file does not stay; else by its path.
func installed(binary string) string {
	const name = "plumbline"
	if passing(binary) || sameFile(name, binary) {
		return name
	}
	return binary
}

// sameFile says whether a command of that name is the file binary.
func sameFile(name, binary string) bool {
	found, err := exec.LookPath(name)
	return err == nil && oneFile(found, binary)
}

// goRun are the directories that `go run` starts programs from: one for its time, or one
// of its cache.
var goRun = regexp.MustCompile(`/b001/exe$|/[0-9a-f]{2}/[0-9a-f]{64}-d$`)

// passing says whether the file goes away again.
func passing(binary string) bool { return goRun.MatchString(filepath.ToSlash(filepath.Dir(binary))) }

// clientConfig is the form that most clients take.
func clientConfig(command string) (string, error) {
	quoted, err := json.Marshal(command)
	return fmt.Sprintf(`{
  "mcpServers": {
    "plumbline": { "command": %s, "args": ["serve"] }
  }
}`, quoted), err
}
