package openapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
)

func count(n int) string { return fmt.Sprintf("operations=%d", n) }

type object = map[string]any

// generate writes an OpenAPI document of n operations in the shape of a large
// public API: some ten kilobytes and four hundred keys and values an operation, shared parameters and responses,
// response schemas that are shared by several operations and refer to each other,
// long descriptions and examples.
func generate(n int) []byte {
	paths, schemas := object{}, object{"owner": owner()}
	for i := range n {
		if i%4 == 0 {
			schemas[fmt.Sprintf("thing-%d", i/4)] = thing(i / 4)
		}
		path := fmt.Sprintf("/groups/{group}/things-%d", i/2)
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[[]string{"get", "post"}[i%2]] = call(i)
	}
	data, err := json.MarshalIndent(object{
		"openapi": "3.0.3",
		"info":    object{"title": "Generated", "version": "1"},
		"paths":   paths,
		"components": object{
			"schemas":    schemas,
			"parameters": object{"group": object{"name": "group", "in": "path", "required": true, "schema": object{"type": "string"}}},
			"responses":  object{"refused": object{"description": "What to correct.", "content": content(object{"properties": object{"message": object{"type": "string"}}})}},
		},
	}, "", "  ")
	if err != nil {
		panic(err) // a value of these types always marshals
	}
	return data
}

func content(schema object) object {
	return object{"application/json": object{"schema": schema}}
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// call is the i-th operation: a list, or a creation with a body.
func call(i int) object {
	op := object{
		"operationId": fmt.Sprintf("things/%s-%d", []string{"list", "create"}[i%2], i),
		"summary":     fmt.Sprintf("Work with the things of kind %d", i),
		"description": strings.Repeat("What the operation does, for whom, and what it needs. ", 12),
		"parameters":  []any{object{"$ref": "#/components/parameters/group"}, object{"name": "per_page", "in": "query", "schema": object{"type": "integer", "maximum": 100}}},
		"responses": object{
			"200": object{"description": "The things.", "content": object{"application/json": object{
				"schema":   object{"type": "array", "items": ref(fmt.Sprintf("thing-%d", i/4))},
				"examples": object{"default": object{"value": example(i)}},
			}}},
			"404": object{"$ref": "#/components/responses/refused"},
		},
	}
	if i%2 == 1 {
		op["requestBody"] = object{"content": content(object{"type": "object", "required": []string{"name"}, "properties": object{
			"name": object{"type": "string"}, "size": object{"type": "integer", "minimum": 0}, "owner": ref("owner"),
		}})}
	}
	return op
}

// owner is a schema that all others refer to, and itself.
func owner() object {
	properties := object{"manager": ref("owner")}
	for j := range 8 {
		properties[fmt.Sprintf("detail_%d", j)] = object{"type": "string"}
	}
	return object{"type": "object", "properties": properties}
}

// thing is the i-th shared schema.
func thing(i int) object {
	properties := object{}
	for j := range 40 {
		properties[fmt.Sprintf("property_%d", j)] = object{"type": "string", "description": "What the property holds.", "example": "a value"}
	}
	properties["owner"] = ref("owner")
	return object{"type": "object", "title": fmt.Sprintf("Thing %d", i), "required": []string{"property_1"}, "properties": properties}
}

func example(i int) []any {
	value := object{}
	for j := range 60 {
		value[fmt.Sprintf("property_%d", j)] = fmt.Sprintf("https://example.com/things/%d/%d", i, j)
	}
	return []any{value, value}
}

func TestAGeneratedDocumentIsReadWhole(t *testing.T) {
	doc, err := read(t, "api.json", string(generate(101)), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Tools) != 101 || len(doc.Notes) > 0 {
		t.Errorf("%d operations, notes:\n%s", len(doc.Tools), texts(doc.Notes))
	}
	for _, tool := range doc.Tools {
		if len(tool.Incomplete) > 0 || len(tool.Fields) == 0 || len(tool.Responses) != 2 || len(tool.Responses[0].Fields) != 41 {
			t.Fatalf("%s: fields %d, responses %d, incomplete:\n%s", tool.ID, len(tool.Fields), len(tool.Responses), texts(tool.Incomplete))
		}
	}
}
