package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// What a stranger's server changed in one tool is told in a few lines, and what is left out
// is counted.
func TestDriftOfOneToolIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name string, members int) {
		var properties strings.Builder
		for i := range members {
			fmt.Fprintf(&properties, `"p%d": {"type": "string", "description": "The part %[1]d."},`, i)
		}
		tool := fmt.Sprintf(`[{"name": "add_parts", "description": "Add parts and return them.",
			"inputSchema": {"type": "object", "properties": {%s "last": {"type": "string"}}}}]`, &properties)
		if err := os.WriteFile(name, []byte(tool), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before.json", 0)
	if code, _, stderr := call("lock", "mcp", "before.json", "--out", "lock.json"); code != 0 {
		t.Fatal(stderr)
	}
	for _, tt := range []struct {
		members int
		more    string
	}{{100, ""}, {101, "... and 1 more of its members"}, {30_000, "... and 29900 more of its members"}} {
		write("after.json", tt.members)
		_, _, stderr := call("scan", "mcp", "after.json", "--lock", "lock.json")
		if got := strings.Count(stderr, "\n    /inputSchema/properties/"); got != 100 {
			t.Errorf("of %d new members %d are shown, want 100", tt.members, got)
		}
		if !strings.Contains(stderr, tt.more) || strings.Contains(stderr, "more") != (tt.more != "") {
			t.Errorf("of %d new members it must say %q: %.200s", tt.members, tt.more, stderr[max(0, len(stderr)-200):])
		}
	}
}
