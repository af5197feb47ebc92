//go:build unix

package auth

import (
	"os"
	"syscall"
)

// keepOwner gives a file the owner of the one that it replaces: an administrator who
// adds a token must not lock the server's account out.
func keepOwner(f *os.File, old os.FileInfo) error {
	if old == nil {
		return nil
	}
	stat, ok := old.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Geteuid() {
		return nil
	}
	return f.Chown(int(stat.Uid), int(stat.Gid))
}
