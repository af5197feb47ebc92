package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/schema"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// at parses text and gives the schema under `root`.
func at(t testing.TB, text string) node.Target {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("fixture does not parse: %v\n%s", err, text)
	}
	node.Expand(&doc)
	tree := node.New("", &doc)
	return node.Target{Tree: tree, Node: tree.Get(tree.Root, "root"), Pointer: "/root"}
}

// describe is one line about a field: its path and all that its schema says.
func describe(f *surface.Field) string {
	words := []string{f.Path}
	if f.Required {
		words[0] += "!"
	}
	words = append(words, f.Types...)
	add := func(is bool, word string) {
		if is {
			words = append(words, word)
		}
	}
	add(f.Format != "", "format="+f.Format)
	var values []string
	for _, v := range f.Enum {
		values = append(values, v.Value)
	}
	add(f.HasEnum, "enum="+strings.Join(values, ","))
	add(f.HasConst, "const")
	add(f.HasPattern, "pattern")
	add(f.HasDefault, "default")
	add(f.ReadOnly, "readOnly")
	add(f.HasLower, "lower")
	add(f.HasUpper, "upper")
	add(f.Description.Value != "", "'"+f.Description.Value+"'")
	return strings.Join(words, " ")
}

func lines(fields []*surface.Field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, describe(f))
	}
	return out
}

func TestRequestFields(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"keywords", `
root:
  type: object
  required: [amount, status]
  properties:
    amount: {type: integer, minimum: 1, exclusiveMaximum: 100}
    status: {type: string, enum: [open, closed], default: open}
    kind: {const: fixed}
    code: {type: string, pattern: '^[A-Z]+$', format: code, readOnly: true}
    note: {type: [string, 'null'], description: What to say.}
    old: {type: number, exclusiveMinimum: true}
    any: {}
    yes: true
`, []string{"amount! integer lower upper", "status! string enum=open,closed default", "kind const",
			"code string format=code pattern readOnly", "note string 'What to say.'", "old number", "any", "yes"}},
		{"nesting", `
root:
  properties:
    order:
      required: [lines]
      properties:
        lines: {type: array, items: {properties: {sku: {type: string}}}}
    tags: {type: object, additionalProperties: {properties: {weight: {type: number}}}}
    map: {patternProperties: {'^x': {properties: {deep: {type: string}}}}}
    pair: {prefixItems: [{properties: {left: {}}}, {properties: {right: {}}}]}
`, []string{"order", "order.lines! array", "order.lines[].sku string", "tags object", "tags.*.weight number", "map", "map.*.deep string",
			"pair", "pair[].left", "pair[].right"}},
		{"allOf and references belong to the field", `
root:
  allOf: [{$ref: '#/defs/Base'}, {properties: {amount: {maximum: 5}}, required: [amount]}]
defs:
  Base: {properties: {amount: {$ref: '#/defs/Amount'}, mode: {allOf: [{$ref: '#/defs/Mode'}], description: How.}}}
  Amount: {type: number, minimum: 1, description: How much.}
  Mode: {type: string, enum: [a, b]}
`, []string{"amount! number lower upper 'How much.'", "mode string enum=a,b 'How.'"}},
		{"alternatives", `
root:
  properties:
    both: {oneOf: [{type: integer, minimum: 1, maximum: 9}, {type: number, minimum: 0}]}
    list: {anyOf: [{const: a, type: string}, {enum: [b, c], type: string}, {type: 'null'}]}
    half: {anyOf: [{enum: [a], type: string}, {type: string}]}
    text: {oneOf: [{type: string}, {type: integer, minimum: 1, maximum: 2}]}
    size: {anyOf: [{type: integer, maximum: 3}, {type: 'null'}]}
`, []string{"both integer number lower", "list string enum=a,b,c", "half string", "text integer string lower upper", "size integer upper"}},
		{"alternatives of objects", `
root:
  oneOf:
    - {required: [type, a], properties: {type: {const: card}, a: {type: integer, maximum: 1}}}
    - {required: [type], properties: {type: {const: bank}, a: {type: integer}, b: {}}}
`, []string{"type! enum=card,bank", "a integer", "b"}},
		{"conditions add, and limit nothing", `
root:
  properties: {amount: {type: integer}}
  if: {properties: {kind: {const: x}}}
  then: {properties: {amount: {maximum: 3}, reason: {type: string}}, required: [reason]}
  else: {properties: {other: {type: string}}}
  not: {properties: {never: {}}}
`, []string{"amount integer", "kind const", "reason string", "other string"}},
		{"circles end at the second visit", `
root: {$ref: '#/defs/Node'}
defs:
  Node: {properties: {name: {type: string}, parent: {$ref: '#/defs/Node'}, children: {type: array, items: {$ref: '#/defs/Node'}}}}
`, []string{"name string", "parent", "children array"}},
		{"the same schema under two names is spelled out twice", `
root: {properties: {from: {$ref: '#/defs/Place'}, to: {$ref: '#/defs/Place'}}}
defs: {Place: {properties: {city: {type: string}}}}
`, []string{"from", "from.city string", "to", "to.city string"}},
		{"a property named like its schema, and like keywords", `
root: {properties: {Pet: {$ref: '#/defs/Pet'}, properties: {type: string}, $ref: {type: string}, items: {type: array}}}
defs: {Pet: {type: object, properties: {Pet: {type: string}}}}
`, []string{"Pet object", "Pet.Pet string", "properties string", "$ref string", "items array"}},
		{"a list at the root", `root: {type: array, items: {properties: {id: {type: string}}}}`, []string{"[].id string"}},
		{"anchors and identifiers", `
root: {properties: {a: {$ref: '#Money'}, b: {$ref: 'https://example.com/money'}}}
$defs: {Money: {$anchor: Money, $id: 'https://example.com/money', type: string}}
`, []string{"a string", "b string"}},
		{"a list's field has its items' words", `root: {properties: {tags: {type: array, items: {type: string, enum: [x], description: One tag.}}}}`,
			[]string{"tags array 'One tag.'"}},
		{"merge keys and aliases", `
money: &money {type: number, minimum: 0}
root: {properties: {a: *money, b: {<<: *money, maximum: 1}}}
`, []string{"a number lower", "b number lower upper"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := schema.NewReader(&node.Resolver{}).Request(at(t, c.text), "body")
			if diff := cmp.Diff(c.want, lines(got.Fields)); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			if len(got.Problems) > 0 {
				t.Errorf("problems: %v", got.Problems)
			}
		})
	}
}

func TestFieldPlaces(t *testing.T) {
	got := schema.NewReader(&node.Resolver{}).Request(at(t, `root:
  properties:
    a/b: {$ref: '#/defs/X'}
defs:
  X:
    properties:
      inner: {type: string}
`), "input")
	a, inner := got.Fields[0], got.Fields[1]
	if want := (surface.Position{Pointer: "/root/properties/a~1b", Line: 3, Column: 5}); a.Pos != want {
		t.Errorf("outer field at %+v, want %+v", a.Pos, want)
	}
	if want := (surface.Position{Pointer: "/defs/X/properties/inner", Line: 7, Column: 7}); inner.Pos != want {
		t.Errorf("inner field at %+v, want %+v", inner.Pos, want)
	}
	if a.In != "input" || a.Depth != 1 || a.Parent != "" || inner.Depth != 2 || inner.Parent != "a/b" || inner.Path != "a/b.inner" {
		t.Errorf("places: %+v and %+v", a, inner)
	}
}

func TestWholeSchema(t *testing.T) {
	for _, c := range []struct {
		text string
		want schema.Result
	}{
		{"root: {}", schema.Result{}},
		{"root: {type: object}", schema.Result{IsObject: true}},
		{"root: {additionalProperties: false, properties: {a: {}, b: {properties: {c: {}}}}, required: [a]}",
			schema.Result{IsObject: true, Closed: true, HasRequired: true, Properties: 2}},
		{"root: {allOf: [{additionalProperties: false}, {required: [a]}], type: object}",
			schema.Result{IsObject: true, Closed: true, HasRequired: true}},
		{"root: {type: object, required: []}", schema.Result{IsObject: true}},
		{"root: {type: array, items: {}}", schema.Result{IsArray: true}},
		{"root: {items: {type: string}}", schema.Result{IsArray: true}},
		{"root: {properties: {data: {type: array}}}", schema.Result{IsObject: true, HasArray: true, Properties: 1}},
		{"root: {properties: {data: {$ref: '#/list'}}}\nlist: {items: {}}", schema.Result{IsObject: true, HasArray: true, Properties: 1}},
		{"root: {anyOf: [{additionalProperties: false, type: object}, {type: object}]}", schema.Result{IsObject: true}},
	} {
		got := schema.NewReader(&node.Resolver{}).Request(at(t, c.text), "body")
		got.Fields, got.Problems = nil, nil
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestResponseFieldsAreTheAnswersOwn(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"root: {properties: {id: {}, owner: {properties: {email: {}}}}}", []string{"id", "owner"}},
		{"root: {type: array, items: {properties: {id: {}, owner: {properties: {email: {}}}, tags: {type: array, items: {properties: {x: {}}}}}}}",
			[]string{"[].id", "[].owner", "[].tags array"}},
		{"root: {properties: {total: {}, data: {type: array, items: {$ref: '#/user'}}}}\nuser: {properties: {email: {}, boss: {$ref: '#/user'}}}",
			[]string{"total", "data array", "data[].email", "data[].boss"}},
		{"root: {allOf: [{$ref: '#/page'}]}\npage: {properties: {data: {items: {properties: {id: {}}}}}}", []string{"data", "data[].id"}},
	} {
		got := schema.NewReader(&node.Resolver{}).Response(at(t, c.text))
		if diff := cmp.Diff(c.want, lines(got.Fields)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"root: {properties: {a: {$ref: '#/none'}}}", `"#/none" points to nothing`},
		{"root: {properties: {a: {properties: {b: {$ref: 'https://example.com/x'}}}}}", "never fetched"},
		{"root: {allOf: [{$ref: './x.yaml'}]}", "--root DIR"},
		{"root: {properties: {a: {$ref: '#/root/properties/a'}}}", "back to itself"},
		{"root: {type: array, items: {$ref: '#/root/items'}}", "back to itself"},
		{"root: [1]", "neither an object nor a boolean"},
		{"root: {properties: [a]}", "properties is not an object"},
		{"root: {allOf: {type: string}}", "allOf is not a list"},
		{"root: {properties: {a: {$ref: 12, x: 1}, b: {$ref: [x]}}}", "$ref is not a text"},
		{"root: {properties: {a: {items: {type: string, oneOf: 5}}}}", "oneOf is not a list"},
	} {
		got := schema.NewReader(&node.Resolver{}).Request(at(t, c.text), "body")
		if !slices.ContainsFunc(got.Problems, func(n surface.Note) bool { return strings.Contains(n.Text, c.want) && n.Pos.Line > 0 }) {
			t.Errorf("%s: problems = %v, want one with %q", c.text, got.Problems, c.want)
		}
	}
}

// nested gives n objects inside each other.
func nested(n int) string {
	return "root: " + strings.Repeat("{properties: {a: ", n) + "{}" + strings.Repeat("}}", n) + "\n"
}

// wide gives an object of n properties.
func wide(n int) string {
	var b strings.Builder
	b.WriteString("root:\n  properties:\n")
	for i := range n {
		fmt.Fprintf(&b, "    p%d: {type: string}\n", i)
	}
	return b.String()
}

// knot gives n schemas each of which refers to all of them.
func knot(n int) string {
	var b strings.Builder
	b.WriteString("root: {$ref: '#/d/s0'}\nd:\n")
	for i := range n {
		fmt.Fprintf(&b, "  s%d:\n    properties:\n", i)
		for j := range n {
			fmt.Fprintf(&b, "      p%d: {$ref: '#/d/s%d'}\n", j, j)
		}
	}
	return b.String()
}

// chain gives n schemas each of which is the next one and a property.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("root: {$ref: '#/d/s0'}\nd:\n")
	for i := range n {
		fmt.Fprintf(&b, "  s%d: {allOf: [{$ref: '#/d/s%d'}], properties: {p%d: {}}}\n", i, i+1, i)
	}
	fmt.Fprintf(&b, "  s%d: {}\n", n)
	return b.String()
}

func TestBudgetsEndInAProblem(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"depth", nested(schema.MaxDepth + 2), "nested more than"},
		{"fields", wide(schema.MaxFields + 1), "more than 2000 fields"},
		{"composition", chain(schema.MaxComposition + 5), "refer to each other"},
		{"a knot", knot(60), "more than 2000 fields"},
	} {
		got := schema.NewReader(&node.Resolver{}).Request(at(t, c.text), "body")
		if len(got.Fields) > schema.MaxFields {
			t.Errorf("%s: %d fields", c.name, len(got.Fields))
		}
		if !slices.ContainsFunc(got.Problems, func(n surface.Note) bool { return strings.Contains(n.Text, c.want) }) {
			t.Errorf("%s: problems = %v, want one with %q", c.name, got.Problems, c.want)
		}
	}
	for _, text := range []string{nested(schema.MaxDepth), wide(schema.MaxFields), chain(schema.MaxComposition/2 - 1), knot(20)} {
		if got := schema.NewReader(&node.Resolver{}).Request(at(t, text), "body"); len(got.Problems) > 0 {
			t.Errorf("within the limits: %v", got.Problems)
		}
	}
}

func TestASharedSchemaIsFlattenedOnce(t *testing.T) {
	target := at(t, "root: {properties: {one: {$ref: '#/big'}, two: {$ref: '#/big'}}}\n"+strings.Replace(wide(100), "root:", "big:", 1))
	r := schema.NewReader(&node.Resolver{})
	first, _ := target.Tree.At("/root/properties/one")
	second, _ := target.Tree.At("/root/properties/two")
	a := r.Request(node.Target{Tree: target.Tree, Node: first}, "body")
	b := r.Request(node.Target{Tree: target.Tree, Node: second}, "body")
	if len(a.Fields) != 100 || a.Fields[0] != b.Fields[0] {
		t.Error("two references to one schema do not share their fields")
	}
}
