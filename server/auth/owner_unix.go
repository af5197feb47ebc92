//go:build unix

package auth

import (
	"os"
	"slices"
	"syscall"
)

// keepOwner gives a file the owner, the group and the group's right to read of the one
// that it replaces: an administrator who adds a token must not lock the server's account
// out.
func keepOwner(f *os.File, old os.FileInfo) error {
	if old == nil {
		return nil
	}
	stat, ok := old.Sys().(*syscall.Stat_t)
	groupReads := old.Mode().Perm() & groupReads
	if !ok || int(stat.Uid) == os.Geteuid() && groupReads == 0 {
		return nil
	}
	if err := f.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
		return err
	}
	return f.Chmod(fileMode | groupReads)
}

// inGroup says whether a file's group is one of this process's.
func inGroup(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	groups, err := os.Getgroups()
	return int(stat.Gid) == os.Getegid() || err == nil && slices.Contains(groups, int(stat.Gid))
}
