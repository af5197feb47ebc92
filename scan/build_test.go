package scan

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// findingCase is a tool and what a rule finds at it: the values of the evidence, none
// for a tool that it clears.
type findingCase struct {
	name string
	s    *subject
	want []string
}

// checkFinding runs the rule of the finding code over the cases.
func checkFinding(t *testing.T, finding string, cases []findingCase) {
	t.Helper()
	var detector func(*subject) []surface.Text
	for _, r := range rules {
		if r.Finding == finding {
			detector = r.fires
		}
	}
	if detector == nil {
		t.Fatalf("no rule for %s", finding)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, place := range detector(c.s) {
				got = append(got, place.Value)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("action %s, evidence (-want +got):\n%s", c.s.action, diff)
			}
		})
	}
}

// mcp reads one tool of an MCP list; it panics on a bad one, which is a mistake in the
// test.
func mcp(tool string) *subject {
	doc, err := mcplist.Read(context.Background(), "tools.json", []byte("["+tool+"]"))
	if err != nil {
		panic(err)
	}
	return newDocument(doc).subject(doc.Tools[0])
}

// operation builds an OpenAPI operation from its method, path, operationId, summary
// and parts.
func operation(method, path, id, summary string, parts ...func(*surface.Tool)) *subject {
	t := &surface.Tool{
		Name: surface.Text{Value: id}, Method: method, Path: path, Summary: surface.Text{Value: summary},
		Pos: surface.Position{Line: 3},
	}
	for _, part := range parts {
		part(t)
	}
	doc := &surface.Document{Kind: surface.OpenAPI, Tools: []*surface.Tool{t}}
	return newDocument(doc).subject(t)
}

// field adds a request field of a type ("" for none) with a description.
func field(name, typ, description string, parts ...func(*surface.Field)) func(*surface.Tool) {
	return func(t *surface.Tool) { t.Fields = append(t.Fields, newField("query", name, typ, description, parts)) }
}

// answer adds a 200 response with a schema and the fields given.
func answer(fields ...*surface.Field) func(*surface.Tool) {
	return func(t *surface.Tool) {
		t.Responses = append(t.Responses, surface.Response{Status: "200", HasSchema: true, IsObject: true, Fields: fields})
	}
}

func responseField(name, typ string) *surface.Field { return newField("response", name, typ, "", nil) }

func newField(in, name, typ, description string, parts []func(*surface.Field)) *surface.Field {
	f := &surface.Field{
		Name: name, Path: name, In: in, Depth: 1,
		Schema: &surface.Schema{Description: surface.Text{Value: description}},
	}
	if typ != "" {
		f.Types = []string{typ}
	}
	for _, part := range parts {
		part(f)
	}
	return f
}

func lower(f *surface.Field) { f.HasLower = true }
func upper(f *surface.Field) { f.HasUpper = true }
func enum(f *surface.Field)  { f.HasEnum = true }
func fixed(f *surface.Field) { f.HasConst = true }

func under(parent string) func(*surface.Field) {
	return func(f *surface.Field) { f.Parent, f.Path, f.Depth = parent, parent+"."+f.Name, 2 }
}

// secured protects the tool, with the scopes given.
func secured(scopes ...string) func(*surface.Tool) {
	return func(t *surface.Tool) { t.Security = surface.Security{Effective: true, Scopes: scopes} }
}
