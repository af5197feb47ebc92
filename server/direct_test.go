package server

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// Whatever a call looks like, it is answered as the engine answers it: without an id not at
// all, and no tool runs.
func TestCallsAreAnsweredAsByTheEngine(t *testing.T) {
	forOwners := fake("owners", fakes()[0].Run)
	forOwners.Roles = []tools.Role{tools.Owner}
	s, log := newServer(t, DefaultLimits, append(fakes(), forOwners)...)
	long := strings.Repeat("7", 400)
	for _, params := range []string{
		`{"name":"echo","arguments":{"a":1}}`,
		`{"name":"echo"}`,
		`{"name":"echo","arguments":null}`,
		`{"name":"echo","arguments":"{\"a\":1}"}`,
		`{"name":"echo","arguments":"{\"a\":1e999}"}`,
		`{"name":"echo","arguments":[]}`,
		`{"name":"echo","arguments":7}`,
		`{"name":"echo","arguments":{"a":1e999}}`,
		`{"name":"echo","arguments":{"a":[{"b":-1.5E+999}]}}`,
		`{"name":"echo","arguments":{"a":` + long + `}}`,
		`{"name":"echo","arguments":{"a":"` + long + `"}}`,
		`{"name":"echo","arguments":{"a":1e10,"true":true,"s":"1e999"}}`,
		`{"Name":"echo","ARGUMENTS":{"a":1}}`,
		`{"name":"ech\u006f","arguments":{}}`,
		`{"name":"echo","task":{"ttl":1}}`,
		`{"name":"echo","inputResponses":{}}`,
		`{"name":"echo","requestState":"x"}`,
		`{"name":"echo","requestState":7}`,
		`{"name":"echo","_meta":{}}`,
		`{"name":"echo","_meta":{"progressToken":1}}`,
		`{"name":"echo","_meta":7}`,
		`{"name":"echo","other":7}`,
		`{"name":"owners"}`,
		`{"name":"nowhere"}`,
		`{"name":""}`,
		`{"name":null}`,
		`{"name":7}`,
		`{}`,
		`[]`,
		`"text"`,
		`null`,
		`{"name":"crash"}`,
		`{"name":"fail"}`,
		`{"name":"lie"}`,
		`{"name":"refuse"}`,
	} {
		text := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":` + params + `}`
		m, wrong := parse([]byte(text))
		if wrong != nil {
			t.Errorf("%s is refused: %s", params, wrong.text)
			continue
		}
		ctx := tools.WithCaller(context.Background(), somebody)
		got, err := appendReply(nil, s.handle(ctx, m), m.id)
		if err != nil {
			t.Fatal(err)
		}
		want, err := encodeLine(withID(worded(s.Engine().HandleMessage(ctx, []byte(text))), m.id))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, want), decoded(t, got)); diff != "" {
			t.Errorf("%s (-engine +here):\n%s", params, diff)
		}
		before := log.String()
		if got := talk(t, s, strings.Replace(text, `"id":7,`, "", 1)); got[0] != "" || log.String() != before {
			t.Errorf("%s without an id is answered with %q, and the log says %q", params, got, strings.TrimPrefix(log.String(), before))
		}
	}
}

// Of two members of one name some read the first and some the last: no tool runs by such a
// message, and so nothing is recorded that who looked at it did not see.
func TestMembersGivenTwice(t *testing.T) {
	s, log := newServer(t, DefaultLimits, fakes()...)
	const echo = `{"name":"echo","arguments":{"a":1}}`
	call := func(rest string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":` + rest + `}`
	}
	for text, want := range map[string]string{
		call(echo + `,"params":"junk"`):                               "-32600",
		call(echo + `,"params":null`):                                 "-32600",
		call(echo + `,"PARAMS":7`):                                    "-32600",
		call(echo + `,"params":` + echo):                              "-32600",
		call(`"junk","params":` + echo):                               "-32600",
		call(echo + `,"id":8`):                                        "-32600",
		call(echo + `,"method":"ping"`):                               "-32600",
		call(echo + `,"m\u0065thod":"ping"`):                          "-32600",
		call(echo + `,"jsonrpc":"2.0"`):                               "-32600",
		`{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}`:    "-32600",
		call(`{"Name":{},"name":"echo"}`):                             "-32600",
		call(`{"name":"echo","NAME":null}`):                           "-32600",
		call(`{"name":"crash","name":"echo"}`):                        "-32600",
		call(`{"name":"echo","arguments":{},"arguments":{"b":2}}`):    "-32600",
		call(`{"name":"echo","arguments":{"a":1,"a":1}}`):             "BAD_ARGUMENT",
		call(`{"name":"echo","arguments":{"a":false,"\u0061":true}}`): "BAD_ARGUMENT",
		call(`{"name":"echo","arguments":"{\"a\":1,\"a\":2}"}`):       "BAD_ARGUMENT",
		call(`{"name":"echo","_meta":{},"arguments":{"a":1,"a":2}}`):  "BAD_ARGUMENT",
	} {
		before := log.String()
		id := `"id":7`
		if strings.Contains(text, `"id":8`) {
			id = `"id":null`
		}
		if got := talk(t, s, text); len(got) != 1 || !strings.Contains(got[0], want) || !strings.Contains(got[0], id) || strings.Contains(log.String()[len(before):], "outcome=ok") {
			t.Errorf("%s gives %q, want %s; the log says %q", text, got, want, log.String()[len(before):])
		}
	}
	if got := talk(t, s, call(`{"name":"echo","arguments":{"a":{"a:":[1,{"a":2}]},"b\"{:":1}}`)); !strings.Contains(got[0], `"said"`) {
		t.Errorf("members of one name in different objects give %q", got)
	}
}

// decoded decodes an answer: the order of its members says nothing.
func decoded(t *testing.T, text []byte) (answer map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// A text that may not overflow is one that the engine can decode.
func FuzzMayOverflow(f *testing.F) {
	for _, text := range []string{`1e999`, `[-1.5E+400]`, `{"1e999":"\"1e999"}`, `"\\"`, strings.Repeat("9", 310), `0.` + strings.Repeat("9", 310), `true`, `[1,"e"]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var decoded any
		if json.Valid([]byte(text)) && !mayOverflow(json.RawMessage(text)) {
			if err := json.Unmarshal([]byte(text), &decoded); err != nil {
				t.Errorf("%q does not decode: %v", text, err)
			}
		}
	})
}
