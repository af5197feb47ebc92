package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

var noon = time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)

// scanFile reads and scans a document of testdata.
func scanFile(t testing.TB, file string) *agentready.Export {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return scanText(t, file, data)
}

func scanText(t testing.TB, name string, data []byte) *agentready.Export {
	t.Helper()
	doc, err := Read(t.Context(), Input{Name: name, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Scan(t.Context(), doc, Options{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The published results of the rules page, section 5.
func TestPublishedResults(t *testing.T) {
	tests := []struct {
		file   string
		score  int
		counts agentready.RiskCounts
	}{
		{"published/refund-bare.yaml", 54, agentready.RiskCounts{Critical: 1, High: 4, Medium: 6}},
		{"published/refund-fixed.yaml", 84, agentready.RiskCounts{High: 3}},
		{"published/send-email-bare.json", 63, agentready.RiskCounts{Critical: 1, High: 3, Medium: 4}},
		{"published/send-email-fixed.json", 90, agentready.RiskCounts{High: 2}},
	}
	for _, tt := range tests {
		if e := scanFile(t, tt.file); e.Score != tt.score || e.RiskCounts != tt.counts {
			t.Errorf("%s: %d %+v, want %d %+v", tt.file, e.Score, e.RiskCounts, tt.score, tt.counts)
		}
	}
}

func TestFindingsAreOrderedAndCodesStandOnce(t *testing.T) {
	for _, tool := range scanFile(t, "published/refund-bare.yaml").Tools {
		sorted := slices.IsSortedFunc(tool.DetectedRules, func(a, b agentready.Rule) int {
			if d := b.Severity.Rank() - a.Severity.Rank(); d != 0 {
				return d
			}
			return strings.Compare(a.RuleCode+" "+a.FindingCode, b.RuleCode+" "+b.FindingCode)
		})
		if !sorted {
			t.Errorf("%s: findings are not ordered by severity, rule, finding", tool.ID)
		}
		want := []string{
			"AR002_MISSING_CONFIRMATION_BOUNDARY", "AR001_UNBOUNDED_WRITE_ACTION", "AR005_SENSITIVE_DATA_EXPOSURE",
			"AR006_MISSING_DRY_RUN_OR_PREVIEW", "AR007_OVERBROAD_TOOL_SCOPE", "AR008_MISSING_IDEMPOTENCY_OR_ROLLBACK",
			"AR009_UNCLEAR_AGENT_INSTRUCTIONS",
		}
		if diff := cmp.Diff(want, tool.RuleCodes); diff != "" {
			t.Errorf("rule codes (-want +got):\n%s", diff)
		}
		if len(tool.DetectedRisks) != len(tool.DetectedRules) {
			t.Errorf("%d risks of %d findings", len(tool.DetectedRisks), len(tool.DetectedRules))
		}
	}
}

func TestAdviceToAnAgent(t *testing.T) {
	clean := `{"tools":[{"name":"get_weather","description":"Returns today's weather of one city. Use this when the user asks for the weather. Do not use it for forecasts.",` +
		`"inputSchema":{"type":"object","additionalProperties":false,"properties":{"city":{"type":"string"}},"required":["city"]},"outputSchema":{"type":"object"}}]}`
	tool := scanText(t, "weather.json", []byte(clean)).Tools[0]
	if want := []string{"Allow autonomous execution under normal authorization and validation controls."}; !slices.Equal(tool.Recommendations, want) {
		t.Errorf("a clean tool is advised %q, findings %q", tool.Recommendations, tool.DetectedRisks)
	}
	if tool.Score != 100 || tool.Severity != agentready.Low || tool.RequiresHumanConfirmation || len(tool.ForbiddenWhen) > 0 {
		t.Errorf("a clean tool: score %d, severity %s, confirmation %t, forbidden %q", tool.Score, tool.Severity, tool.RequiresHumanConfirmation, tool.ForbiddenWhen)
	}

	tool = scanFile(t, "published/refund-bare.yaml").Tools[0]
	if first := tool.Recommendations[0]; first != "Do not allow autonomous execution before fixing critical risks." || tool.AgentRecommendation != first {
		t.Errorf("a critical tool is first advised %q, as agent_recommendation %q", first, tool.AgentRecommendation)
	}
	if !tool.RequiresHumanConfirmation || len(tool.ForbiddenWhen) == 0 || len(tool.FailureModes) == 0 {
		t.Errorf("a refund: confirmation %t, forbidden %q, failure modes %q", tool.RequiresHumanConfirmation, tool.ForbiddenWhen, tool.FailureModes)
	}
}

// An operation that could not be read whole is never clean, whatever the rules find.
func TestIncompleteToolsAreNeverClean(t *testing.T) {
	document := `
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /weather:
    get:
      operationId: getWeather
      summary: Get the weather
      description: Returns today's weather of one city. Use this when the user asks for it. Do not use it for forecasts.
      parameters:
        - $ref: "#/components/parameters/Missing"
      responses:
        "200":
          description: The weather.
          content: {application/json: {schema: {type: object}}}
`
	tool := scanText(t, "weather.yaml", []byte(document)).Tools[0]
	if len(tool.Incomplete) == 0 || tool.Score > 84 || tool.Severity == agentready.Low {
		t.Errorf("incomplete %q, score %d, severity %s", tool.Incomplete, tool.Score, tool.Severity)
	}
	if strings.HasPrefix(tool.Recommendations[0], "Allow") {
		t.Errorf("it is advised %q", tool.Recommendations[0])
	}
}

// The same input gives the same bytes, whatever ran before or beside it.
func TestScanIsDeterministic(t *testing.T) {
	write := func() string {
		var b bytes.Buffer
		if err := agentready.Write(&b, scanFile(t, "accounts.yaml")); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := write()
	for range 5 {
		if diff := cmp.Diff(first, write()); diff != "" {
			t.Fatalf("two scans differ (-first +later):\n%s", diff)
		}
	}
}

func TestScanReportsProgressAndStops(t *testing.T) {
	data, err := os.ReadFile("../testdata/accounts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Read(t.Context(), Input{Name: "accounts.yaml", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var steps []int
	_, err = Scan(ctx, doc, Options{Now: noon, Progress: func(done, total int) {
		steps = append(steps, done)
		if total != len(doc.Tools) {
			t.Errorf("total %d, want %d", total, len(doc.Tools))
		}
		if done == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || !slices.Equal(steps, []int{1, 2, 3}) {
		t.Errorf("error %v after steps %v, want cancellation after 1, 2, 3", err, steps)
	}
}

// generated is a document of n operations in the shape of a large public API: shared
// components, long descriptions, lists with parameters.
func generated(n int) []byte {
	type object = map[string]any
	ref := func(name string) object { return object{"$ref": "#/components/" + name} }
	schemas, paths := object{}, object{}
	for i := range max(1, n/4) {
		properties := object{}
		if i > 0 {
			properties["owner"] = ref("schemas/thing0")
		}
		for j := range 25 {
			properties[fmt.Sprintf("field_%d", j)] = object{
				"type": "string", "description": "What the thing says of itself in this field, as it was stored.", "examples": []string{"one"},
			}
		}
		schemas[fmt.Sprintf("thing%d", i)] = object{"type": "object", "properties": properties}
	}
	verbs := []string{"get", "post", "patch", "delete"}
	for i := range n {
		schema := ref(fmt.Sprintf("schemas/thing%d", i%len(schemas)))
		body := object{"content": object{"application/json": object{"schema": schema}}}
		operation := object{
			"operationId": fmt.Sprintf("things/%s-thing-%d", verbs[i%4], i),
			"summary":     "Handle a thing of the owner",
			"description": strings.Repeat("The caller needs access to the thing; see the guide for what that means. ", 6),
			"parameters":  []any{ref("parameters/owner"), ref("parameters/page")},
			"responses":   object{"200": object{"description": "The thing.", "content": body["content"]}, "404": ref("responses/missing")},
		}
		if i%4 == 1 || i%4 == 2 {
			operation["requestBody"] = body
		}
		path := fmt.Sprintf("/owners/{owner}/things-%d", i/4)
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[verbs[i%4]] = operation
	}
	data, err := json.Marshal(object{
		"openapi": "3.0.3", "info": object{"title": "generated", "version": "1"}, "paths": paths,
		"components": object{
			"schemas": schemas,
			"parameters": object{
				"owner": object{"name": "owner", "in": "path", "required": true, "schema": object{"type": "string"}},
				"page":  object{"name": "page", "in": "query", "schema": object{"type": "integer", "minimum": 1, "maximum": 100}},
			},
			"responses": object{"missing": object{"description": "The thing was not found; check the id."}},
		},
	})
	if err != nil {
		panic(err) // the document is made of maps, lists and texts
	}
	return data
}

func TestGeneratedDocumentIsScannedWhole(t *testing.T) {
	e := scanText(t, "generated.json", generated(200))
	if len(e.Tools) != 200 || len(e.Notes) > 0 {
		t.Errorf("%d operations, notes %q; want 200 and none", len(e.Tools), e.Notes)
	}
}

// BenchmarkScan reads, judges and writes documents of growing size; ns/op-tool shows
// whether time is linear in operations, and decode what encoding/json alone takes.
func BenchmarkScan(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		data := generated(n)
		b.Run(fmt.Sprintf("operations=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				var out bytes.Buffer
				if err := agentready.Write(&out, scanText(b, "generated.json", data)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/op-tool")
		})
		b.Run(fmt.Sprintf("decode=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				var v any
				if err := json.Unmarshal(data, &v); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/op-tool")
		})
	}
}
