package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestCaptureServers captures and scans servers that other people wrote, as their users
// start them.
func TestCaptureServers(t *testing.T) {
	needNPM(t)
	for name, some := range map[string]string{"everything": "echo", "filesystem": "read_text_file", "memory": "create_entities"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("MEMORY_FILE_PATH", filepath.Join(dir, "memory.jsonl"))
			server := []string{filepath.Join(npm, "node_modules/.bin/mcp-server-"+name)}
			if name == "filesystem" {
				server = append(server, dir)
			}
			file := filepath.Join(dir, "tools.json")
			code, _, stderr := call(append([]string{"capture", "--timeout", sdkHang.String(), "--out", file, "--"}, server...)...)
			text, err := os.ReadFile(file)
			if code != 0 || err != nil {
				t.Fatalf("code %d, %v\n%s", code, err, stderr)
			}
			var list struct {
				ServerInfo struct{ Name string }
				Tools      []struct{ Name string }
			}
			if err := json.Unmarshal(text, &list); err != nil || list.ServerInfo.Name == "" {
				t.Errorf("%v, and the server is called %q", err, list.ServerInfo.Name)
			}
			found := false
			for _, tool := range list.Tools {
				found = found || tool.Name == some
			}
			if !found {
				t.Errorf("the list lacks %s: %+v", some, list.Tools)
			}
			code, stdout, stderr := call(append([]string{"scan", "mcp", "--min-score", "0", "--fail-on", "none", "--format", "json", "--timeout", sdkHang.String(), "--"}, server...)...)
			var export struct {
				Tools []struct{ Name string }
			}
			if err := json.Unmarshal([]byte(stdout), &export); code != 0 || err != nil || len(export.Tools) != len(list.Tools) {
				t.Errorf("scanned: code %d, %v, %d tools of %d\n%s", code, err, len(export.Tools), len(list.Tools), stderr)
			}
		})
	}
}
