package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// scanTools are the arguments of the real tools, by name.
func scanTools(t testing.TB) map[string]arguments {
	t.Helper()
	byName := map[string]arguments{}
	for _, tool := range tools.All(tools.Deps{}) {
		served, err := newServedTool(tool)
		if err != nil {
			t.Fatal(err)
		}
		byName[tool.Definition.Name] = served.input
	}
	return byName
}

func TestArgumentsPutRight(t *testing.T) {
	const openapi, mcp = "scan_openapi", "scan_mcp_tools"
	tests := []struct{ name, tool, sent, want string }{
		{"missing", openapi, ``, `{}`},
		{"null", openapi, ` null `, `{}`},
		{"a null argument", openapi, `{"path":"a","cursor":null}`, `{"path":"a"}`},
		{"a number in a string", openapi, `{"min_score":"75","limit":" 5 "}`, `{"limit":5,"min_score":75}`},
		{"a whole number with a point", openapi, `{"min_score":75.0}`, `{"min_score":75.0}`},
		{"a number too small for a double", openapi, `{"min_score":1e-9999999}`, `{"min_score":1e-9999999}`},
		{"all arguments in a string", openapi, `"{\"path\":\"a\"}"`, `{"path":"a"}`},
		{"text that looks like JSON stays text", openapi, `{"only":"75","document":"{\"a\":1}"}`, `{"document":"{\"a\":1}","only":"75"}`},
		{"a document as an object", openapi, `{"document":{"b": 1.50,"b":2, "a":[]}}`, `{"document":"{\"b\": 1.50,\"b\":2, \"a\":[]}"}`},
		{"tools keep their bytes", mcp, `{"tools":[ {"n":1.50,"n":12345678901234567890} ]}`, `{"tools":[ {"n":1.50,"n":12345678901234567890} ]}`},
		{"tools in a string", mcp, `{"tools":"[ {\"n\":1.50} ]"}`, `{"tools":[ {"n":1.50} ]}`},
		{"a whole result as tools", mcp, `{"tools":{"tools":[],"nextCursor":"x"}}`, `{"document":"{\"tools\":[],\"nextCursor\":\"x\"}"}`},
		{"a whole result in a string as tools", mcp, `{"tools":"{\"tools\":[]}"}`, `{"document":"{\"tools\":[]}"}`},
		{"a document as an array", mcp, `{"document":[{}]}`, `{"document":"[{}]"}`},
	}
	all := scanTools(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, bad := all[tt.tool].read(json.RawMessage(tt.sent))
			if bad != nil || string(got) != tt.want {
				t.Errorf("read(%s) = %s, %v; want %s", tt.sent, got, bad, tt.want)
			}
		})
	}
}

func TestArgumentsRefused(t *testing.T) {
	const openapi, mcp = "scan_openapi", "scan_mcp_tools"
	tests := []struct{ name, tool, sent, path, says string }{
		{"a wrong name", openapi, `{"minscore":1}`, "/minscore", "did you mean `min_score`?"},
		{"another tool's argument", openapi, `{"tools":[]}`, "/tools", "unknown argument `tools`"},
		{"a name to escape", openapi, `{"a/b~":1}`, "/a~1b~0", "unknown argument"},
		{"all right names", openapi, `{"spec":"x"}`, "/spec", "cursor, document, fail_on, limit, min_score, name, only, path"},
		{"above the bound", openapi, `{"min_score":101}`, "/min_score", "`min_score`: must be <= 100 but found 101"},
		{"below the bound", openapi, `{"limit":0}`, "/limit", "`limit` is: Most to list (default 10)"},
		{"a fraction", openapi, `{"limit":1.5}`, "/limit", "expected integer"},
		{"not in the list", openapi, `{"fail_on":"severe"}`, "/fail_on", `"critical", "high", "medium", "low", "none"`},
		{"a word for a number", openapi, `{"min_score":"high"}`, "/min_score", "expected integer, but got string"},
		{"a number for text", openapi, `{"path":5}`, "/path", "expected string, but got number"},
		{"an object for a path", openapi, `{"path":{}}`, "/path", "expected string, but got object"},
		{"a number for tools", mcp, `{"tools":5}`, "/tools", "expected array, but got number"},
		{"a tool that is none", mcp, `{"tools":[{},5]}`, "/tools/1", "`tools/1`: expected object"},
		{"a whole result beside a document", mcp, `{"tools":{},"document":"x"}`, "/tools", "expected array, but got object"},
		{"an array", openapi, `[1]`, "", "not a JSON object"},
		{"a text", openapi, `"path"`, "", "not a JSON object"},
		{"a number beyond doubles", openapi, `{"min_score":1e999}`, "", "not JSON that this server can read"},
		{"several faults", openapi, `{"limit":0,"min_score":-1,"fail_on":"x","path":1,"only":2}`, "/fail_on", "and 2 more"},
	}
	all := scanTools(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, bad := all[tt.tool].read(json.RawMessage(tt.sent))
			if bad == nil {
				t.Fatalf("read(%s) = %s, want an error", tt.sent, got)
			}
			if bad.Code != tools.BadArgument || bad.Path != tt.path || !strings.Contains(bad.Error(), tt.says) {
				t.Errorf("read(%s) gives %+v, want path %q and %q in it", tt.sent, bad, tt.path, tt.says)
			}
		})
	}
}

// Whatever is sent is refused, or becomes arguments that reading again leaves alone.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"min_score":"1e-9999999"}`, `{"tools":"[1]"}`, `{"tools":{"tools":{}}}`, `{"document":{"\ud800":1}}`, `"\"{}\""`, `{"a":1,"a":2}`} {
		f.Add(seed)
	}
	all := scanTools(f)
	f.Fuzz(func(t *testing.T, sent string) {
		for name, a := range all {
			once, bad := a.read(json.RawMessage(sent))
			if bad != nil {
				continue
			}
			twice, bad := a.read(once)
			if bad != nil || string(twice) != string(once) {
				t.Errorf("%s: read(%q) = %s, but reading that gives %s, %v", name, sent, once, twice, bad)
			}
		}
	})
}
