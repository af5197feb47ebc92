package scan

import (
	"os"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// actionRow is one line of an action table: method (MCP or HTTP), path, name, summary.
type actionRow struct {
	method, path, name, summary string
	want                        Action
}

func (r actionRow) classify() Action {
	tool := &surface.Tool{Method: r.method, Path: r.path, Name: surface.Text{Value: r.name}}
	if r.method == "MCP" {
		tool.Method, tool.Description.Value = surface.MethodMCP, r.summary
		action, _ := classify(tool, surface.MCP, firstSentence(tool), "")
		return action
	}
	tool.Summary.Value = r.summary
	action, _ := classify(tool, surface.OpenAPI, firstSentence(tool), "")
	return action
}

func readActions(t *testing.T, file string) []actionRow {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []actionRow
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		c := strings.Split(line, "\t")
		if len(c) != 5 {
			t.Fatalf("%s: %d columns in %q, want 5", file, len(c), line)
		}
		rows = append(rows, actionRow{c[0], c[1], c[2], c[3], Action(c[4])})
	}
	return rows
}

func TestActionTypes(t *testing.T) {
	for _, file := range []string{"../testdata/vectors/actions.tsv", "../testdata/actions.tsv"} {
		for _, r := range readActions(t, file) {
			if got := r.classify(); got != r.want {
				t.Errorf("%s %s %q %q: %s, want %s", r.method, r.path, r.name, r.summary, got, r.want)
			}
		}
	}
}

// A verb inside a longer word is no verb: with letters before or after it, a name
// means what a name without it means.
func TestVerbInsideWordNeverDecides(t *testing.T) {
	plain := actionRow{method: "MCP", name: "zzqx_thing"}.classify()
	for _, list := range verbWords() {
		for _, name := range []string{"zq" + list, list + "qz", "zq" + list + "qz"} {
			if _, isVerb := words.LookupVerb(name); isVerb {
				continue
			}
			for _, full := range []string{name, name + "_thing", "thing_" + name} {
				if got := (actionRow{method: "MCP", name: full}).classify(); got != plain {
					t.Errorf("%s: %s, want %s", full, got, plain)
				}
			}
		}
	}
}

// The same holds for a verb inside a word of a path or a summary, wherever it stands.
func TestVerbInsideWordNeverDecidesElsewhere(t *testing.T) {
	places := []actionRow{
		{method: "MCP", name: "thing", summary: "@ a thing"},
		{method: "MCP", name: "thing", summary: "Read, @ and list it"},
		{method: "MCP", name: "thing", summary: "Read a thing and @ it"},
		{method: "MCP", name: "thing_by_@"},
		{method: "MCP", name: "get_and_@_thing"},
		{method: "POST", path: "/@"},
		{method: "POST", path: "/things/{id}/@.json"},
		{method: "POST", path: "/things/{id}:@"},
		{method: "POST", path: "/things/@-message"},
		{method: "POST", path: "/things/thing-@"},
		{method: "POST", path: "/webhooks", name: "@Webhook"},
		{method: "GET", path: "/things", name: "@Thing"},
		{method: "PUT", path: "/things", summary: "@ the thing"},
	}
	at := func(r actionRow, word string) Action {
		fill := strings.NewReplacer("@", word)
		r.path, r.name, r.summary = fill.Replace(r.path), fill.Replace(r.name), fill.Replace(r.summary)
		return r.classify()
	}
	for _, r := range places {
		plain := at(r, "zzqx")
		for _, verb := range verbWords() {
			for _, word := range []string{"a" + verb, verb + "a", "zq" + verb, verb + "qz", "q" + verb + "s", verb + "\u00e9"} {
				if _, isVerb := words.LookupVerbForm(word); isVerb {
					continue
				}
				if got := at(r, word); got != plain {
					t.Errorf("%q in %v: %s, want %s", word, r, got, plain)
				}
			}
		}
	}
}

func TestSharedPrefix(t *testing.T) {
	tests := []struct {
		names []string
		want  string
	}{
		{[]string{"slack_post", "slack_list", "slack_get"}, "slack"},
		{[]string{"email_list", "email_send", "email_delete", "ping"}, "email"},
		{[]string{"get_a", "get_b", "get_c"}, ""}, // a plain verb is no prefix
		{[]string{"a_x", "a_y"}, ""},              // two names share a word by chance
		{[]string{"a_x", "a_y", "a_z", "b_x", "b_y", "b_z"}, ""},
	}
	for _, tt := range tests {
		if got := sharedPrefix(tt.names); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.names, got, tt.want)
		}
	}
}

func TestPrefixIsNotLookedAt(t *testing.T) {
	tests := []struct {
		prefix, name string
		want         Action
	}{
		{"email", "email_list", ActionList},
		{"email", "email_send", ActionSend},
		{"email", "email_get_by_id", ActionRead},
		{"refund", "refund_create", ActionRefund}, // still the object of a neutral verb
		{"search", "search_web", ActionSearch},    // the only verb stays
		{"list", "list_users", ActionList},
		{"slack", "slack_reply_to_thread", ActionSend},
		{"api", "API-post-search", ActionCreate},
	}
	for _, tt := range tests {
		tool := &surface.Tool{Method: surface.MethodMCP, Name: surface.Text{Value: tt.name}}
		if got, _ := classify(tool, surface.MCP, firstSentence(tool), tt.prefix); got != tt.want {
			t.Errorf("%s with prefix %s: %s, want %s", tt.name, tt.prefix, got, tt.want)
		}
	}
}

// A prefix that is the method of the operation is its verb, not a prefix.
func TestMethodIsNoPrefix(t *testing.T) {
	for method, want := range map[string]Action{"POST": ActionCreate, "PUT": ActionPay} {
		tool := &surface.Tool{Method: method, Path: "/v1/checkout/sessions", Name: surface.Text{Value: "PostCheckoutSessions"}}
		if got, _ := classify(tool, surface.OpenAPI, firstSentence(tool), "post"); got != want {
			t.Errorf("%s PostCheckoutSessions with prefix post: %s, want %s", method, got, want)
		}
	}
}

func TestCommandFieldOfACatchAll(t *testing.T) {
	tests := []struct {
		name, field, values string
		want                Action
	}{
		{"manage_users", "action", "list create delete", ActionDelete},
		{"manage_alerts", "action", "list get", ActionList},
		{"manage_clipboard", "action", "read write", ActionUpdate},
		{"manage_vm", "action", "start-vm delete-vm", ActionDelete},
		{"run_action", "action", "transferFunds listAccounts", ActionTransfer},
		{"run_job", "command", "start stop", ActionCancel},
		{"do_operation", "operation", "add subtract", ActionCreate},
		{"handle_payment", "action", "charge refund", ActionPay},
		{"handle_order", "method", "CANCEL SHIP", ActionCancel},
		{"review_write", "method", "create delete_pending", ActionDelete},
		{"manage_item", "action", "get soft_delete", ActionDelete},
		{"manage_item", "action", "item.get item.remove", ActionDelete},
		{"process_item", "action", "approve reject", ActionUpdate},
		{"process_refund", "action", "list delete", ActionRefund}, // its object decides
		{"manage_team", "kind", "create delete", ActionUnknown},   // no command field
		{"get_item", "action", "get delete", ActionRead},          // no catch-all
	}
	for _, tt := range tests {
		field := &surface.Field{Name: tt.field, Schema: &surface.Schema{}}
		for _, v := range strings.Fields(tt.values) {
			field.Enum = append(field.Enum, surface.Text{Value: v})
		}
		tool := &surface.Tool{Method: surface.MethodMCP, Name: surface.Text{Value: tt.name}, Fields: []*surface.Field{field}}
		if got, _ := classify(tool, surface.MCP, firstSentence(tool), ""); got != tt.want {
			t.Errorf("%s with %s %s: %s, want %s", tt.name, tt.field, tt.values, got, tt.want)
		}
	}
}

func TestGetOfOneObjectIsRead(t *testing.T) {
	tool := &surface.Tool{Method: "GET", Path: "/profile", Responses: []surface.Response{
		{Status: "200", HasSchema: true, IsObject: true},
	}}
	if got, _ := classify(tool, surface.OpenAPI, firstSentence(tool), ""); got != ActionRead {
		t.Errorf("GET of an object: %s, want READ", got)
	}
	tool.Responses[0].HasArray = true
	if got, _ := classify(tool, surface.OpenAPI, firstSentence(tool), ""); got != ActionList {
		t.Errorf("GET of an object with an array: %s, want LIST", got)
	}
}
