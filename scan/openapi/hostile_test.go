package openapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
)

// Documents of a few bytes that bring common readers down: by panics, stack
// overflow, endless loops, or memory. want are the operations, a star for what
// could not be read whole; none where err is part of the error.
func TestDocumentsThatKillReaders(t *testing.T) {
	const three = `"openapi":"3.1.0",`
	wideMap := "x:\n" + strings.Repeat("  a: b\n", 20_000)
	for _, c := range []struct {
		name, text string
		want       []string
		err        string
	}{
		{name: "extension first in a path item", text: `{` + three + `"paths":{"/a":{"x-id":"X-1","get":{}}}}`, want: []string{"GET /a"}},
		{name: "extension first in paths", text: `{` + three + `"paths":{"x-id":"x-1","/a":{"get":{}}}}`, want: []string{"GET /a"}},
		{name: "extension first in a path item, 2.0", text: `{"swagger":"2.0","paths":{"/a":{"x-id":"X-1","get":{}}}}`, want: []string{"GET /a"}},
		{name: "a value that speaks of $ref", text: `{"swagger":"2.0","paths":{"/a":{"get":{},"x-note":"uses $ref"}}}`, want: []string{"GET /a"}},
		{name: "an alias of an unresolved path item", text: "openapi: 3.0.0\npaths:\n  /a: &n {$ref: '#/components/pathItems/A'}\n  /b: *n\n"},
		{name: "an alias of an unresolved operation", text: "openapi: 3.0.0\npaths:\n  /a:\n    get: &n {$ref: '#/none'}\n    put: *n\n", want: []string{"GET /a *", "PUT /a *"}},
		{name: "a callback to its own path", text: `{` + three + `"paths":{"/a":{"post":{"callbacks":{"cb":{"{$url}":{"$ref":"#/paths/~1a"}}}}}}}`, want: []string{"POST /a"}},
		{name: "a callback to all paths", text: `{` + three + `"paths":{"/a":{"post":{"callbacks":{"cb":{"$ref":"#/paths"}}}}}}`, want: []string{"POST /a"}},
		{name: "a callback inside itself by an alias", text: "openapi: 3.1.0\npaths:\n  /a: &p\n    post: {callbacks: {cb: {'{$url}': *p}}}\n", want: []string{"POST /a"}},
		{name: "callbacks and path items in a circle", text: `{` + three + `"paths":{"/a":{"$ref":"#/components/pathItems/P"}},"components":{"pathItems":{"P":{"post":{"callbacks":{"c":{"$ref":"#/components/callbacks/C"}}}}},"callbacks":{"C":{"u":{"$ref":"#/components/pathItems/P"}}}}}`, want: []string{"POST /a"}},
		{name: "a root that merges itself", text: "&a {\"swagger\": \"2.0\", <<: *a}\n"},
		{name: "a header inside its own encoding", text: `{` + three + `"paths":{"/a":{"get":{"parameters":[{"name":"p","in":"header","content":{"x":{"encoding":{"e":{"headers":{"H":{"$ref":"#/components/headers/H"}}}}}}}]}}},"components":{"headers":{"H":{"content":{"x":{"encoding":{"e":{"headers":{"H":{"$ref":"#/components/headers/H"}}}}}}}}}}`, want: []string{"GET /a"}},
		{name: "a parameter that is itself", text: `{"swagger":"2.0","paths":{"/a":{"parameters":[{"$ref":"#/paths/~1a/parameters/0"}],"get":{}}}}`, want: []string{"GET /a *"}},
		{name: "a header that is itself", text: `{"swagger":"2.0","paths":{"/a":{"get":{"responses":{"200":{"headers":{"H":{"$ref":"#/paths/~1a/get/responses/200/headers/H"}}}}}}}}`, want: []string{"GET /a"}},
		{name: "items that are the parameters", text: `{"swagger":"2.0","paths":{"/a":{"get":{"parameters":[{"name":"p","in":"query","items":{"$ref":"#/paths/~1a/get/parameters"}}]}}}}`, want: []string{"GET /a *"}},
		{name: "items that are their list", text: "swagger: '2.0'\npaths:\n  /a:\n    get:\n      parameters: [&n {name: p, in: query, items: *n}]\n", want: []string{"GET /a"}},
		{name: "properties that are all schemas", text: "openapi: 3.0.0\npaths:\n  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}}}\ncomponents: {schemas: &n {B: {required: {}, properties: *n}}}\n", want: []string{"POST /a"}},
		{name: "two parameters that are each other", text: `{` + three + `"paths":{"/a":{"get":{"parameters":[{"$ref":"#/components/parameters/A"}]}}},"components":{"parameters":{"A":{"$ref":"#/components/parameters/B"},"B":{"$ref":"#/components/parameters/A"}}}}`, want: []string{"GET /a *"}},
		{name: "three schemas that are each other", text: `{` + three + `"paths":{"/a":{"get":{"parameters":[{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/A"}}]}}},"components":{"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/C"},"C":{"$ref":"#/components/schemas/A"}}}}`, want: []string{"GET /a *"}},
		{name: "a key twenty thousand times", text: "openapi: 3.0.0\npaths: {/a: {get: {}}}\n" + wideMap, want: []string{"GET /a"}},
		{name: "aliases of aliases", text: aliasBomb(), want: []string{"GET /a *"}},
		{name: "operations that are one another", text: "openapi: 3.0.0\npaths:\n  /a: &p\n    get: &o {responses: &r {'200': *o}, parameters: [*p, *o, *r]}\n", want: []string{"GET /a *"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := read(t, "api.yaml", c.text, openapi.Options{})
			if err != nil {
				t.Fatalf("Read: %v", err)
			}
			if got := calls(doc); !slices.Equal(got, c.want) {
				t.Errorf("operations = %v, want %v; notes:\n%s", got, c.want, texts(doc.Notes))
			}
			for _, tool := range doc.Tools {
				for _, n := range tool.Incomplete {
					if n.Text == "" || n.Pos.Line == 0 {
						t.Errorf("a note without text or place: %+v", n)
					}
				}
			}
		})
	}
}

// aliasBomb has a body schema of ten to the ninth fields.
func aliasBomb() string {
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\nx-l0: &l0 {type: string}\n")
	for i := 1; i < 10; i++ {
		b.WriteString("x-l" + string(rune('0'+i)) + ": &l" + string(rune('0'+i)) + "\n  properties:\n")
		for j := range 10 {
			b.WriteString("    p" + string(rune('0'+j)) + ": {properties: {q: *l" + string(rune('0'+i-1)) + "}}\n")
		}
	}
	b.WriteString("paths:\n  /a:\n    get: {parameters: [{name: n, in: query, schema: *l9}, 7]}\n")
	return b.String()
}

// One wrong part must cost neither the other operations nor the rest of its own.
func TestNothingIsLostByOneWrongPart(t *testing.T) {
	const good = `"/good":{"post":{"operationId":"good","parameters":[{"name":"p","in":"query","schema":{"type":"string"}}],"security":[{"k":[]}],"responses":{"200":{"description":"Fine."}}}}`
	for _, c := range []struct {
		name, item string
		want       []string
		partial    bool
	}{
		{"a path item that is missing", `{"$ref":"#/components/pathItems/None"}`, nil, true},
		{"a path item in another file", `{"$ref":"./other.yaml"}`, nil, true},
		{"a path item elsewhere", `{"$ref":"https://example.com/x.json#/P"}`, nil, true},
		{"a path item that is itself", `{"$ref":"#/paths/~1bad"}`, nil, true},
		{"a missing path item with operations beside", `{"$ref":"#/none","get":{}}`, []string{"GET /bad"}, true},
		{"an operation that is missing", `{"get":{"$ref":"#/none"},"put":{}}`, []string{"GET /bad *", "PUT /bad"}, false},
		{"parameters null", `{"parameters":null,"get":{"operationId":"x"}}`, []string{"GET /bad"}, false},
		{"parameters an object", `{"get":{"parameters":{},"operationId":"x"}}`, []string{"GET /bad *"}, false},
		{"responses a list", `{"get":{"responses":[],"operationId":"x"}}`, []string{"GET /bad *"}, false},
		{"security null", `{"get":{"security":null}}`, []string{"GET /bad"}, false},
		{"a parameter that is missing", `{"get":{"parameters":[{"$ref":"#/none"}]}}`, []string{"GET /bad *"}, false},
		{"a summary named like an extension", `{"summary":"x-foo","get":{},"put":{}}`, []string{"GET /bad", "PUT /bad"}, false},
		{"a summary named like a key", `{"summary":"parameters","get":{},"put":{}}`, []string{"GET /bad", "PUT /bad"}, false},
		{"an extension between operations", `{"get":{"operationId":"g"},"x-id":"X-1","post":{"operationId":"p"}}`, []string{"GET /bad", "POST /bad"}, false},
		{"an operation null", `{"get":null}`, []string{"GET /bad *"}, false},
		{"an operation a list", `{"get":[]}`, []string{"GET /bad *"}, false},
		{"an operation a text", `{"get":"s"}`, []string{"GET /bad *"}, false},
		{"a key that is no method", `{"foo":{},"get":{}}`, []string{"GET /bad"}, false},
		{"a method in upper case", `{"GET":{}}`, []string{"GET /bad"}, false},
		{"a path item null", `null`, nil, false},
		{"a path item a list", `[]`, nil, false},
		{"a body that is missing", `{"post":{"requestBody":{"$ref":"#/none"}}}`, []string{"POST /bad *"}, false},
		{"a body schema that is missing", `{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/none"}}}}}}`, []string{"POST /bad *"}, false},
		{"a response that is missing", `{"get":{"responses":{"200":{"$ref":"#/none"}}}}`, []string{"GET /bad *"}, false},
		{"wrong types everywhere", `{"get":{"operationId":[],"summary":{},"tags":7,"parameters":[null,7,[]],"requestBody":[],"responses":{"200":7},"security":{}}}`, []string{"GET /bad *"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := mustRead(t, `{"openapi":"3.0.0","paths":{"/bad":`+c.item+`,`+good+`}}`)
			if got := calls(doc); !slices.Equal(got, append(c.want, "POST /good")) {
				t.Errorf("operations = %v, want %v and the good one", got, c.want)
			}
			if doc.Partial != c.partial {
				t.Errorf("partial = %v, notes:\n%s", doc.Partial, texts(doc.Notes))
			}
			if c.partial && len(doc.Notes) == 0 {
				t.Error("nothing says what was not read")
			}
			last := doc.Tools[len(doc.Tools)-1]
			if last.ID != "good" || len(last.Fields) != 1 || !last.Security.Effective || len(last.Responses) != 1 {
				t.Errorf("the good operation has lost something: %+v", last)
			}
		})
	}
}

// What surrounds the broken part of an operation is kept.
func TestTheRestOfAnOperationIsKept(t *testing.T) {
	doc := mustRead(t, `{"openapi":"3.0.0","paths":{"/a":{"post":{"operationId":"keep","summary":"Keep.",
		"parameters":[{"$ref":"#/none"},{"name":"q","in":"query","schema":{"type":"string"}}],
		"requestBody":{"content":{"application/json":{"schema":{"properties":{"b":{},"c":{"$ref":"#/none"}}}}}},
		"responses":{"200":{"description":"Fine."},"404":{"$ref":"#/none"}},"security":[{"k":["s"]}]}}}}`)
	tool := doc.Tools[0]
	var fields []string
	for _, f := range tool.Fields {
		fields = append(fields, f.Path)
	}
	if !slices.Equal(fields, []string{"q", "b", "c"}) || tool.Summary.Value != "Keep." || len(tool.Responses) != 2 || !tool.Security.Effective {
		t.Errorf("fields %v of %+v", fields, tool)
	}
	if len(tool.Incomplete) != 3 {
		t.Errorf("incomplete:\n%swant three notes: a parameter, a property, a response", texts(tool.Incomplete))
	}
}

// The values of keys never decide what a document is.
func TestTheVersionComesFromTheRootsKeys(t *testing.T) {
	for _, text := range []string{
		`{"openapi":"3.0.0","x-origin":"swagger","info":{},"paths":{"/a":{"get":{}}}}`,
		`{"x-kind":"openapi","openapi":"3.1.0","paths":{"/a":{"get":{}}}}`,
		`{"x-kind":"asyncapi","swagger":"2.0","paths":{"/a":{"get":{}}}}`,
		`{"swagger":2.0,"paths":{"/a":{"get":{}}}}`,
		"openapi: 3.1\npaths: {/a: {get: {}}}\n",
		"\ufeffopenapi: 3.1.0\npaths: {/a: {get: {}}}\n",
		"\ufeff{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{}}}}",
		"\t{\"openapi\":\"3.1.0\",\r\"paths\":{\"/a\":{\"get\":{}}}}\t\r\n",
		"{openapi: 3.1.0, paths: {/a: {get: {}}}}",
		"openapi: 3.0.0\nswagger: '2.0'\npaths: {/a: {get: {}}}\n",
	} {
		doc := mustRead(t, text)
		if !slices.Equal(calls(doc), []string{"GET /a"}) {
			t.Errorf("%q: operations %v", text, calls(doc))
		}
	}
}
