package node_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
)

// parse reads YAML (or JSON) into an expanded tree.
func parse(t testing.TB, text string) *node.Tree {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("fixture does not parse: %v\n%s", err, text)
	}
	if !node.Expand(&doc) {
		t.Fatal("fixture is over the merge limit")
	}
	return node.New("", &doc)
}

func names(tree *node.Tree, n *yaml.Node) []string {
	var out []string
	for k, v := range tree.Members(n) {
		s, _ := node.String(v)
		out = append(out, k.Value+"="+s)
	}
	return out
}

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"order is kept", "b: 1\na: 2\n", []string{"b=1", "a=2"}},
		{"the last of equal keys counts", `{"a": 1, "b": 2, "a": 3}`, []string{"b=2", "a=3"}},
		{"keys that are no scalars are left out", "? [x]\n: 1\nb: 2\n", []string{"b=2"}},
		{"a merge key brings what is not there", "a: &a {x: 1, y: 2}\nb: {x: 9, <<: *a}\n", []string{"x=9", "y=2"}},
		{"several are merged, the first wins", "a: &a {x: 1}\nc: &c {x: 2, z: 3}\nb: {<<: [*a, *c]}\n", []string{"x=1", "z=3"}},
		{"merges of merges are followed", "a: &a {x: 1}\nc: &c {<<: *a, y: 2}\nb: {<<: *c}\n", []string{"y=2", "x=1"}},
		{"a quoted << is a name", "b: {'<<': 1}\n", []string{"<<=1"}},
		{"a merge with itself brings nothing", "b: &b {x: 1, <<: *b}\n", []string{"x=1"}},
		{"an alias is a value", "a: &a 7\nb: {x: *a}\n", []string{"x=7"}},
		{"an alias is a key", "a: &a seven\nb: {*a : 1}\n", []string{"seven=1"}},
		{"no mapping has none", "b: [1, 2]\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := parse(t, c.text)
			n := tree.Root
			if b := tree.Get(n, "b"); b != nil && b.Kind != yaml.ScalarNode {
				n = b
			}
			if got := names(tree, n); !slices.Equal(got, c.want) {
				t.Errorf("members = %v, want %v", got, c.want)
			}
		})
	}
}

func TestLargeMappingsAnswerLikeSmallOnes(t *testing.T) {
	for _, size := range []int{3, 31, 32, 33, 200} {
		var b strings.Builder
		for i := range size {
			fmt.Fprintf(&b, "k%d: %d\n", i, i)
		}
		b.WriteString("k1: again\n")
		tree := parse(t, b.String())
		if got, _ := node.String(tree.Get(tree.Root, "k1")); got != "again" {
			t.Errorf("%d keys: k1 = %q, want the last value", size, got)
		}
		if tree.Get(tree.Root, "missing") != nil {
			t.Errorf("%d keys: a missing key was found", size)
		}
		if got := len(names(tree, tree.Root)); got != size {
			t.Errorf("%d keys: %d members", size, got)
		}
		if dups := tree.Duplicates(tree.Root); len(dups) != 1 || dups[0].Line != 2 {
			t.Errorf("%d keys: duplicates = %v, want the first k1 on line 2", size, dups)
		}
	}
}

func TestMergeLimitEndsABomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("m0: &m0 {")
	for i := range 1000 {
		fmt.Fprintf(&b, "k%d: 1, ", i)
	}
	b.WriteString("}\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "u%d: {<<: *m0}\n", i)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(b.String()), &doc); err != nil {
		t.Fatal(err)
	}
	if node.Expand(&doc) {
		t.Error("a million merged members passed the limit")
	}
}

func TestScalars(t *testing.T) {
	tree := parse(t, "i: 12\nf: 1.5\nh: 0x10\nu: 1_000\nb: yes\nt: True\nn: ~\nd: 2024-01-31\ns: '5'\nm: {}\ne: 1e3\n")
	get := func(k string) *yaml.Node { return tree.Get(tree.Root, k) }
	for key, want := range map[string]float64{"i": 12, "f": 1.5, "h": 16, "u": 1000, "e": 1000} {
		if got, ok := node.Number(get(key)); !ok || got != want {
			t.Errorf("Number(%s) = %v, %v, want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"s", "n", "m", "t", "none"} {
		if got, ok := node.Number(get(key)); ok {
			t.Errorf("Number(%s) = %v, want none", key, got)
		}
	}
	for key, want := range map[string]string{"d": "2024-01-31", "i": "12", "s": "5"} {
		if got, ok := node.String(get(key)); !ok || got != want {
			t.Errorf("String(%s) = %q, %v, want %q", key, got, ok, want)
		}
	}
	for _, key := range []string{"n", "m", "none"} {
		if got, ok := node.String(get(key)); ok {
			t.Errorf("String(%s) = %q, want none", key, got)
		}
	}
	if v, ok := node.Bool(get("t")); !ok || !v {
		t.Error("True is not read as a boolean")
	}
	if _, ok := node.Bool(get("s")); ok {
		t.Error("a quoted text is read as a boolean")
	}
	if !node.IsNull(get("n")) || !node.IsNull(nil) || node.IsNull(get("s")) {
		t.Error("IsNull does not tell null from text")
	}
}

func TestPointers(t *testing.T) {
	tree := parse(t, "paths:\n  /a/{id}:\n    get: {x~y: [first, second]}\n")
	for fragment, want := range map[string]string{
		"/paths/~1a~1{id}/get/x~0y/1":     "/paths/~1a~1{id}/get/x~0y/1",
		"/paths/~1a~1%7Bid%7D/get/x~0y/1": "/paths/~1a~1{id}/get/x~0y/1",
	} {
		n, pointer := tree.At(fragment)
		if got, _ := node.String(n); got != "second" || pointer != want {
			t.Errorf("At(%s) = %q at %q, want second at %q", fragment, got, pointer, want)
		}
	}
	for _, fragment := range []string{"/paths/x", "/paths/~1a~1{id}/get/x~0y/2", "/paths/~1a~1{id}/get/x~0y/-1", "paths", "/paths//"} {
		if n, _ := tree.At(fragment); n != nil {
			t.Errorf("At(%s) found %q", fragment, n.Value)
		}
	}
	if n, pointer := tree.At(""); n != tree.Root || pointer != "" {
		t.Error("the empty pointer is not the root")
	}
	if got := node.Join("/a", "b/c~d"); got != "/a/b~1c~0d" {
		t.Errorf("Join = %q", got)
	}
	pos := tree.Pos(tree.Get(tree.Root, "paths"), "/paths")
	if pos.Line != 2 || pos.Column != 3 || pos.Pointer != "/paths" {
		t.Errorf("Pos = %+v", pos)
	}
}
