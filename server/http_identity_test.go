package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

// expire makes the tokens of a name end in the past.
func (f *tokenFile) expire(name string) {
	f.t.Helper()
	text, err := os.ReadFile(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		f.t.Fatal(err)
	}
	for _, entry := range file["tokens"].([]any) {
		if e := entry.(map[string]any); e["name"] == name {
			e["expires"] = "2020-01-01T00:00:00Z"
		}
	}
	if text, err = json.Marshal(file); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path, text, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// Without a good token nothing is served but the probes.
func TestTokensAreAskedFor(t *testing.T) {
	s, log := newServer(t, DefaultLimits, fakes()...)
	tokens := newTokens(t)
	good, old, revoked := tokens.add("good", tools.Builder), tokens.add("old", tools.Builder), tokens.add("revoked", tools.Builder)
	tokens.expire("old")
	web := open(t, s, tokens.config(), func(h *httpServer) { h.loopback = false; h.routes = h.table() })
	if got := web.post(pingLine("1"), revoked); got.status != 200 {
		t.Fatalf("before it is revoked the token gets %d", got.status)
	}
	if _, err := auth.Revoke(tokens.path, "revoked"); err != nil {
		t.Fatal(err)
	}
	bad := map[string][]string{
		"no token":             nil,
		"an unknown token":     {"Authorization: Bearer plb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
		"a truncated token":    {good[:len(good)-1]},
		"a longer token":       {good + "A"},
		"an expired token":     {old},
		"a revoked token":      {revoked},
		"two tokens":           {good, good},
		"another scheme":       {strings.Replace(good, "Bearer", "Basic", 1)},
		"a token in the query": nil,
	}
	for name, headers := range bad {
		for path, route := range web.routes {
			if name == "a token in the query" {
				path += "?access_token=" + strings.TrimPrefix(good, "Authorization: Bearer ")
			}
			got := web.do(web.request(context.Background(), route.methods[0], path, "", headers...))
			switch {
			case route.open && got.status != 200:
				t.Errorf("%s: the probe %s gives %d", name, path, got.status)
			case !route.open && (got.status != 401 || got.header.Get("WWW-Authenticate") != route.challenge()):
				t.Errorf("%s: %s gives %d %v, want 401 and what is wrong", name, path, got.status, got.header)
			}
		}
	}
	if got := web.post(pingLine("1"), good); got.status != 200 {
		t.Errorf("the good token gets %d %s", got.status, got.body)
	}
	if got := web.do(web.request(context.Background(), http.MethodGet, "/metrics", "", good)); got.status != 200 {
		t.Errorf("the good token gets %d from /metrics", got.status)
	}
	if strings.Contains(log.String(), "plb_") {
		t.Errorf("a token is in the log: %s", log)
	}
}

// What a token may do is what its role may, and its name is who did it.
func TestRolesOfTokens(t *testing.T) {
	forJudges := fake("judging", func(ctx context.Context, _ json.RawMessage) (any, error) {
		caller, _ := tools.CallerFrom(ctx)
		return said{caller.Name}, nil
	})
	forJudges.Roles = []tools.Role{tools.Judge}
	s, _ := newServer(t, DefaultLimits, append(fakes(), forJudges)...)
	tokens := newTokens(t)
	bob, jane := tokens.add("bob", tools.Builder), tokens.add("jane", tools.Judge)
	web := open(t, s, tokens.config())
	for header, want := range map[string]struct {
		tools int
		says  string
	}{
		bob:  {len(fakes()), `"code":-32602`},
		jane: {len(fakes()) + 1, `"said":"jane"`},
	} {
		if got := web.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header); len(got.Result.Tools) != want.tools {
			t.Errorf("a token sees %d tools, want %d", len(got.Result.Tools), want.tools)
		}
		if got := web.call("1", "judging", "{}", header); !strings.Contains(got.body, want.says) {
			t.Errorf("a token gets %s, want %s", got.body, want.says)
		}
		l := web.listen(header)
		l.accepted(callLine("1", "judging", "{}"))
		if e := l.next(); !strings.Contains(e.data, want.says) {
			t.Errorf("a token gets %s over SSE, want %s", e.data, want.says)
		}
	}
}

// A builder's token neither registers nor judges, whatever it sends; its reports stand
// under its name.
func TestBuilderOverHTTP(t *testing.T) {
	tokens := newTokens(t)
	olga, bob := tokens.add("olga", tools.Owner), tokens.add("bob", tools.Builder)
	web := open(t, quietTeam(t), tokens.config())
	text := loopContract(t, 1, `["under","over"]`)
	register := fmt.Sprintf(`{"record":true,"contract":%q}`, text)
	round := `{"contract_id":"shop/refunds","record":true,"submission":"1","round":{"agc":"0.1.0","verdict":"pass","findings":[]}}`
	for tool, args := range map[string]string{"register_contract": register, "check_round": round} {
		for _, how := range []func() string{
			func() string { return web.call("1", tool, args, bob).body },
			func() string {
				l := web.listen(bob)
				l.accepted(callLine("1", tool, args))
				return l.next().data
			},
		} {
			if got := how(); !strings.Contains(got, `"error":{"code":-32602`) {
				t.Errorf("a builder's %s gives %s, want -32602", tool, got)
			}
		}
	}
	if got := web.call("2", "chain_status", `{}`, olga); !strings.Contains(got.body, `"contracts":[]`) {
		t.Errorf("after a builder's tries there is %s", got.body)
	}
	web.call("3", "register_contract", register, olga)
	report := `{"contract_id":"shop/refunds","record":true,"submission":"1","report":` + loopReport(t, text) + `}`
	if got := web.call("4", "check_done", report, bob); !strings.Contains(got.body, `"recorded":true`) {
		t.Errorf("a builder's report gives %s", got.body)
	}
	if got := web.call("5", "chain_status", `{"contract_id":"shop/refunds"}`, olga); !strings.Contains(got.body, `"who":"bob"`) {
		t.Errorf("the report does not stand under the token's name: %s", got.body)
	}
}
