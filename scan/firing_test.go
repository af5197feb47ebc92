package scan

import (
	"slices"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// tool builds an MCP tool from its name, description and parts.
func tool(name, description string, parts ...func(*surface.Tool)) *subject {
	t := &surface.Tool{
		ID: name, Name: surface.Text{Value: name}, Method: surface.MethodMCP, Path: "mcp://tools/" + name,
		Description: surface.Text{Value: description, Pos: surface.Position{Line: 4}}, Pos: surface.Position{Line: 3},
	}
	for _, part := range parts {
		part(t)
	}
	return newDocument(&surface.Document{Kind: surface.MCP, Tools: []*surface.Tool{t}}).subject(t)
}

// respond adds a response; it has a schema where fields are given.
func respond(status, description string, fields ...string) func(*surface.Tool) {
	r := surface.Response{Status: status, Description: surface.Text{Value: description}, HasSchema: len(fields) > 0}
	for _, name := range fields {
		r.Fields = append(r.Fields, responseField(name, "string"))
	}
	return func(t *surface.Tool) { t.Responses = append(t.Responses, r) }
}

// beside says which other methods the path has.
func beside(methods ...string) func(*surface.Tool) {
	return func(t *surface.Tool) { t.PutOnPath = slices.Contains(methods, "PUT") }
}

// hint sets annotations; a nil one is not given.
func hint(readOnly, destructive *bool) func(*surface.Tool) {
	return func(t *surface.Tool) {
		t.Annotations = surface.Annotations{
			ReadOnly: readOnly, ReadOnlyPos: surface.Position{Line: 5},
			Destructive: destructive, DestructivePos: surface.Position{Line: 6},
		}
	}
}

var yes, no = new(true), new(false)

// expectFiring runs the rule of the finding code where it is for the subject's kind of
// document.
func expectFiring(t *testing.T, finding string, s *subject, want bool) {
	t.Helper()
	for _, r := range rules {
		if r.Finding != finding {
			continue
		}
		var places []surface.Text
		if r.appliesTo(s.doc.Kind) {
			places = r.fires(s)
		}
		if len(places) > 0 != want {
			t.Errorf("%s %s (%s) %q: found %v, want firing %t",
				s.tool.Method, s.tool.Name.Value, s.action, prose(s.tool), places, want)
		}
		return
	}
	t.Fatalf("no rule for %s", finding)
}
