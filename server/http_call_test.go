package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// outcome gives an answer's message.
func (a answer) outcome(t *testing.T) map[string]any {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatalf("the answer %q is not JSON: %v", a.body, err)
	}
	return got
}

// A call is answered alike by the short way, which most take, and by the one that can
// report progress.
func TestCallsWithAndWithoutMeta(t *testing.T) {
	forJudges := fake("judging", nil)
	forJudges.Roles = []tools.Role{tools.Judge}
	s, _ := newServer(t, DefaultLimits, append(fakes(), forJudges)...)
	web := open(t, s, local)
	for _, call := range []struct{ tool, args string }{
		{"echo", `{"a":"<b> & \"c\" \u2028 \u202e ü 😀","n":1e2}`}, {"echo", `{}`}, {"echo", `[1]`}, {"echo", `null`}, {"echo", `{"n":1e999}`},
		{"crash", `{}`}, {"fail", `{}`}, {"refuse", `{}`}, {"lie", `{}`}, {"judging", `{}`}, {"none", `{}`},
	} {
		plain := callLine(`"x"`, call.tool, call.args)
		withMeta := strings.Replace(plain, `"params":{`, `"params":{"_meta":{},`, 1)
		if diff := cmp.Diff(web.post(withMeta).outcome(t), web.post(plain).outcome(t)); diff != "" {
			t.Errorf("%s %s is answered otherwise without _meta (-with +without):\n%s", call.tool, call.args, diff)
		}
	}
}
