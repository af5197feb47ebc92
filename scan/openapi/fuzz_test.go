package openapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// FuzzRead holds that every document is read or refused with a clear error, the
// same each time, and that every cited place holds the name it is cited for.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("../../testdata/openapi/same/*-*")
	if err != nil || len(files) == 0 {
		f.Fatalf("seeds: %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, seed := range []string{
		`{"openapi":"3.1.0","paths":{"/a":{"post":{"callbacks":{"cb":{"$ref":"#/paths"}}}}}}`,
		"&a {\"swagger\": \"2.0\", <<: *a}\n",
		"swagger: '2.0'\npaths:\n  /a:\n    get:\n      parameters: [&n {name: p, in: query, items: *n}]\n",
		"openapi: 3.0.0\npaths:\n  /a: &p\n    get: &o {responses: &r {'200': *o}, parameters: [*p, *o, *r]}\n",
		`{"openapi":"3.2.0","x":"\/\ud83d\ude00","paths":{"\/a":{"query":{"operationId":"q"}}}}`,
		"openapi: 3.0.0\npaths: {/a: {get: {parameters: [{$ref: 'https://example.com/p'}]}}}\n",
		"openapi: 3.0.0\r\npaths:\r\n  /a:\r\n    get: null\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text := string(data)
		doc, err := read(t, "api", text, openapi.Options{})
		again, errAgain := read(t, "api", text, openapi.Options{})
		if asJSON(t, doc) != asJSON(t, again) || (err == nil) != (errAgain == nil) {
			t.Fatal("two readings of one document differ")
		}
		var readErr *surface.ReadError
		if err != nil {
			if !errors.As(err, &readErr) || readErr.Message == "" || doc != nil {
				t.Fatalf("Read = %v, %#v, want a ReadError with a message", doc, err)
			}
			return
		}
		checkTools(t, text, doc.Tools)
	})
}

func asJSON(t *testing.T, doc *surface.Document) string {
	t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// obscure are texts whose places cannot be compared with a simple search: escapes,
// anchors, tags, and line breaks that YAML knows beside the usual one.
var obscure = regexp.MustCompile("[\\\\&*!?\r\u0085\u2028\u2029\ufeff]")

var word = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

func checkTools(t *testing.T, text string, tools []*surface.Tool) {
	t.Helper()
	ids := map[string]bool{}
	for _, tool := range tools {
		if ids[tool.ID] {
			t.Errorf("the id %q is given twice", tool.ID)
		}
		ids[tool.ID] = true
		if obscure.MatchString(text) {
			continue
		}
		checkPlace(t, text, tool.Pos, tool.Method)
		if word.MatchString(tool.Name.Value) && !strings.ContainsAny(at(text, tool.Name.Pos)[:1], "|>") {
			checkPlace(t, text, tool.Name.Pos, tool.Name.Value)
		}
		for _, field := range tool.Fields {
			if word.MatchString(field.Name) && strings.HasSuffix(field.Pos.Pointer, "/properties/"+field.Name) {
				checkPlace(t, text, field.Pos, field.Name)
			}
		}
	}
}

func checkPlace(t *testing.T, text string, pos surface.Position, name string) {
	t.Helper()
	got := strings.TrimLeft(at(text, pos), `"'`)
	if !strings.HasPrefix(strings.ToLower(got), strings.ToLower(name)) {
		t.Errorf("line %d, column %d (%s) holds %.40q, want %q", pos.Line, pos.Column, pos.Pointer, got, name)
	}
}

// BenchmarkRead shows that time is linear in operations; BenchmarkDecodeJSON is
// what it is measured against.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		data := generate(n)
		b.Run(count(n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				doc, err := openapi.Read(context.Background(), "api.json", data, openapi.Options{})
				if err != nil || len(doc.Tools) != n {
					b.Fatalf("%v tools, %v", doc, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/operation")
		})
	}
}

func BenchmarkDecodeJSON(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		data := generate(n)
		b.Run(count(n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				var v any
				if err := json.Unmarshal(data, &v); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/operation")
		})
	}
}
