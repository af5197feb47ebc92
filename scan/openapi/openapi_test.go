package openapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hang is the time after which a reading counts as one that never ends.
const hang = 20 * time.Second

// read reads one document and fails the test if it does not come to an end.
func read(t testing.TB, name, text string, opts openapi.Options) (*surface.Document, error) {
	t.Helper()
	type answer struct {
		doc *surface.Document
		err error
	}
	done := make(chan answer, 1)
	go func() {
		doc, err := openapi.Read(context.Background(), name, []byte(text), opts)
		done <- answer{doc, err}
	}()
	select {
	case a := <-done:
		return a.doc, a.err
	case <-time.After(hang):
		t.Fatalf("reading %.200q hangs", text)
		return nil, nil
	}
}

// mustRead reads a document that has to be readable.
func mustRead(t testing.TB, text string) *surface.Document {
	t.Helper()
	doc, err := read(t, "api.yaml", text, openapi.Options{})
	if err != nil {
		t.Fatalf("Read: %v\n%s", err, text)
	}
	return doc
}

// calls are the operations as "METHOD path", and with a star where a part of one
// was not read.
func calls(doc *surface.Document) []string {
	var list []string
	for _, tool := range doc.Tools {
		call := tool.Method + " " + tool.Path
		if len(tool.Incomplete) > 0 {
			call += " *"
		}
		list = append(list, call)
	}
	return list
}

func texts(notes []surface.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%d:%d %s\n", n.Pos.Line, n.Pos.Column, n.Text)
	}
	return b.String()
}

func TestTheSameAPIInEveryVersionAndSyntax(t *testing.T) {
	files, err := filepath.Glob("../../testdata/openapi/same/*-*")
	if err != nil || len(files) != 8 {
		t.Fatalf("fixtures: %v, %v", files, err)
	}
	var first []*surface.Tool
	prints := map[string][]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi.Read(context.Background(), filepath.Base(file), data, openapi.Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(doc.Notes) > 0 || doc.Title != "Parcel desk" {
			t.Errorf("%s: title %q, notes:\n%s", file, doc.Title, texts(doc.Notes))
		}
		version := strings.TrimSuffix(file, filepath.Ext(file))
		for _, tool := range doc.Tools {
			prints[version+tool.ID] = append(prints[version+tool.ID], fmt.Sprint(tool.Fingerprint, tool.DefinitionBytes))
		}
		if first == nil {
			first = doc.Tools
			golden(t, "testdata/same.golden", describe(first))
			continue
		}
		same := cmp.Options{cmpopts.IgnoreTypes(surface.Position{}), cmpopts.IgnoreFields(surface.Tool{}, "Fingerprint", "DefinitionBytes")}
		if diff := cmp.Diff(first, doc.Tools, same); diff != "" {
			t.Errorf("%s differs from %s (-%[2]s +%[1]s):\n%s", filepath.Base(file), filepath.Base(files[0]), diff)
		}
	}
	for tool, list := range prints {
		if len(list) != 2 || list[0] != list[1] {
			t.Errorf("%s: JSON and YAML have fingerprints and sizes %v", tool, list)
		}
	}
}

// describe writes tools as lines that a person can check against the document.
func describe(tools []*surface.Tool) string {
	var b strings.Builder
	for _, tool := range tools {
		fmt.Fprintf(&b, "%s: %s %s put %v, secured %v %v, closed %v, %d at the top, required %v\n", tool.ID, tool.Method, tool.Path,
			tool.PutOnPath, tool.Security.Effective, tool.Security.Scopes, tool.Input.Closed, tool.Input.Properties, tool.Input.HasRequired)
		for _, f := range tool.Fields {
			writeField(&b, f)
		}
		for _, answer := range tool.Responses {
			fmt.Fprintf(&b, "  -> %s %q schema %v array %v/%v object %v headers %v\n", answer.Status, answer.Description.Value,
				answer.HasSchema, answer.IsArray, answer.HasArray, answer.IsObject, answer.Headers)
			for _, f := range answer.Fields {
				writeField(&b, f)
			}
		}
	}
	return b.String()
}

func writeField(b *strings.Builder, f *surface.Field) {
	fmt.Fprintf(b, "  %s %s %v required %v %s", f.In, f.Path, f.Types, f.Required, f.Format)
	for _, v := range f.Enum {
		fmt.Fprintf(b, " |%s", v.Value)
	}
	for _, is := range []struct {
		so   bool
		word string
	}{{f.HasEnum, "enum"}, {f.HasPattern, "pattern"}, {f.HasDefault, "default"}, {f.ReadOnly, "readOnly"}, {f.HasLower, "lower"}, {f.HasUpper, "upper"}} {
		if is.so {
			b.WriteString(" " + is.word)
		}
	}
	fmt.Fprintf(b, " %q\n", f.Description.Value)
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), -update writes it anew:\n%s", file, diff)
	}
}

func TestPlaces(t *testing.T) {
	doc := mustRead(t, `openapi: 3.1.0
paths:
  /a:
    post:
      operationId: addA
      parameters:
        - name: q
          in: query
      requestBody:
        content:
          application/json:
            schema:
              properties:
                "na/me": {type: string}
  /b:
    $ref: '#/components/pathItems/B'
components:
  pathItems:
    B:
      get: {summary: B.}
`)
	a, b := doc.Tools[0], doc.Tools[1]
	for _, c := range []struct {
		what string
		got  surface.Position
		want surface.Position
	}{
		{"operation", a.Pos, surface.Position{Pointer: "/paths/~1a/post", Line: 4, Column: 5}},
		{"name", a.Name.Pos, surface.Position{Pointer: "/paths/~1a/post/operationId", Line: 5, Column: 20}},
		{"parameter", a.Fields[0].Pos, surface.Position{Pointer: "/paths/~1a/post/parameters/0", Line: 7, Column: 11}},
		{"property", a.Fields[1].Pos, surface.Position{Pointer: "/paths/~1a/post/requestBody/content/application~1json/schema/properties/na~1me", Line: 14, Column: 17}},
		{"operation of a referenced path item", b.Pos, surface.Position{Pointer: "/components/pathItems/B/get", Line: 20, Column: 7}},
	} {
		if c.got != c.want {
			t.Errorf("%s at %+v, want %+v", c.what, c.got, c.want)
		}
	}
	if b.Path != "/b" || b.Summary.Value != "B." {
		t.Errorf("the referenced operation: %s %q", b.Path, b.Summary.Value)
	}
}

func TestColumnsAreThoseOfTheText(t *testing.T) {
	before := []string{`"plain"`, `"\/\/\/"`, `"\ud83d\ude00 \ud83d\ude00"`, "\"\u2028\u2029\ufeff\u0085\x7f\"", `"\ud800 alone"`,
		"\"é\U0001F600\"", "1,\n\"y\"\n:2", "[\"\\/\",\n\"\u2028\"]", "\"a\",\r\"b\":\t1", `"\"\\\u00e9"`}
	for _, value := range before {
		text := `{"openapi":"3.1.0","x-a":` + value + `,"paths":{"/a\/b":{"get":{"operationId":"marked","summary":"\ud83d\ude00"}},"/c":{"put":{"operationId":"later"}}}}`
		if !json.Valid([]byte(text)) {
			t.Fatalf("fixture is no JSON: %s", text)
		}
		doc := mustRead(t, text)
		if got := calls(doc); !slices.Equal(got, []string{"GET /a/b", "PUT /c"}) {
			t.Errorf("%s: operations %v", value, got)
			continue
		}
		for _, tool := range doc.Tools {
			for _, c := range []struct {
				pos  surface.Position
				want string
			}{{tool.Pos, strings.ToLower(tool.Method)}, {tool.Name.Pos, tool.Name.Value}} {
				if got := at(text, c.pos); !strings.HasPrefix(got, `"`+c.want+`"`) {
					t.Errorf("%s: line %d column %d holds %.20q, want %q", value, c.pos.Line, c.pos.Column, got, c.want)
				}
			}
		}
		if got := doc.Tools[0].Summary.Value; got != "\U0001F600" {
			t.Errorf("%s: summary %q", value, got)
		}
	}
}

// at is the text from a position on, to the end of its line.
func at(text string, pos surface.Position) string {
	lines := strings.Split(text, "\n")
	if pos.Line < 1 || pos.Line > len(lines) {
		return ""
	}
	line := []rune(lines[pos.Line-1])
	if pos.Column < 1 || pos.Column > len(line) {
		return ""
	}
	return string(line[pos.Column-1:])
}

// A caller may name any file: what it holds must not come back in the error.
func TestErrorsRepeatNothingOfOtherFiles(t *testing.T) {
	for _, text := range []string{
		"API_KEY=hunter2\n", "hunter2", "a: b: hunter2\n", `"hunter2"`, `{"hunter2": 1}`, "hunter2: 1\n",
		`["hunter2"]`, `{"a": hunter2}`, "- hunter2\n", "[hunter2", "*hunter2", "%hunter2\n---\n", "!hunter2 a",
	} {
		for _, name := range []string{"a.json", "a.yaml", ".env"} {
			_, err := read(t, name, text, openapi.Options{})
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s %q: error %v, want one without the text", name, text, err)
			}
		}
	}
}

func TestReadErrors(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"empty", "a.json", "", []string{"empty", "OpenAPI"}},
		{"only space", "a.yaml", " \n\t\n", []string{"empty"}},
		{"only a byte order mark", "a.yaml", "\ufeff", []string{"empty"}},
		{"only comments", "a.yaml", "# nothing\n", []string{"the root of the document is null"}},
		{"binary", "a.yaml", "PK\x03\x04\x00\x00", []string{"binary"}},
		{"not UTF-8", "a.yaml", "openapi: 3.0.0\ntitle: caf\xe9\n", []string{"line 2, column 11", "0xe9", "UTF-8"}},
		{"truncated JSON", "a.json", "{\"openapi\": \"3.0.0\",\n\"paths\": {", []string{"line 2, column 11", "not valid JSON"}},
		{"a comma too many", "a.json", "{\"openapi\": \"3.0.0\",\n \"paths\": {},}", []string{"line 2, column 14", "not valid JSON"}},
		{"a comma too many, name unknown", "stdin", "{\"openapi\": \"3.0.0\" \"paths\": {}}", []string{"line 1, column 21", "not valid JSON"}},
		{"broken YAML", "a.yaml", "openapi: 3.0.0\npaths: a: b\n", []string{"line 2, column 9", "not valid YAML"}},
		{"tab in YAML", "a.yaml", "openapi: 3.0.0\npaths:\n\t/a: {}\n", []string{"line 3", "not valid YAML"}},
		{"control character in YAML", "a.yaml", "openapi: 3.0.0\nx: \x01\n", []string{"not valid YAML", "control characters"}},
		{"an unknown alias", "a.yaml", "openapi: 3.0.0\nx: *none\n", []string{"line 2", "unknown anchor"}},
		{"a list", "a.json", `[1, 2]`, []string{"list, not an object", "openapi: 3.x"}},
		{"a list of tools", "a.json", `[{"name": "send"}]`, []string{"list", "scan mcp"}},
		{"a YAML list", "a.yaml", "- a\n", []string{"an array, not an object"}},
		{"text", "a.txt", "hello\n", []string{"line 1, column 1", "a string, not an object"}},
		{"null", "a.yaml", "---\n", []string{"null, not an object"}},
		{"no version", "a.json", `{"info": {}, "paths": {}}`, []string{"neither openapi nor swagger", "openapi: 3.x"}},
		{"no keys", "a.json", `{}`, []string{"neither openapi nor swagger"}},
		{"an MCP list", "a.json", `{"tools": []}`, []string{"scan mcp"}},
		{"an MCP answer", "a.json", `{"jsonrpc": "2.0", "result": {"tools": []}}`, []string{"scan mcp"}},
		{"AsyncAPI", "a.yaml", "asyncapi: 3.0.0\n", []string{"AsyncAPI"}},
		{"a version of the future", "a.yaml", "openapi: 4.0.0\n", []string{`"4.0.0"`, "openapi: 3.x", "line 1"}},
		{"no version at all", "a.yaml", "openapi: null\n", []string{`openapi: ""`}},
		{"an empty version", "a.yaml", "openapi: ''\npaths: {}\n", []string{`openapi: ""`}},
		{"a version that is an object", "a.yaml", "openapi: {}\npaths: {}\n", []string{`openapi: ""`}},
		{"an old Swagger", "a.yaml", "swagger: '1.2'\n", []string{`"1.2"`}},
		{"deep JSON", "a.json", deep, []string{"nested more than 1000 deep"}},
		{"deep YAML", "a.yaml", "openapi: 3.0.0\nx: " + strings.Repeat("[", 20_000), []string{"not valid YAML"}},
		{"merge keys without end", "a.yaml", mergeBomb(), []string{"merge keys"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := read(t, c.file, c.text, openapi.Options{})
			var readErr *surface.ReadError
			if !errors.As(err, &readErr) {
				t.Fatalf("Read = %v, %v, want a ReadError", doc, err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "libopenapi") || strings.Contains(err.Error(), "go-yaml") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error speaks of the library or has several lines: %q", err)
			}
		})
	}
}

func mergeBomb() string {
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\nbase: &base {")
	for i := range 600 {
		fmt.Fprintf(&b, "k%d: 1, ", i)
	}
	b.WriteString("}\nx:\n")
	for range 600 {
		b.WriteString("  - <<: *base\n")
	}
	return b.String()
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	text := `{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}`
	if doc, err := openapi.Read(ctx, "a.json", []byte(text), openapi.Options{}); !errors.Is(err, context.Canceled) || doc != nil {
		t.Errorf("Read = %v, %v, want the cancellation", doc, err)
	}
}
