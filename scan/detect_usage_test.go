package scan

import "testing"

var whenToUseTexts = []string{
	"Use this when a ticket is solved.",
	"Use this tool if the order arrived damaged.",
	"Use this for damaged orders.",
	"Use this to close a ticket.",
	"Use this endpoint to list the orders of a shop.",
	"You can use this operation to rename a branch.",
	"Use it only for tests.",
	"Use when the page is stale.",
	"Use only with drafts.",
	"Call it only after the order was paid.",
	"Available only when the shop is open.",
	"When to use: the ticket is solved.",
	"Should be used for one order at a time.",
	"Intended for bulk changes.",
	"Designed for long texts.",
	"Prefer this over search_orders.",
	"Call this when the customer asks.",
	"Call this after create_order.",
	"Call this before pay_order.",
	"Useful when names are ambiguous.",
	"This endpoint is used to rotate a key.",
	"Best suited for short texts.",
	"Invoke this tool whenever a link is broken.",
	"**Use this** when a ticket is `solved`.",
	"Use this tool when you're not sure which one is meant.",
	"Call it only once the order was paid.",
	"This tool is made for short texts.",
}

var noWhenToUseTexts = []string{
	"Closes a ticket.",
	"Do not use this when a ticket is open.",
	"Never use this tool for payments.",
	"Must not be used for payments.",
	"Not intended for bulk changes.",
	"This endpoint is not used to rotate keys.",
	"Only returns items that the caller can see.",
	"Returns the user for the given id.",
	"The users of this tool for cars are many.",
	"Pick the API to call for the report.",
	"Lists the steps to run for each job.",
	"A key can be used for signing.",
	"Names start with a letter.",
	"Refunds a payment made for an order.",
	"Helps you manage your tickets.",
	"Returns a link that is good for one hour.",
	"Can be called only once.",
	"Lists the hooks that run before a push.",
	"",
}

func TestMissingWhenToUse(t *testing.T) {
	const finding = "missing_when_to_use"
	for _, text := range whenToUseTexts {
		expectFiring(t, finding, tool("close_ticket", text), false)
	}
	for _, text := range noWhenToUseTexts {
		expectFiring(t, finding, tool("close_ticket", text), true)
	}
	checkFinding(t, finding, []findingCase{
		{"health check", operation("GET", "/health", "health", "State."), nil},
		{"webhook", operation("POST", "/webhooks/orders", "ordersWebhook", "Order events."), nil},
		{"place", tool("close_ticket", "Closes it."), []string{"Closes it."}},
	})
}

var whenNotToUseTexts = []string{
	"Do not use it for lost parcels.",
	"Don't call it twice.",
	"Must not be called for drafts.",
	"Should not be used in loops.",
	"It cannot rename a branch.",
	"It can't be undone.",
	"Not for payments.",
	"Never returns drafts.",
	"Fails unless the shop is open.",
	"Lists all orders except drafts.",
	"Use open_claim instead.",
	"Works only if the shop is open.",
	"Works only for drafts.",
	"Callable only by owners.",
	"Requires the admin role.",
	"Drafts are not supported.",
	"Search is not available in trials.",
	"Forks are not allowed.",
	"Unable to read encrypted files.",
	"Only returns items that the caller can see.",
	"Does not return archived orders.",
	"Excludes drafts.",
	"Limited to one shop.",
	"Callers must have the billing role.",
	"Tokens need the `admin:shop` scope to use this endpoint.",
	"Not built for real-time use.",
	"Drafts are skipped unless asked for.",
	"No drafts are listed except your own.",
	"Ignores all fields other than the title.",
	"You need the admin role.",
	"You need to be an admin.",
	"If making a request for an app you must also have its permission.",
	"This tool should only be used to close tickets.",
	"You need admin rights.",
	"Callers must first create a shop.",
	"If you need more, another role is required for it.",
	"Use this when you need a list, which requires the admin role.",
}

var noWhenNotToUseTexts = []string{
	"Closes a ticket.",
	"Use this when a ticket is solved.",
	"Requires nothing.",
	"Requires no role.",
	"Does not require a role.",
	"There are no restrictions.",
	"There are no limitations.",
	"Callers do need no role.",
	"Notes are listed by date.",
	"Use this when you need many tickets.",
	"Use this when you need the newest tickets.",
	"Use this if a customer needs an answer.",
	"Use this tool to fetch the tickets you need.",
	"Use this whenever you must show a list.",
	"Use this when you have to print them.",
	"Use when the caller must have a full list.",
	"Use this once a task requires a list of tickets.",
	"When a new customer needs a list, use this.",
	"This tool should be used in dashboards.",
	"The amount should be in cents.",
	"",
}

func TestMissingWhenNotToUse(t *testing.T) {
	const finding = "missing_when_not_to_use"
	for _, text := range whenNotToUseTexts {
		expectFiring(t, finding, tool("close_ticket", text), false)
	}
	for _, text := range noWhenNotToUseTexts {
		expectFiring(t, finding, tool("close_ticket", text), true)
	}
	checkFinding(t, finding, []findingCase{
		{"health check", operation("GET", "/health", "health", "State."), nil},
		{"webhook", operation("POST", "/webhooks/orders", "ordersWebhook", "Order events."), nil},
		{"place", tool("close_ticket", "Closes it."), []string{"Closes it."}},
	})
}
