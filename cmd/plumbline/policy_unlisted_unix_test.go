//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A policy is not passed over where the repository's directory may be entered but not listed,
// which is where the search begins. Root may list anything, so that somebody else scans.
func TestPolicyBelowAnUnlistedDirectory(t *testing.T) {
	dir, err := os.MkdirTemp("", "unlisted-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	sub := filepath.Join(dir, "sub")
	err = errors.Join(os.MkdirAll(sub, 0o755), os.Mkdir(filepath.Join(dir, ".git"), 0o755),
		os.WriteFile(filepath.Join(sub, ".plumbline.yaml"), []byte("min_score: 100\n"), 0o644),
		os.WriteFile(filepath.Join(sub, "mail.json"), []byte(`{"tools": [{"name": "get_mail", "description": "Return one mail by its number."}]}`), 0o644),
		os.Rename(build(t), filepath.Join(sub, "plumbline")))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		mode os.FileMode
		args []string
		code int
		says string
	}{
		{0o755, nil, exitFail, "minimum score 100"},
		{0o111, nil, exitUsage, "cannot be looked for"},
		{0o111, []string{"--root", "."}, exitFail, "minimum score 100"},
		{0o111, []string{"--policy", ".plumbline.yaml"}, exitFail, "minimum score 100"},
	} {
		chmod(t, dir, tt.mode)
		cmd := exec.CommandContext(t.Context(), filepath.Join(sub, "plumbline"), append([]string{"scan", "mail.json"}, tt.args...)...)
		cmd.Dir = sub
		if os.Geteuid() == 0 {
			const nobody = 65534
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		said, err := cmd.CombinedOutput()
		if code := exitCode(err); code != tt.code || !strings.Contains(string(said), tt.says) {
			t.Errorf("mode %v, %q: code %d, want %d and %q\n%s", tt.mode, tt.args, code, tt.code, tt.says, said)
		}
	}
	chmod(t, dir, 0o755)
}
