//go:build unix

package main

import "syscall"

// mayWrite says whether this process may write into a directory, without trying.
func mayWrite(dir string) bool {
	const write = 2
	return syscall.Access(dir, write) == nil
}
