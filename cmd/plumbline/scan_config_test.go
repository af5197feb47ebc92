package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// scanConfig scans the servers of a configuration in the working directory.
func scanConfig(t *testing.T, text string) (code int, stdout, stderr string) {
	t.Helper()
	place(t, ".", "client.json", []byte(text))
	return call("scan", "mcp", "--config", "client.json", "--trust", "sha256:"+contract.SHA256([]byte(text)), "--min-score", "0", "--fail-on", "none")
}

// tokenless says why a scan does not ask a team's server, by what stands for the token.
var tokenless = map[string]string{
	"${PLUMBLINE_TOKEN}":       "${PLUMBLINE_TOKEN} is plumbline's own and is given to no server that it asks",
	"${env:PLUMBLINE_TOKEN}":   "${env:PLUMBLINE_TOKEN} is plumbline's own and is given to no server that it asks",
	"${input:plumbline-token}": "${input:plumbline-token} is asked for by a client: in a copy of the file put a variable in its place, as ${NAME}, and set that",
	"plb_...":                  "the server cannot be reached",
}

// What the README gives clients to start is started by a scan too. What it gives them to
// reach takes a token, of which it is said why a scan has none and what to do.
func TestScanReadsTheReadmesConfigurations(t *testing.T) {
	ourBinary(t)
	blocks := readmeFences(t)
	for _, c := range readmeClients {
		for _, block := range blocks[c.section] {
			if !strings.Contains(block.text, `"`+c.key+`"`) {
				continue
			}
			dir := t.TempDir()
			t.Chdir(dir)
			t.Setenv("HOME", dir)
			place(t, dir, ".git/plumbline/notes", nil)
			t.Setenv("PLUMBLINE_TOKEN", "plb_token")
			code, stdout, stderr := scanConfig(t, strings.NewReplacer("/path/to/your/project", dir, documented, "127.0.0.1:1").Replace(block.text))
			if strings.Contains(block.text, `"command"`) {
				if code != exitPass || !strings.Contains(stdout, "\nPASS plumbline: ") {
					t.Errorf("%s: exit code %d\n%s%s", c.section, code, stdout, stderr)
				}
			} else if want := tokenless[c.token]; code != exitUsage || want == "" || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit code %d, want %q on stderr: %s", c.section, code, want, stderr)
			}
		}
	}
}

// The workspace's directory is where servers are started, wherever an entry names it.
func TestScanFillsTheWorkspaceIn(t *testing.T) {
	server, err := filepath.Abs(ourBinary(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range []string{"${workspaceFolder}", "${workspaceRoot}"} {
		dir := t.TempDir()
		t.Chdir(dir)
		t.Setenv("workspaceFolder", "/nowhere")
		t.Setenv("workspaceRoot", "/nowhere")
		place(t, dir, "below/start", []byte("#!/bin/sh\n[ \"$PWD\" = \"$1/below\" ] && [ \"$AT\" = \"$1\" ] && exec "+filepath.Dir(server)+"/fake-server three\n"))
		code, stdout, stderr := scanConfig(t, `{"mcpServers": {"desk": {"command": "sh", "args": ["`+variable+`/below/start", "`+variable+`"],
			"cwd": "`+variable+`/below", "env": {"AT": "`+variable+`"}}}}`)
		if code != exitPass || !strings.Contains(stdout, "\nPASS desk: ") {
			t.Errorf("%s: exit code %d\n%s%s", variable, code, stdout, stderr)
		}
	}
}

// Which of a server's directory and its program is missing is told apart.
func TestScanSaysWhatOfAServerIsMissing(t *testing.T) {
	t.Setenv("WHERE", "s3cret-place")
	for _, test := range []struct{ command, cwd, want string }{
		{"sh", "gone", `the directory "gone", its cwd, cannot be entered: no such file or directory (make it, or mend the cwd)`},
		{"gone", "gone", `the directory "gone", its cwd, cannot be entered: no such file or directory`},
		{"./gone", "gone", `the directory "gone", its cwd, cannot be entered: no such file or directory`},
		{"sh", "${workspaceFolder}/gone", `, its cwd, cannot be entered: no such file or directory`},
		{"sh", "client.json", `the directory "client.json", its cwd, cannot be entered: not a directory`},
		{"sh", "${WHERE}", `the directory "[secret]", its cwd, cannot be entered`},
		{"gone", "here", `"gone": executable file not found`},
		{"./gone", "here", `"./gone": no such file or directory (install it, or give its path)`},
		{"./gone", "", `"./gone": no such file or directory (install it, or give its path)`},
	} {
		t.Chdir(t.TempDir())
		place(t, ".", "here/notes", nil)
		code, _, stderr := scanConfig(t, `{"mcpServers": {"desk": {"command": "`+test.command+`", "cwd": "`+test.cwd+`"}}}`)
		if code != exitUsage || !strings.Contains(stderr, "plumbline: desk: the server could not be started: ") || !strings.Contains(stderr, test.want) || strings.Contains(stderr, "s3cret") {
			t.Errorf("%s in %s: exit code %d, stderr %swant %s", test.command, test.cwd, code, stderr, test.want)
		}
	}
}
