package schema_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/schema"
)

// results are what a reader gives for the schemas s0, s1, …, asked for in that order.
func results(target node.Target, order []int) map[int]any {
	r := schema.NewReader(&node.Resolver{})
	all := map[int]any{}
	for _, i := range order {
		n, pointer := target.Tree.At(fmt.Sprintf("/s/s%d", i))
		at := node.Target{Tree: target.Tree, Node: n, Pointer: pointer}
		facts, problems := r.Facts(at)
		all[i] = []any{facts, problems, r.Request(at, "body"), r.Response(at), r.Children(at, "query", "p")}
	}
	return all
}

func TestACircleIsReadAlikeFromEveryMember(t *testing.T) {
	const pets = `
s:
  s0: {required: [name], properties: {name: {type: string}}, oneOf: [{$ref: '#/s/s1'}, {$ref: '#/s/s2'}]}
  s1: {allOf: [{$ref: '#/s/s0'}, {properties: {lives: {type: integer, maximum: 9}}}], description: A cat.}
  s2: {allOf: [{$ref: '#/s/s0'}, {properties: {leash: {type: boolean}}}]}
`
	target := at(t, "root: {}"+pets)
	want := [][]string{
		{"name! string", "lives integer upper", "leash boolean"},
		{"name! string", "lives integer upper"},
		{"name! string", "leash boolean"},
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		for i, result := range results(target, order) {
			got := lines(result.([]any)[2].(schema.Result).Fields)
			slices.Sort(got)
			slices.Sort(want[i])
			if diff := cmp.Diff(want[i], got); diff != "" {
				t.Errorf("asked in the order %v, s%d has (-want +got):\n%s", order, i, diff)
			}
		}
	}
}

// tangle writes n schemas of random keywords, which refer to each other at random.
func tangle(rnd *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("root: {}\ns:\n")
	for i := range n {
		fmt.Fprintf(&b, "  s%d: %s\n", i, tangled(rnd, n, i, 3))
	}
	return b.String()
}

// tangled writes one schema; name goes into its texts.
func tangled(rnd *rand.Rand, n, name, depth int) string {
	inner := func() string { return tangled(rnd, n, name*7+rnd.IntN(7), depth-1) }
	several := func() string { return "[" + inner() + ", " + inner() + "]" }
	if depth == 0 || rnd.IntN(4) == 0 {
		return fmt.Sprintf("{$ref: '#/s/s%d'}", rnd.IntN(n))
	}
	members := map[string]func() string{
		"description": func() string { return fmt.Sprintf("D%d", name) },
		"type":        func() string { return []string{"string", "integer", "object", "array", "'null'"}[rnd.IntN(5)] },
		"minimum":     func() string { return "1" },
		"enum":        func() string { return fmt.Sprintf("[e%d]", name) },
		"required":    func() string { return fmt.Sprintf("[p%d]", rnd.IntN(3)) },
		"allOf":       several, "oneOf": several, "anyOf": several,
		"items": inner, "then": inner, "additionalProperties": inner,
		"properties": func() string { return fmt.Sprintf("{p%d: %s, q%d: %s}", rnd.IntN(3), inner(), name, inner()) },
	}
	var out []string
	for _, key := range slices.Sorted(slices.Values([]string{"allOf", "anyOf", "oneOf", "description", "type", "minimum", "enum",
		"required", "items", "then", "additionalProperties", "properties"})) {
		if rnd.IntN(5) == 0 {
			out = append(out, key+": "+members[key]())
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// checkOrder holds that the order in which schemas are asked for changes nothing of
// what is said of each.
func checkOrder(t *testing.T, seed uint64) {
	t.Helper()
	const n = 6
	rnd := rand.New(rand.NewPCG(seed, 1))
	text := tangle(rnd, n)
	target := at(t, text)
	alone := map[int]any{}
	for i := range n {
		alone[i] = results(target, []int{i})[i]
	}
	order := rnd.Perm(n)
	if together := results(target, order); !reflect.DeepEqual(alone, together) { // cmp takes minutes
		t.Errorf("seed %d, asked in the order %v (-alone +together):\n%s\n%s", seed, order, cmp.Diff(alone, together), text)
	}
}

func TestTheOrderOfReadingChangesNothing(t *testing.T) {
	for seed := range uint64(100) {
		checkOrder(t, seed)
	}
}

func FuzzTheOrderOfReading(f *testing.F) {
	f.Add(uint64(1_000))
	f.Fuzz(checkOrder)
}

// circleOf gives n schemas in one circle, each of which has a property of its own.
func circleOf(n int) string {
	var b strings.Builder
	b.WriteString("root: {$ref: '#/s/s0'}\ns:\n")
	for i := range n {
		fmt.Fprintf(&b, "  s%d: {allOf: [{$ref: '#/s/s%d'}], properties: {p%d: {}}}\n", i, (i+1)%n, i)
	}
	return b.String()
}

// A circle of any size is read in one go from each of its members, or said to be too
// large; neither costs the square of the document.
func TestLargeCircles(t *testing.T) {
	for _, c := range []struct {
		n       int
		problem string
	}{{200, ""}, {450, ""}, {5_000, "composed of each other"}} {
		target := at(t, circleOf(c.n))
		for i, result := range results(target, []int{0, c.n - 1, c.n / 2}) {
			got := result.([]any)[2].(schema.Result)
			switch {
			case c.problem == "" && (len(got.Fields) != c.n || len(got.Problems) > 0):
				t.Errorf("of %d, s%d has %d fields, problems %v", c.n, i, len(got.Fields), got.Problems)
			case c.problem != "" && !strings.Contains(fmt.Sprint(got.Problems), c.problem):
				t.Errorf("of %d, s%d has problems %v, want one with %q", c.n, i, got.Problems, c.problem)
			}
		}
	}
}
