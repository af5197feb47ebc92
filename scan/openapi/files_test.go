package openapi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumbline-mcp/plumbline/scan/openapi"
)

func TestReferencesToOtherFiles(t *testing.T) {
	main := `openapi: 3.0.0
paths:
  /a: {$ref: 'paths/a.yaml'}
  /b: {$ref: './paths/b.json#/B'}
  /c: {get: {parameters: [{$ref: 'api.yaml#/components/parameters/P'}]}}
components: {parameters: {P: {name: p, in: query, schema: {type: string}}}}
`
	fsys := fstest.MapFS{
		"v1/api.yaml":           {Data: []byte(main)},
		"v1/paths/a.yaml":       {Data: []byte("post:\n  requestBody: {content: {application/json: {schema: {$ref: '../common/one.yaml#/One'}}}}\n")},
		"v1/paths/b.json":       {Data: []byte(`{"B": {"get": {"parameters": [{"$ref": "../api.yaml#/components/parameters/P"}, {"$ref": "my%20file.yaml"}]}}}`)},
		"v1/paths/my file.yaml": {Data: []byte("{name: spaced, in: query}\n")},
		"v1/common/one.yaml":    {Data: []byte("One: {properties: {two: {$ref: 'two.yaml#/Two'}}}\n")},
		"v1/common/two.yaml":    {Data: []byte("Two: {properties: {one: {$ref: 'one.yaml#/One'}, name: {type: string}}}\n")},
	}
	doc, err := read(t, "api.yaml", main, openapi.Options{Files: fsys, Path: "v1/api.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if got := calls(doc); !slices.Equal(got, []string{"POST /a", "GET /b", "GET /c"}) || len(doc.Notes) > 0 || doc.Partial {
		t.Fatalf("operations = %v, notes:\n%s", got, texts(doc.Notes))
	}
	for i, want := range [][]string{{"body two", "body two.one", "body two.name"}, {"query p", "query spaced"}, {"query p"}} {
		if got := paths(doc.Tools[i].Fields); !slices.Equal(got, want) {
			t.Errorf("fields of %s = %v, want %v", doc.Tools[i].Path, got, want)
		}
	}
	if pos := doc.Tools[0].Pos; pos.File != "v1/paths/a.yaml" || pos.Line != 1 || pos.Pointer != "/post" {
		t.Errorf("operation at %+v", pos)
	}
	if pos := doc.Tools[1].Fields[0].Pos; pos.File != "" || pos.Pointer != "/components/parameters/P" {
		t.Errorf("a parameter back in the document at %+v", pos)
	}
}

func TestFilesThatAreNotRead(t *testing.T) {
	big := "a: " + strings.Repeat("x", openapi.MaxFileBytes)
	fsys := fstest.MapFS{
		"api/broken.yaml": {Data: []byte("a: b: c")},
		"api/folder/x":    {Data: []byte("a")},
		"api/big.yaml":    {Data: []byte(big)},
		"api/self.yaml":   {Data: []byte("$ref: self.yaml")},
		"secret.yaml":     {Data: []byte("name: secret")},
	}
	for ref, want := range map[string]string{
		"../../etc/passwd":    "outside the root",
		"/secret.yaml":        "outside the root",
		"..%2f..%2fpasswd":    "outside the root",
		"none.yaml":           "no such file",
		"broken.yaml":         "not valid YAML",
		"folder":              "not a regular file",
		"big.yaml":            "bytes",
		"self.yaml":           "back to itself",
		"file:///secret.yaml": "never fetched",
		"../secret.yaml#/x":   "points to nothing",
	} {
		text := "openapi: 3.0.0\npaths:\n  /a: {get: {parameters: [{$ref: '" + ref + "'}]}}\n"
		doc, err := read(t, "api.yaml", text, openapi.Options{Files: fsys, Path: "api/api.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(doc.Tools[0].Incomplete); !strings.Contains(got, want) || len(doc.Tools[0].Incomplete) != 1 {
			t.Errorf("%s: incomplete = %q, want %q", ref, got, want)
		}
	}
}

func TestALinkOutOfTheRootIsNotFollowed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("name: secret\nin: query\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	text := "openapi: 3.0.0\npaths:\n  /a: {get: {parameters: [{$ref: 'link.yaml'}]}}\n"
	doc, err := read(t, "api.yaml", text, openapi.Options{Files: root.FS(), Path: "api.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	tool := doc.Tools[0]
	if len(tool.Fields) > 0 || len(tool.Incomplete) != 1 || strings.Contains(texts(tool.Incomplete), dir) {
		t.Errorf("fields %v, incomplete:\n%s", paths(tool.Fields), texts(tool.Incomplete))
	}
}

// What the file system refuses is said in the document's terms, without the words of
// the system's calls.
func TestUnreadableFilesAreToldPlainly(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(outside, []byte("P: {name: secret, in: query}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for file, want := range map[string]string{
		"link.yaml": "outside the root", "gone.yaml": "no such file", "nul%00.yaml": "correct the path",
	} {
		text := "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      parameters: [{$ref: '" + file + "#/P'}]\n"
		doc, err := openapi.Read(t.Context(), "main.yaml", []byte(text), openapi.Options{Files: root.FS(), Path: "main.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(doc.Tools[0].Incomplete, doc.Notes)
		if !strings.Contains(said, want) || strings.Contains(said, "statat") || strings.Contains(said, "secret") {
			t.Errorf("%s: %s, want %q", file, said, want)
		}
	}
}
