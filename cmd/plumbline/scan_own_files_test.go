package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// ownFiles are the files that plumbline writes, but for those that no reader of JSON or
// YAML takes, and how each is called where it is given as a document.
var ownFiles = map[string]string{
	"tools.lock.json": "a lock of MCP tools",
	"agentready.json": "an agentready.json export",
	"several.json":    "an agentready.json export",
	"plumbline.sarif": "a SARIF log",
	"contract.json":   "an acceptance contract",
	"round.json":      "a judge's round",
	"done.json":       "a done report",
	"chain.json":      "a chain of revisions and rounds",
	"policy.json":     "a policy of scans",
	".mcp.json":       "a client's list of servers",
}

// writeOwnFiles writes them, and the list of a server, into the working directory.
func writeOwnFiles(t *testing.T, good, bad string) {
	t.Helper()
	place(t, ".", "go.mod", []byte("module x\n"))
	place(t, ".", "policy.json", []byte(`{"min_score": 75}`))
	must := func(args ...string) {
		t.Helper()
		if code, stdout, stderr := call(args...); code != exitPass && code != exitFail {
			t.Fatalf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
	must("init", "--yes", "--test", "true")
	text, err := os.ReadFile("contract.json")
	if err != nil {
		t.Fatal(err)
	}
	ledger := "--ledger=sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	must("capture", "--out", "captured.json", "--", "fake-server", "three")
	must("lock", "mcp", good, "--out", "tools.lock.json")
	must("scan", good, "--out", ".", "--format", "sarif=plumbline.sarif")
	must("scan", good, bad, "--format", "json=several.json")
	must("round", "init", "--contract", "contract.json", "round.json")
	must("done", "run", "contract.json", "--trust", "sha256:"+contract.SHA256(text), "--out", "done.json")
	must("contract", "register", ledger, "contract.json")
	must("chain", "export", ledger, filepath.Base(filepath.Dir(realPath("contract.json"))), "--out", "chain.json")
}

// What plumbline writes itself is known as that wherever a document is read, and no lock
// or export passes a gate, or is locked, as the tools that it names. The list that a
// server gave is a list.
func TestOwnFilesAreNoDocuments(t *testing.T) {
	tools, err := filepath.Abs("testdata/tools")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(t.TempDir()))
	if err := os.Mkdir("desk", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir("desk")
	writeOwnFiles(t, filepath.Join(tools, "good.json"), filepath.Join(tools, "bad.json"))
	for _, command := range [][]string{{"scan"}, {"scan", "openapi"}, {"scan", "mcp"}, {"lock", "mcp"}} {
		for name, what := range ownFiles {
			code, stdout, stderr := call(append(command, name)...)
			if code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, "plumbline: "+name) {
				t.Errorf("%s %s: exit code %d, stdout %q, stderr %q", command, name, code, stdout, stderr)
			}
			// A list of exports is known as a list first where an object is expected.
			if !strings.Contains(stderr, what) && !(name == "several.json" && command[len(command)-1] == "openapi") {
				t.Errorf("%s %s is not called %s: %s", command, name, what, stderr)
			}
		}
		code, _, stderr := call(append(command, "captured.json")...)
		if openapi := command[len(command)-1] == "openapi"; (code == exitUsage) != openapi {
			t.Errorf("%s of the list of a server: exit code %d, %s", command, code, stderr)
		}
	}
	// A glob that takes one in is told of it, since a list that is passed over is no pass.
	if code, _, stderr := call("scan", "*.lock.json", "captured.json", "--min-score", "0", "--fail-on", "none"); code != exitUsage || !strings.Contains(stderr, "--lock") {
		t.Errorf("a glob: exit code %d, %s", code, stderr)
	}
}
