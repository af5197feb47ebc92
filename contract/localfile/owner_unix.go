//go:build unix

package localfile

import (
	"os"
	"slices"
	"syscall"
)

// inGroup says whether a file's group is one of this process's.
func inGroup(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	groups, err := os.Getgroups()
	return int(stat.Gid) == os.Getegid() || err == nil && slices.Contains(groups, int(stat.Gid))
}

// sameOwner says whether two files are of one owner and group.
func sameOwner(a, b os.FileInfo) bool {
	one, first := a.Sys().(*syscall.Stat_t)
	other, second := b.Sys().(*syscall.Stat_t)
	return first && second && one.Uid == other.Uid && one.Gid == other.Gid
}
