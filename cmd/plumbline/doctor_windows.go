package main

import "os/exec"

// mayWrite cannot be told here without trying, which would write.
func mayWrite(string) bool { return true }

// ownGroup has no groups to put a command into here.
func ownGroup(*exec.Cmd) {}

// endGroup ends the command alone.
func endGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
