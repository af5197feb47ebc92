package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// hide puts code into a clone in the ways that git does not tell of, and makes a clone's
// files other ones.
func hide(t *testing.T, clone string) {
	t.Helper()
	for file, text := range map[string]string{
		".git/info/exclude":           "excluded.go\n",
		".git/info/attributes":        "*.md text eol=crlf\n",
		"cmd/plumbline/excluded.go":   "package main\n\nfunc init() { println(\"of no commit\") }\n",
		"cmd/plumbline/untracked.go":  "package main\n\nfunc init() { println(\"of no commit\") }\n",
		"CHANGELOG.md":                "of no commit\n",
		"contract/init.contract.json": "{}\n",
		".git/hooks/post-checkout":    "#!/bin/sh\necho of no commit >LICENSE\n",
	} {
		if err := os.WriteFile(filepath.Join(clone, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	runs(t, clone, nil, "git", "config", "status.showUntrackedFiles", "no")
	runs(t, clone, nil, "git", "update-index", "--assume-unchanged", "CHANGELOG.md")
	runs(t, clone, nil, "git", "update-index", "--skip-worktree", "contract/init.contract.json")
}

// otherwise is an environment in which a user has set all that could change the bytes.
func otherwise(t *testing.T, dir string) []string {
	t.Helper()
	config := filepath.Join(dir, "config")
	for file, text := range map[string]string{
		"go/env":     "GOEXPERIMENT=jsonv2\nGOAMD64=v3\nGOARM64=v8.1\nGOFIPS140=latest\nGOFLAGS=-tags=netgo\n",
		"git/config": "[core]\n\tautocrlf = true\n",
	} {
		file = filepath.Join(config, file)
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	return []string{
		"XDG_CONFIG_HOME=" + config, "GOENV=", "GOEXPERIMENT=nodwarf5", "GOFLAGS=-trimpath -buildvcs=false", "CGO_ENABLED=1",
		"TZ=Asia/Tokyo", "GIT_DIR=" + filepath.Join(dir, "a", ".git"),
	}
}

// wantRefused asks for releases that would hold what no commit does, or mix two.
func wantRefused(t *testing.T, tool, clone string) {
	if err := os.WriteFile(filepath.Join(clone, "CHANGELOG.md"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		dir  string
		args []string
		says []string
	}{
		{"over another", clone, nil, []string{"dist holds files already", "-out"}},
		{"changed", clone, []string{"-out", "other"}, []string{"in no commit", "CHANGELOG.md", "-dirty"}},
		{"no target", clone, []string{"-out", "other", "-targets", "linux"}, []string{`"linux" is no target`, "linux/amd64"}},
		{"no clone", t.TempDir(), nil, []string{"run it in the root of a clone"}},
	} {
		_, err := tries(t, test.dir, nil, tool, test.args...)
		for _, says := range test.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v; want an error with %q", test.name, err, says)
			}
		}
		if _, err := os.Stat(filepath.Join(test.dir, "other")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a directory is left: %v", test.name, err)
		}
	}
}

// wantInterrupted stops a release while it builds, when no other one may write to its
// directory, and looks for what it leaves.
func wantInterrupted(t *testing.T, tool, clone string) {
	temporary := t.TempDir()
	cmd := exec.Command(tool, "-out", "stopped")
	cmd.Dir, cmd.Env = clone, append(os.Environ(), "TMPDIR="+temporary)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	if line, err := said.ReadString('\n'); !strings.HasPrefix(line, "building for ") {
		t.Errorf("it says %q first: %v", line, err)
	}
	_, err = tries(t, clone, nil, tool, "-out", "stopped")
	if err == nil || !strings.Contains(err.Error(), "another release writes to stopped") {
		t.Errorf("a second release into one directory: %v", err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	rest, err := io.ReadAll(said)
	if err := errors.Join(err, cmd.Wait()); err == nil || !strings.Contains(string(rest), "interrupted, so nothing was released") {
		t.Errorf("the interrupted release: %v\n%s", err, rest)
	}
	if left := names(t, temporary); len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
	if slices.Contains(names(t, clone), "stopped") {
		t.Error("its directory is left")
	}
}

// names are those of what is in a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}
