package scan

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestUnboundedParameter(t *testing.T) {
	pay := func(parts ...func(*surface.Tool)) *subject {
		return operation("POST", "/orders", "createOrder", "Create an order", parts...)
	}
	list := func(parts ...func(*surface.Tool)) *subject {
		return operation("GET", "/orders", "listOrders", "List orders", parts...)
	}
	checkFinding(t, "unbounded_parameter", []findingCase{
		{"amount", pay(field("amount", "integer", "")), []string{"amount"}},
		{"only a lower bound", pay(field("amount", "number", "", lower)), []string{"amount"}},
		{"only an upper bound", pay(field("unitPrice", "number", "", upper)), []string{"unitPrice"}},
		{"both bounds", pay(field("amount", "integer", "", lower, upper)), nil},
		{"enum", pay(field("quantity", "integer", "", enum)), nil},
		{"const", pay(field("quantity", "integer", "", fixed)), nil},
		{"bounds only in the text", pay(field("amount", "integer", "Between 1 and 100.")), []string{"amount"}},
		{"no type", pay(field("total", "", "")), []string{"total"}},
		{"no type, an object", pay(field("total", "", ""), field("currency", "string", "", under("total"))), nil},
		{"text", pay(field("amount", "string", "")), nil},
		{"number or text", pay(func(t *surface.Tool) {
			field("amount", "number", "")(t)
			t.Fields[0].Types = []string{"number", "string"}
		}), []string{"amount"}},
		{"plural", pay(field("discounts", "number", "")), []string{"discounts"}},
		{"first word", pay(field("maxRetries", "integer", ""), field("num_days", "integer", ""), field("min_age", "integer", "")),
			[]string{"maxRetries", "num_days", "min_age"}},
		{"every field, deep ones too", pay(field("amount", "integer", ""), field("size", "integer", "", under("items[]"))),
			[]string{"amount", "items[].size"}},
		{"other words", pay(field("account", "integer", ""), field("counter", "integer", ""), field("maximize", "integer", ""),
			field("size_id", "integer", ""), field("discount_code", "integer", "")), nil},
		{"page size in a list", list(field("limit", "integer", ""), field("perPage", "integer", ""), field("page[size]", "integer", "")), nil},
		{"page size in a change", pay(field("limit", "integer", "")), []string{"limit"}},
		{"a filter in a list", list(field("min_price", "number", "")), []string{"min_price"}},
		{"tool", mcp(`{"name": "refund_order", "description": "Refund an order", "inputSchema": {"type": "object",
			"properties": {"amount": {"type": "number", "exclusiveMinimum": 0}}, "required": ["amount"]}}`), []string{"amount"}},
		{"bounded tool", mcp(`{"name": "refund_order", "description": "Refund an order", "inputSchema": {"type": "object",
			"properties": {"amount": {"type": "number", "exclusiveMinimum": 0, "maximum": 500}}, "required": ["amount"]}}`), nil},
	})
}

func TestMissingEnum(t *testing.T) {
	with := func(parts ...func(*surface.Tool)) *subject {
		return operation("POST", "/orders", "createOrder", "Create an order", parts...)
	}
	described := func(description string) *subject { return with(field("status", "string", description)) }
	found := []string{"status"}
	checkFinding(t, "missing_enum", []findingCase{
		{"status", described(""), found},
		{"plural and style", with(field("orderTypes", "string", ""), field("user-role", "string", ""), field("Locale", "string", "")),
			[]string{"orderTypes", "user-role", "Locale"}},
		{"enum", with(field("status", "string", "", enum)), nil},
		{"const", with(field("status", "string", "", fixed)), nil},
		{"pattern", with(field("status", "string", "", func(f *surface.Field) { f.HasPattern = true })), nil},
		{"format", with(field("status", "string", "", func(f *surface.Field) { f.Format = "uuid" })), nil},
		{"read-only", with(field("status", "string", "", func(f *surface.Field) { f.ReadOnly = true })), nil},
		{"no text", with(field("status", "integer", ""), field("mode", "boolean", ""), field("types", "array", "")), nil},
		{"other words", with(field("statusText", "string", ""), field("estate", "string", ""), field("typeId", "string", ""),
			field("prototype", "string", ""), field("model", "string", "")), nil},

		{"standard", described("Code of ISO 3166-1 alpha-2."), nil},
		{"standard with digits", described("An ISO4217 code"), nil},
		{"language tag", described("BCP 47 tag"), nil},
		{"media types", described("As registered with IANA; see RFC 6838."), nil},
		{"denied standard", described("Not an ISO code, any text."), found},
		{"in a longer word", described("An isolated or RFCs-like thing"), found},

		{"one of", described("One of: open, closed, all."), nil},
		{"code list", described("`open`, `closed` or `all`"), nil},
		{"quoted pair", described(`Either "asc" or "desc".`), nil},
		{"bare pair", described("Can be asc or desc"), nil},
		{"bars", described("open|closed"), nil},
		{"slashes", described("allowed: open/closed"), nil},
		{"bullets", described("The state:\n- `open`: still to do\n- `closed`: done\n"), nil},
		{"values are", described("Valid values are open, closed"), nil},
		{"prose", described("The status of the order, which shows how far it has come."), found},
		{"one of the things", described("One of the statuses of your account."), found},
		{"one example", described("For example `open`."), found},
		{"accepted list", described("Accepts open, closed or all."), nil},
		{"denied standard", described("Not one of the ISO codes."), found},
		{"denied list", described("Not one of open, closed or all."), found},

		{"state beside a postal code", with(field("state", "string", "", under("address")), field("zip", "string", "", under("address"))), nil},
		{"country of a street", with(field("country", "string", ""), field("city", "string", ""), field("street1", "string", "")), nil},
		{"prefixed", with(field("billing_country", "string", ""), field("billing_postal_code", "string", "")), nil},
		{"state beside another object's postal code", with(field("state", "string", ""), field("zip", "string", "", under("address"))), []string{"state"}},
		{"city alone", with(field("country", "string", ""), field("city", "string", "")), []string{"country"}},
		{"type beside a postal code", with(field("type", "string", ""), field("zip", "string", "")), []string{"type"}},

		{"HTTP's own header", with(field("Accept-Language", "string", "", func(f *surface.Field) { f.In = "header" })), nil},
	})
}

func TestInputSchema(t *testing.T) {
	tool := func(description, schema string) *subject {
		return mcp(`{"name": "restart_build", "description": "` + description + `"` + schema + `}`)
	}
	const (
		none   = ``
		empty  = `, "inputSchema": {}`
		object = `, "inputSchema": {"type": "object"}`
		draft  = `, "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema"}`
		closed = `, "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}`
		filled = `, "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}`
	)
	found := []string{"restart_build"}
	checkFinding(t, "mcp_missing_input_schema", []findingCase{
		{"none", tool("Restart", none), found},
		{"empty", tool("Restart", empty), nil},
		{"object", tool("Restart", object), nil},
		{"filled", tool("Restart", filled), nil},
	})
	checkFinding(t, "mcp_empty_input_schema", []findingCase{
		{"none is another finding", tool("Restart", none), nil},
		{"empty", tool("Restart", empty), found},
		{"only a draft", tool("Restart", draft), found},
		{"object", tool("Restart", object), found},
		{"closed", tool("Restart the last build.", closed), nil},
		{"closed, text speaks of inputs", tool("Restart the given build.", closed), found},
		{"closed, text speaks of a parameter", tool("Restart a build by its id parameter.", closed), found},
		{"closed, text denies inputs", tool("Restart the last build. Takes no parameters.", closed), nil},
		{"filled", tool("Restart the given build.", filled), nil},
	})
}

func TestMissingRequired(t *testing.T) {
	tool := func(name, description, properties, rest string) *subject {
		return mcp(`{"name": "` + name + `", "description": "` + description + `", "inputSchema": {"type": "object", "properties": {` + properties + `}` + rest + `}}`)
	}
	const (
		id      = `"id": {"type": "string"}`
		ids     = id + `, "force": {"type": "boolean", "default": false}`
		preset  = `"force": {"type": "boolean", "default": false}, "wait": {"type": "integer", "default": 5, "properties": {"deep": {}}}`
		require = `, "required": ["id"]`
	)
	found := []string{"restart_build"}
	checkFinding(t, "mcp_missing_required_fields", []findingCase{
		{"none required", tool("restart_build", "Restart a build", id, ""), found},
		{"empty list", tool("restart_build", "Restart a build", id, `, "required": []`), found},
		{"required", tool("restart_build", "Restart a build", id, require), nil},
		{"one without default", tool("restart_build", "Restart a build", ids, ""), found},
		{"no properties", tool("restart_build", "Restart a build", "", ""), nil},
		{"all optional", tool("restart_build", "Restart a build. All parameters are optional.", id, ""), nil},
		{"none required, says the text", tool("restart_build", "Restart a build. No parameter is required.", id, ""), nil},
		{"not all optional", tool("restart_build", "Restart a build. Not all parameters are optional.", id, ""), found},
		{"one optional", tool("restart_build", "Restart a build. The flag is optional.", id, ""), found},
		{"a list", tool("list_builds", "List builds", id, ""), nil},
		{"a search", tool("search_builds", "Search builds", id, ""), nil},
		{"every property has a default", tool("restart_build", "Restart a build", `"force": {"type": "boolean", "default": false}`, ""), nil},
		{"defaults at the top are enough", tool("restart_build", "Restart a build", preset, ""), nil},
	})
}
