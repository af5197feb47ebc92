package scan

import (
	"strings"
	"testing"
)

func TestUnclearOperationName(t *testing.T) {
	cases := []findingCase{
		{"none", operation("GET", "/users", "", "List users"), []string{"GET /users"}},
		{"short", operation("GET", "/users", "get", "Get users"), []string{"get"}},
		{"four letters and marks", operation("GET", "/users", "a_b-c.d", "Get users"), []string{"a_b-c.d"}},
		{"five letters and digits", operation("GET", "/users", "user5", "Get users"), nil},
		{"letters of another script", operation("GET", "/users", "получить", "Get users"), nil},
		{"catch-all with an object", operation("POST", "/orders", "processOrder", "Process an order"), nil},
		{"health check", operation("GET", "/health", "", "Say whether the service is up"), nil},
		{"health tool", mcp(`{"name": "ping", "description": "Check the server"}`), nil},
		{"tool", mcp(`{"name": "update", "description": "Update a page"}`), []string{"update"}},
	}
	for _, name := range []string{"getData", "get_data", "process", "HANDLE", "manage", "update", "doAction", "execute", "run", "submit", "perform"} {
		cases = append(cases, findingCase{name, operation("POST", "/x", name, "Update a thing"), []string{name}})
	}
	checkFinding(t, "unclear_operation_name", cases)
}

func TestUnknownActionType(t *testing.T) {
	checkFinding(t, "unknown_action_type", []findingCase{
		{"no verb", mcp(`{"name": "inventory_helper", "description": "Inventory."}`), []string{"inventory_helper"}},
		{"a verb inside a word", mcp(`{"name": "wallet", "description": "Assets and addresses."}`), []string{"wallet"}},
		{"a verb", mcp(`{"name": "list_inventory", "description": "Inventory."}`), nil},
		{"a method", operation("GET", "/inventory", "inventoryView", "Inventory"), nil},
	})
}

// Tools that begin with a verb that the verb table lacks, or that says nothing there, are
// told that no action is known of it, and what they are told to do is not done yet.
func TestUnknownActionOfAVerb(t *testing.T) {
	for name, text := range map[string]string{
		"browser_navigate": "Navigate to a URL", "click": "Clicks on the provided element", "press_key": "Press a key",
		"hover": "Hovers over an element", "wait_for": "Wait for a text", "select_option": "Select an option",
		"emulate": "Emulates a device", "resize_page": "Resizes the page", "think": "Think about a problem",
		"execute_plan": "Execute a plan", "run_tests": "Run the tests", "handle_dialog": "Handle a dialog",
	} {
		for _, f := range judge(tool(name, text), nil).DetectedRules {
			if f.FindingCode != "unknown_action_type" {
				continue
			}
			if !strings.Contains(f.Explanation, "whose action Plumbline knows") {
				t.Errorf("%s %q: %s", name, text, f.Explanation)
			}
			_, verbs, found := strings.Cut(f.Recommendation, "such as ")
			verbs, _, _ = strings.Cut(verbs, ".")
			if !found {
				t.Errorf("%s names no verb that would do: %s", name, f.Recommendation)
			}
			for _, verb := range strings.Fields(strings.NewReplacer(",", "", " or ", " ").Replace(verbs)) {
				expectFiring(t, f.FindingCode, tool(name, verb+" a page"), false)
				expectFiring(t, f.FindingCode, tool(verb+"_page", text), false)
			}
		}
		expectFiring(t, "unknown_action_type", tool(name, text), true)
	}
}

func TestVagueToolName(t *testing.T) {
	cases := []findingCase{
		{"with an object", mcp(`{"name": "run_tests", "description": "Run the tests."}`), nil},
		{"in a longer word", mcp(`{"name": "runner", "description": "Run the tests."}`), nil},
		{"verb of its own", mcp(`{"name": "search", "description": "Search the pages."}`), nil},
	}
	for _, name := range []string{"run", "execute", "process", "handle", "do", "task", "tool", "action", "do_task", "doTask", "call", "invoke", "Run"} {
		cases = append(cases, findingCase{name, mcp(`{"name": "` + name + `", "description": "Run the tests."}`), []string{name}})
	}
	checkFinding(t, "mcp_vague_tool_name", cases)
}
