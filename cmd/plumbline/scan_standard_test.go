package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// standards gives a list of tools, and what a scan of it may be held to: a file by the flag
// that names it.
func standards(t *testing.T) (list string, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	list = place(t, dir, "tools.json", []byte(`[{"name": "get_time", "description": "Gives the time."}]`))
	lock := filepath.Join(dir, "tools.lock")
	for _, args := range [][]string{{"scan", "mcp", list, "--min-score", "0", "--out", dir}, {"lock", "mcp", list, "--out", lock}} {
		if code, _, stderr := call(args...); code != exitPass {
			t.Fatalf("%s: exit code %d\n%s", args, code, stderr)
		}
	}
	return list, map[string]string{"baseline": filepath.Join(dir, exportName), "lock": lock}
}

// What is broken is no standard, whatever it is broken by: a merge that left its marks
// behind would hold the next scan to half of it.
func TestBrokenStandards(t *testing.T) {
	list, files := standards(t)
	for flag, path := range files {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]string{
			"":                             "it is empty",
			" \n":                          "it is empty",
			fmt.Sprintf("[%s]", whole):     "it is an array; give one object at a time",
			"null":                         "it is not a JSON object",
			"tools: []":                    "it is not a JSON object",
			string(whole[:len(whole)/2]):   "it ends in the middle of the JSON object",
			"{tools: []}":                  "it is not JSON: invalid character 't' looking for beginning of object key string",
			string(whole) + string(whole):  "something stands after the JSON object",
			string(whole) + "<<<<<<< HEAD": "something stands after the JSON object",
			string(whole) + "}":            "something stands after the JSON object",
			`{"tools": {}}`:                "tools is a JSON object, want an array",
		} {
			broken := place(t, t.TempDir(), "standard", []byte(text))
			code, stdout, stderr := call("scan", "mcp", list, "--min-score", "0", "--"+flag, broken)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, want+": make it with `plumbline ") {
				t.Errorf("--%s of %q: exit code %d\n%s%s", flag, text, code, stdout, stderr)
			}
		}
	}
}

// Some editors write a byte order mark before a text. It is no fault of any file that a scan
// is given, nor of the client's configuration that doctor reads.
func TestMarkedFiles(t *testing.T) {
	const mark = "\ufeff"
	list, files := standards(t)
	dir := filepath.Dir(list)
	files["policy"] = place(t, dir, "policy.yaml", []byte("min_score: 0"))
	config := mark + `{"mcpServers": {"plumbline": {"command": "fake-server", "args": ["three"]}}}`
	for flag, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		marked := place(t, t.TempDir(), "marked", append([]byte(mark), text...))
		if code, _, stderr := call("scan", "mcp", list, "--"+flag, marked); code != exitPass {
			t.Errorf("--%s: exit code %d\n%s", flag, code, stderr)
		}
	}
	path := place(t, dir, clientName, []byte(config))
	trust := "sha256:" + contract.SHA256([]byte(config)) // of the whole file
	if code, _, stderr := call("scan", "mcp", "--config", path, "--trust", trust); code != exitPass {
		t.Errorf("--config: exit code %d\n%s", code, stderr)
	}
	if told := checkClient(t, dir); told.Grade != gradeOK {
		t.Errorf("doctor: %+v", told)
	}
}
