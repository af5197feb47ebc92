package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// flagModes are ways to call a command, and the flags that say nothing in that way.
var flagModes = []struct {
	call, flags string
}{
	{"scan FILE", "url header config trust timeout"},
	{"scan mcp FILE", "url header config trust timeout"},
	{"scan mcp --config FILE", "url header"},
	{"scan mcp --url http://192.0.2.1/mcp", "config trust"},
	{"scan mcp -- fake-server", "url header config trust"},
	{"scan openapi FILE", "lock"},
	{"capture -- fake-server", "url header"},
	{"serve", "tokens tls-cert tls-key behind-proxy allow-host allow-origin max-body max-requests max-requests-each max-sessions max-sessions-each"},
	{"serve --http 127.0.0.1:0", "max-message"},
	{"serve --http 127.0.0.1:0 --tokens FILE", "role as max-message"},
	{"chain verify FILE", "id server ledger role as key"},
	{"chain verify --id x", "root key"},
	{"chain verify --id x --receipt FILE", "head"},
	{"chain status x", "waiting-on"},
	{"contract brief --role judge FILE", "id server ledger revision"},
	{"done check --contract FILE FILE", "id record submission server ledger role as"},
	{"done check --id x FILE", "contract root submission"},
	{"round check --contract FILE FILE", "id record submission server ledger role as"},
	{"round check --id x FILE", "contract root submission"},
	{"round init --contract FILE", "id server ledger role as"},
	{"round init --id x", "contract"},
}

// asked are the calls that a team's server answers: it has its own ledger, and the token says
// who acts.
var asked = []string{
	"chain export x", "chain status", "chain verify --id x", "contract brief --role judge --id x", "contract list",
	"contract register FILE", "contract show x", "doctor", "done check --id x FILE", "gate --id x", "hook stop --id x",
	"round check --id x FILE", "round init --id x",
}

// A flag that says nothing in the way in which a command is called is refused: whoever gave it
// believes that it was heeded.
func TestFlagWithoutMeaningIsRefused(t *testing.T) {
	for _, mode := range flagModes {
		for _, flag := range strings.Fields(mode.flags) {
			checkRefused(t, mode.call, flag)
		}
	}
	root := newRootCmd(&process{})
	served := 0
	for _, call := range asked {
		cmd, _, err := root.Find(strings.Fields(call))
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"ledger", "role", "as"} {
			if cmd.Flags().Lookup(flag) != nil && !strings.Contains(call, "--"+flag) {
				checkRefused(t, call+" --server http://192.0.2.1", flag)
			}
		}
	}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Flags().Lookup("server") != nil {
			served++
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(root)
	if served != len(asked) {
		t.Errorf("%d commands take --server, and %d were tried", served, len(asked))
	}
}

// flagValues are a value that any flag of a type takes.
var flagValues = map[string]string{"string": "x", "stringArray": "A: b", "int": "5", "int64": "5", "duration": "1s"}

// checkRefused makes a call with a flag that says nothing in it.
func checkRefused(t *testing.T, call, flag string) {
	t.Helper()
	file := "testdata/tools/good.json"
	args := strings.Fields(strings.ReplaceAll(call, "FILE", file))
	cmd, _, err := newRootCmd(&process{}).Find(args)
	if err != nil {
		t.Fatal(err)
	}
	at := len(strings.Fields(cmd.CommandPath())) - 1
	f := cmd.Flags().Lookup(flag)
	if f == nil {
		t.Fatalf("%s has no flag %s", cmd.CommandPath(), flag)
	}
	given := []string{"--" + flag}
	if f.NoOptDefVal == "" {
		given = append(given, flagValues[f.Value.Type()])
	}
	args = slices.Insert(args, at, given...)
	var out, complaints bytes.Buffer
	p := &process{args: args, env: os.Environ(), stdout: &out, stderr: &complaints,
		stdin: strings.NewReader(`{"hook_event_name": "Stop", "cwd": "."}`)}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // of a server that starts
	defer cancel()
	code := p.exit(execute(ctx, p))
	said := strings.Contains(complaints.String(), "--"+flag) || strings.Contains(complaints.String(), "servers")
	if code != exitUsage || out.Len() > 0 || !said {
		t.Errorf("plumbline %s: code %d, %s%s: --%s must be refused", strings.Join(args, " "), code, &out, &complaints, flag)
	}
}
