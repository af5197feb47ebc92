package tools_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/tools"
)

var update = flag.Bool("update", false, "write the snapshots anew")

// A definition is a contract with agents: a change to one is seen in review.
func TestDefinitionSnapshots(t *testing.T) {
	known := map[string]bool{}
	for _, tool := range tools.All(tools.Deps{}) {
		file := filepath.Join("testdata", "tools", tool.Definition.Name+".json")
		known[file] = true
		got := indented(t, tool.Definition)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v: write it with `go test ./tools -update`", err)
		} else if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s differs (-want +got); if that is meant, run `go test ./tools -update`:\n%s", file, diff)
		}
	}
	files, err := filepath.Glob("testdata/tools/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[file] {
			t.Errorf("%s is the snapshot of no tool", file)
		}
	}
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range tools.All(tools.Deps{}) {
		name := tool.Definition.Name
		if seen[name] || !regexp.MustCompile(`^[a-z][a-z_]{2,40}$`).MatchString(name) {
			t.Errorf("the name %q is used twice, or is none that every host takes", name)
		}
		seen[name] = true
	}
}

// Hosts refuse or misread what is not here; and a missing hint means the worst.
func TestDefinitionsAreWhole(t *testing.T) {
	for _, tool := range tools.All(tools.Deps{}) {
		def := tool.Definition
		hints := []*bool{def.Annotations.ReadOnlyHint, def.Annotations.DestructiveHint, def.Annotations.IdempotentHint, def.Annotations.OpenWorldHint}
		for _, hint := range hints {
			if hint == nil {
				t.Errorf("%s: an annotation is not set", def.Name)
			}
		}
		if def.Title == "" || len(tool.Roles) == 0 {
			t.Errorf("%s: no title, or no role may call it", def.Name)
		}
		for _, part := range []string{"Use it ", "Do not use it "} {
			if !strings.Contains(def.Description, part) {
				t.Errorf("%s: the description does not say %q", def.Name, part)
			}
		}
	}
}

func TestSchemasAreStrict(t *testing.T) {
	for _, tool := range tools.All(tools.Deps{}) {
		def := tool.Definition
		for name, text := range map[string]json.RawMessage{"inputSchema": def.RawInputSchema, "outputSchema": def.RawOutputSchema} {
			schema, err := jsonschema.CompileString(name, string(text))
			if err != nil {
				t.Errorf("%s: %v", def.Name, err)
				continue
			}
			if schema.AdditionalProperties != false || len(schema.Types) != 1 || schema.Types[0] != "object" {
				t.Errorf("%s: the %s is not a closed object", def.Name, name)
			}
			if schema.AnyOf != nil || schema.OneOf != nil || schema.AllOf != nil {
				t.Errorf("%s: the %s has a combination at the top, which hosts refuse", def.Name, name)
			}
		}
		for name, property := range inputProperties(t, def) {
			checkProperty(t, def.Name+" "+name, property)
		}
	}
}

type property struct {
	Type        any // a name, or for what may come as text too, two
	Description string
	Enum        []string
	MaxLength   *int
	Minimum     *int
	Maximum     *int
	Items       any
}

func inputProperties(t *testing.T, def mcp.Tool) map[string]property {
	t.Helper()
	var schema struct{ Properties map[string]property }
	if err := json.Unmarshal(def.RawInputSchema, &schema); err != nil {
		t.Fatalf("%s: %v", def.Name, err)
	}
	return schema.Properties
}

func checkProperty(t *testing.T, name string, p property) {
	t.Helper()
	if p.Description == "" {
		t.Errorf("%s: no description", name)
	}
	bounded := map[string]bool{
		// A document is bounded by the message that carries it.
		"string":  p.MaxLength != nil || p.Enum != nil || strings.HasSuffix(name, " document"),
		"integer": p.Minimum != nil && p.Maximum != nil,
		"array":   p.Items != nil,
		"boolean": true,
		"object":  true,
	}
	if types, ok := p.Type.([]any); ok {
		if diff := cmp.Diff([]any{"object", "string"}, types); diff != "" {
			t.Errorf("%s: another choice than an object or its text (-want +got):\n%s", name, diff)
		}
	} else if single, ok := p.Type.(string); !ok || !bounded[single] {
		t.Errorf("%s: an unbounded %v", name, p.Type)
	}
}

// The whole list may cost an agent 4,000 tokens.
func TestCostOfDefinitions(t *testing.T) {
	const most, bytesPerToken = 4000, 4
	cost := 0
	for _, tool := range tools.All(tools.Deps{}) {
		text, err := json.Marshal(tool.Definition)
		if err != nil {
			t.Fatal(err)
		}
		cost += len(text)
	}
	if cost/bytesPerToken > most {
		t.Errorf("the definitions cost %d tokens, at most %d", cost/bytesPerToken, most)
	}
}

// The list that this server offers passes its own scan.
func TestOwnScan(t *testing.T) {
	var list []any
	for _, tool := range tools.All(tools.Deps{}) {
		list = append(list, json.RawMessage(indented(t, tool.Definition)))
	}
	got := newAgent(t).scan("scan_mcp_tools", args{"tools": list})
	if got.Verdict != "PASS" || got.Score < 95 || got.RiskCounts["critical"]+got.RiskCounts["high"] > 0 {
		t.Errorf("the tools score %d with %v, want 95 and nothing high or critical: %+v", got.Score, got.RiskCounts, got.ByRule)
	}
}
