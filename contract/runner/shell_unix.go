//go:build unix

package runner

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// shellCommand is a command for the shell, in a session and so a process group of its
// own: nothing it starts can ask on the terminal, and the group is stopped whole. Its
// stdin is empty.
func shellCommand(ctx context.Context, run string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", run)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// stopGroup asks the group that pid leads to end.
func stopGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGTERM) }

// killGroup ends whatever is left of the group. An error means that nothing is.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// exitCode is what shells report.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
