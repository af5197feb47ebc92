//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCaptureEndsAll starts a server whose child keeps its output open: neither outlives
// the capture.
func TestCaptureEndsAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fake := filepath.Join(t.TempDir(), "fake-server")
	if err := os.Symlink(self, fake); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call("capture", "--", fake, "child", file)
	if code != 0 || !strings.Contains(stdout, "get_page_2") {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(sdkHang); ended(pid) == nil; {
		if time.Now().After(deadline) {
			t.Fatal("the child is still there")
		}
	}
}

// ended is an error where no process has the id any more, or only its remains do.
func ended(pid int) error {
	if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && bytes.Contains(state, []byte(") Z ")) {
		return errors.New("a zombie")
	}
	return syscall.Kill(pid, 0)
}
