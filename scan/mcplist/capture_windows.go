package mcplist

import (
	"os/exec"
	"strconv"
)

// ownGroup does nothing: taskkill follows a process to its children.
func ownGroup(*exec.Cmd) {}

// terminate ends the process and its children: there is no milder way that all obey.
func terminate(pid int) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run() // it fails where nothing is left
}

// kill is terminate.
func kill(pid int) { terminate(pid) }
