package mcplist_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func read(t testing.TB, text string) *surface.Document {
	t.Helper()
	doc, err := mcplist.Read(context.Background(), "list.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// ids are the IDs of a document's tools, on one line.
func ids(doc *surface.Document) string {
	var list []string
	for _, tool := range doc.Tools {
		list = append(list, tool.ID)
	}
	return strings.Join(list, " ")
}

func TestReadShapes(t *testing.T) {
	const a, b = `{"name":"a","inputSchema":{}}`, `{"name":"b","inputSchema":{}}`
	for name, tc := range map[string]struct {
		text, tools, title string
		pointer            string // of the last tool
		notes              int
		partial            bool
	}{
		"list":                  {text: `{"tools":[` + a + `,` + b + `]}`, tools: "a b", pointer: "/tools/1"},
		"bare array":            {text: `[` + a + `,` + b + `]`, tools: "a b", pointer: "/1"},
		"one tool":              {text: a, tools: "a", pointer: ""},
		"response":              {text: `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + a + `]}}`, tools: "a", pointer: "/result/tools/0"},
		"response, bare":        {text: `{"result":{"tools":[` + a + `]}}`, tools: "a", pointer: "/result/tools/0"},
		"result is an array":    {text: `{"result":[` + a + `]}`, tools: "a", pointer: "/result/0"},
		"array of responses":    {text: `[{"result":{"tools":[` + a + `],"nextCursor":"2"}},{"result":{"tools":[` + b + `]}}]`, tools: "a b", pointer: "/1/result/tools/0"},
		"responses in a row":    {text: `{"result":{"tools":[` + a + `],"nextCursor":"2"}}{"result":{"tools":[` + b + `]}}`, tools: "a b", pointer: "/1/result/tools/0"},
		"JSON lines of tools":   {text: a + "\n" + b + "\n", tools: "a b", pointer: "/1"},
		"arrays in a row":       {text: `[` + a + `][` + b + `]`, tools: "a b", pointer: "/1/0"},
		"array of lists":        {text: `[{"tools":[` + a + `]},{"tools":[` + b + `]}]`, tools: "a b", pointer: "/1/tools/0"},
		"byte order mark":       {text: "\ufeff{\"tools\":[" + a + "]}", tools: "a", pointer: "/tools/0"},
		"server as text":        {text: `{"server":"desk","tools":[` + a + `]}`, tools: "a", title: "desk", pointer: "/tools/0"},
		"server as object":      {text: `{"server":{"name":"desk"},"tools":[` + a + `]}`, tools: "a", title: "desk", pointer: "/tools/0"},
		"serverInfo":            {text: `{"serverInfo":{"name":"desk"},"tools":[` + a + `]}`, tools: "a", title: "desk", pointer: "/tools/0"},
		"server of wrong type":  {text: `{"server":[1],"serverInfo":{"name":{}},"tools":[` + a + `]}`, tools: "a", pointer: "/tools/0"},
		"initialize beside it":  {text: `{"id":0,"result":{"serverInfo":{"name":"desk"}}}` + "\n" + `{"id":1,"result":{"tools":[` + a + `]}}`, tools: "a", title: "desk", pointer: "/1/result/tools/0"},
		"no tools":              {text: `{"tools":[]}`},
		"no tools, bare":        {text: `[]`},
		"tools null":            {text: `{"tools":null}`},
		"cursor left":           {text: `{"tools":[` + a + `],"nextCursor":"2"}`, tools: "a", pointer: "/tools/0", notes: 1, partial: true},
		"cursor empty":          {text: `{"tools":[` + a + `],"nextCursor":""}`, tools: "a", pointer: "/tools/0"},
		"cursor null":           {text: `{"tools":[` + a + `],"nextCursor":null}`, tools: "a", pointer: "/tools/0"},
		"cursor left of pages":  {text: `{"tools":[` + a + `],"nextCursor":"2"}{"tools":[` + b + `],"nextCursor":"3"}`, tools: "a b", pointer: "/1/tools/0", notes: 1, partial: true},
		"another answer":        {text: `{"tools":[` + a + `]}{"id":2,"result":{"prompts":[]}}`, tools: "a", pointer: "/0/tools/0", notes: 1},
		"another's error":       {text: `{"tools":[` + a + `]}{"id":2,"error":{"code":-32601,"message":"no prompts"}}`, tools: "a", pointer: "/0/tools/0", notes: 1},
		"request beside it":     {text: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}{"id":1,"result":{"tools":[` + a + `]}}`, tools: "a", pointer: "/1/result/tools/0"},
		"list key twice":        {text: `{"tools":[` + a + `],"tools":[` + b + `]}`, tools: "b", pointer: "/tools/0", notes: 1},
		"entry of wrong type":   {text: `[` + a + `,7]`, tools: "a", pointer: "/0", notes: 1, partial: true},
		"a tool called result":  {text: `[{"name":"a","result":{"tools":[]}}]`, tools: "a", pointer: "/0"},
		"lists of wrong type":   {text: `{"tools":{"a":{}}}{"tools":[` + a + `]}`, tools: "a", pointer: "/1/tools/0", notes: 1, partial: true},
		"three of one name":     {text: `[` + a + `,` + a + `,` + a + `]`, tools: "a a_2 a_3", pointer: "/2", notes: 2},
		"the second's ID taken": {text: `[` + a + `,` + a + `,{"name":"a_2"}]`, tools: "a a_3 a_2", pointer: "/2", notes: 1},
		"names missing":         {text: `[{},{"name":"tool_1"},{"name":""}]`, tools: "tool_1_2 tool_1 tool_3", pointer: "/2"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := read(t, tc.text)
			checkPositions(t, []byte(tc.text), doc)
			if got := ids(doc); got != tc.tools {
				t.Errorf("tools %q, want %q", got, tc.tools)
			}
			if doc.Title != tc.title {
				t.Errorf("title %q, want %q", doc.Title, tc.title)
			}
			if len(doc.Notes) != tc.notes || doc.Partial != tc.partial {
				t.Errorf("partial %t, notes %v; want %t and %d", doc.Partial, doc.Notes, tc.partial, tc.notes)
			}
			if n := len(doc.Tools); n > 0 && doc.Tools[n-1].Pos.Pointer != tc.pointer {
				t.Errorf("last tool at %q, want %q", doc.Tools[n-1].Pos.Pointer, tc.pointer)
			}
		})
	}
}

func TestReadInputSchemas(t *testing.T) {
	for schema, want := range map[string]surface.Input{
		``:                                {},
		`"inputSchema":null`:              {},
		`"inputSchema":{}`:                {Declared: true},
		`"inputSchema":{"$schema":"x"}`:   {Declared: true},
		`"inputSchema":{"type":"object"}`: {Declared: true},
		`"inputSchema":{"type":"object","additionalProperties":false}`:                        {Declared: true, Closed: true},
		`"inputSchema":{"properties":{"a":{}},"required":[]}`:                                 {Declared: true, Properties: 1},
		`"inputSchema":{"properties":{"a":{},"b":{}},"required":["a"]}`:                       {Declared: true, Properties: 2, HasRequired: true},
		`"inputSchema":{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{}}}}}`:            {Declared: true, Properties: 1},
		`"inputSchema":{"allOf":[{"properties":{"a":{}}}],"properties":{"b":{}}}`:             {Declared: true, Properties: 2},
		`"input_schema":{"properties":{"a":{}}}`:                                              {Declared: true, Properties: 1},
		`"input_schema":{"properties":{"a":{}}},"inputSchema":{"properties":{"b":{},"c":{}}}`: {Declared: true, Properties: 2},
	} {
		tool := read(t, strings.Replace(`[{"name":"a",`+schema+`}]`, ",}", "}", 1)).Tools[0]
		got := tool.Input
		got.Pos = surface.Position{}
		if !cmp.Equal(got, want) || len(tool.Incomplete) > 0 {
			t.Errorf("%s: %+v %v, want %+v", schema, got, tool.Incomplete, want)
		}
	}
}

// A name that two schemas define is looked up in the schema that refers to it.
func TestReadReferencesInsideTheirSchema(t *testing.T) {
	doc := read(t, `{"$defs":{"x":{"type":"boolean"}},"tools":[
		{"name":"a","inputSchema":{"properties":{"p":{"$ref":"#/$defs/x"},"q":{"$ref":"#x"}},"$defs":{"x":{"$anchor":"x","type":"string"}}}},
		{"name":"b","inputSchema":{"properties":{"p":{"$ref":"#/$defs/x"},"q":{"$ref":"#x"}},"$defs":{"x":{"$anchor":"x","type":"integer"}}}},
		{"name":"c","inputSchema":{"properties":{"p":{"$ref":"#/$defs/x"},"q":{"$ref":"#/properties/100%25~1"},"100%/":{"type":"null"}}}}]}`)
	var got []string
	for _, tool := range doc.Tools {
		for _, f := range tool.Fields[:2] {
			got = append(got, fmt.Sprint(tool.Name.Value, ".", f.Path, f.Types))
		}
		if len(tool.Incomplete) > 0 {
			t.Errorf("%s: %v", tool.ID, tool.Incomplete)
		}
	}
	want := []string{"a.p[string]", "a.q[string]", "b.p[integer]", "b.q[integer]", "c.p[boolean]", "c.q[]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadFingerprints(t *testing.T) {
	print := func(text string) string {
		t.Helper()
		tools := read(t, text).Tools
		return fmt.Sprint(tools[len(tools)-1].Fingerprint, tools[len(tools)-1].DefinitionBytes)
	}
	const tool = `{"name":"a","inputSchema":{"properties":{"p":{"$ref":"#/$defs/x"},"q":{"$ref":"#"}},"$defs":{"x":{"type":"string"}}}}`
	base := print(tool)
	for _, same := range []string{
		`[{"name":"z"},` + tool + `]`,
		`{"$defs":{"x":{"type":"integer"}},"result":{"tools":[` + tool + `]}}`,
		`{"inputSchema" : {"$defs":{"x":{"type":"string"}}, "properties":{"q":{"$ref":"#"},"p":{"$ref":"#/$defs/x"}}},` + "\n" + `"name":"a"}`,
	} {
		if got := print(same); got != base {
			t.Errorf("%s in %s, want %s", got, same, base)
		}
	}
	outside := func(kind string) string {
		return print(`{"tools":[{"name":"a","inputSchema":{"properties":{"p":{"$ref":"#/$defs/x"}}}}],"$defs":{"x":{"type":"` + kind + `"}}}`)
	}
	if outside("string") == outside("integer") {
		t.Error("the fingerprint does not cover what the schema takes from the document")
	}
	if changed := print(strings.Replace(tool, "string", "integer", 1)); changed == base {
		t.Error("the fingerprint does not cover the schema's own definitions")
	}
}

// A caller may name any file: what it holds must not come back in the error.
func TestErrorsRepeatNothingOfOtherFiles(t *testing.T) {
	for _, text := range []string{
		"API_KEY=hunter2\n", "hunter2", "password: hunter2\n", "\"hunter2\"", `{"hunter2": 1}`, `{"a": hunter2}`,
	} {
		_, err := mcplist.Read(t.Context(), "secrets", []byte(text))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: error %v, want one without the text", text, err)
		}
	}
}

func TestReadErrors(t *testing.T) {
	const expected = "tools/list"
	for name, tc := range map[string]struct {
		text, message, hint string
		line, column        int
	}{
		"empty":            {"", "empty", expected, 0, 0},
		"white space":      {" \n\t", "empty", expected, 0, 0},
		"cut off":          {"{\"tools\":\n[{\"name\":\"a\"", "unexpected end", "cut off", 2, 13},
		"garbage after":    {`{"tools":[]} end`, "invalid character 'e'", "value", 1, 14},
		"YAML":             {"tools:\n  - name: a\n", "JSON is expected: an MCP tool list begins with { or [", "YAML", 0, 0},
		"events":           {"event: message\ndata: {}\n", "stream of events", "data:", 0, 0},
		"HTML":             {"<!doctype html>", "HTML", expected, 0, 0},
		"a number":         {"12", "JSON is expected", expected, 0, 0},
		"binary":           {"\x7fELF\x00\x01", "JSON is expected", expected, 0, 0},
		"invalid UTF-8":    {"{\"tools\":[{\"name\":\"\xe9\"}]}", "byte 0xe9", "UTF-8", 1, 20},
		"UTF-16":           {"\xff\xfe{\x00}\x00", "byte 0xff", "UTF-8", 1, 1},
		"nested deep":      {strings.Repeat(`{"a":[`, 5_000), "nested deeper", "split", 1, 3001},
		"no list":          {`{"jsonrpc":"2.0","id":1,"result":{"prompts":[]}}`, "the response has no tools", expected, 1, 34},
		"no object":        {`{"jsonrpc":"2.0","id":1,"result":null}`, "the response has no tools", expected, 1, 34},
		"only initialize":  {`{"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"a"}}}`, "no tool list found", expected, 0, 0},
		"something else":   {`{"a":1}`, "the object has no tools", expected, 1, 1},
		"tools as object":  {"{\n\"tools\": {\"a\":{}}}", "the tools are an object", expected, 2, 10},
		"tools as text":    {`{"result":{"tools":"a"}}`, "the tools are a string", expected, 1, 20},
		"error response":   {`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"log in first"}}`, `the server answered with an error: "log in first"`, "initialize", 1, 33},
		"error as text":    {`{"error":"nope"}`, `error: "nope"`, "initialize", 1, 10},
		"error of no text": {`{"error":{"code":1}}`, "answered with an error", "initialize", 1, 10},
		"hostile error":    {`{"error":{"message":"` + `\u001b[2J\n::error::\u202e` + strings.Repeat("x", 200) + `"}}`, `"\x1b[2J\n::error::\u202e` + strings.Repeat("x", 64) + `…"`, "initialize", 1, 10},
		"OpenAPI":          {`{"openapi":"3.1.0","paths":{}}`, "an OpenAPI document", "as OpenAPI", 1, 2},
		"Swagger":          {"{\"info\":{},\n\"swagger\":\"2.0\"}", "an OpenAPI document", "as OpenAPI", 2, 1},
		"a client's file":  {`{"mcpServers":{"a":{"command":"b"}}}`, "a client's list of servers", "--config FILE", 1, 2},
		"an export":        {`{"agentready_version":"0.1","tools":[{"name":"a"}]}`, "agentready.json", "made from", 1, 2},
		"a lock":           {`{"plumbline_lock":"1","tools":[{"name":"a"}]}`, "a lock of MCP tools", "--lock FILE", 1, 2},
		"locks":            {`[{"plumbline_lock":"1","tools":[{"name":"a"}]}]`, "a lock of MCP tools", "--lock FILE", 1, 3},
		"chat functions":   {`[{"type":"function","function":{"name":"a","parameters":{}}}]`, "function of a chat API", "inputSchema", 1, 2},
		"chat function":    {`{"type":"function","name":"a","parameters":{}}`, "function of a chat API", "inputSchema", 1, 1},
		"a long key":       {`[{"name":"a","inputSchema":{"` + strings.Repeat("k", 9_000) + `":1}}]`, "a key has 9000 bytes", "shorten it", 1, 29},
		"too many tools":   {"[" + strings.Repeat("{},", mcplist.MaxTools) + "{}]", "more than 20000 tools", "in parts", 1, 60002},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := mcplist.Read(context.Background(), "x", []byte(tc.text))
			var re *surface.ReadError
			if !errors.As(err, &re) || doc != nil {
				t.Fatalf("got %v, %v; want a ReadError", doc, err)
			}
			if !strings.Contains(re.Message, tc.message) || !strings.Contains(re.Hint, tc.hint) {
				t.Errorf("%v\nlacks %q or %q", err, tc.message, tc.hint)
			}
			if re.Line != tc.line || re.Column != tc.column {
				t.Errorf("at %d:%d, want %d:%d", re.Line, re.Column, tc.line, tc.column)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("not one clean line: %q", err)
			}
		})
	}
}

func TestReadStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := mcplist.Read(ctx, "x", []byte(`[{"name":"a"}]`)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestReadCountsWhatItDoesNotNote(t *testing.T) {
	doc := read(t, "["+strings.Repeat("null,", 500)+`{"name":"a"}]`)
	if n := len(doc.Notes); n != surface.MaxNotes+1 || !strings.HasPrefix(doc.Notes[n-1].Text, "400 more") {
		t.Errorf("%d notes, the last %v", n, doc.Notes[n-1])
	}
	tool := read(t, `[{"name":"a",`+strings.Repeat(`"x":1,`, 500)+`"x":1}]`).Tools[0]
	if n := len(tool.Incomplete); n != surface.MaxReasons+1 || !strings.HasPrefix(tool.Incomplete[n-1].Text, "480 more") {
		t.Errorf("%d reasons, the last %v", n, tool.Incomplete[n-1])
	}
}

// What is small to send is small to read: each of these ends at once, and says what
// it left out.
func TestReadHostileLists(t *testing.T) {
	var shared, wide, scopes, names bytes.Buffer
	for i := range 5_000 {
		fmt.Fprintf(&shared, `{"name":"t%d","inputSchema":{"properties":{"p":{"$ref":"#/tools"}}}},`, i)
		fmt.Fprintf(&wide, `"p%d":{"$ref":"#"},`, i)
		names.WriteString(`{"name":"same"},`)
	}
	for i := range 100_000 {
		fmt.Fprintf(&scopes, `"s%d",`, i)
	}
	deep := strings.Repeat(`{"properties":{"p":`, 400) + "{}" + strings.Repeat("}}", 400)
	for name, tc := range map[string]struct {
		text  string
		tools int
		check func(*surface.Document) bool
	}{
		"every tool refers to all": {`{"tools":[` + shared.String() + `{}]}`, 5_001, func(d *surface.Document) bool { return len(d.Tools[0].Incomplete) > 0 }},
		"each property refers up":  {`[{"name":"a","inputSchema":{"properties":{` + wide.String() + `"q":{}}}}]`, 1, func(d *surface.Document) bool { return len(d.Tools[0].Incomplete) > 0 }},
		"deep schema":              {`[{"name":"a","inputSchema":` + deep + `}]`, 1, func(d *surface.Document) bool { return len(d.Tools[0].Incomplete) > 0 }},
		"many scopes":              {`[{"name":"a","scopes":[` + scopes.String() + `"s"]}]`, 1, func(d *surface.Document) bool { return len(d.Tools[0].Security.Scopes) == mcplist.MaxScopes }},
		"one name":                 {`[` + names.String() + `{"name":"same"}]`, 5_001, func(d *surface.Document) bool { return d.Tools[5_000].ID == "same_5001" }},
		"a line of 5 MB":           {`[{"name":"a","description":"` + strings.Repeat("x", 5<<20) + `"}]`, 1, func(d *surface.Document) bool { return len(d.Tools[0].Description.Value) == 5<<20 }},
	} {
		t.Run(name, func(t *testing.T) {
			doc := read(t, tc.text)
			if len(doc.Tools) != tc.tools || !tc.check(doc) {
				t.Errorf("%d tools, want %d; %v %v", len(doc.Tools), tc.tools, doc.Notes, doc.Tools[0].Incomplete)
			}
		})
	}
}
