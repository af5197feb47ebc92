package server

import (
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// Errors are worded for clients, with the right code, on every way to the engine.
func TestWordings(t *testing.T) {
	web := open(t, quietTeam(t), HTTPConfig{Local: tools.Caller{Name: "olga", Role: tools.Owner}})
	l := web.listen()
	request := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	}
	tests := []struct{ request, want string }{
		{request("resources/read", `{"uri":"plumbline://contracts/none"}`), `resource plumbline://contracts/none not found: there is none, or it is not yours to see`},
		{request("resources/read", `{"uri":"plumbline://zzz"}`), `resource plumbline://zzz not found`},
		{request("prompts/get", `{"name":"judge_round"}`), `"code":-32602,"message":"the prompt judge_round needs its argument contract_id`},
		{request("prompts/get", `{"name":"judge_round","arguments":{"contract_id":"none"}}`), `"code":-32602,"message":"UNKNOWN_CONTRACT: `},
		{request("prompts/get", `{"name":7}`), `a parameter is not of the type that the method takes`},
		{request("tools/call", `{"name":"chain_status","arguments":{"limit":1e999}}`), `a parameter is not of the type that the method takes`},
		{request("json: of a client", `{}`), `"code":-32601`},
		{request("tools/call", `{"name":"json: of a client"}`), `tool 'json: of a client' not found`},
		{request("resources/read", `{"uri":[]}`), `a parameter is not of the type that the method takes`},
		{request("subscriptions/listen", `{}`), `"code":-32601,"message":"there is nothing to subscribe to`},
		{request("subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`), `"code":-32601`},
	}
	for _, tt := range tests {
		l.accepted(tt.request)
		for way, got := range map[string]string{"/mcp": web.post(tt.request).body, "/sse": l.next().data} {
			if !strings.Contains(got, tt.want) || !strings.Contains(got, `"id":1`) {
				t.Errorf("%s: %s gives %s, want %s", way, tt.request, got, tt.want)
			}
			for _, inner := range []string{"absent:", "without its argument", "Go struct", "json: cannot", "handler"} {
				if strings.Contains(got, inner) {
					t.Errorf("%s: %s gives %s, which says %q", way, tt.request, got, inner)
				}
			}
		}
	}
}

// A modern client gets its own code for what is not there, with the status that belongs to it.
func TestWordingsForModernClients(t *testing.T) {
	web := open(t, quietTeam(t), HTTPConfig{Local: tools.Caller{Name: "olga", Role: tools.Owner}})
	tests := []struct{ method, name, params, want string }{
		{"resources/read", "plumbline://contracts/none", `"uri":"plumbline://contracts/none"`, `"code":-32602,"message":"resource plumbline://contracts/none not found`},
		{"resources/read", "plumbline://zzz", `"uri":"plumbline://zzz"`, `"code":-32602,"message":"resource plumbline://zzz not found`},
		{"prompts/get", "judge_round", `"name":"judge_round","arguments":{"contract_id":"none"}`, `"code":-32602,"message":"UNKNOWN_CONTRACT: `},
	}
	for _, tt := range tests {
		got := web.post(`{"jsonrpc":"2.0","id":1,"method":"`+tt.method+`","params":{`+tt.params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: "+tt.method, "Mcp-Name: "+tt.name)
		if got.status != 400 || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s of %s gives %d %s, want 400 and %s", tt.method, tt.name, got.status, got.body, tt.want)
		}
	}
}

// A progress token that would come back as another is refused.
func TestProgressTokens(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	for token, good := range map[string]bool{`"p"`: true, `7`: true, `null`: true, `9007199254740992`: true, `9007199254740993`: false, `1.5`: false, `{}`: false, `[1]`: false, `true`: false} {
		got := web.post(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":` + token + `}}}`)
		if refused := strings.Contains(got.body, "a progressToken is a string"); refused == good || good != (got.status == 200) {
			t.Errorf("the token %s gives %d %s", token, got.status, got.body)
		}
	}
}
