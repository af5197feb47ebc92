package contract

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fitsKeywords are the keywords that fits knows, or that say nothing of a value.
var fitsKeywords = []string{
	"$ref", "type", "const", "enum", "minimum", "maximum", "exclusiveMinimum", "pattern", "maxLength", "format",
	"minItems", "items", "required", "properties", "if", "then", "else",
	"$schema", "$id", "$defs", "title", "description", "x-value", "x-fix",
}

func TestSchemasUseWhatFitsKnows(t *testing.T) {
	for _, name := range SchemaNames() {
		text, _ := Schema(name)
		schema, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		var walk func(v *Value)
		walk = func(v *Value) {
			for _, m := range v.Members {
				if !slices.Contains(fitsKeywords, m.Name) {
					t.Errorf("the schema %s has the keyword %s at %s, which fits does not know", name, m.Name, m.Value.Pointer())
				}
				switch m.Name {
				case "properties", "$defs":
					for _, sub := range m.Value.Members {
						walk(sub.Value)
					}
				case "items", "if", "then", "else":
					walk(m.Value)
				case "const", "enum":
					for _, constant := range append(m.Value.items(), m.Value) {
						if constant.Type() != String && constant.Type() != Array {
							t.Errorf("the schema %s names %s, which is no string", name, constant.Raw())
						}
					}
				}
			}
		}
		walk(schema)
	}
}

// fits and the library agree on every object of the vectors, and on each with any one
// of its values replaced.
func TestFitsAgreesWithTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 14))
	agreed := map[bool]int{}
	objects := vectorObjects(t)
	for _, schema := range SchemaNames() {
		compiled := schemas().compiled[schema]
		for _, text := range objects[schema] {
			v, err := Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			all := v.below()
			for range 20 {
				changed := v
				if at := all[random.IntN(len(all))]; at != v {
					changed = replaced(t, v, at, junk[random.IntN(len(junk))])
				}
				want := compiled.Validate(changed.plain()) == nil
				if got := fits(compiled, changed); got != want {
					t.Fatalf("%s: fits is %v, the library says %v of\n%s", schema, got, want, changed.Raw())
				}
				agreed[want]++
			}
		}
	}
	if agreed[true] < 100 || agreed[false] < 100 {
		t.Errorf("objects that fit and do not: %v; both should be many", agreed)
	}
}

// junk is what values are replaced by.
var junk = []string{
	`null`, `true`, `0`, `-1`, `0.5`, `1.0`, `1e300`, `9007199254740992`, `""`, `" "`, `"x"`, `"0.1.00"`, `"blocking"`, `"decide"`, `"condition"`,
	`"2026-11-30T10:00:00Z"`, `"sha256:0123456789ab"`, `[]`, `{}`, `["x"]`, `[1]`, `{"id": "x"}`, `{"type": "delegate", "to": "x"}`,
}

// below gives the value and those below it.
func (v *Value) below() []*Value {
	all := []*Value{v}
	for _, item := range v.Items {
		all = append(all, item.below()...)
	}
	for _, m := range v.Members {
		all = append(all, m.Value.below()...)
	}
	return all
}

// replaced writes the document with another value at one place.
func replaced(t *testing.T, doc, at *Value, by string) *Value {
	t.Helper()
	raw, begin := doc.Raw(), doc.Offset
	v, err := Decode(slices.Concat(raw[:at.Offset-begin], []byte(by), raw[at.End-begin:]))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// vectorObjects gives the objects of the test vectors by the schema that they fit or
// do not.
func vectorObjects(t *testing.T) map[string][][]byte {
	t.Helper()
	objects := map[string][][]byte{}
	for _, name := range []string{"contracts.json", "rounds.json", "done.json", "chains.json"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", name))
		if err != nil {
			t.Fatal(err)
		}
		var vectors []struct{ Contract, Round, Done, Chain json.RawMessage }
		if err := json.Unmarshal(data, &vectors); err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			for schema, text := range map[string][]byte{SchemaContract: v.Contract, SchemaRound: v.Round, SchemaDone: v.Done, SchemaChain: v.Chain} {
				if len(text) > 0 && len(text) < MaxContractBytes {
					objects[schema] = append(objects[schema], text)
				}
			}
		}
	}
	if len(objects) != len(schemaNames) {
		t.Fatalf("the vectors have objects of %d schemas", len(objects))
	}
	return objects
}
