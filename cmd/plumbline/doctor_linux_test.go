package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server that neither answers nor ends when it is asked to does not outlive the check of
// it, also where that is interrupted.
func TestDoctorEndsItsServer(t *testing.T) {
	for name, tt := range map[string]struct {
		signal syscall.Signal // 0 for none
		code   int
	}{
		"its time is over": {0, exitFail},
		"interrupted":      {syscall.SIGINT, exitInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("plumbline", "doctor", "--timeout", "3s")
			cmd.Dir = t.TempDir()
			server := stoppedServer(t, cmd)
			if tt.signal != 0 {
				if err := cmd.Process.Signal(tt.signal); err != nil {
					t.Fatal(err)
				}
			}
			if code := exitCode(cmd.Wait()); code != tt.code {
				t.Errorf("exit code %d, want %d:\n%s", code, tt.code, cmd.Stdout)
			}
			if ended(server) == nil {
				t.Error("the server is still there")
				_ = syscall.Kill(server, syscall.SIGKILL)
			}
		})
	}
}

// stoppedServer starts a call of doctor, and stops the server that it starts in turn, before
// that can answer: it is held from the moment that it is there.
func stoppedServer(t *testing.T, cmd *exec.Cmd) (pid int) {
	t.Helper()
	cmd.Stdout = &bytes.Buffer{}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(sdkHang); ; {
		if pid := childServing(cmd.Process.Pid); pid != 0 {
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			return pid
		}
		if ended(cmd.Process.Pid) != nil || time.Now().After(deadline) {
			t.Fatalf("no server was seen:\n%s", cmd.Stdout)
		}
	}
}

// childServing is the child of a process that is a server; 0 for none.
func childServing(parent int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(children)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if pid, err := strconv.Atoi(child); err == nil && bytes.Contains(line, []byte("\x00serve\x00")) {
				return pid
			}
		}
	}
	return 0
}

// What a git that does not end has started ends with it.
func TestDoctorEndsWhatGitStarted(t *testing.T) {
	dir := t.TempDir()
	place(t, dir, "git", []byte("#!/bin/sh\nsleep 1000 &\necho $! > \"$PIDS\"\nwait\n"))
	chmod(t, filepath.Join(dir, "git"), 0o755)
	pids := filepath.Join(dir, "pids")
	cmd := exec.Command("plumbline", "doctor", "--timeout", "3s")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PIDS="+pids, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.Output()
	if code := exitCode(err); code != exitFail || !bytes.Contains(out, []byte("fail  git        no answer within 3s")) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(sdkHang); ended(pid) == nil; {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("what git started is still there")
		}
	}
}
