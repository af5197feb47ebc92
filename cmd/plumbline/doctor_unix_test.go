//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

// A ledger that nothing can be recorded in, and a place that none can be made in, are told
// before somebody works in vain. Root may write to anything, so that somebody else asks.
func TestDoctorSeesWhatMayNotBeWritten(t *testing.T) {
	s := newShed(t)
	place(t, s.dir, ".git/HEAD", []byte("ref: refs/heads/main\n"))
	for path, mode := range map[string]os.FileMode{".git/HEAD": 0o444, ".git": 0o555, "ledger.db": 0o444, ".": 0o555} {
		chmod(t, filepath.Join(s.dir, path), mode)
	}
	t.Cleanup(func() { chmod(t, s.dir, 0o755); chmod(t, filepath.Join(s.dir, ".git"), 0o755) })
	recorded := s.command(t, "doctor")
	made := s.command(t, "doctor")
	made.Env = append(os.Environ(), "PLUMBLINE_LEDGER=")
	for line, cmd := range map[string]*exec.Cmd{
		`(?m)^fail  ledger     sqlite:.*: the ledger cannot be (opened|written to): .*: make the file and its directory yours`: recorded,
		`(?m)^fail  ledger     not made yet, and .*/\.git may not be written to: make the directory yours to write to,`:        made,
	} {
		if os.Geteuid() == 0 {
			const nobody = 65534
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		out, err := cmd.Output()
		if code := exitCode(err); code != exitFail || !regexp.MustCompile(line).Match(out) {
			t.Errorf("exit code %d, without a line %s:\n%s", code, line, out)
		}
	}
}
