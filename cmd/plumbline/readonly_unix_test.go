//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A ledger that may only be read takes no event, says so, and stays as it is. Root may
// write to anything, so that somebody else tries.
func TestReadOnlyLedger(t *testing.T) {
	s := newShed(t)
	path := filepath.Join(s.dir, "ledger.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, path, 0o444)
	chmod(t, s.dir, 0o555)
	t.Cleanup(func() { chmod(t, s.dir, 0o755) })
	cmd := s.command(t, "round", "check", "--id", "work", "--role", "judge", "--as", "joe", "--record", "--submission", "one", s.round)
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	code := exitCode(cmd.Run())
	if said := stderr.String(); code != exitUsage || stdout.Len() > 0 || !strings.HasPrefix(said, "plumbline: LEDGER_UNAVAILABLE: ") || !strings.Contains(said, " (") || strings.Count(said, "\n") != 1 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout.String(), said)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the ledger was changed: %v", err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
