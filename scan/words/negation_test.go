package words_test

import (
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

var (
	approval = words.MustPhrases("approval|approvals", "approve|approves|approved", "confirm|confirms|confirmed|confirmation")
	undo     = words.MustPhrases("undo|undoes|undone", "restore|restored|restores", "dry run|runs", "preview|previews|previewed")
)

// Each text says of approval and of undoing (with its kin) whether it offers them.
var negationCases = []struct {
	text           string
	approval, undo bool
}{
	// Plain mentions.
	{"Requires human approval.", true, false},
	{"Supports a dry run and a preview.", false, true},
	{"Ask the user to confirm before sending.", true, false},
	{"The `dry_run` flag shows what would change.", false, true},
	{"Set `dryRun` to see the effect first.", false, true},
	{"A **dry-run** is available.", false, true},
	{"Nothing else is said here.", false, false},

	// One negation before.
	{"There is no dry run.", false, false},
	{"There isn't any undo.", false, false},
	{"There's no preview.", false, false},
	{"Does not require approval.", false, false},
	{"Doesn't require approval.", false, false},
	{"Doesn’t require approval.", false, false},
	{"Doesn&#39;t require approval.", false, false},
	{"Doesnt require approval.", false, false},
	{"Sends the message without confirmation.", false, false},
	{"Runs without ever asking for confirmation.", false, false},
	{"No confirmation or preview.", false, false},
	{"No preview, dry run, or undo.", false, false},
	{"There is no preview, no undo, no dry run.", false, false},
	{"Neither preview nor undo.", false, false},
	{"Offers neither a preview nor an approval.", false, false},
	{"Never asks for confirmation.", false, false},
	{"Won't ask you to confirm.", false, false},
	{"Will not wait for approval.", false, false},
	{"Cannot be undone.", false, false},
	{"Can't be undone or restored.", false, false},
	{"It is impossible to undo this.", false, false},
	{"You are unable to restore it.", false, false},
	{"There is no way to restore the file.", false, false},
	{"Skips confirmation.", false, false},
	{"Bypasses the approval step.", false, false},
	{"Omits the preview.", false, false},
	{"Lacks confirmation.", false, false},
	{"Missing approval.", false, false},
	{"Acts instead of asking for approval.", false, false},
	{"Acts rather than asking for confirmation.", false, false},
	{"It does not (yet) support a dry run.", false, false},
	{"No longer asks for approval.", false, false},
	{"No need to confirm.", false, false},
	{"Nobody has to approve it.", false, false},
	{"Zero approvals.", false, false},
	{"Executes with no human approval and no preview.", false, false},
	{"Runs without approval and without a preview.", false, false},
	{"Not supported: dry run, undo.", false, false},
	{"Does *not* require <b>approval</b>.", false, false},
	{"Fails to ask for confirmation.", false, false},

	// One negation after.
	{"Approval is not required.", false, false},
	{"Approval isn't needed.", false, false},
	{"Human approval by a manager is not needed.", false, false},
	{"Approval is no longer required.", false, false},
	{"Confirmation is optional.", false, false},
	{"Approval is unnecessary.", false, false},
	{"Approval has been made optional.", false, false},
	{"Approval is currently unavailable.", false, false},
	{"Dry run is not supported.", false, false},
	{"Dry-run mode is not supported.", false, false},
	{"Preview unavailable.", false, false},
	{"Preview not available.", false, false},
	{"Undo is impossible.", false, false},
	{"Confirmation is skipped.", false, false},
	{"Confirmation can be bypassed.", false, false},
	{"Confirmation-free.", false, false},
	{"Requires approval: none.", false, false},
	{"Dry run: not supported.", false, false},
	{"Undo (unavailable).", false, false},

	{"Restore of old versions is not possible.", false, false},
	{"Undo is not allowed.", false, false},
	{"Confirmation for bulk deletes is not required.", false, false},
	{"A preview of the changes is not offered.", false, false},
	{"Undo is coming soon.", false, false},
	{"It neither asks for confirmation nor offers an undo.", false, false},
	{"It assumes approval.", false, false},
	{"It works similar to the undo of an editor.", false, false},
	{"Is approval needed? No.", false, false},
	{"Can it be undone?", false, false},

	// Two negations affirm.
	{"Never runs without explicit human approval.", true, false},
	{"No email is sent without approval.", true, false},
	{"Nothing is deleted without confirmation.", true, false},
	{"Cannot proceed without confirmation.", true, false},
	{"Must not be called before a human has approved.", true, false},
	{"Must not be called until a human has approved.", true, false},
	{"Must not be called unless a human has approved.", true, false},
	{"Do not call this until the user confirms.", true, false},
	{"Do not use when no approval token is present.", true, false},
	{"Do not run it if confirmation is missing.", true, false},
	{"Requests without approval are rejected.", true, false},
	{"Rejects requests without approval.", true, false},
	{"Calls that lack an approval are refused.", true, false},
	{"Without approval, the request is rejected.", true, false},
	{"If no approval is given, the call fails.", true, false},
	{"Fails without approval.", true, false},
	{"Returns 403 when approval is missing.", true, false},
	{"Without approval the call will not be executed.", true, false},
	{"Refuses to run without confirmation.", true, false},
	{"Approval is not optional.", true, false},
	{"Approval must not be skipped.", true, false},
	{"Confirmation cannot be bypassed.", true, false},
	{"Never skip the confirmation.", true, false},
	{"Do not forget to confirm with the user.", true, false},
	{"Never runs without approval and without a preview.", true, true},
	{"Not only a preview but an undo is offered.", false, true},

	// The end of a scope.
	{"Requires human approval and cannot be undone.", true, false},
	{"Cannot be undone and requires approval.", true, false},
	{"Cannot be undone and approval is required.", true, false},
	{"Cannot be undone, requires approval.", true, false},
	{"Cannot be undone but requires approval.", true, false},
	{"Cannot be undone; requires approval.", true, false},
	{"Cannot be undone. Requires approval.", true, false},
	{"Cannot be undone (requires approval).", true, false},
	{"Cannot be undone — requires approval.", true, false},
	{"Cannot be undone\n\n- Requires approval\n- Supports no dry run", true, false},
	{"<p>No undo</p><p>Requires approval</p>", true, false},
	{"No preview\nRequires approval", true, false},
	{"Approval is not required and a dry run is supported.", false, true},
	{"Approval is not required, a dry run is supported.", false, true},
	{"There is no dry run, however the change can be undone.", false, true},
	{"Not removed for good until confirmed, can be restored for 30 days.", true, true},
	{"The file is not erased, it can be restored.", false, true},
	{"If not sure, ask the user to confirm.", true, false},
	{"If you are not sure, confirm with the user.", true, false},
	{"Does not send the message but previews it.", false, true},
	{"The record is kept for no more than 30 days and can be restored.", false, true},
	{"Ask whether or not to proceed with the approval.", true, false},
	{"Cannot be undone except by restore from a backup.", false, true},
	{"Sends without confirmation and fails if the recipient is unknown.", false, false},
	{"Requires approval for records that are not archived.", true, false},
	{"Requires approval from a human not the agent.", true, false},
	{"Requires human approval (no exceptions).", true, false},
	{"Is approval needed? Yes.", true, false},
	{"Shows a preview of missing rows.", false, true},
	{"Requires approval from users who are not admins.", true, false},
	{"Needs approval for records not archived.", true, false},
	{"Not sure? Ask the user to confirm.", true, false},
}

func TestNegation(t *testing.T) {
	for _, c := range negationCases {
		p := words.ParseProse(c.text)
		if mention, got := p.Affirms(approval); got != c.approval {
			t.Errorf("%q affirms approval: %v (%q), want %v", c.text, got, mention, c.approval)
		}
		if mention, got := p.Affirms(undo); got != c.undo {
			t.Errorf("%q affirms undo: %v (%q), want %v", c.text, got, mention, c.undo)
		}
	}
}

// A sentence before or after a text, which says nothing of it, changes nothing.
func TestNegationStaysInItsSentence(t *testing.T) {
	for _, c := range negationCases {
		for _, text := range []string{"There are no known issues. " + c.text, c.text + "\n\nIt does not cost anything."} {
			p := words.ParseProse(text)
			if _, got := p.Affirms(approval); got != c.approval {
				t.Errorf("%q affirms approval: %v, want %v", text, got, c.approval)
			}
			if _, got := p.Affirms(undo); got != c.undo {
				t.Errorf("%q affirms undo: %v, want %v", text, got, c.undo)
			}
		}
	}
}

func TestDemands(t *testing.T) {
	cases := []struct {
		text string
		want bool
	}{
		{"Never runs without approval.", true},
		{"No email is sent without confirmation.", true},
		{"Requests without approval are rejected.", true},
		{"Without confirmation, the call fails.", true},
		{"Do not use when no approval is present.", true},
		{"Must not be called until approved.", true},
		{"Not executed before approval.", true},
		{"Nothing is deleted unless confirmed.", true},
		{"Approval is not optional.", true},
		{"It is forbidden to call this without confirmation.", true},
		{"Not sent to anyone, nor deleted without approval.", true},
		{"Confirmation cannot be skipped.", true},
		{"Sends an order confirmation.", false},
		{"Runs without approval.", false},
		{"Runs until approved.", false},
		{"Approval is not required.", false},
		{"Does not return. Before approval it waits.", false},
	}
	for _, c := range cases {
		if _, got := words.ParseProse(c.text).Demands(approval); got != c.want {
			t.Errorf("%q demands approval: %v, want %v", c.text, got, c.want)
		}
	}
}

// How a text is set changes nothing of what it says.
func TestNegationIgnoresTypography(t *testing.T) {
	settings := map[string]func(string) string{
		"curly apostrophes": func(s string) string { return strings.ReplaceAll(s, "'", "’") },
		"entities":          func(s string) string { return strings.ReplaceAll(s, "'", "&#39;") },
		"spaces":            func(s string) string { return strings.ReplaceAll(s, " ", "  ") },
		"soft line breaks":  func(s string) string { return strings.ReplaceAll(s, " approv", "\n  approv") },
		"emphasis":          func(s string) string { return strings.ReplaceAll(s, "not", "**not**") },
		"list item":         func(s string) string { return "Facts:\n\n- " + s },
	}
	for name, set := range settings {
		for _, c := range negationCases {
			p := words.ParseProse(set(c.text))
			if _, got := p.Affirms(approval); got != c.approval {
				t.Errorf("%s: %q affirms approval: %v, want %v", name, set(c.text), got, c.approval)
			}
			if _, got := p.Affirms(undo); got != c.undo {
				t.Errorf("%s: %q affirms undo: %v, want %v", name, set(c.text), got, c.undo)
			}
		}
	}
}
