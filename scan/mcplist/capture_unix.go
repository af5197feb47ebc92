//go:build unix

package mcplist

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a session and so a process group of its own: nothing it
// starts can ask on the terminal, and the group is ended whole.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// terminate asks the group that pid leads to end. An error means that nothing is left.
func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

// kill ends whatever is left of the group.
func kill(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
