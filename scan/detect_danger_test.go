package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestMissingConfirmation(t *testing.T) {
	const finding = "missing_human_confirmation_flow"
	checkFinding(t, finding, []findingCase{
		{"bare", tool("delete_user", "Deletes a user."), []string{"delete_user"}},
		{"bare operation", operation("DELETE", "/users/{id}", "deleteUser", "Deletes a user."), []string{"DELETE /users/{id}"}},
		{"boolean of the agent", tool("delete_user", "", field("confirm", "boolean", "Confirms.")), []string{"delete_user"}},
		{"dry run field only", tool("delete_user", "", field("dry_run", "boolean", "")), []string{"delete_user"}},
		{"token", tool("delete_user", "", field("approval_token", "string", "")), nil},
		{"text", tool("delete_user", "Requires human approval."), nil},
		{"denied text", tool("delete_user", "Requires no human approval."), []string{"delete_user"}},
		{"hinted", tool("create_note", "", hint(nil, yes)), []string{"create_note"}},
		{"harmless", tool("create_note", ""), nil},
		{"harmless loud text", tool("list_notes", "You MUST quote the value. Only returns items that the caller can see."), nil},
		{"program", tool("run_command", "", field("command", "string", "")), []string{"run_command"}},
	})
	for _, c := range confirmationTexts {
		expectFiring(t, finding, operation("POST", "/mails", "sendMail", c.documents), false)
		expectFiring(t, finding, operation("POST", "/mails", "sendMail", c.denies), true)
	}
}

func TestIrreversible(t *testing.T) {
	const finding = "irreversible_action"
	checkFinding(t, finding, []findingCase{
		{"deletion", operation("DELETE", "/users/{id}", "deleteUser", ""), []string{"DELETE /users/{id}"}},
		{"payment", tool("pay_invoice", ""), []string{"pay_invoice"}},
		{"refund", tool("refund_order", ""), []string{"refund_order"}},
		{"transfer", tool("transfer_funds", ""), []string{"transfer_funds"}},
		{"publication", tool("publish_post", ""), []string{"publish_post"}},
		{"cancellation", tool("cancel_order", ""), []string{"cancel_order"}},
		{"message", tool("send_email", ""), nil},
		{"export", tool("export_users", ""), nil},
		{"approval is no way back", tool("delete_user", "Requires human approval."), []string{"delete_user"}},
		{"dry run field", tool("delete_user", "", field("dry_run", "boolean", "")), nil},
		{"deletion undone by PUT", operation("DELETE", "/stars/{id}", "unstarRepo", "", beside("GET", "PUT")), nil},
		{"deletion beside PATCH", operation("DELETE", "/users/{id}", "deleteUser", "", beside("GET", "PATCH")), []string{"DELETE /users/{id}"}},
		{"payment beside PUT", operation("POST", "/invoices/{id}/pay", "payInvoice", "", beside("PUT")), []string{"POST /invoices/{id}/pay"}},
	})
	for _, c := range undoTexts {
		expectFiring(t, finding, tool("delete_account", c.documents), false)
		expectFiring(t, finding, tool("delete_account", c.denies), true)
	}
}

func TestMissingVerification(t *testing.T) {
	create := func(parts ...func(*surface.Tool)) *subject {
		return operation("POST", "/notes", "createNote", "Creates a note.", parts...)
	}
	checkFinding(t, "missing_success_verification", []findingCase{
		{"no response", create(), []string{"POST /notes"}},
		{"errors only", create(respond("400", "", "error")), []string{"POST /notes"}},
		{"OK", create(respond("200", "OK")), []string{"200 OK"}},
		{"success", create(respond("201", "Successful operation.")), []string{"201 Successful operation."}},
		{"reason phrase", create(respond("201", "Created")), []string{"201 Created"}},
		{"nothing said at length", create(respond("200", "The request was processed successfully and the operation is complete.")),
			[]string{"200 The request was processed successfully and the operation is complete."}},
		{"denied", create(respond("200", "No content is returned.")), []string{"200 No content is returned."}},
		{"description", create(respond("201", "The note that was stored, with its id.")), nil},
		{"outcome", create(respond("201", "The note that was created.")), nil},
		{"outcome of nothing", create(respond("201", "The request was accepted.")), []string{"201 The request was accepted."}},
		{"schema", create(respond("200", "OK", "id")), nil},
		{"one of two", create(respond("200", "OK"), respond("202", "The job that stores the note.")), nil},
		{"no content", create(respond("204", "")), nil},
		{"reset content", create(respond("205", "")), nil},
		{"redirect", create(respond("303", "")), nil},
		{"read", operation("GET", "/notes", "listNotes", "", respond("200", "OK")), nil},
		{"login", operation("POST", "/login", "login", "", respond("200", "OK")), nil},
	})
	expectFiring(t, "missing_success_verification", tool("create_note", "Creates a note."), false)
}

func TestWeakDescription(t *testing.T) {
	const finding = "mcp_dangerous_tool_weak_description"
	const long = "Takes an address and a subject and a body, puts them together into one mail, and hands that mail over to the outgoing server of the company for delivery."
	for _, c := range []struct {
		name, description string
		want              bool
	}{
		{"send_email", "Sends an email.", true},
		{"send_email", "Requires human approval.", false},
		{"send_email", "Does not require human approval.", true},
		{"send_email", "Sends to at most 5 people.", true},
		{"send_email", long, true},
		{"send_email", long + " Sends to at most 5 people.", false},
		{"send_email", long + " There is no limit.", true},
		{"send_email", long + " Returns the id of the mail.", false},
		{"send_email", long + " Returns nothing.", true},
		{"send_email", long + " It can be undone for a minute.", false},
		{"send_email", long + " It cannot be undone.", true},
		{"list_emails", "Lists emails.", false},
	} {
		expectFiring(t, finding, tool(c.name, c.description), c.want)
	}
	expectFiring(t, finding, operation("POST", "/mails", "sendMail", ""), false)
}

func TestAnnotationConflict(t *testing.T) {
	const finding = "annotation_conflict"
	for _, c := range []struct {
		s    *subject
		want bool
	}{
		{tool("delete_branch", "", hint(yes, nil)), true},
		{tool("create_issue", "", hint(yes, nil)), true},
		{tool("update_record", "", hint(yes, nil)), true},
		{tool("send_email", "", hint(yes, nil)), true},
		{tool("add_comment", "", hint(yes, nil)), true},
		{tool("resolve_thread", "", hint(yes, nil)), true},
		{tool("delete_branch", "", hint(no, nil)), false},
		{tool("delete_branch", "", hint(nil, nil)), false},
		{tool("list_branches", "Deletes nothing.", hint(yes, nil)), false},
		{tool("list_deleted_files", "", hint(yes, nil)), false},
		{tool("get_update_status", "", hint(yes, nil)), false},
		{tool("branches", "Delete a branch.", hint(yes, nil)), false},
		{tool("export_report", "", hint(yes, nil)), false},
		{tool("download_file", "", hint(yes, nil)), false},
		{tool("generate_uuid", "", hint(yes, nil)), false},
		{tool("add", "Adds two numbers.", hint(yes, nil)), false},
		{tool("resolve-library-id", "", hint(yes, nil)), false},
		{tool("delete_branch", "", hint(nil, no)), true},
		{tool("delete_branch", "", hint(nil, yes)), false},
		{tool("update_branch", "", hint(nil, no)), false},
		{tool("send_email", "", hint(nil, no)), false},
	} {
		expectFiring(t, finding, c.s, c.want)
	}
	s := tool("delete_branch", "", hint(yes, no))
	want := []surface.Text{
		{Value: "readOnlyHint: true", Pos: surface.Position{Line: 5}},
		{Value: "destructiveHint: false", Pos: surface.Position{Line: 6}},
	}
	if diff := cmp.Diff(want, annotationConflict(s)); diff != "" {
		t.Errorf("both hints (-want +got):\n%s", diff)
	}
}
