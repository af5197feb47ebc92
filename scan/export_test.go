package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// exported scans a document and holds its export to the schema.
func exported(t *testing.T, doc *surface.Document) *agentready.Export {
	t.Helper()
	e, err := Scan(t.Context(), doc, Options{Now: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := agentready.Write(&text, e); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	if err := jsonschema.MustCompileString("agentready.json", string(agentready.Schema())).Validate(value); err != nil {
		t.Errorf("the export does not hold to its schema: %v", err)
	}
	return e
}

func parsed(t *testing.T, text string) *surface.Document {
	t.Helper()
	doc, err := Read(t.Context(), Input{Name: "api", Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// unbounded is a document of n payments, which share a body of so many amounts.
func unbounded(n, amounts int) string {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","paths":{`)
	for i := range n {
		fmt.Fprintf(&b, `"/pay/%d":{"post":{"operationId":"payInvoice%d","requestBody":{"$ref":"#/components/requestBodies/all"}}},`, i, i)
	}
	b.WriteString(`"/x":{}},"components":{"requestBodies":{"all":{"content":{"application/json":{"schema":{"properties":{`)
	for i := range amounts {
		fmt.Fprintf(&b, `"f%d_amount":{"type":"number"},`, i)
	}
	b.WriteString(`"note":{}}}}}}}}}`)
	return b.String()
}

func found(t *testing.T, tool agentready.Tool, finding string) agentready.Rule {
	t.Helper()
	for _, r := range tool.DetectedRules {
		if r.FindingCode == finding {
			return r
		}
	}
	t.Fatalf("%s: no %s", tool.ID, finding)
	return agentready.Rule{}
}

func TestAFindingNamesSomePlacesAndCountsTheRest(t *testing.T) {
	for _, c := range []struct{ amounts, named, more int }{{3, 3, 0}, {maxPlaces, maxPlaces, 0}, {1_900, maxPlaces, 1_900 - maxPlaces}} {
		r := found(t, exported(t, parsed(t, unbounded(1, c.amounts))).Tools[0], "unbounded_parameter")
		if len(r.Evidence) != c.named || r.MoreEvidence != c.more {
			t.Errorf("%d places: %d named, %d more", c.amounts, len(r.Evidence), r.MoreEvidence)
		}
	}
}

// A document of some hundred kilobytes has millions of places where operations share
// a schema; its export stays small, and still says of each finding where it is.
func TestSharedPlacesDoNotAddUp(t *testing.T) {
	const findings, each = 20_000, 500
	for _, pointer := range []string{"/a", "/" + strings.Repeat("a", 100*pointerUnit)} {
		d := newDocument(&surface.Document{})
		places := slices.Repeat([]surface.Text{{Value: "a", Pos: surface.Position{Pointer: pointer}}}, each)
		cost := 0
		for range findings {
			named, more := d.evidence(places)
			if len(named) == 0 || len(named)+more != each {
				t.Fatalf("%d places are named, %d more", len(named), more)
			}
			cost += len(named) * (1 + len(pointer)/pointerUnit)
		}
		one := 1 + len(pointer)/pointerUnit
		if limit := maxAllPlaces + (findings+maxPlaces)*one; cost > limit {
			t.Errorf("the places cost %d, more than %d", cost, limit)
		}
	}
}

func TestTokensDoNotOverflow(t *testing.T) {
	for bytes, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 8: 2, math.MaxInt: maxTokens, math.MaxInt - 1: maxTokens} {
		if got := tokens(bytes); got != want {
			t.Errorf("%d bytes are %d tokens, want %d", bytes, got, want)
		}
	}
	var bomb strings.Builder
	bomb.WriteString("openapi: 3.1.0\nx0: &x0 {a: lol}\n")
	for i := range 40 {
		fmt.Fprintf(&bomb, "x%d: &x%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 9), ", "))
	}
	bomb.WriteString("paths: {/a: {get: {x: *x40}, put: {x: *x40}}}\n")
	e := exported(t, parsed(t, bomb.String()))
	if e.Tokens != maxTokens || e.Tools[0].Tokens != maxTokens {
		t.Errorf("tokens are %d, of one tool %d; want %d", e.Tokens, e.Tools[0].Tokens, maxTokens)
	}
}

func TestTheExportSaysThatADocumentIsPartial(t *testing.T) {
	for text, want := range map[string]bool{
		`{"tools":[{"name":"a"}]}`:                                      false,
		`{"tools":[{"name":"a"}],"nextCursor":"b"}`:                     true,
		`{"openapi":"3.0.0","paths":{"/a":{"get":{}}}}`:                 false,
		`{"openapi":"3.0.0","paths":{"/a":{"$ref":"b.yaml","get":{}}}}`: true,
	} {
		if got := exported(t, parsed(t, text)).Partial; got != want {
			t.Errorf("%s: partial is %t", text, got)
		}
	}
}
