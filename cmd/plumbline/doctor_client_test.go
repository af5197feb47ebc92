package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkClient is what doctor finds of the client's configuration that counts in dir.
func checkClient(t *testing.T, dir string, env ...string) diagnosis {
	t.Helper()
	t.Chdir(dir)
	d := &doctor{process: &process{env: append(os.Environ(), env...)}}
	found, err := d.client(context.Background())
	if err != nil {
		return failed(err)
	}
	return found
}

// What the README gives clients to read is well, with the token in the variable that it
// names. Without one doctor says so, and does not send the token into the file.
func TestDoctorReadsTheReadme(t *testing.T) {
	blocks := readmeFences(t)
	for _, c := range readmeClients {
		found := 0
		for _, block := range blocks[c.section] {
			if !strings.Contains(block.text, `"`+c.key+`"`) {
				continue
			}
			found++
			dir := t.TempDir()
			place(t, dir, clientName, []byte(block.text))
			if told := checkClient(t, dir, "PLUMBLINE_TOKEN=plb_token"); told.Grade != gradeOK {
				t.Errorf("%s: %+v for\n%s", c.section, told, block.text)
			}
			if !strings.Contains(block.text, "PLUMBLINE_TOKEN") {
				continue
			}
			told := checkClient(t, dir, "PLUMBLINE_TOKEN=")
			if told.Grade != gradeFail || !strings.HasSuffix(told.Found, "PLUMBLINE_TOKEN} has no value here: set the variable") {
				t.Errorf("%s, without a token: %+v", c.section, told)
			}
		}
		if found == 0 {
			t.Errorf("%s has no configuration", c.section)
		}
	}
}

// A command is looked for where a client would start it, from wherever doctor is called: a
// path from the configuration's directory and the entry's cwd, a name on the PATH.
func TestDoctorFindsCommands(t *testing.T) {
	top := t.TempDir()
	place(t, top, ".git/HEAD", []byte("ref: refs/heads/main\n"))
	place(t, top, "below/notes", nil)
	for _, name := range []string{"own-program", "below/run", "tools/run"} {
		if err := os.Chmod(place(t, top, name, []byte("#!/bin/sh\n")), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const gone = " is not found: install it, or give its whole path"
	for _, tt := range []struct{ command, cwd, problem string }{
		{"./own-program", "", ""},
		{"tools/run", "", ""},
		{"./tools/../own-program", "", ""},
		{filepath.Join(top, "own-program"), "tools", ""},
		{"./run", "tools", ""},
		{"./run", filepath.Join(top, "tools"), ""},
		{"../own-program", "tools", ""},
		{"plumbline", "tools", ""},
		{"${workspaceFolder}/run", "", ""},
		{"./run", "${workspaceFolder}/tools", ""},
		{"own-program", "", gone}, // not on the PATH
		{"./plumbline", "", gone}, // on the PATH alone
		{"tools/run", "tools", gone},
		{"./own-program", "tools", gone},
		{filepath.Join(top, "run"), "tools", gone},
		{"below/notes", "", " cannot be started: permission denied"},
		{"./tools", "", " cannot be started: is a directory"},
	} {
		file, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"plumbline": map[string]any{"command": tt.command, "cwd": tt.cwd}}})
		if err != nil {
			t.Fatal(err)
		}
		place(t, top, clientName, file)
		for _, dir := range []string{top, filepath.Join(top, "below")} {
			told := checkClient(t, dir)
			want, end := gradeOK, "what they start is there"
			if tt.problem != "" {
				want, end = gradeFail, "server plumbline: its command "+tt.command+tt.problem
			}
			if told.Grade != want || !strings.HasSuffix(told.Found, end) {
				t.Errorf("%s with cwd %q, from %s: %+v", tt.command, tt.cwd, dir, told)
			}
		}
	}
}

// What a client does not start is not well because it is there.
func TestDoctorSeesThatItIsDisabled(t *testing.T) {
	dir := t.TempDir()
	place(t, dir, clientName, []byte(`{"mcpServers": {"plumbline": {"command": "no-such-program", "disabled": true}}}`))
	if told := checkClient(t, dir); told.Grade != gradeWarn || told.Found != ".mcp.json has the server plumbline disabled" {
		t.Errorf("%+v", told)
	}
}
