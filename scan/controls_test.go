package scan

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Each text, beside its negated twin, documents a human's confirmation.
var confirmationTexts = []struct{ documents, denies string }{
	{"Requires human approval.", "Does not require human approval."},
	{"Requires approval.", "Requires no approval."},
	{"Needs manual confirmation.", "Needs no manual confirmation."},
	{"Explicit confirmation is required.", "Explicit confirmation is not required."},
	{"Approval is mandatory.", "Approval is optional."},
	{"Runs after explicit approval.", "Runs without explicit approval."},
	{"The call must be explicitly confirmed.", "The call need not be explicitly confirmed."},
	{"Confirm before sending.", "Never asks anyone to confirm before sending."},
	{"Confirm the recipients and the text with the user.", "Do not confirm the recipients and the text with the user."},
	{"Ask the user to confirm.", "Do not ask the user to confirm."},
	{"Always ask for permission first.", "Never ask for permission first."},
	{"Asks the user for confirmation.", "Runs instead of asking the user for confirmation."},
	{"Must be approved by a manager.", "Need not be approved by a manager."},
	{"A human has to approve every call.", "No human has to approve the call."},
	{"Call it only after the user confirms.", "Call it even before the user confirms: no approval is needed."},
	{"Call it once the customer has agreed.", "It makes no difference whether the customer has agreed."},
	{"Wait for approval, then call it.", "Does not wait for approval."},
	{"Obtain the owner's written consent first.", "No need to obtain the owner's written consent."},
	{"Keep a human in the loop.", "There is no human in the loop."},
	{"Needs a valid approval token.", "Needs no approval token."},
	{"Goes through an approval workflow.", "Skips the approval workflow."},
	{"Run a dry run first.", "There is no dry run."},
	{"Preview the changes before applying them.", "Applies at once; you cannot preview the changes."},
	{"Supports a preview.", "Does not support a preview."},
	{"Use dry-run mode to see the effect.", "Dry-run mode is not supported."},
	{"Never runs without approval.", "Always runs without approval."},
	{"No message is sent without confirmation.", "The message is sent without confirmation."},
	{"Do not call this until a person has approved it.", "Call this without waiting for a person to approve it."},
	{"Must not be called unless approved.", "May be called when not approved: approval is unnecessary."},
	{"Requests without approval are rejected.", "Requests without approval are accepted."},
	{"Requires human approval and cannot be undone.", "Can be undone and requires no human approval."},
	{"Requires user confirmation.", "Bypasses user confirmation."},
	{"Requires two-person sign-off.", "Requires no two-person sign-off."},
	{"The user is asked to confirm the transfer.", "The user is never asked to confirm the transfer."},
	{"Double-check with the user before you send.", "Do not double-check with the user before you send."},
	{"Approval required.", "No approval required."},
	{"Needs two approvals.", "Needs no approvals."},
	{"Requires an approved change ticket.", "Does not require an approved change ticket."},
	{"A manager must sign off.", "A manager need not sign off."},
	{"Human-in-the-loop confirmation is enforced.", "Human-in-the-loop confirmation is disabled."},
	{"Nothing is deleted until you approve the plan.", "Everything is deleted before you approve the plan."},
	{"Human approval needed? Yes.", "Human approval needed? No."},
	{"Needs human review of the text.", "Lacks human review of the text."},
	{"Preview it first with preview_delete.", "You cannot preview it first."},
	{"It is required that a human approves.", "It is not required that a human approves."},
	{"Preview required before execution.", "No preview required before execution."},
	{"Only human-confirmed calls go through.", "Calls need not be human-confirmed."},
	{"An approval token from a reviewer must be supplied.", "An approval token is not needed."},
	{"Human approval is enforced.", "Human approval was removed."},
	{"Run a dry run to see what is removed.", "The dry run was removed."},
}

func TestConfirmationTexts(t *testing.T) {
	for _, c := range confirmationTexts {
		if !tool("delete_account", c.documents).confirmed() {
			t.Errorf("%q documents a confirmation", c.documents)
		}
		if tool("delete_account", c.denies).confirmed() {
			t.Errorf("%q documents no confirmation", c.denies)
		}
	}
}

// What speaks of confirmations or previews as things, and not of this call's control.
func TestTextsWithoutConfirmation(t *testing.T) {
	for _, text := range []string{
		"",
		"Deletes the account.",
		"Sends the customer an order confirmation.",
		"Sends a confirmation code by SMS.",
		"Sends a confirmation email to the user.",
		"Deletes an approval workflow.",
		"This endpoint is in public preview and may change.",
		"Send the preview header to get the beta format.",
		"Deletes a preview deployment.",
		"Returns whether the payment was confirmed.",
		"You MUST quote the value.",
		"Confirm that your customer intends to pay with the current payment method.",
		"Works with or without approval.",
		"Set confirm to true to confirm the deletion.",
		"The call is rejected unless confirm is true.",
		"You must pass confirm=true to proceed.",
		"Assumes that the user has approved.",
		"Whether the user has approved is not checked.",
		"The agent approves the call itself.",
		"Calls are auto-confirmed.",
		"Cancels an intent in the state `requires_confirmation`, `requiresApproval` or `requires_human_approval`.",
		"Cancels a plan before the next billing period.",
	} {
		if tool("delete_account", text).confirmed() {
			t.Errorf("%q documents no confirmation", text)
		}
	}
}

func TestConfirmationFields(t *testing.T) {
	cases := []struct {
		name, typ, description string
		want                   bool
	}{
		{"approval_token", "string", "", true},
		{"approvalId", "string", "", true},
		{"confirmation_code", "string", "", true},
		{"X-Approval-Token", "string", "", true},
		{"approval", "string", "The approval of a human reviewer, as issued by the desk.", true},
		{"approval", "string", "Whatever you like.", false},
		{"approval_token", "string", "Ignored; approval is not required.", false},
		{"approval_token", "string", "Reserved. Not checked.", false},
		{"approval_token", "boolean", "", false},
		{"preview_token", "string", "", true},
		{"dryRunToken", "string", "", true},
		{"preview_token", "string", "Ignored.", false},
		{"preview_id", "string", "", false},
		{"token", "string", "Approval token that a human reviewer issued.", true},
		{"ticket", "string", "The id of the human approval.", true},
		{"approved_by", "string", "Who has explicitly approved the deletion.", true},
		{"note", "string", "A note. No human approval is needed.", false},
		{"note", "string", "Not an approval token.", false},
		{"confirm", "boolean", "True only after explicit human confirmation.", false},
		{"confirm", "boolean", "Set to true to confirm.", false},
		{"confirmed", "boolean", "", false},
		{"approved", "boolean", "", false},
		{"force", "boolean", "", false},
		{"dry_run", "boolean", "", false},
		{"token", "string", "", false},
	}
	for _, c := range cases {
		if got := tool("delete_account", "", field(c.name, c.typ, c.description)).confirmed(); got != c.want {
			t.Errorf("field %s (%s, %q) confirms: %t, want %t", c.name, c.typ, c.description, got, c.want)
		}
	}
	nested := func(f *surface.Field) { f.Depth, f.Path = 3, "orders[].approval.token" }
	if tool("delete_account", "", field("approval_token", "string", "", nested), field("dry_run", "boolean", "", nested)).confirmed() {
		t.Error("the approval of a nested resource confirms nothing")
	}
	inPath := func(f *surface.Field) { f.In = "path" }
	if operation("DELETE", "/decisions/{approval_id}", "dropDecision", "", field("approval_id", "string", "", inPath)).confirmed() {
		t.Error("the id of what is deleted confirms nothing")
	}
	if tool("delete_approval", "", field("approval_id", "string", "")).confirmed() {
		t.Error("the id of the approval that is deleted confirms nothing")
	}
}

var undoTexts = []struct{ documents, denies string }{
	{"Offers a dry run.", "Offers no dry run."},
	{"Preview the changes with preview_delete.", "There is no way to preview the changes."},
	{"The change can be undone.", "The change cannot be undone."},
	{"Undo is available for an hour.", "Undo is not available."},
	{"Restore it with restore_account.", "You cannot restore it with any tool."},
	{"Can be restored within 30 days.", "Cannot be restored."},
	{"Recoverable for 14 days.", "Not recoverable."},
	{"Supports rollback.", "Rollback is not supported."},
	{"Can be rolled back.", "Can't be rolled back."},
	{"To take it back, call unpublish_post.", "You cannot take it back."},
	{"Restoring a deleted file takes a minute.", "Restoring a deleted file is not possible."},
	{"Soft deletes the record.", "Does not soft delete the record but erases it."},
	{"Moves the file to the trash.", "Does not move the file to the trash."},
	{"Reversible.", "Irreversible; not reversible by support either."},
	{"Can be reversed by the owner.", "Neither reversible nor recoverable."},
	{"Requires approval and can be undone.", "Requires approval and cannot be undone."},
	{"A payment can be cancelled within 30 minutes.", "A payment cannot be cancelled."},
	{"Preview it first with preview_delete.", "There is no tool to preview it with."},
	{"Preview them before with preview_delete.", "Never preview them before."},
	{"Use restore_account to bring it back.", "Nothing can bring it back."},
	{"A preview is returned first.", "A preview is not returned."},
	{"Preview available with preview_delete.", "No preview available."},
	{"Restores are possible for 30 days.", "Restores are not possible."},
}

func TestUndoTexts(t *testing.T) {
	for _, c := range undoTexts {
		if !tool("delete_account", c.documents).previewed() {
			t.Errorf("%q documents a preview or a way back", c.documents)
		}
		if tool("delete_account", c.denies).previewed() {
			t.Errorf("%q documents neither preview nor way back", c.denies)
		}
	}
	for _, text := range []string{
		"Permanently erases all messages in the trash.", "Deletes a restore point.", "In public preview.",
		"Deletes the preview image.", "Cancels a restore.",
	} {
		if tool("delete_account", text).previewed() {
			t.Errorf("%q documents neither preview nor way back", text)
		}
	}
}

func TestDryRunFields(t *testing.T) {
	cases := []struct {
		name, typ, description string
		want                   bool
	}{
		{"dry_run", "boolean", "", true},
		{"dryRun", "string", "", true},
		{"X-Dry-Run", "boolean", "", true},
		{"preview", "boolean", "Only show what would happen.", true},
		{"validate_only", "boolean", "", true},
		{"validateOnly", "boolean", "", true},
		{"simulate", "boolean", "", true},
		{"what_if", "boolean", "", true},
		{"preview", "string", "Name of the beta feature.", false},
		{"preview_url", "string", "", false},
		{"dry_run_count", "integer", "", false},
		{"dry_run", "boolean", "Not supported yet.", false},
		{"dry_run", "boolean", "There is no dry run; kept for old clients.", false},
		{"laundry_runs", "boolean", "", false},
	}
	for _, c := range cases {
		if got := tool("delete_account", "", field(c.name, c.typ, c.description)).previewed(); got != c.want {
			t.Errorf("field %s (%s, %q) rehearses: %t, want %t", c.name, c.typ, c.description, got, c.want)
		}
	}
}

// Confirmation alone does not lower a tool's severity, nor any control without it.
func TestControlled(t *testing.T) {
	const confirmation = "Requires human approval. "
	bounded := field("count", "integer", "", lower, upper)
	deletion := func(parts ...func(*surface.Tool)) *subject {
		return operation("DELETE", "/a/{id}", "deleteA", confirmation, parts...)
	}
	cases := []struct {
		name string
		s    *subject
		want bool
	}{
		{"confirmation alone", tool("delete_a", confirmation), false},
		{"preview and confirmation", tool("delete_a", confirmation+"Can be undone."), true},
		{"denied preview", tool("delete_a", confirmation+"Cannot be undone."), false},
		{"stated limit", tool("delete_a", confirmation+"Removes at most 10 records."), true},
		{"denied limit", tool("delete_a", confirmation+"There is no limit."), false},
		{"bounded number", tool("delete_a", confirmation, bounded), true},
		{"unbounded number", tool("delete_a", confirmation, bounded, field("amount", "number", "")), false},
		{"review", tool("delete_a", confirmation+"Each call is reviewed by compliance."), true},
		{"denied review", tool("delete_a", confirmation+"No call is reviewed by compliance."), false},
		{"stated scope", tool("delete_a", confirmation+"Restricted to the given project."), true},
		{"denied scope", tool("delete_a", confirmation+"Not restricted to the given project."), false},
		{"scope", deletion(secured("a:delete")), true},
		{"catch-all scope", deletion(secured("*")), false},
		{"structured result", deletion(respond("200", "", "id")), true},
		{"structured error only", deletion(respond("400", "", "error")), false},
		{"no confirmation", tool("delete_a", "Can be undone. Removes at most 10 records."), false},
	}
	for _, c := range cases {
		if got := c.s.controlled(); got != c.want {
			t.Errorf("%s: controlled %t, want %t", c.name, got, c.want)
		}
	}
}

// Each text, beside its negated twin, documents that what a tool runs is contained.
var guardTexts = []struct{ documents, denies string }{
	{"Runs in a sandbox.", "Does not run in a sandbox."},
	{"Commands are sandboxed.", "Commands are not sandboxed."},
	{"Only commands of an allow-list run.", "There is no allow-list."},
	{"Runs a read-only query.", "The connection is not read-only."},
	{"Only SELECT statements are allowed.", "Not only SELECT statements but any are allowed."},
	{"Runs in an isolated container.", "Runs without an isolated container."},
	{"Runs inside the sandbox.", "Runs outside the sandbox."},
	{"Is limited to read-only statements.", "Is not limited to read-only statements."},
	{"The command stays in the sandbox.", "The command escapes the sandbox."},
	{"The read-only guarantee always holds.", "The read-only guarantee does not apply."},
	{"Only allow-listed commands, including but not limited to ls, in a sandbox.", "Not limited to the allow-list."},
}

func TestGuardedTexts(t *testing.T) {
	for _, c := range guardTexts {
		if !tool("run_command", c.documents).guarded() {
			t.Errorf("%q documents a guard", c.documents)
		}
		if tool("run_command", c.denies).guarded() {
			t.Errorf("%q documents no guard", c.denies)
		}
	}
}

func TestConfirmationRequired(t *testing.T) {
	cases := []struct {
		s    *subject
		want bool
	}{
		{tool("delete_user", ""), true},
		{tool("send_email", ""), true},
		{tool("publish_post", ""), true},
		{tool("pay_invoice", ""), true},
		{tool("refund_order", ""), true},
		{tool("transfer_funds", ""), true},
		{tool("export_users", ""), true},
		{tool("cancel_order", ""), true},
		{tool("get_secret", ""), true},
		{tool("run_command", "", field("command", "string", "")), true},
		{tool("create_note", ""), false},
		{tool("list_notes", ""), false},
		{tool("create_note", "", hint(nil, yes)), true},
		{tool("create_note", "", hint(nil, no)), false},
		{tool("list_notes", "", hint(nil, yes)), false},
		{tool("search_notes", "", hint(nil, yes)), false},
		{tool("delete_user", "", hint(nil, no)), true},
	}
	for _, c := range cases {
		if got := c.s.confirmationRequired(); got != c.want {
			t.Errorf("%s (destructiveHint %v) needs confirmation: %t, want %t", c.s.tool.ID, c.s.tool.Annotations.Destructive, got, c.want)
		}
	}
}
