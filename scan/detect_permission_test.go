package scan

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestSensitiveDataFields(t *testing.T) {
	takes := func(parts ...func(*surface.Tool)) *subject {
		return operation("POST", "/orders", "createOrder", "Create an order", parts...)
	}
	gives := func(fields ...*surface.Field) *subject {
		return operation("GET", "/orders/{id}", "getOrder", "Get an order", answer(fields...))
	}
	cases := []findingCase{
		{"several", takes(field("email", "string", ""), field("note", "string", ""), field("shippingAddress", "object", "")), []string{"email", "shippingAddress"}},
		{"answer", gives(responseField("iban", "string"), responseField("total", "number")), []string{"iban"}},
		{"only of a failure", operation("GET", "/orders", "getOrder", "Get an order", func(t *surface.Tool) {
			t.Responses = []surface.Response{{Status: "400", Fields: []*surface.Field{responseField("email", "string")}}}
		}), nil},
		{"a token in the answer", gives(responseField("token", "string"), responseField("access_token", "string")), []string{"token", "access_token"}},
		{"the caller's own credential", takes(field("token", "string", ""), field("api_key", "string", ""), field("Authorization", "string", ""),
			field("X-API-Key", "string", "")), nil},
		{"another's credential", takes(field("token", "string", "", under("account"))), []string{"account.token"}},
		{"MCP output schema", mcp(`{"name": "get_order", "description": "Get an order", "inputSchema": {"type": "object"},
			"outputSchema": {"type": "object", "properties": {"phone": {"type": "string"}}}}`), []string{"phone"}},
		{"a boolean", takes(field("email", "boolean", "")), nil},
		{"a number of tokens", takes(field("max_tokens", "integer", ""), field("tokens", "integer", "")), nil},
	}
	for _, name := range []string{
		"email", "emails", "email_address", "contactEmail", "phone", "phoneNumber", "password", "newPassword", "client_secret", "privateKey",
		"api_keys", "iban", "card", "card_number", "creditCard", "ssn", "passport", "passport_number", "customer", "userProfile", "refresh_token",
		"date_of_birth", "bank_account", "billing_address", "address_line1", "addresses", "health_record", "secret_value", "customerDetails", "SSN", "social_security", "socialSecurityNumber",
	} {
		cases = append(cases, findingCase{name, takes(field(name, "string", "")), []string{name}})
	}
	for _, name := range []string{
		"email_url", "customer_id", "customerName", "card_type", "token_count", "password_enabled", "secret_status", "token_expires_at",
		"ip_address", "ipAddress", "url_address", "mac_address", "page_token", "nextPageToken", "continuation_token", "approval_token",
		"emailer", "cardinal", "addressable", "tokenizer", "secretary", "healthy", "discard", "microphone", "project_card", "password_policy",
		"cluster_health", "customers_count", "email_ids",
	} {
		cases = append(cases, findingCase{name, takes(field(name, "string", "")), nil})
	}
	checkFinding(t, "sensitive_data_exposure", cases)
}

func TestSensitiveDataWords(t *testing.T) {
	says := func(summary string) *subject { return operation("GET", "/things", "thingsView", summary) }
	checkFinding(t, "sensitive_data_exposure", []findingCase{
		{"path", operation("GET", "/users/{id}/emails", "userView", "View"), []string{"/users/{id}/emails"}},
		{"path of a parameter", operation("GET", "/keys/{email}", "userView", "View"), nil},
		{"path, longer word", operation("GET", "/secret-scanning", "scanView", "View"), nil},
		{"name", operation("GET", "/x", "listCustomers", "List them"), []string{"listCustomers"}},
		{"name before a preposition", operation("GET", "/x", "list-cards-for-user", "List them"), []string{"list-cards-for-user"}},
		{"name after a preposition", operation("GET", "/x", "list-repos-for-customer", "List them"), nil},
		{"name with the verb last", operation("POST", "/x", "customer_update", "Change it"), []string{"customer_update"}},
		{"email as a verb", operation("POST", "/x", "email_report", "Send it", secured()), nil},
		{"sending an email", mcp(`{"name": "send_email", "description": "Sends it.", "inputSchema": {"type": "object"}}`), []string{"send_email"}},

		{"sentence", says("Returns the customer with phone numbers"), []string{"customer"}},
		{"second sentence", says("Returns the thing. It has a password."), nil},
		{"longest noun", says("Get the email addresses of a team"), []string{"email addresses"}},
		{"verb", says("Email the report to the team"), nil},
		{"product's name", says("List secret scanning alerts"), nil},
		{"first part of a longer noun", says("Get the password policy and the email template"), nil},
		{"excluded", says("Store a note; do not use for secrets"), nil},
		{"excluded list", says("Returns the thing without passwords, tokens and secrets"), nil},
		{"required", says("Get the thing, which needs an access token"), nil},
		{"own credential", says("Sign the caller in with an API key"), nil},
		{"counted", says("Count the tokens in a text"), nil},
		{"page", says("Get the next page token"), nil},
		{"IP address", says("Get the IP address of the host"), nil},
		{"health of a cluster", says("Get the health of the cluster"), nil},
		{"description without summary", mcp(`{"name": "fetch_thing", "description": "Fetch the passport of a guest.", "inputSchema": {"type": "object"}}`), []string{"passport"}},

		{"paying", operation("POST", "/x", "chargeOrder", "Charge the order"), []string{"POST /x"}},
		{"health check", operation("GET", "/health", "health", "Health of the customer database"), nil},
	})
}

func TestSensitiveDataCleared(t *testing.T) {
	says := func(text string) *subject {
		return operation("GET", "/customers", "listCustomers", "List customers", func(t *surface.Tool) { t.Description.Value = text })
	}
	hook := func(text string, parts ...func(*surface.Tool)) *subject {
		return operation("POST", "/webhooks/customer", "", "Customer changed. "+text, parts...)
	}
	found := []string{"listCustomers", "/customers", "customers"}
	hooked := []string{"/webhooks/customer"}
	checkFinding(t, "sensitive_data_exposure", []findingCase{
		{"nothing", says(""), found},
		{"redaction", says("Phone numbers are redacted."), nil},
		{"no redaction", says("Phone numbers are not redacted."), found},
		{"there is no redaction", says("There is no redaction."), found},
		{"masking", says("All but the last four digits are masked."), nil},
		{"no masking", says("Returned without masking."), found},
		{"least privilege", says("Grant it by least privilege."), nil},
		{"no least privilege", says("Does not follow least privilege."), found},
		{"boundary", says("A permission boundary limits it to the support team."), nil},
		{"no boundary", says("There is no permission boundary."), found},
		{"permission", says("Requires the customers:read permission."), nil},
		{"no permission", says("Does not require any permission."), found},
		{"webhook", hook(""), hooked},
		{"webhook with signature", hook("The signature header is verified."), nil},
		{"webhook without signature", hook("It is sent without a signature."), hooked},
		{"webhook with a signature field", hook("", field("X-Signature", "string", "")), nil},
		{"webhook, idempotent", hook("Deliveries are idempotent."), nil},
	})
}

func TestOverbroadPermission(t *testing.T) {
	remove := func(parts ...func(*surface.Tool)) *subject {
		return operation("DELETE", "/projects/{id}", "deleteProject", "Delete a project", parts...)
	}
	file := func(description, path string) *subject {
		return mcp(`{"name": "delete_file", "description": "` + description + `", "inputSchema": {"type": "object",
			"properties": {"path": {"type": "string", "description": "` + path + `"}}, "required": ["path"]}}`)
	}
	place := []string{"DELETE /projects/{id}"}
	checkFinding(t, "overbroad_permission", []findingCase{
		{"no security", remove(), place},
		{"security", remove(secured()), nil},
		{"scope", remove(secured("projects.delete")), nil},
		{"catch-all scopes", remove(secured("admin", "*")), []string{"admin", "*"}},
		{"every catch-all", remove(secured("all", "root", "full_access", "ADMIN")), []string{"all", "root", "full_access", "ADMIN"}},
		{"one narrow scope", remove(secured("admin", "projects.delete")), nil},
		{"a scope that begins like one", remove(secured("admin:org")), nil},
		{"catch-all scope in another style", remove(secured("full-access", "*:*")), []string{"full-access", "*:*"}},
		{"harmless action with a catch-all scope", operation("GET", "/projects", "listProjects", "List projects", secured("*")), []string{"*"}},
		{"change with a catch-all scope", operation("POST", "/projects", "createProject", "Create a project", secured("admin")), []string{"admin"}},
		{"harmless action with a narrow scope", operation("GET", "/projects", "listProjects", "List projects", secured("admin", "projects.read")), nil},
		{"tool with a catch-all scope", mcp(`{"name": "list_notes", "description": "List notes.", "scopes": ["*"]}`), []string{"*"}},
		{"harmless action", operation("GET", "/projects", "listProjects", "List projects"), nil},
		{"change", operation("POST", "/projects", "createProject", "Create a project"), nil},
		{"sensitive data", operation("GET", "/customers", "listCustomers", "List customers"), []string{"GET /customers"}},
		{"sensitive data, masked", operation("GET", "/customers", "listCustomers", "List customers; phone numbers are masked"), nil},
		{"tool", mcp(`{"name": "send_note", "description": "Send a note."}`), []string{"send_note"}},
		{"tool with scopes", mcp(`{"name": "send_note", "description": "Send a note.", "scopes": ["notes.write"]}`), nil},

		{"confined", file("Delete a file within the configured workspace.", "Path relative to the workspace"), nil},
		{"confined by its field", file("Delete a file.", "Relative path inside the workspace"), nil},
		{"relative only", file("Delete a file.", "Relative path"), []string{"delete_file"}},
		{"workspace only", file("Delete a file within the workspace.", "Path"), []string{"delete_file"}},
		{"not confined", file("Delete a file. It is not confined to the workspace.", "Relative path"), []string{"delete_file"}},
		{"sending is not excepted", mcp(`{"name": "send_file", "description": "Send a file within the workspace by its relative path."}`), []string{"send_file"}},
	})
}
