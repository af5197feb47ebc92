//go:build unix

package auth

import (
	"os"
	"syscall"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// Whoever else owns the file keeps it, also where the administrator adds a token.
func TestOwnerStays(t *testing.T) {
	path := newFile(t)
	add(t, path, Grant{Name: "ci", Role: tools.Builder})
	owner := os.Geteuid()
	if owner == 0 { // only then the file can be somebody else's
		owner = 65534
		if err := os.Chown(path, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	add(t, path, Grant{Name: "more", Role: tools.Builder})
	if got := ownerOf(t, path); got != owner {
		t.Errorf("the file belongs to %d, want %d", got, owner)
	}
}

func ownerOf(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

// A group may read the file where it is one of the process's, and then still may when a
// token was added; nothing else is opened to others.
func TestGroupMayRead(t *testing.T) {
	path := newFile(t)
	token := add(t, path, Grant{Name: "ci", Role: tools.Builder})
	for mode, good := range map[os.FileMode]bool{0o600: true, 0o440: true, 0o660: false, 0o644: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, nil); (err == nil) != good {
			t.Errorf("mode %04o: %v, want it good: %t", mode, err, good)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	add(t, path, Grant{Name: "more", Role: tools.Builder})
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("after another token was added the mode is %v, %v", info.Mode(), err)
	}
	tokens, _ := open(t, path)
	wantValid(t, tokens, token, "ci")
	if os.Geteuid() == 0 { // only then the file can be another group's
		if err := os.Chown(path, 0, 65533); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, nil); err == nil {
			t.Error("a file that a foreign group may read is used")
		}
	}
}
