package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// raw sends a call's arguments as they stand, since no Go string holds half a surrogate.
func (o *office) raw(a *agent, tool, arguments string) string {
	o.t.Helper()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
	reply, err := json.Marshal(o.server.Engine().HandleMessage(a.ctx, json.RawMessage(line)))
	if err != nil {
		o.t.Fatal(err)
	}
	return string(reply)
}

// A string that no text can hold is refused: else two of them would be one.
func TestHalfSurrogates(t *testing.T) {
	o, text := registered(t)
	a := o.as("olga", tools.Owner)
	quoted := func(text string) string {
		return strings.Replace(string(must(json.Marshal(text))), "the", `the \ud800`, 1)
	}
	withText := strings.Replace(contractOf(t, "other", 1, "over"), `"olga"`, `"the olga"`, 1)
	round := strings.Replace(string(must(json.Marshal(roundOn(t, text, "pass")))), `"verdict"`, `"the": 1, "verdict"`, 1)
	for name, call := range map[string]struct{ tool, arguments string }{
		"a contract":            {"register_contract", `{"record": true, "contract": ` + quoted(withText) + `}`},
		"a contract to check":   {"validate_contract", `{"contract": ` + quoted(withText) + `}`},
		"a contract to show":    {"render_brief", `{"role": "builder", "contract": ` + quoted(withText) + `}`},
		"an inline contract":    {"check_round", `{"record": false, "contract": ` + quoted(withText) + `, "round": ` + quoted(round) + `}`},
		"a round":               {"check_round", `{"record": false, "contract_id": "` + shop + `", "round": ` + quoted(round) + `}`},
		"an artifact":           {"register_contract", `{"record": false, "contract": {}, "artifacts": {"a": "\udc00"}}`},
		"artifacts in a string": {"register_contract", `{"record": false, "contract": {}, "artifacts": "{\"a\": \"\ud800\"}"}`},
	} {
		if reply := o.raw(a, call.tool, call.arguments); !strings.Contains(reply, "BAD_ARGUMENT") {
			t.Errorf("%s is answered with %s", name, reply)
		}
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// Where the ledger cannot be asked, nobody is told that a contract is not registered.
func TestInlineWithoutLedger(t *testing.T) {
	o := officeOn(t, func(context.Context) (*ledger.Ledger, error) {
		return nil, &ledger.Error{Code: ledger.Unavailable, Message: "the database is away", Hint: "wait"}
	})
	own := contractOf(t, "own", 1, "over")
	a := o.as("jane", tools.Judge)
	for tool, given := range map[string]args{
		"check_round": {"contract": own, "round": roundOn(t, own, "pass"), "record": false},
		"check_done":  {"contract": own, "report": reportOn(t, own, true), "record": false},
	} {
		next := a.ask(tool, given).Next
		if len(next) != 1 || strings.Contains(next[0].Why, "is not registered") || !strings.Contains(next[0].Why, "the database is away") {
			t.Errorf("%s: the next steps are %+v", tool, next)
		}
	}
	given := args{"contract": own, "round": roundOn(t, own, "pass"), "record": true, "submission": "a"}
	if told := a.refusal("check_round", given); told.Code != tools.LedgerUnavailable || told.Path != "" {
		t.Errorf("the refusal is %+v, want no argument at fault", told)
	}
}

// The nearest id is looked for among all contracts, and not at all among very many.
func TestNearestOfMany(t *testing.T) {
	o := newOffice(t)
	a := o.as("olga", tools.Owner)
	for i := range ledger.MaxPageSize + 1 {
		a.ask("register_contract", args{"contract": contractOf(t, fmt.Sprintf("a%03d", i), 1, "over"), "record": true})
	}
	a.ask("register_contract", args{"contract": contractOf(t, "payments", 1, "over"), "record": true})
	if told := a.refusal("chain_status", args{"contract_id": "paymets"}); !strings.Contains(told.Hint, "`payments`") {
		t.Errorf("the hint is %q", told.Hint)
	}
}
