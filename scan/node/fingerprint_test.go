package node_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/node"
)

// fingerprint is that of the value at key "op".
func fingerprint(t testing.TB, text string) (string, int) {
	t.Helper()
	tree := parse(t, text)
	return node.NewFingerprinter(&node.Resolver{}).Of(node.Target{Tree: tree, Node: tree.Get(tree.Root, "op")})
}

func TestFingerprintIsTheSameForTheSameMeaning(t *testing.T) {
	long := strings.Repeat("word ", 80)
	for _, c := range []struct{ name, a, b string }{
		{"JSON and YAML", `{"op": {"responses": {"200": {"x": true, "n": null, "d": "2024-01-31"}}}}`,
			"op:\n  responses:\n    200: {n: ~, x: True, d: 2024-01-31}\n"},
		{"numbers", `{"op": [1, 10, 1000, 0.5]}`, "op: [1.0, 1e1, 1_000, .5]\n"},
		{"escapes", `{"op": "a\u00e9\n<b>"}`, "op: \"a\u00e9\\n<b>\"\n"},
		{"an alias and its expansion", `{"op": {"a": {"k": "` + long + `"}, "b": {"k": "` + long + `"}}}`,
			"op: {a: &x {k: '" + long + "'}, b: *x}\n"},
		{"an alias with a reference in it", `{"op": {"a": {"$ref": "#/d"}, "b": {"$ref": "#/d"}}, "d": {"v": 1}}`,
			"op: {a: &x {$ref: '#/d'}, b: *x}\nd: {v: 1}\n"},
		{"a merge and its expansion", `{"op": {"a": 1, "b": 2}}`, "base: &m {b: 2, a: 7}\nop: {<<: *m, a: 1}\n"},
		{"what is not reached", `{"op": {"a": 1}, "x": 1}`, `{"op": {"a": 1}, "x": 2}`},
	} {
		a, sizeA := fingerprint(t, c.a)
		b, sizeB := fingerprint(t, c.b)
		if a != b || sizeA != sizeB {
			t.Errorf("%s: %s (%d bytes) and %s (%d bytes)", c.name, a, sizeA, b, sizeB)
		}
	}
}

func TestFingerprintChangesWithTheMeaning(t *testing.T) {
	base := `{"op": {"s": {"$ref": "#/defs/A"}, "n": 1}, "defs": {
		"A": {"b": {"$ref": "#/defs/B"}}, "B": {"a": {"$ref": "#/defs/A"}, "text": "old"}}}`
	was, size := fingerprint(t, base)
	if !regexp.MustCompile(`^sha256:[0-9a-f]{12}$`).MatchString(was) {
		t.Fatalf("fingerprint = %q", was)
	}
	if want := len(`{"n":1,"s":{"$ref":"#/defs/A"}}{"b":{"$ref":"#/defs/B"}}{"a":{"$ref":"#/defs/A"},"text":"old"}`); size != want {
		t.Errorf("size = %d, want %d", size, want)
	}
	for _, change := range [][2]string{
		{`"old"`, `"new"`}, {`"n": 1`, `"n": "1"`}, {`"n": 1`, `"n": 2`}, {`"text"`, `"title"`},
		{`"#/defs/B"`, `"#/defs/C"`}, {`"s"`, `"t"`},
	} {
		if now, _ := fingerprint(t, strings.Replace(base, change[0], change[1], 1)); now == was {
			t.Errorf("%s to %s did not change the fingerprint", change[0], change[1])
		}
	}
}

// A bomb: each level names the one before ten times.
func TestFingerprintOfSharedNodesIsCounted(t *testing.T) {
	var b strings.Builder
	b.WriteString("l0: &l0 [x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "l%d: &l%d [%s*l%d]\n", i, i, strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 9), i-1)
	}
	b.WriteString("op: *l29\n")
	if _, size := fingerprint(t, b.String()); size <= 1<<40 {
		t.Errorf("size = %d, want that of the expanded text", size)
	}
	if _, size := fingerprint(t, "op: &a [*a, *a]\n"); size == 0 {
		t.Error("a node inside itself has no size")
	}
}
