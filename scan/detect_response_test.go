package scan

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestLargeUnstructuredResponse(t *testing.T) {
	list := func(parts ...func(*surface.Tool)) *subject {
		return operation("GET", "/orders", "listOrders", "List orders", parts...)
	}
	limited := func(description string) *subject { return list(answer(), field("limit", "integer", description)) }
	said := func(text string) *subject {
		return list(answer(), field("limit", "integer", ""), func(t *surface.Tool) { t.Description.Value = text })
	}
	place := []string{"GET /orders"}
	cases := []findingCase{
		{"no page", list(answer()), place},
		{"no schema", list(field("limit", "integer", "", upper)), place},
		{"empty answer", list(field("limit", "integer", "", upper), func(t *surface.Tool) { t.Responses = []surface.Response{{Status: "200"}} }), place},
		{"limit with a maximum", list(answer(), field("limit", "integer", "", upper)), nil},
		{"limit of few values", list(answer(), field("limit", "integer", "", enum)), nil},
		{"limit without a maximum", limited("How many"), []string{"limit"}},
		{"two sizes", list(answer(), field("limit", "integer", "", upper), field("perPage", "integer", "")), []string{"perPage"}},
		{"cursor alone", list(answer(), field("cursor", "string", "")), nil},
		{"page[number]", list(answer(), field("page[number]", "integer", "")), nil},
		{"a filter is no page", list(answer(), field("status", "string", ""), field("size", "string", "")), place},
		{"a switch is no page", list(answer(), field("count", "boolean", "")), place},
		{"search", operation("POST", "/orders/search", "searchOrders", "Search orders", answer()), []string{"POST /orders/search"}},
		{"one thing", operation("GET", "/orders/{id}", "getOrder", "Get an order", answer()), nil},
		{"a change", operation("POST", "/orders", "createOrder", "Create an order"), nil},
		{"an array", operation("GET", "/orders/{id}", "getOrder", "Get an order", func(t *surface.Tool) {
			t.Responses = []surface.Response{{Status: "200", HasSchema: true, IsArray: true}}
		}), []string{"GET /orders/{id}"}},
		{"maximum of results in the text", operation("GET", "/orders", "listOrders", "List orders, at most 50 results per page", answer(),
			field("limit", "integer", "")), nil},
		{"maximum of something else in the text", operation("GET", "/orders", "listOrders", "List orders, up to 5 calls a minute", answer(),
			field("limit", "integer", "")), []string{"limit"}},
		{"tool without limit", mcp(`{"name": "list_orders", "description": "List orders"}`), []string{"list_orders"}},
		{"tool with limit", mcp(`{"name": "list_orders", "description": "List orders", "inputSchema": {"type": "object",
			"properties": {"max_results": {"type": "integer", "maximum": 50}}}}`), nil},
	}
	for _, description := range []string{
		"The number of results per page (max 100).", "max 100", "Max: 50", "maximum of 100", "Maximum is 100", "between 1 and 100", "up to 100",
		"1-100", "1 to 100", "at most 100", "no more than 100", "Must not exceed 100", "Cannot exceed `100`", "<= 100", "Default 10,\nmaximum\n100", "The maximum value is 250.",
	} {
		cases = append(cases, findingCase{description, limited(description), nil})
	}
	for _, description := range []string{
		"Default 100", "There is no maximum.", "No max, 100 by default", "Without maximum of 100", "The climax 100", "not limited to 100", "The maximum is set by the plan.",
	} {
		cases = append(cases, findingCase{description, limited(description), []string{"limit"}})
	}
	for _, text := range []string{
		"The page size is max 100.", "Page size between 1 and 100.", "Maximum page size: 100.", "Limit (max 100).", "The limit must be between 1 and 100.",
		"`limit` ranges from 1 to 100.", "limit defaults to 20 and is capped at 100.", "The page size cannot exceed 200.", "Returns at most 100 orders.",
		"Returns a maximum of 50 orders per call.", "At most 100 orders are returned at once.", "Gives up to 100 open orders.", "At most 50 entries.",
	} {
		cases = append(cases, findingCase{text, said(text), nil})
	}
	for _, text := range []string{
		"Names have at most 50 characters.", "Answers within up to 30 seconds.", "The rate limit is at most 100 requests a minute.", "Rate limit: max 100.",
		"There is no maximum page size.", "The limit is not capped at 100.", "Page size is unlimited.", "Orders may weigh up to 100 kg.", "Returns orders between 1 and 100 dollars.",
		"Returns at most 100 characters of each note.", "The limit is 100 by default. An order weighs at most 30.", "Returns no more than it must.",
	} {
		cases = append(cases, findingCase{text, said(text), []string{"limit"}})
	}
	checkFinding(t, "large_unstructured_response", cases)
}

func TestMissingOutputSchema(t *testing.T) {
	checkFinding(t, "mcp_missing_output_schema", []findingCase{
		{"none", mcp(`{"name": "get_order", "description": "Returns a JSON object with an id."}`), []string{"get_order"}},
		{"declared", mcp(`{"name": "get_order", "outputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}`), nil},
	})
}
