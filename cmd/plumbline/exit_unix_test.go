//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A signal ends the program whatever it is waiting for, also while it writes: here to a pipe
// that nobody reads, and that holds less than the list.
func TestInterruptEndsAWriteThatWaits(t *testing.T) {
	const many = 1500
	var list []string
	for i := range many {
		list = append(list, fmt.Sprintf(`{"name": "get_%d", "description": "Return it."}`, i))
	}
	file := place(t, t.TempDir(), "list.json", []byte("["+strings.Join(list, ",")+"]"))
	url := listServer(t, many, func(next http.Handler) http.Handler { return next })
	for name, args := range map[string][]string{
		"scan":    {"scan", "mcp", file, "--format", "json=PIPE"},
		"lock":    {"lock", "mcp", file, "--out", "PIPE"},
		"capture": {"capture", "--url", url, "--out", "PIPE"},
	} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "PIPE", pipe)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			if reader, err := os.Open(pipe); err == nil { // which waits for who writes
				t.Cleanup(func() { reader.Close() })
			}
		}()
		var stdout, stderr bytes.Buffer
		if code := run(ctx, args, nil, &bytes.Buffer{}, &stdout, &stderr); code != exitInterrupted {
			t.Errorf("%s: exit code %d, stderr %q; want %d", name, code, stderr.String(), exitInterrupted)
		}
	}
}
