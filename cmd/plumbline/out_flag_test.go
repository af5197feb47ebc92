package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// A - as the file that is written is stdout, as it is for round init; no file is made that
// nobody can remove by its name.
func TestDashIsStdoutForAllThatIsWritten(t *testing.T) {
	good, err := filepath.Abs("testdata/tools/good.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "desk")
	ledger := "--ledger=sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	place(t, dir, "go.mod", []byte("module x\n"))
	t.Chdir(dir)
	for _, prepare := range [][]string{{"init", "--yes", "--test", "true"}, {"contract", "register", ledger, "contract.json"}} {
		if code, _, stderr := call(prepare...); code != exitPass {
			t.Fatalf("%q: exit code %d: %s", prepare, code, stderr)
		}
	}
	text, err := os.ReadFile("contract.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"lock", "mcp", good, "--out", "-"},
		{"capture", "--out", "-", "--", "fake-server", "three"},
		{"chain", "export", ledger, "desk", "--out", "-"},
		{"done", "run", "contract.json", "--trust", "sha256:" + contract.SHA256(text), "--out", "-"},
		{"scan", good, "--format", "json=-"},
	} {
		code, stdout, stderr := call(args...)
		if code != exitPass || !strings.HasPrefix(stdout, "{") || !strings.HasSuffix(stdout, "}\n") {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q; want JSON on stdout", args, code, stdout, stderr)
		}
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"scan", good, "--format", "text", "--format", "sarif=-"}, "only one --format can go to stdout: send the other to a file, as in --format sarif=FILE"},
		{[]string{"scan", good, "--format", "json=-", "--format", "junit=-"}, "only one --format can go to stdout"},
		{[]string{"scan", good, "--out", "-"}, "--out is a directory, and - none: for an export on stdout give --format json, for a directory of that name ./-"},
	} {
		if code, stdout, stderr := call(test.args...); code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, "plumbline: "+test.want) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q; want %q", test.args, code, stdout, stderr, test.want)
		}
	}
	if _, err := os.Lstat("-"); err == nil {
		t.Error("a file named - was made")
	}
}
