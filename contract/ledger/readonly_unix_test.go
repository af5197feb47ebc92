//go:build unix

package ledger

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnly: a ledger that may only be read is refused with a clear error, and
// left as it is. Root may write to anything, so another process tries, which is not.
func TestReadOnly(t *testing.T) {
	dir, err := os.MkdirTemp("", "ledger-readonly-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "ledger.db")
	l, err := Open(context.Background(), "sqlite:"+path)
	if err != nil {
		t.Fatal(err)
	}
	receipts := fullChain(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	binary := copySelf(t, dir)
	chmod(t, path, 0o444)
	chmod(t, dir, 0o555)
	cmd := exec.Command(binary, "sqlite:"+path, "x")
	cmd.Env = append(os.Environ(), childEnv+"=write")
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), string(Unavailable)) {
		t.Errorf("got %q, %v", out, err)
	}
	chmod(t, dir, 0o755)
	chmod(t, path, 0o644)
	again := openLedger(t, "sqlite:"+path)
	if v := verify(t, again, fixtureID, ""); v.Head != receipts[len(receipts)-1] {
		t.Errorf("got %+v", v)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// copySelf copies the test binary to where another user may run it.
func copySelf(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(dir, "self.test")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
