//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// mayWrite says whether this process may write into a directory, without trying.
func mayWrite(dir string) bool {
	const write = 2
	return syscall.Access(dir, write) == nil
}

// ownGroup puts a command into a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends whatever is left of a command's group.
func endGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
