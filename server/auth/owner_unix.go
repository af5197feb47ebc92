//go:build unix

package auth

import (
	"os"
	"os/user"
	"slices"
	"strconv"
	"syscall"

	"github.com/plumbline-mcp/plumbline/contract/localfile"
)

// keepOwner gives a file the owner, the group and the group's right to read of the one
// that it replaces: whoever adds a token must not lock the server's account out. Only root
// can give a file away; another user of the group that may read it leaves it to the group,
// where the owner is in that, too.
func keepOwner(f *os.File, old os.FileInfo) error {
	if old == nil {
		return nil
	}
	stat, ok := old.Sys().(*syscall.Stat_t)
	groupReads := old.Mode().Perm() & localfile.GroupReads
	if !ok || int(stat.Uid) == os.Geteuid() && groupReads == 0 {
		return nil
	}
	err := f.Chown(int(stat.Uid), int(stat.Gid))
	if err != nil && groupReads != 0 && isMember(stat.Uid, stat.Gid) {
		err = f.Chown(-1, int(stat.Gid))
	}
	if err != nil {
		return err
	}
	return f.Chmod(localfile.SecretMode | groupReads)
}

// isMember says whether a user is known to be in a group, or needs none.
func isMember(uid, gid uint32) bool {
	if uid == 0 {
		return true
	}
	u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10))
	if err != nil {
		return false
	}
	groups, err := u.GroupIds()
	return err == nil && slices.Contains(groups, strconv.FormatUint(uint64(gid), 10))
}
