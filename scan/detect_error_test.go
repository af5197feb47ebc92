package scan

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func createOrder(parts ...func(*surface.Tool)) *subject {
	return operation("POST", "/orders", "createOrder", "Places an order.", parts...)
}

func listOrders(parts ...func(*surface.Tool)) *subject {
	return operation("GET", "/orders", "listOrders", "Lists orders.", parts...)
}

func TestNonCorrectiveError(t *testing.T) {
	checkFinding(t, "non_corrective_error", []findingCase{
		{"no errors", createOrder(respond("200", "OK")), []string{"POST /orders"}},
		{"server errors only", createOrder(respond("500", "", "error")), []string{"POST /orders"}},
		{"reason phrase", createOrder(respond("400", "Bad Request")), []string{"400 Bad Request"}},
		{"two of them", createOrder(respond("400", "Bad Request"), respond("404", "Not Found")), []string{"400 Bad Request", "404 Not Found"}},
		{"long and empty", createOrder(respond("400", "Something went wrong on the way to the goal.")), []string{"400 Something went wrong on the way to the goal."}},
		{"the server's own failure", createOrder(respond("400", "The request could not be processed by the server.")), []string{"400 The request could not be processed by the server."}},
		{"guesses", createOrder(respond("400", "Some error may have happened on the server.")), []string{"400 Some error may have happened on the server."}},
		{"cause", createOrder(respond("422", "The order was not placed due to a policy of the shop.")), nil},
		{"no permission", createOrder(respond("403", "The caller has no permission to do it.")), nil},
		{"denied help", createOrder(respond("400", "There is nothing at all that you could correct here.")), []string{"400 There is nothing at all that you could correct here."}},
		{"schema without explanation", createOrder(respond("400", "Bad Request", "timestamp")), []string{"400 Bad Request"}},
		{"error property", createOrder(respond("400", "Bad Request", "error")), nil},
		{"errors property", createOrder(respond("422", "", "errors")), nil},
		{"message property", createOrder(respond("4XX", "", "message")), nil},
		{"code property", createOrder(respond("default", "", "code")), nil},
		{"detail property", createOrder(respond("default", "", "type", "detail")), nil},
		{"compound property", createOrder(respond("400", "", "errorMessage")), nil},
		{"word in a word", createOrder(respond("400", "Bad", "terror", "decoder")), []string{"400 Bad"}},
		{"description", createOrder(respond("422", "The amount exceeds what the account holds.")), nil},
		{"not found", createOrder(respond("404", "The order was not found in this shop.")), nil},
		{"one of two", createOrder(respond("400", "Bad Request"), respond("403", "The token lacks the permission to place orders.")), nil},
		{"read without errors", listOrders(respond("200", "Orders.")), nil},
		{"read with an empty one", listOrders(respond("404", "Not Found")), []string{"404 Not Found"}},
		{"read with a good one", listOrders(respond("404", "", "message")), nil},
		{"search without errors", operation("GET", "/search", "searchOrders", ""), nil},
		{"health", operation("GET", "/health", "health", "", respond("404", "Not Found")), nil},
	})
	expectFiring(t, "non_corrective_error", tool("create_order", ""), false)
}

func TestMissingErrorRecovery(t *testing.T) {
	bad := respond("400", "Bad Request")
	described := func(text string) *subject { return operation("POST", "/orders", "createOrder", text, bad) }
	for _, c := range []struct {
		s    *subject
		want bool
	}{
		{createOrder(bad), true},
		{createOrder(respond("400", "", "error")), false},
		{createOrder(bad, respond("409", "")), false},
		{createOrder(bad, respond("429", "")), false},
		{createOrder(bad, field("Idempotency-Key", "string", "")), false},
		{createOrder(bad, field("X-Idempotency-Key", "string", "")), false},
		{createOrder(bad, field("If-Match", "string", "")), false},
		{createOrder(bad, field("key", "string", "Makes the call idempotent.")), false},
		{createOrder(bad, field("key", "string", "Does not make the call idempotent.")), true},
		{createOrder(bad, respond("503", "Retry in a minute.")), false},
		{createOrder(bad, func(t *surface.Tool) { t.Responses[0].Headers = []string{"Retry-After"} }), false},
		{described("Calls can be retried safely."), false},
		{described("Calls cannot be retried."), true},
		{described("The call is idempotent."), false},
		{described("The call is not idempotent."), true},
		{described("A failed call is rolled back."), false},
		{described("A failed call is never rolled back."), true},
		{described("Conflicts are merged."), false},
		{described("There is no rollback and no retry."), true},
		{operation("PUT", "/orders/{id}", "putOrder", "", bad), false},
		{operation("DELETE", "/orders/{id}", "deleteOrder", "", bad), false},
		{operation("PATCH", "/orders/{id}", "patchOrder", "", bad), true},
		{listOrders(), false},
		{listOrders(bad), true},
		{tool("create_order", ""), false},
	} {
		expectFiring(t, "missing_error_recovery", c.s, c.want)
	}
}
