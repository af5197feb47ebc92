package server

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/tools"
)

// someValue makes a value of any type, small enough to hit the bounds of schemas.
func someValue(r *rand.Rand, names []string, depth int) any {
	texts := []string{"", "a", "PASS", "builder", "none", "high", strings.Repeat("ü", 128), strings.Repeat("x", 129), strings.Repeat("y", 5000)}
	numbers := []float64{-1, 0, 0.5, 1, 100, 101, 1e300, 9007199254740991, 9007199254740992}
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return numbers[r.IntN(len(numbers))]
	case 3:
		return texts[r.IntN(len(texts))]
	case 4:
		items := []any{}
		for range r.IntN(3) {
			items = append(items, someValue(r, names, depth-1))
		}
		return items
	}
	members := map[string]any{}
	for range r.IntN(4) {
		members[names[r.IntN(len(names))]] = someValue(r, names, depth-1)
	}
	return members
}

// The quick check agrees with the library on every value: where it says yes, for no
// fault may pass, and where it says no, for else it would be of no use.
func TestSurelyFits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fit, unfit := 0, 0
	for _, tool := range tools.All(tools.Deps{}) {
		served, err := newServedTool(tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, schema := range []*jsonschema.Schema{served.input.schema, served.output} {
			members := append(sortedKeys(schema.Properties), "id", "severity", "route", "other")
			for range 3000 {
				value := map[string]any{}
				for _, member := range schema.Required {
					value[member] = someValue(r, members, 2)
				}
				for range r.IntN(3) {
					value[members[r.IntN(len(members))]] = someValue(r, members, 2)
				}
				got, want := surelyFits(schema, value), schema.Validate(value) == nil
				if got != want {
					text, _ := json.Marshal(value)
					t.Fatalf("%s of %s: %s fits = %v, the library says %v", schema.Location, tool.Definition.Name, text, got, want)
				}
				if want {
					fit++
				} else {
					unfit++
				}
			}
		}
	}
	if fit < 1000 || unfit < 1000 {
		t.Errorf("%d values fit and %d do not: too few to tell", fit, unfit)
	}
}

func TestSchemaWithAnotherKeyword(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","minProperties":1}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}}`,
		`{"type":"object","properties":{"a":{"items":{"minLength":1}}}}`,
		`{"type":"object","additionalProperties":{"multipleOf":2}}`,
	} {
		if _, err := compile("inputSchema", json.RawMessage(schema)); err == nil || !strings.Contains(err.Error(), "keyword") {
			t.Errorf("%s gives %v, want its keyword refused", schema, err)
		}
	}
}
