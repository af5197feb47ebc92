package main

import (
	"context"
	"os"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lockSuffix names the empty file beside a file that processes which change it wait for.
const lockSuffix = ".lock"

// alone runs a change of a file while no other process that asks for the same makes one.
// The lock is gone afterwards: the file may lie in a repository.
func alone(ctx context.Context, path string, change func() error) error {
	name := realPath(path) + lockSuffix
	lock, err := interruptible(ctx, func() (*lockedfile.File, error) { return lockFile(name) })
	switch {
	case err != nil && ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return usagef("cannot write %s, because %s cannot be locked: %v", path, name, plain(err))
	case lock == nil:
		return usagef("cannot write %s: %s is in the way, which is no lock: move it", path, name)
	}
	// Taken away before others are let in: those who waited find that theirs is not there.
	defer lock.Close()
	defer os.Remove(name)
	return change()
}

// lockFile locks the file of that name, which is made where it is missing; nil where
// something else has the name.
func lockFile(name string) (*lockedfile.File, error) {
	for {
		if info, err := os.Lstat(name); err == nil && (!info.Mode().IsRegular() || info.Size() > 0) {
			return nil, nil
		}
		lock, err := lockedfile.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		mine, err := lock.Stat()
		if err != nil {
			lock.Close()
			return nil, err
		}
		if there, err := os.Lstat(name); err == nil && os.SameFile(mine, there) {
			return lock, nil
		}
		lock.Close()
	}
}
