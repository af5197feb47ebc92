package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan"
)

// Waivers that are added at once are all there afterwards, and nothing else is.
func TestWaiversAddedAtOnce(t *testing.T) {
	const tools = 12
	dir := t.TempDir()
	var list []string
	for i := range tools {
		list = append(list, fmt.Sprintf(`{"name": "send_email_%d", "description": "Send an email.", "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}}}`, i))
	}
	file := place(t, dir, "mail.json", []byte(`{"tools": [`+strings.Join(list, ",")+`]}`))
	var all sync.WaitGroup
	for i := range tools {
		all.Go(func() {
			code, _, stderr := call("waive", file, "--rule", "AR002", "--tool", fmt.Sprintf("send_email_%d", i), "--reason", "A person sends.", "--expires", "9999-12-31")
			if code != 0 {
				t.Errorf("code %d: %s", code, stderr)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(dir, scan.PolicyName))
	if err != nil {
		t.Fatal(err)
	}
	policy, err := scan.ReadPolicy(text)
	if err != nil || len(policy.Waivers) != tools {
		t.Errorf("%v: %d waivers were added, and these are there:\n%s", err, tools, text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("there are more files than before: %v", left)
	}
}

// What has the name of the lock and is none stays as it is.
func TestWaiveLeavesWhatIsNoLock(t *testing.T) {
	dir := t.TempDir()
	file := place(t, dir, "mail.json", []byte(`{"tools": [{"name": "send_email", "description": "Send an email."}]}`))
	kept := place(t, dir, scan.PolicyName+".lock", []byte("mine\n"))
	code, _, stderr := call("waive", file, "--rule", "AR002", "--tool", "send_email", "--reason", "A person sends.", "--expires", "9999-12-31")
	if text, err := os.ReadFile(kept); code != exitUsage || err != nil || string(text) != "mine\n" || !strings.Contains(stderr, "is in the way") {
		t.Errorf("code %d, %v, %q: %s", code, err, text, stderr)
	}
}
