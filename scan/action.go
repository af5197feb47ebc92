package scan

import (
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// Action is what a tool does when it is called, as `action_type` names it.
type Action string

// The action types of agentready.json v0.1.
const (
	ActionRead          Action = "READ"
	ActionSearch        Action = "SEARCH"
	ActionList          Action = "LIST"
	ActionHealthCheck   Action = "HEALTH_CHECK"
	ActionWebhook       Action = "WEBHOOK"
	ActionCreate        Action = "CREATE"
	ActionUpdate        Action = "UPDATE"
	ActionDelete        Action = "DELETE"
	ActionSend          Action = "SEND"
	ActionPublish       Action = "PUBLISH"
	ActionPay           Action = "PAY"
	ActionRefund        Action = "REFUND"
	ActionTransfer      Action = "TRANSFER"
	ActionExport        Action = "EXPORT"
	ActionImport        Action = "IMPORT"
	ActionAuth          Action = "AUTH"
	ActionInvite        Action = "INVITE"
	ActionSchedule      Action = "SCHEDULE"
	ActionCancel        Action = "CANCEL"
	ActionSensitiveData Action = "SENSITIVE_DATA"
	ActionUnknown       Action = "UNKNOWN"
)

// byDanger orders what verbs can say, most dangerous first (rules page, section 3,
// step 4).
var byDanger = []Action{
	ActionTransfer, ActionPay, ActionRefund, ActionDelete, ActionCancel, ActionSend,
	ActionPublish, ActionExport, ActionAuth, ActionImport, ActionInvite, ActionSchedule,
	ActionUpdate, ActionCreate, ActionSearch, ActionList, ActionRead,
}

// moreDangerous says whether a comes before b; anything comes before no action.
func moreDangerous(a, b Action) bool {
	if a == "" {
		return false
	}
	return b == "" || slices.Index(byDanger, a) < slices.Index(byDanger, b)
}

// changesState says whether an action read off a verb alters something.
func (a Action) changesState() bool {
	return a != "" && !slices.Contains([]Action{
		ActionRead, ActionSearch, ActionList, ActionHealthCheck, ActionSensitiveData, ActionUnknown,
	}, a)
}

// decision is an action and the verb that it was read off.
type decision struct {
	action Action
	verb   words.Verb
	// first: the verb is the first word of an explicit name of several words.
	first bool
}

// mostDangerous picks the decision whose action comes first; the zero one where none
// has an action.
func mostDangerous(ds []decision) decision {
	var most decision
	for _, d := range ds {
		if moreDangerous(d.action, most.action) {
			most = d
		}
	}
	return most
}

// headOf reads a verb with its object: a neutral verb takes the action of its object,
// and sending money is paying.
func headOf(v words.Verb, object []string) Action {
	if v.Neutral {
		if a := words.ObjectAction(object); a != "" {
			return Action(a)
		}
		if v.Word != "create" && v.Word != "approve" {
			return ""
		}
	}
	if v.Word == "send" && len(object) > 0 && money[words.Singular(object[len(object)-1])] {
		return ActionPay
	}
	if v.CatchAll {
		return ""
	}
	return Action(v.Action)
}

// joinedAction reads a verb beside others, where even a catch-all says something.
func joinedAction(v words.Verb, object []string) Action {
	if a := headOf(v, object); a != "" {
		return a
	}
	return atLeast(v)
}

// atLeast is what a verb that does not decide says all the same.
func atLeast(v words.Verb) Action {
	if v.Word == "write" {
		return ActionUpdate
	}
	return ""
}

var money = map[string]bool{"payment": true, "money": true, "fund": true}

// untilPreposition cuts an object at the first preposition.
func untilPreposition(ws []string) []string {
	if i := slices.IndexFunc(ws, words.IsPreposition); i >= 0 {
		return ws[:i]
	}
	return ws
}
