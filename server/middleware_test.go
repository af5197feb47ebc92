package server

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// call calls a tool through the engine and gives the result's JSON.
func call(t *testing.T, s *Server, ctx context.Context, tool, args string) string {
	t.Helper()
	reply := s.Engine().HandleMessage(ctx, json.RawMessage(callLine("1", tool, args)))
	text, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestResults(t *testing.T) {
	const broke = `{"code":"INTERNAL","message":"the server failed on this call; it is not the arguments' fault","hint":"try once more; if it fails again, report it with the server's log","path":""}`
	failure := func(text string) string {
		quoted, _ := json.Marshal(text)
		return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + string(quoted) + `}],"isError":true}}`
	}
	tests := []struct{ tool, want, logged string }{
		{"echo", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"said\":\"{\\\"a\\\":1e2}\"}"}],"structuredContent":{"said":"{\"a\":1e2}"}}}`, "outcome=ok"},
		{"crash", failure(broke), "secret of a handler"},
		{"fail", failure(broke), "secret of an error"},
		{"lie", failure(broke), "does not fit the outputSchema"},
		{"refuse", failure(`{"code":"UNREADABLE_FILE","message":"no","hint":"yes","path":"/path"}`), "outcome=UNREADABLE_FILE"},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			s, log := newServer(t, DefaultLimits, fakes()...)
			ctx := tools.WithCaller(context.Background(), somebody)
			if diff := cmp.Diff(tt.want, call(t, s, ctx, tt.tool, `{"a":1e2}`)); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			for _, want := range []string{tt.logged, "tool=" + tt.tool, "who=somebody", "role=builder"} {
				if !strings.Contains(log.String(), want) {
					t.Errorf("log lacks %q: %s", want, log)
				}
			}
		})
	}
}

func TestLogHasNoContents(t *testing.T) {
	s, log := newServer(t, DefaultLimits, fakes()...)
	call(t, s, tools.WithCaller(context.Background(), somebody), "echo", `{"document":"confidential"}`)
	if got := log.String(); strings.Contains(got, "confidential") || strings.Count(got, "\n") != 1 {
		t.Errorf("log is %q, want one line without the argument", got)
	}
}

// A tool outside of the role is not listed, and cannot be called.
func TestRoles(t *testing.T) {
	forJudges := fake("judging", func(context.Context, json.RawMessage) (any, error) { return said{"judged"}, nil })
	forJudges.Roles = []tools.Role{tools.Judge}
	s, _ := newServer(t, DefaultLimits, append(fakes(), forJudges)...)
	tests := []struct {
		name    string
		ctx     context.Context
		allowed bool
		listed  int
	}{
		{"judge", tools.WithCaller(context.Background(), tools.Caller{Name: "j", Role: tools.Judge}), true, 6},
		{"builder", tools.WithCaller(context.Background(), somebody), false, 5},
		{"nobody", context.Background(), false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t, s, tt.ctx, "judging", "{}")
			if allowed := strings.Contains(got, `"said":"judged"`); allowed != tt.allowed {
				t.Errorf("the call gave %s, want allowed = %v", got, tt.allowed)
			}
			reply := s.Engine().HandleMessage(tt.ctx, json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
			list := reply.(mcp.JSONRPCResponse).Result.(mcp.ListToolsResult)
			if len(list.Tools) != tt.listed {
				t.Errorf("%d tools are listed, want %d", len(list.Tools), tt.listed)
			}
		})
	}
}

// The protocol's own check refuses first; this one holds where a transport forgets it.
func TestIdentityWithoutTheFilter(t *testing.T) {
	served, err := newServedTool(fakes()[0])
	if err != nil {
		t.Fatal(err)
	}
	m := &middleware{tools: map[string]*servedTool{"echo": served}}
	next := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		t.Error("the handler was reached")
		return nil, nil
	}
	req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "echo"}}
	if _, err := m.identified(next)(context.Background(), req); err == nil {
		t.Error("a call of nobody was let through")
	}
}

func TestInstructions(t *testing.T) {
	if n := len(strings.Fields(instructions)); n > 120 {
		t.Errorf("the instructions have %d words, at most 120 are read", n)
	}
	for _, role := range tools.Roles {
		if !strings.Contains(instructions, string(role)+":") {
			t.Errorf("the instructions say nothing to a %s", role)
		}
	}
}

func TestToolWithBrokenSchema(t *testing.T) {
	bad := fakes()[0]
	bad.Definition.RawInputSchema = json.RawMessage(`{"type": "objekt"}`)
	if _, err := New(Config{Tools: []tools.Tool{bad}, Limits: DefaultLimits}); err == nil || !strings.Contains(err.Error(), "tool echo: inputSchema") {
		t.Errorf("New gave %v, want an error that names the tool and the schema", err)
	}
}
