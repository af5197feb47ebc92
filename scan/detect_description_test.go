package scan

import (
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestAmbiguousDescription(t *testing.T) {
	const long = "Closes one support ticket, tells its requester by mail, and keeps it readable for the team."
	spaced := strings.ReplaceAll("Closes a ticket.", " ", strings.Repeat(" ", 100))
	checkFinding(t, "ambiguous_tool_description", []findingCase{
		{"none", tool("close_ticket", ""), []string{"close_ticket"}},
		{"none in an operation", operation("POST", "/tickets/{id}/close", "closeTicket", ""), []string{"POST /tickets/{id}/close"}},
		{"short", tool("close_ticket", "Closes a ticket."), []string{"Closes a ticket."}},
		{"short summary", operation("POST", "/a", "closeTicket", "Close a ticket"), []string{"Close a ticket"}},
		{"long by spaces", tool("close_ticket", spaced), []string{spaced}},
		{"one short of enough", tool("close_ticket", strings.Repeat("ab ", 26)+"c"), []string{strings.Repeat("ab ", 26) + "c"}},
		{"just enough", tool("close_ticket", strings.Repeat("ab ", 26)+"cd"), nil},
		{"long", tool("close_ticket", long), nil},
		{"characters, not bytes", tool("close_ticket", strings.Repeat("ä", 79)), []string{strings.Repeat("ä", 79)}},
		{"repeats the name at length", tool("close_ticket", "This tool allows you to close a ticket. Use this tool to close the given ticket. It closes tickets."),
			[]string{"This tool allows you to close a ticket. Use this tool to close the given ticket. It closes tickets."}},
		{"health check", operation("GET", "/health", "health", ""), nil},
	})
	both := operation("POST", "/a", "closeTicket", "Close a ticket", func(t *surface.Tool) {
		t.Description = surface.Text{Value: "Marks it as solved and tells its requester by mail what was done."}
	})
	expectFiring(t, "ambiguous_tool_description", both, false)
}

func TestContextConfusion(t *testing.T) {
	const finding = "agent_context_confusion"
	for _, text := range []string{
		"Lists the invoices of the current account.",
		"Lists the current user's repositories.",
		"Returns the current tenant, with its plan.",
		"Adds a page to the active workspace.",
		"Files the issue in the default project.",
		"Deploys to the selected environment.",
		"Shows the balance of my account.",
		"Acts for the currently selected project.",
		"Lists teams of the currently logged-in user.",
		"Acts on whichever project is currently open.",
	} {
		expectFiring(t, finding, tool("list_things", text), true)
		expectFiring(t, finding, operation("GET", "/things", "listThings", text), true)
	}
	for _, text := range []string{
		"Returns the current account balance.",
		"Returns the current user count.",
		"Returns the active project templates.",
		"Does not depend on the current workspace; pass its id.",
		"There is no default project.",
		"Lists accounts. Current prices apply.",
		"Lists the invoices of the account given in account_id.",
		"Creates the default branch.",
		"Can only be called by a logged-in user.",
		"Returns the current version.",
		"Lists repositories for the authenticated user.",
	} {
		expectFiring(t, finding, tool("list_things", text), false)
		expectFiring(t, finding, operation("GET", "/things", "listThings", text), false)
	}
	for path, want := range map[string]bool{
		"/me": true, "/users/me/orders": true, "/users/@me": true, "/v1/Me": true,
		"/menus": false, "/home": false, "/users/{me}": false, "/time": false,
	} {
		expectFiring(t, finding, operation("GET", path, "listThings", ""), want)
	}
	expectFiring(t, finding, tool("me", ""), false)
}
