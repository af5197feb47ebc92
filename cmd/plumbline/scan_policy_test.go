package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan"
)

// Of a policy file with many mistakes some are told, and that there are more.
func TestPolicyProblemsFitAScreen(t *testing.T) {
	dir := t.TempDir()
	file := place(t, dir, "mail.json", []byte(`{"tools": [{"name": "send_email", "description": "Send an email."}]}`))
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "key%d: 1\n", i)
	}
	place(t, dir, scan.PolicyName, []byte(text.String()))
	code, stdout, stderr := call("scan", file)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if last := lines[len(lines)-1]; code != exitUsage || stdout != "" || len(lines) != 101 || !strings.HasSuffix(last, "there are more problems than these 100: mend these first") {
		t.Errorf("code %d, %d lines, the last is %q\n%s", code, len(lines), last, stdout)
	}
}
