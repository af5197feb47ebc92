package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/tools"
)

// answer is a scan tool's answer as an agent reads it.
type answer struct {
	Verdict    string         `json:"verdict"`
	Reasons    []string       `json:"reasons"`
	Name       string         `json:"name"`
	Score      int            `json:"score"`
	GateScore  int            `json:"gate_score"`
	Status     string         `json:"status"`
	RiskCounts map[string]int `json:"risk_counts"`
	ToolCount  int            `json:"tool_count"`
	ByRule     []struct {
		Rule, Finding, Severity, Example, Fix string
		Count, Points, Waived                 int
	} `json:"by_rule"`
	Tools []struct {
		ID         string
		Method     string
		Path       string
		ActionType string `json:"action_type"`
		Severity   string
		Score      int
		File       string
		Line       int
		Rules      []string
		Risks      []string
		Fixes      []string
		Incomplete []string
		Findings   []struct {
			Rule, Finding, Severity, Explanation, Fix, Waived string

			Evidence []struct {
				Pointer, File, Text string
				Line, Column        int
			}
		}
	} `json:"tools"`
	NextCursor   string         `json:"next_cursor"`
	PolicySource string         `json:"policy_source"`
	Loosened     bool           `json:"loosened"`
	Notes        []string       `json:"notes"`
	Omitted      map[string]int `json:"omitted"`
}

// agent calls the tools as an agent does, through the server and a client.
type agent struct {
	t      *testing.T
	client *client.Client
	ctx    context.Context
}

func newAgent(t *testing.T, roots ...string) *agent {
	t.Helper()
	opened, err := tools.OpenRoots(roots, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	s, err := server.New(server.Config{Tools: tools.All(tools.Deps{Roots: opened}), Limits: server.DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.NewInProcessClient(s.Engine())
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t, c, tools.WithCaller(context.Background(), tools.Caller{Name: "agent", Role: tools.Builder})}
	if err := c.Start(a.ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(a.ctx, mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	return a
}

type args map[string]any

func (a *agent) call(tool string, arguments args) *mcp.CallToolResult {
	a.t.Helper()
	req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: map[string]any(arguments)}}
	res, err := a.client.CallTool(a.ctx, req)
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	return res
}

func text(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("the result has %d contents, want 1", len(res.Content))
	}
	content, ok := mcp.AsTextContent(res.Content[0])
	if !ok {
		t.Fatalf("the content is %T, want text", res.Content[0])
	}
	return content.Text
}

// scan calls a tool that answers, and checks what holds for all answers.
func (a *agent) scan(tool string, arguments args) answer {
	a.t.Helper()
	res := a.call(tool, arguments)
	said := text(a.t, res)
	if res.IsError {
		a.t.Fatalf("%s(%v) is refused: %s", tool, arguments, said)
	}
	var fromText, fromStructure any
	structure, err := json.Marshal(res.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	if json.Unmarshal([]byte(said), &fromText) != nil || json.Unmarshal(structure, &fromStructure) != nil {
		a.t.Fatalf("the answer is no JSON: %s", said)
	}
	if diff := cmp.Diff(fromText, fromStructure); diff != "" {
		a.t.Errorf("text and structure differ (-text +structure):\n%s", diff)
	}
	if n := utf8.RuneCountInString(said); n > maxText {
		a.t.Errorf("the text has %d characters, at most %d", n, maxText)
	}
	var got answer
	decoder := json.NewDecoder(strings.NewReader(said))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		a.t.Fatal(err)
	}
	return got
}

// refusal calls a tool that refuses, and gives the error.
func (a *agent) refusal(tool string, arguments args) tools.Error {
	a.t.Helper()
	res := a.call(tool, arguments)
	said := text(a.t, res)
	var told tools.Error
	if !res.IsError || json.Unmarshal([]byte(said), &told) != nil || told.Code == "" || told.Message == "" || told.Hint == "" {
		a.t.Fatalf("%s(%v) gives %s, want an error with code, message and hint", tool, arguments, said)
	}
	if res.StructuredContent != nil {
		a.t.Errorf("the error has structured content: %v", res.StructuredContent)
	}
	return told
}

// dangerous is an operation that no one should hand to an agent as it is.
const dangerous = `openapi: 3.1.0
info: {title: Accounts, version: "1"}
paths:
  /accounts:
    delete:
      operationId: deleteAccounts
      summary: Delete accounts.
      parameters:
        - {name: filter, in: query, schema: {type: string}}
      responses:
        "200": {description: OK}
  /health:
    get:
      operationId: checkHealth
      summary: Health check of the service.
      responses:
        "200": {description: The service is up, content: {application/json: {schema: {type: object, properties: {up: {type: boolean}}}}}}
`

// manyTools is an MCP list of n tools that differ in name alone.
func manyTools(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = map[string]any{"name": fmt.Sprintf("delete_record_%03d", i), "description": "Deletes a record."}
	}
	return list
}

func TestScanOpenAPI(t *testing.T) {
	got := newAgent(t).scan("scan_openapi", args{"document": dangerous, "name": "accounts"})
	if got.Verdict != "FAIL" || len(got.Reasons) == 0 || got.Name != "accounts" || got.ToolCount != 2 || got.RiskCounts["critical"] == 0 {
		t.Errorf("the answer is %+v, want a FAIL over 2 operations", got)
	}
	if len(got.ByRule) == 0 || got.ByRule[0].Points < got.ByRule[len(got.ByRule)-1].Points || got.ByRule[0].Fix == "" {
		t.Errorf("by_rule is %+v, want what costs most first, with its fix", got.ByRule)
	}
	worst := got.Tools[0]
	if worst.ID != "deleteAccounts" || worst.Method != "DELETE" || worst.Path != "/accounts" || worst.ActionType != "DELETE" || worst.Line != 5 || worst.Severity != "critical" {
		t.Errorf("the worst is %+v, want the deletion at line 5", worst)
	}
	if len(worst.Rules) == 0 || len(worst.Risks) < len(worst.Rules) || len(worst.Fixes) == 0 || worst.Findings != nil {
		t.Errorf("the worst is %+v, want rules, risks and fixes in brief", worst)
	}
	if got.PolicySource != "default" || got.Loosened || got.NextCursor != "" || got.Omitted != nil {
		t.Errorf("the answer is %+v, want one whole page under the default policy", got)
	}
}

// A list may come in several ways; each means the same.
func TestWaysToGiveTools(t *testing.T) {
	const list = `[{"name":"delete_record_000","description":"Deletes a record."}]`
	a := newAgent(t)
	want := a.scan("scan_mcp_tools", args{"tools": manyTools(1), "name": "x"})
	if want.ToolCount != 1 || want.Tools[0].ActionType != "DELETE" || want.Tools[0].Method != "MCP_TOOL" {
		t.Fatalf("the answer is %+v, want one deletion", want)
	}
	for name, given := range map[string]args{
		"an array in a string":  {"tools": list, "name": "x"},
		"a whole result":        {"tools": map[string]any{"tools": manyTools(1)}, "name": "x"},
		"a whole result, text":  {"tools": `{"tools":` + list + `}`, "name": "x"},
		"a document":            {"document": `{"tools":` + list + `}`, "name": "x"},
		"a document as object":  {"document": map[string]any{"tools": manyTools(1)}, "name": "x"},
		"others left empty":     {"tools": manyTools(1), "name": "x", "path": "", "document": "", "only": "", "cursor": "", "fail_on": nil},
		"others as empty lists": {"document": list, "tools": []any{}, "name": "x"},
	} {
		got := a.scan("scan_mcp_tools", given)
		for i := range got.Tools {
			got.Tools[i].Line = want.Tools[i].Line // it depends on the text
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A list that stops at a cursor stays partial, however it was given.
func TestPartialListIsNoted(t *testing.T) {
	got := newAgent(t).scan("scan_mcp_tools", args{"tools": map[string]any{"tools": manyTools(1), "nextCursor": "more"}})
	if len(got.Notes) == 0 {
		t.Error("a list that stops at a cursor has no note")
	}
}

func TestOnly(t *testing.T) {
	got := newAgent(t).scan("scan_openapi", args{"document": dangerous, "only": "deleteAccounts"})
	if len(got.Tools) != 1 || got.ToolCount != 2 || got.ByRule != nil {
		t.Fatalf("the answer is %+v, want the one operation", got)
	}
	worst := got.Tools[0]
	if worst.ID != "deleteAccounts" || len(worst.Findings) != len(worst.Risks) {
		t.Fatalf("the operation has %d findings for %d risks", len(worst.Findings), len(worst.Risks))
	}
	evidence := 0
	for _, f := range worst.Findings {
		if f.Rule == "" || f.Explanation == "" || f.Fix == "" {
			t.Errorf("finding %+v lacks its rule, explanation or fix", f)
		}
		evidence += len(f.Evidence)
	}
	if evidence == 0 {
		t.Error("no finding has evidence")
	}
}

func TestPolicyArguments(t *testing.T) {
	tests := []struct {
		given    args
		source   string
		loosened bool
	}{
		{args{}, "default", false},
		{args{"min_score": 75, "fail_on": "critical"}, "default", false},
		{args{"min_score": 90}, "arguments", false},
		{args{"fail_on": "low"}, "arguments", false},
		{args{"min_score": "10"}, "arguments", true},
		{args{"fail_on": "none"}, "arguments", true},
		{args{"min_score": 100, "fail_on": "none"}, "arguments", true},
	}
	a := newAgent(t)
	for _, tt := range tests {
		tt.given["tools"] = manyTools(1)
		got := a.scan("scan_mcp_tools", tt.given)
		if got.PolicySource != tt.source || got.Loosened != tt.loosened {
			t.Errorf("%v: policy_source %s, loosened %v; want %s, %v", tt.given, got.PolicySource, got.Loosened, tt.source, tt.loosened)
		}
	}
	got := a.scan("scan_mcp_tools", args{"tools": manyTools(1), "min_score": 0, "fail_on": "none"})
	if got.Verdict != "PASS" || len(got.Reasons) != 0 || !got.Loosened {
		t.Errorf("without any demand the answer is %s, loosened %v; want a loosened PASS", got.Verdict, got.Loosened)
	}
}

func TestPaging(t *testing.T) {
	a := newAgent(t)
	var ids []string
	given := args{"tools": manyTools(25), "limit": 10}
	for pages := 0; ; pages++ {
		got := a.scan("scan_mcp_tools", given)
		for _, row := range got.Tools {
			ids = append(ids, row.ID)
		}
		if got.NextCursor == "" || pages > 3 {
			break
		}
		given["cursor"] = got.NextCursor
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) != 25 {
		t.Errorf("the pages show %d tools, want 25", len(ids))
	}
	if got := a.scan("scan_mcp_tools", args{"tools": manyTools(25)}); len(got.Tools) != 10 {
		t.Errorf("without a limit %d tools are listed, want 10", len(got.Tools))
	}
}

func TestRefusals(t *testing.T) {
	root := t.TempDir()
	for name, data := range map[string]string{"broken.yaml": "openapi: [", "empty.yaml": "", "large.yaml": strings.Repeat("#", 1<<20+1)} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const openapi, mcpTools = "scan_openapi", "scan_mcp_tools"
	tests := []struct {
		name, tool string
		given      args
		code       tools.Code
		path, says string
	}{
		{"no document", openapi, args{}, tools.BadArgument, "", "exactly one of `path` or `document`"},
		{"no list", mcpTools, nil, tools.BadArgument, "", "exactly one of `path`, `tools` or `document`"},
		{"two documents", openapi, args{"path": "a", "document": "b"}, tools.BadArgument, "", "`path` and `document`"},
		{"an unknown argument", openapi, args{"documnet": "x"}, tools.BadArgument, "/documnet", "did you mean `document`?"},
		{"a score out of bounds", openapi, args{"document": dangerous, "min_score": 101}, tools.BadArgument, "/min_score", "<= 100"},
		{"an unknown id", openapi, args{"document": dangerous, "only": "deleteAcounts"}, tools.BadArgument, "/only", "`deleteAccounts`"},
		{"a broken cursor", openapi, args{"document": dangerous, "cursor": "x"}, tools.BadArgument, "/cursor", "next_cursor"},
		{"a path outside", openapi, args{"path": "../x"}, tools.PathOutsideRoot, "/path", root},
		{"a path that is missing", openapi, args{"path": "x.yaml"}, tools.UnreadableFile, "/path", "does not exist"},
		{"a directory", openapi, args{"path": "."}, tools.UnreadableFile, "/path", "not a regular file"},
		{"a file too large", openapi, args{"path": "large.yaml"}, tools.TooLarge, "/path", "larger"},
		{"a broken file", openapi, args{"path": "broken.yaml"}, tools.UnreadableDocument, "/path", ""},
		{"an empty file", openapi, args{"path": "empty.yaml"}, tools.UnreadableDocument, "/path", ""},
		{"a document that is none", openapi, args{"document": "hello"}, tools.UnreadableDocument, "/document", ""},
		{"an API without operations", openapi, args{"document": "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {}\n"}, tools.UnreadableDocument, "/document", ""},
		{"an empty list", mcpTools, args{"tools": []any{}}, tools.UnreadableDocument, "/tools", ""},
		{"a document without tools", mcpTools, args{"document": `{"tools":[]}`}, tools.UnreadableDocument, "/document", ""},
	}
	a := newAgent(t, root)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			told := a.refusal(tt.tool, tt.given)
			if told.Code != tt.code || told.Path != tt.path || !strings.Contains(told.Error(), tt.says) {
				t.Errorf("the refusal is %+v, want %s at %q with %q", told, tt.code, tt.path, tt.says)
			}
		})
	}
}

// References to other files are followed for a path, inside the root, and for
// nothing else.
func TestReferencesToFiles(t *testing.T) {
	root := t.TempDir()
	const main = `{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{"/a":{"$ref":"other.json"}}}`
	const other = `{"delete":{"operationId":"deleteThings","responses":{"204":{"description":"gone"}}}}`
	for name, data := range map[string]string{"main.json": main, "other.json": other} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := newAgent(t, root)
	got := a.scan("scan_openapi", args{"path": "main.json"})
	if got.ToolCount != 1 || got.Tools[0].ID != "deleteThings" || got.Name != "main.json" {
		t.Errorf("as a path the answer is %+v, want the operation of the other file", got)
	}
	if told := a.refusal("scan_openapi", args{"document": main}); told.Code != tools.UnreadableDocument {
		t.Errorf("as text the answer is %+v, want nothing to scan", told)
	}
}
