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
	for _, list := range words.VerbWords() {
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

func TestCommandFieldOfACatchAll(t *testing.T) {
	tool := &surface.Tool{
		Method: surface.MethodMCP,
		Name:   surface.Text{Value: "manage_users"},
		Fields: []*surface.Field{{Name: "action", Schema: &surface.Schema{
			Enum: []surface.Text{{Value: "list"}, {Value: "create"}, {Value: "delete"}},
		}}},
	}
	if got, _ := classify(tool, surface.MCP, firstSentence(tool), ""); got != ActionDelete {
		t.Errorf("manage_users with action list, create, delete: %s, want DELETE", got)
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
