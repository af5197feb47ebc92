package runner

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// shellCommand is a command for the shell. Its stdin is empty. The line is passed on
// as it is, since cmd.exe does not read arguments as other programs do.
func shellCommand(ctx context.Context, run string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + run + `"`}
	return cmd
}

// stopGroup ends the process and its children: there is no milder way that all obey.
func stopGroup(pid int) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run()
}

// killGroup does nothing: once a process has ended, its children cannot be found.
func killGroup(int) {}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
