package mcplist_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

var update = flag.Bool("update", false, "write the golden files")

const fixtures = "../../testdata/mcp"

// TestReadFixtures reads every list in testdata/mcp and compares all that was read
// with a golden file.
func TestReadFixtures(t *testing.T) {
	entries, err := os.ReadDir(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".json" && ext != ".jsonl" {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(fixtures, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			doc, err := mcplist.Read(context.Background(), e.Name(), data)
			if err != nil {
				t.Fatal(err)
			}
			checkPositions(t, data, doc)
			compareGolden(t, filepath.Join("testdata", e.Name()+".golden"), outline(doc))
		})
	}
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (-want +got):\n%s", file, diff)
	}
}

// outline writes a document as lines of text.
func outline(doc *surface.Document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q title=%q partial=%t\n", doc.Kind, doc.Name, doc.Title, doc.Partial)
	for _, n := range doc.Notes {
		fmt.Fprintf(&b, "note %s: %s\n", at(n.Pos), n.Text)
	}
	for _, tool := range doc.Tools {
		outlineTool(&b, tool)
	}
	return b.String()
}

func outlineTool(b *strings.Builder, t *surface.Tool) {
	fmt.Fprintf(b, "\n%s %s %s %s\n", t.Method, t.ID, t.Path, at(t.Pos))
	for _, text := range []struct {
		key string
		surface.Text
	}{{"name", t.Name}, {"title", t.Title}, {"description", t.Description}} {
		if text.Value != "" {
			fmt.Fprintf(b, "  %s %q %s\n", text.key, text.Value, at(text.Pos))
		}
	}
	in := t.Input
	fmt.Fprintf(b, "  input declared=%t properties=%d closed=%t required=%t %s\n", in.Declared, in.Properties, in.Closed, in.HasRequired, at(in.Pos))
	outlineFields(b, t.Fields)
	for _, r := range t.Responses {
		fmt.Fprintf(b, "  %s schema=%t array=%t object=%t hasArray=%t %s\n", r.Status, r.HasSchema, r.IsArray, r.IsObject, r.HasArray, at(r.Pos))
		outlineFields(b, r.Fields)
	}
	fmt.Fprintf(b, "  security effective=%t scopes=%q %s\n", t.Security.Effective, t.Security.Scopes, at(t.Security.Pos))
	a := t.Annotations
	fmt.Fprintf(b, "  hints readOnly=%s %s destructive=%s %s\n", hint(a.ReadOnly), at(a.ReadOnlyPos), hint(a.Destructive), at(a.DestructivePos))
	fmt.Fprintf(b, "  %s %d bytes\n", t.Fingerprint, t.DefinitionBytes)
	for _, n := range t.Incomplete {
		fmt.Fprintf(b, "  incomplete %s: %s\n", at(n.Pos), n.Text)
	}
}

func outlineFields(b *strings.Builder, fields []*surface.Field) {
	for _, f := range fields {
		fmt.Fprintf(b, "    %s %s depth=%d required=%t %v lower=%t upper=%t enum=%d %s\n", f.In, f.Path, f.Depth, f.Required, f.Types, f.HasLower, f.HasUpper, len(f.Enum), at(f.Pos))
	}
}

func at(p surface.Position) string {
	if p == (surface.Position{}) {
		return "-"
	}
	return fmt.Sprintf("%s@%d:%d", p.Pointer, p.Line, p.Column)
}

func hint(b *bool) string {
	if b == nil {
		return "-"
	}
	return fmt.Sprint(*b)
}
