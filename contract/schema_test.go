package contract_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/contract"
)

func schemaDocument(t *testing.T, name string) map[string]any {
	t.Helper()
	text, ok := contract.Schema(name)
	if !ok {
		t.Fatalf("there is no schema %s", name)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestSchemasStandAlone compiles each schema from its own bytes and judges the vectors
// with it: what has no AAC301 fits, the rest does not.
func TestSchemasStandAlone(t *testing.T) {
	type vector struct {
		Name     string
		Contract any
		Errors   []string
	}
	for _, name := range contract.SchemaNames() {
		text, _ := contract.Schema(name)
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(name+".json", bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		schema, err := compiler.Compile(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if name != contract.SchemaContract {
			continue
		}
		for _, v := range loadVectors[vector](t, "contracts.json") {
			fits := schema.Validate(v.Contract) == nil
			if broken := strings.Contains(strings.Join(v.Errors, " "), "AAC301"); v.Contract != nil && fits == broken {
				t.Errorf("%s: fits the schema: %v, errors %v", v.Name, fits, v.Errors)
			}
		}
	}
	if _, ok := contract.Schema("../aac"); ok {
		t.Error("a name that is no schema's gives one")
	}
}

// TestSchemasAgree: each schema stands alone, so definitions are repeated; they must be
// the same everywhere.
func TestSchemasAgree(t *testing.T) {
	aac := schemaDocument(t, contract.SchemaContract)
	agc := schemaDocument(t, contract.SchemaRound)
	chain := schemaDocument(t, contract.SchemaChain)["$defs"].(map[string]any)
	if diff := cmp.Diff(aac, chain["contract"]); diff != "" {
		t.Errorf("the chain's contract is another (-aac +chain):\n%s", diff)
	}
	if diff := cmp.Diff(agc, chain["round"]); diff != "" {
		t.Errorf("the chain's round is another (-agc +chain):\n%s", diff)
	}
	defs := aac["$defs"].(map[string]any)
	for _, name := range []string{contract.SchemaRound, contract.SchemaDone} {
		for def, got := range schemaDocument(t, name)["$defs"].(map[string]any) {
			if want, shared := defs[def]; shared && !cmp.Equal(want, got) {
				t.Errorf("%s defines %s otherwise than aac:\n%s", name, def, cmp.Diff(want, got))
			}
		}
	}
}

// TestSchemasSayEverythingInWords: messages are made of x-value, so each schema that
// can refuse a value has one.
func TestSchemasSayEverythingInWords(t *testing.T) {
	refusing := []string{"type", "enum", "const", "pattern", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxLength", "format"}
	var walk func(path string, node any)
	walk = func(path string, node any) {
		object, ok := node.(map[string]any)
		if !ok {
			return
		}
		for key, child := range object {
			if key != "if" && key != "properties" {
				walk(path+"/"+key, child)
			}
			if list, ok := child.([]any); ok {
				for _, item := range list {
					walk(path+"/"+key, item)
				}
			}
		}
		if properties, ok := object["properties"].(map[string]any); ok {
			for name, property := range properties {
				walk(path+"/"+name, property)
				if p, _ := property.(map[string]any); p["description"] == nil {
					t.Errorf("%s/%s has no description", path, name)
				}
			}
		}
		for _, key := range refusing {
			if object[key] != nil && object["x-value"] == nil {
				t.Errorf("%s refuses by %s, but does not say in words what it wants", path, key)
			}
		}
	}
	for _, name := range contract.SchemaNames() {
		walk(name, schemaDocument(t, name))
	}
}
