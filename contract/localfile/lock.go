package localfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lockSuffix names the empty file beside a file that processes which change it wait for.
const lockSuffix = ".lock"

// Lock waits until no other process that asks for the same changes the file at a path, which
// may be missing. All must name it by one path, with no link in it. unlock lets the next one
// in. The lock, a file beside it, is gone afterwards: the file may lie in a repository, and
// another user may be the next to change it.
func Lock(path string) (unlock func(), err error) {
	name := path + lockSuffix
	for {
		there, err := os.Lstat(name)
		if err == nil && (!there.Mode().IsRegular() || there.Size() > 0) {
			return nil, fmt.Errorf("%s is in the way, which is no lock: move it", name)
		}
		lock, locked := lockedfile.OpenFile(name, os.O_RDWR|os.O_CREATE, SecretMode)
		if locked != nil && err == nil && errors.Is(locked, fs.ErrPermission) {
			return nil, fmt.Errorf("%w: another user is changing the file, or was stopped at it: try again, or take the lock away if nobody is", locked)
		}
		if locked != nil {
			return nil, locked
		}
		mine, err := lock.Stat()
		if err != nil {
			lock.Close()
			return nil, err
		}
		if there, err = os.Lstat(name); err == nil && os.SameFile(mine, there) {
			return func() { letIn(name, lock) }, nil
		}
		lock.Close()
	}
}

// letIn takes the lock away before others are let in: those who waited find that theirs is
// gone. Windows removes no file that is open: there it goes afterwards, unless the next one
// has opened it, who then takes it away.
func letIn(name string, lock *lockedfile.File) {
	err := os.Remove(name)
	lock.Close()
	if err != nil && runtime.GOOS == "windows" {
		os.Remove(name)
	}
}
