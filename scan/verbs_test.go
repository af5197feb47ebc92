package scan

import (
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// verbTable is the verb table of the rules page, section 3: action type, verbs.
var verbTable = map[Action]string{
	"REFUND":   "refund reimburse repay",
	"TRANSFER": "transfer wire payout remit withdraw",
	"DELETE":   "delete remove erase destroy purge drop wipe truncate trash unlink clear uninstall",
	"CANCEL":   "cancel terminate disable deactivate revoke suspend abort stop kill invalidate ban",
	"SEND":     "send email notify message sms reply text forward",
	"PAY":      "pay charge checkout purchase buy",
	"PUBLISH":  "publish share release deploy broadcast",
	"EXPORT":   "export download dump extract",
	"IMPORT":   "import upload ingest",
	"AUTH":     "auth authenticate authorize login logout grant signin signout signup",
	"INVITE":   "invite",
	"SCHEDULE": "schedule book reserve",
	"SEARCH":   "search find lookup query aggregate",
	"LIST":     "list browse enumerate",
	"CREATE":   "create add insert register generate fork copy clone duplicate",
	"UPDATE": "update edit modify patch set put upsert rename move replace enable overwrite change save merge " +
		"push commit restore restart reset undelete undo revert rollback rotate lock unlock archive " +
		"unarchive assign unassign resolve unresolve reopen close attach detach associate disassociate " +
		"refresh reassign sync mark pin unpin star unstar follow unfollow block unblock accept approve " +
		"reject decline dismiss apply",
	"READ": "get read fetch retrieve return show view describe check verify compare count preview render " +
		"validate scan parse calculate compute estimate convert translate crawl",
}

// undecided are the verbs that stand for no action by themselves.
const undecided = "make issue initiate submit post new start request process perform execute capture confirm reverse manage handle run do write"

// verbWords gives every verb of the rules page, sorted.
func verbWords() []string {
	all := strings.Fields(undecided)
	for _, list := range verbTable {
		all = append(all, strings.Fields(list)...)
	}
	slices.Sort(all)
	return all
}

func TestVerbTable(t *testing.T) {
	for action, list := range verbTable {
		for _, word := range strings.Fields(list) {
			if v, ok := words.LookupVerb(word); !ok || Action(v.Action) != action {
				t.Errorf("%s stands for %q, want %s", word, v.Action, action)
			}
		}
	}
	for _, word := range strings.Fields(undecided) {
		if v, ok := words.LookupVerb(word); !ok || v.Action != "" || !v.Neutral && !v.CatchAll {
			t.Errorf("%s is %+v, want a verb without an action of its own", word, v)
		}
	}
}
