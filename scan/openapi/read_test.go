package openapi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func paths(fields []*surface.Field) []string {
	var list []string
	for _, f := range fields {
		list = append(list, f.In+" "+f.Path)
	}
	return list
}

// Kinds of documents that have broken other tools.
func TestUncommonDocuments(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // operations
		note       string
	}{
		{"a component that is only a reference to itself, as items", `openapi: 3.0.0
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Loop'}}}}}}}}
components: {schemas: {Loop: {$ref: '#/components/schemas/Loop'}}}
`, []string{"POST /a *"}, ""},
		{"schemas that refer to each other, and no paths", `openapi: 3.1.0
components: {schemas: {A: {properties: {b: {$ref: '#/components/schemas/B'}}}, B: {properties: {a: {$ref: '#/components/schemas/A'}}}}}
`, nil, "no `paths`"},
		{"only webhooks", "openapi: 3.1.0\nwebhooks: {new: {post: {}}}\n", nil, "webhooks"},
		{"no paths in paths", "openapi: 3.1.0\npaths: {}\n", nil, ""},
		{"paths null", "openapi: 3.1.0\npaths:\n", nil, "paths is null, not an object"},
		{"paths a list", "openapi: 3.1.0\npaths: [/a]\n", nil, "paths is an array"},
		{"paths elsewhere in the document", "openapi: 3.1.0\npaths: {$ref: '#/x-paths'}\nx-paths: {/a: {get: {}}}\n", []string{"GET /a"}, ""},
		{"a property named like its schema", `openapi: 3.0.0
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}}
components: {schemas: {Pet: {properties: {Pet: {$ref: '#/components/schemas/Pet'}}}}}
`, []string{"POST /a"}, ""},
		{"unquoted status, a date as version, null description", `openapi: 3.0.0
info: {title: 7, version: 2024-01-31, description: null}
paths: {/a: {get: {description: null, responses: {200: {description: null}}}}}
`, []string{"GET /a"}, ""},
		{"a path as an alias", "openapi: 3.0.0\nx-p: &p /a\npaths:\n  *p : {get: {}}\n", []string{"GET /a"}, ""},
		{"duplicate keys", `{"openapi":"3.0.0","paths":{"/a":{"get":{}},"/b":{"put":{}},"/a":{"post":{}}}}`, []string{"PUT /b", "POST /a"}, `"/a" stands twice`},
		{"several documents", "openapi: 3.0.0\npaths: {/a: {get: {}}}\n---\nopenapi: 3.0.0\n", []string{"GET /a"}, "3:1 another YAML document"},
		{"a document with its markers", "# c\n%YAML 1.2\n---\nopenapi: 3.0.0\npaths: {/a: {get: {}}}\n", []string{"GET /a"}, ""},
		{"additional operations", "openapi: 3.2.0\npaths: {/a: {query: {}, additionalOperations: {COPY: {}, link: {}}}}\n", []string{"QUERY /a", "COPY /a", "LINK /a"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := mustRead(t, c.text)
			if got := calls(doc); !slices.Equal(got, c.want) {
				t.Errorf("operations = %v, want %v", got, c.want)
			}
			if notes := texts(doc.Notes); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes = %q, want one with %q", notes, c.note)
			}
		})
	}
}

func TestSecurity(t *testing.T) {
	for _, c := range []struct {
		root, own string
		effective bool
		scopes    []string
		notes     int
	}{
		{"", "", false, nil, 0},
		{"security: [{key: []}]", "", true, nil, 0},
		{"security: [{key: []}]", "security: []", false, nil, 0},
		{"security: [{key: []}]", "security: [{}]", false, nil, 0},
		{"security: [{key: []}]", "security: [{key: []}, {}]", false, nil, 0},
		{"", "security: [{login: [read, write]}, {key: [], login: [write, admin]}]", true, []string{"read", "write", "admin"}, 0},
		{"security: [{key: []}]", "security: null", true, nil, 0},
		{"security: null", "", false, nil, 0},
		{"security: [{key: []}]", "security: {key: []}", true, nil, 1},
		{"security: 7", "", false, nil, 1},
		{"", "security: [key]", false, nil, 1},
	} {
		doc := mustRead(t, "openapi: 3.0.0\n"+c.root+"\npaths:\n  /a:\n    get:\n      summary: S\n      "+c.own+"\n")
		tool := doc.Tools[0]
		if tool.Security.Effective != c.effective || !slices.Equal(tool.Security.Scopes, c.scopes) || len(tool.Incomplete) != c.notes {
			t.Errorf("root %q, own %q: %+v, incomplete:\n%s", c.root, c.own, tool.Security, texts(tool.Incomplete))
		}
		if isNull := strings.Contains(c.root+c.own, "null"); isNull != strings.Contains(texts(doc.Notes), "security is null") {
			t.Errorf("root %q, own %q: notes:\n%s", c.root, c.own, texts(doc.Notes))
		}
	}
}

// A fingerprint changes with the security schemes that the operation asks for, and
// with no other.
func TestFingerprintsCoverTheSchemesAskedFor(t *testing.T) {
	print := func(root, own, used, other string) string {
		return mustRead(t, fmt.Sprintf("openapi: 3.0.0\nsecurity: %s\npaths: {/a: {get: {summary: S%s}}}\n"+
			"components: {securitySchemes: {used: %s, other: %s}}\n", root, own, used, other)).Tools[0].Fingerprint
	}
	const key, header = "{type: apiKey, in: query, name: key}", "{type: apiKey, in: header, name: X-Key}"
	for _, asked := range []struct{ root, own string }{
		{"[{used: []}]", ""}, {"[{other: []}]", ", security: [{used: []}]"}, {"[]", ", security: [{}, {used: []}]"},
		{"[{used: []}]", ", security: null"},
	} {
		before := print(asked.root, asked.own, key, key)
		if before == print(asked.root, asked.own, header, key) {
			t.Errorf("%+v: the scheme asked for may change unseen", asked)
		}
		if before != print(asked.root, asked.own, key, header) {
			t.Errorf("%+v: a scheme that is not asked for counts", asked)
		}
	}
	swagger := "swagger: '2.0'\nsecurity: [{used: []}]\npaths: {/a: {get: {}}}\nsecurityDefinitions: {used: %s}\n"
	if mustRead(t, fmt.Sprintf(swagger, key)).Tools[0].Fingerprint == mustRead(t, fmt.Sprintf(swagger, header)).Tools[0].Fingerprint {
		t.Error("of Swagger 2.0 the scheme asked for may change unseen")
	}
}

func TestIDsAreUnique(t *testing.T) {
	doc := mustRead(t, `openapi: 3.0.0
paths:
  /users/{userId}: {get: {}, put: {operationId: save}}
  /users/{user_id}: {get: {}}
  /: {get: {}}
  /b: {get: {operationId: save}, put: {operationId: save_2}, post: {operationId: 12}}
`)
	var ids []string
	for _, tool := range doc.Tools {
		ids = append(ids, tool.ID)
	}
	if want := []string{"get_users_user_id", "save", "get_users_user_id_2", "get", "save_2", "save_2_2", "12"}; !slices.Equal(ids, want) {
		t.Errorf("ids = %v, want %v", ids, want)
	}
	if notes := texts(doc.Notes); !strings.Contains(notes, `6:27 the operationId "save" is used by several operations`) {
		t.Errorf("notes = %s", notes)
	}
}

func TestParametersAndBodies(t *testing.T) {
	for _, c := range []struct {
		name, operation string
		want            []string
		properties      int
	}{
		{"an operation's parameter replaces that of the path", "parameters: [{name: p, in: query, schema: {type: integer}}]", []string{"query q", "query p"}, 2},
		{"the same name elsewhere is another", "parameters: [{name: p, in: header}]", []string{"query p", "query q", "header p"}, 3},
		{"parameters with content", "parameters: [{name: f, in: query, content: {application/json: {schema: {properties: {a: {}}}}}}]",
			[]string{"query p", "query q", "query f", "query f.a"}, 3},
		{"bodies of several media types", "requestBody: {content: {text/xml: {schema: {properties: {x: {}, a: {}}}}, application/problem+json: {schema: {properties: {a: {}, b: {}}}}}}",
			[]string{"query p", "query q", "body a", "body b", "body x"}, 5},
		{"a form", "requestBody: {content: {multipart/form-data: {schema: {properties: {file: {type: string, format: binary}}}}}}",
			[]string{"query p", "query q", "formData file"}, 3},
		{"a stream", "requestBody: {content: {application/jsonl: {itemSchema: {properties: {line: {}}}}}}", []string{"query p", "query q", "body line"}, 3},
		{"a text", "requestBody: {content: {text/plain: {schema: {type: string}}}}", []string{"query p", "query q"}, 2},
	} {
		doc := mustRead(t, "openapi: 3.2.0\npaths:\n  /a:\n    parameters: [{name: p, in: query}, {name: q, in: query}]\n    post:\n      "+c.operation+"\n")
		tool := doc.Tools[0]
		if got := paths(tool.Fields); !slices.Equal(got, c.want) || tool.Input.Properties != c.properties || !tool.Input.Declared || len(tool.Incomplete) > 0 {
			t.Errorf("%s: fields %v, want %v; input %+v, incomplete:\n%s", c.name, got, c.want, tool.Input, texts(tool.Incomplete))
		}
	}
}

func TestADescriptionBesideTheSchemaWins(t *testing.T) {
	doc := mustRead(t, `openapi: 3.0.0
paths:
  /a:
    get:
      parameters:
        - {name: p, in: query, description: Mine., schema: {$ref: '#/components/schemas/S'}}
        - {name: q, in: query, schema: {$ref: '#/components/schemas/S'}}
components: {schemas: {S: {type: string, description: Shared., enum: [x]}}}
`)
	p, q := doc.Tools[0].Fields[0], doc.Tools[0].Fields[1]
	if p.Description.Value != "Mine." || q.Description.Value != "Shared." || !p.HasEnum || !q.HasEnum {
		t.Errorf("descriptions %q and %q, enums %v and %v", p.Description.Value, q.Description.Value, p.HasEnum, q.HasEnum)
	}
}

func TestWhatIsOutsideIsReportedOnce(t *testing.T) {
	doc := mustRead(t, `openapi: 3.0.0
paths:
  /a: {get: {parameters: [{$ref: 'https://example.com/p.yaml'}], responses: {200: {$ref: './r.yaml#/R'}}}}
  /b: {get: {parameters: [{$ref: 'https://example.com/p.yaml'}], responses: {200: {$ref: './r.yaml#/R'}, 400: {$ref: '#/none'}}}}
`)
	if got := calls(doc); !slices.Equal(got, []string{"GET /a *", "GET /b *"}) {
		t.Errorf("operations = %v", got)
	}
	notes := texts(doc.Notes)
	if len(doc.Notes) != 2 || !strings.Contains(notes, "example.com/p.yaml") || !strings.Contains(notes, "never fetched") || !strings.Contains(notes, "--root DIR") {
		t.Errorf("notes:\n%s", notes)
	}
	if len(doc.Tools[1].Incomplete) != 3 {
		t.Errorf("incomplete:\n%s", texts(doc.Tools[1].Incomplete))
	}
}

func TestBudgetsAreNotesOnTheOperation(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\npaths:\n  /small: {get: {}}\n  /big:\n    post:\n      requestBody:\n        content:\n          application/json:\n            schema:\n              properties:\n")
	for i := range 2_100 {
		fmt.Fprintf(&b, "                p%d: {type: string}\n", i)
	}
	doc := mustRead(t, b.String())
	if got := calls(doc); !slices.Equal(got, []string{"GET /small", "POST /big *"}) {
		t.Errorf("operations = %v", got)
	}
	if len(doc.Tools[1].Fields) != 2_000 {
		t.Errorf("%d fields were read", len(doc.Tools[1].Fields))
	}
}

func TestSizeLimits(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"YAML", "openapi: 3.0.0\nx: " + strings.Repeat("a", openapi.MaxYAMLBytes), "bytes of YAML"},
		{"YAML lines", "openapi: 3.0.0\nx: |\n" + strings.Repeat(" a\n", openapi.MaxYAMLMarks), "lines and values in YAML"},
		{"YAML lists", "openapi: 3.0.0\nx: [" + strings.Repeat("1,", openapi.MaxFlowMarks), "commas and brackets"},
		{"JSON values", `{"openapi":"3.0.0","x":[1` + strings.Repeat(",1", openapi.MaxJSONMemory/150) + "]}", "keys and values"},
		{"JSON depth", `{"openapi":"3.0.0","x":` + strings.Repeat("[", openapi.MaxJSONDepth) + strings.Repeat("]", openapi.MaxJSONDepth) + "}", "deep"},
	} {
		_, err := openapi.Read(context.Background(), "api", []byte(c.text), openapi.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want one with %q", c.name, err, c.want)
		}
	}
	depth := openapi.MaxJSONDepth - 1
	within := `{"openapi":"3.0.0","paths":{"/a":{"get":{}}},"x":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}"
	if got := calls(mustRead(t, within)); !slices.Equal(got, []string{"GET /a"}) {
		t.Errorf("at the limit: operations %v", got)
	}
}
