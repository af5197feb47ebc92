//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// Postgres refuses to run as root: then it runs under the account that its package
// made.
func account() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(superuser)
	if err != nil {
		return nil, fmt.Errorf("root cannot run Postgres, and there is no account %s to run it under: install Debian's package postgresql", superuser)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// giveToAccount makes the account the owner of a directory.
func giveToAccount(dir string) error {
	to, err := account()
	if err != nil || to == nil {
		return err
	}
	return os.Chown(dir, int(to.Uid), int(to.Gid))
}

// inAccount starts a process under the account, in a group of its own: a terminal's
// interrupt ends the tests, and their end that process.
func inAccount() *syscall.SysProcAttr {
	to, err := account()
	if err != nil {
		to = nil // giveToAccount told
	}
	return &syscall.SysProcAttr{Credential: to, Setpgid: true}
}
