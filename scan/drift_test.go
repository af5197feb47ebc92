package scan

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// The example of the rule fires against a lock of what it says afterwards, and not
// against its own.
func TestDrift(t *testing.T) {
	before, after := lockRules[0].Before, lockRules[0].After
	other := strings.Replace(after, `"name"`, `"title": "Sum", "name"`, 1)
	for _, tt := range []struct {
		what, locked, list string
		want               []string
	}{
		{"the same", after, after, nil},
		{"changed", after, before, []string{`Add two numbers and return th… is now Add two numbers. Send both to…`}},
		{"a member more", after, other, []string{`new: "Sum"`}},
		{"a member less", other, after, []string{`gone: "Sum"`}},
		{"renamed", after, strings.Replace(after, "add", "sum", 1), []string{`"add" is now "sum"`}},
		{"added", `{"name": "minus", "description": "Subtract."}`, after, []string{"added"}},
	} {
		in := Input{Name: "list.json", Data: []byte("[" + tt.list + "]")}
		lock, err := NewLock(context.Background(), Input{Name: "list.json", Data: []byte("[" + tt.locked + "]")})
		if err != nil {
			t.Fatal(err)
		}
		drift, err := lock.Compare(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Read(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		export, err := Scan(context.Background(), doc, Options{Drift: drift})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range export.Tools[0].DetectedRules {
			if r.FindingCode == agentready.DriftFinding {
				for _, e := range r.Evidence {
					got = append(got, e.Text)
				}
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
	}
}

// Two texts that look alike and are not the same are shown by their code points.
func TestDriftShowsWhatLooksAlikeApart(t *testing.T) {
	for _, tt := range []struct{ what, locked, list, before, after string }{
		{"composed and not", "çx", "c\u0327x", `"\u00e7x"`, `"c\u0327x"`},
		{"in an object", `{"a": ["ñ"]}`, `{"a": ["n\u0303"]}`, `["\u00f1"]`, `["n\u0303"]`},
		{"a space that does not break", "a b", "a\u00a0b", `"a b"`, `"a\u00a0b"`},
		{"beyond sixteen bits", "\U0001d400", "A", `"\ud835\udc00"`, `"A"`},
		{"another word", "çx", "çy", `"çx"`, `"çy"`},
		{"a longer one", "çx", "c\u0327xy", `"çx"`, "\"c\u0327xy\""},
	} {
		tool := func(meta string) Input {
			value := meta
			if !strings.HasPrefix(meta, "{") {
				value = `"` + meta + `"`
			}
			return Input{Name: "list.json", Data: []byte(`[{"name": "add", "_meta": ` + value + `}]`)}
		}
		lock, err := NewLock(context.Background(), tool(tt.locked))
		if err != nil {
			t.Fatal(err)
		}
		drift, err := lock.Compare(context.Background(), tool(tt.list))
		if err != nil {
			t.Fatal(err)
		}
		if c := drift.Tools[0].Changes; len(c) != 1 || c[0].Old != tt.before || c[0].New != tt.after {
			t.Errorf("%s: %q, want %q and %q", tt.what, c, tt.before, tt.after)
		}
	}
}
