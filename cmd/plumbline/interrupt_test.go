package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A scan that is interrupted while it writes leaves whole files alone.
func TestInterruptLeavesNothingHalfWritten(t *testing.T) {
	dir := t.TempDir()
	var tools []string
	for i := range 1500 {
		tools = append(tools, fmt.Sprintf(`{"name":"delete_%d","description":"Deletes it.","inputSchema":{"type":"object"}}`, i))
	}
	list := place(t, dir, "list.json", []byte("["+strings.Join(tools, ",")+"]"))
	first, second := filepath.Join(dir, "first.json"), filepath.Join(dir, "second.html")
	ctx, cancel := context.WithCancel(t.Context())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ctx.Err() == nil {
			if parts, _ := filepath.Glob(filepath.Join(dir, ".second.html.*")); len(parts) > 0 {
				cancel()
			}
		}
	}()
	var stdout, stderr bytes.Buffer
	args := []string{"scan", list, "--format", "json=" + first, "--format", "html=" + second}
	if code := run(ctx, args, nil, &bytes.Buffer{}, &stdout, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, stderr %q; want %d", code, stderr.String(), exitInterrupted)
	}
	cancel()
	<-watched
	if text, err := os.ReadFile(first); err != nil || !json.Valid(text) {
		t.Errorf("the file that was whole is not: %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		if name := entry.Name(); name != "list.json" && name != "first.json" {
			t.Errorf("%s is left", name)
		}
	}
}
