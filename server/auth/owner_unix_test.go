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
