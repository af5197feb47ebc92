//go:build unix

package main

import (
	"bytes"
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A signal ends the program whatever it is waiting for, also while it writes.
func TestInterruptEndsAWriteThatWaits(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	args := []string{"scan", filepath.Join("..", "..", "testdata", "mcp-mail.json"), "--format", "json=" + pipe}
	if code := run(ctx, args, nil, &bytes.Buffer{}, &stdout, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, stderr %q; want %d", code, stderr.String(), exitInterrupted)
	}
}
