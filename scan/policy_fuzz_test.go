package scan

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Whatever a policy file holds, it is read or refused, and a waiver that is added to one
// that reads, and is no JSON, leaves all else in it as it was.
func FuzzAddWaiver(f *testing.F) {
	for _, seed := range []string{
		"", wholePolicy, "min_score: 1\n...\n", "waivers: []", "waivers: {}", "{waivers: [{rule: AR001, tool: x, reason: y}]}", "---\nwaivers:\n\n- rule: AR001\n  tool: x\n  reason: |2\n    y\n",
		"waivers: &w\n  - &a {rule: AR007, tool: x, reason: y}\n  - {rule: AR001, tool: *a, reason: y}", "\ufeffwaivers:\r\n  - rule: AR001\r\n    tool: x\r\n    reason: y\r\n", "? waivers\n:\n",
		`{"min_score": 60}`, "# c\n--- # d\nwaivers: [] # e\n", "--- {min_score: 60}",
		"waivers: # c\n  # d\n- rule: AR007 # e\n  tool: send*\n  reason: y\n", "waivers: !!seq\n  - {rule: AR001, tool: x, reason: y}", "null", "\"waivers\":\n  - {rule: AR001, tool: x, reason: \"a\n\n  b\"}\n",
		`waivers: [{rule: AR001, tool: '\\{a,b}\\{a,b}\\{a,b}\\{a,b}\\{a,b}\{c\}', reason: y}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before, err := ReadPolicy(data)
		if err != nil {
			return
		}
		text, err := AddWaiver(data, sample)
		if err != nil && json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			return
		}
		if err != nil {
			t.Fatalf("nothing can be added to %q: %v", data, err)
		}
		after, err := ReadPolicy(text)
		if err != nil {
			t.Fatalf("%q became %q: %v", data, text, err)
		}
		kept := slices.DeleteFunc(slices.Clone(before.Waivers), func(w agentready.Waiver) bool { return renews(sample, w) })
		left := slices.DeleteFunc(slices.Clone(after.Waivers), func(w agentready.Waiver) bool { w.Line = 0; return w == sample })
		same := func(a, b agentready.Waiver) bool { a.Line, b.Line = 0, 0; return a == b }
		if len(left) == len(after.Waivers) || !slices.EqualFunc(kept, left, same) {
			t.Fatalf("%q became %q", data, text)
		}
	})
}
