package words

import (
	"slices"
	"strings"
)

// Verb is a word that says what a tool does (rules page, section 3).
type Verb struct {
	Word string
	// Action is the action type the verb stands for by itself; empty for neutral
	// verbs and catch-alls that have none.
	Action string
	// Noun: the word is a verb or a noun, by position (refund, email, list).
	Noun bool
	// Neutral: the verb takes the action of its object where that is an action noun.
	Neutral bool
	// CatchAll: the verb decides nothing (manage, handle).
	CatchAll bool
}

// Plain says whether the word is a verb wherever it stands.
func (v Verb) Plain() bool { return !v.Noun && !v.CatchAll }

// Handles says whether the verb is what is done with a record of any kind (list, set,
// move), so that before a noun it is the verb: "setWebhook", but not "smsWebhook".
func (v Verb) Handles() bool {
	return slices.Contains([]string{"READ", "LIST", "SEARCH", "UPDATE"}, v.Action)
}

// verbsByAction is the verb table: action type → its verbs.
var verbsByAction = map[string]string{
	"REFUND":   "refund reimburse repay",
	"TRANSFER": "transfer wire payout remit withdraw",
	"DELETE":   "delete remove erase destroy purge drop wipe truncate trash unlink clear uninstall",
	"CANCEL":   "cancel terminate disable deactivate revoke suspend abort stop kill invalidate ban",
	"SEND":     "send email notify message sms text reply forward",
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
	"UPDATE": "update edit modify patch set put upsert rename move replace enable overwrite change save merge push commit " +
		"restore restart reset undelete undo revert rollback rotate lock unlock archive unarchive assign unassign resolve " +
		"unresolve reopen close attach detach associate disassociate refresh reassign sync mark pin unpin star unstar follow " +
		"unfollow block unblock accept approve reject decline dismiss apply",
	"READ": "get read fetch retrieve return show view describe check verify compare count preview render validate scan parse " +
		"calculate compute estimate convert translate crawl",
}

const (
	nounVerbs = "refund email message sms text reply charge checkout purchase transfer wire payout release export import " +
		"download upload extract dump auth login grant invite schedule book list search query set move view patch " +
		"issue request process post start new"
	neutralVerbs = "create make issue initiate submit post new start request process perform execute capture confirm reverse approve"
	catchAlls    = "manage handle run do write process"
)

// actionNouns are the objects that give a neutral verb its action.
var actionNouns = map[string]string{
	"refund": "REFUND", "reversal": "REFUND",
	"payment": "PAY", "charge": "PAY", "purchase": "PAY", "payment intent": "PAY",
	"transfer": "TRANSFER", "payout": "TRANSFER", "withdrawal": "TRANSFER",
	"invitation": "INVITE",
	"export":     "EXPORT", "import": "IMPORT",
	"deployment": "PUBLISH", "release": "PUBLISH", "broadcast": "PUBLISH",
	"message": "SEND", "email": "SEND", "sms": "SEND", "notification": "SEND", "reply": "SEND",
	"cancellation": "CANCEL", "deletion": "DELETE",
	"booking": "SCHEDULE", "reservation": "SCHEDULE",
	"access token": "AUTH", "login": "AUTH",
}

var lexicon = buildLexicon()

func buildLexicon() map[string]Verb {
	m := map[string]Verb{}
	change := func(list string, f func(*Verb)) {
		for _, w := range strings.Fields(list) {
			v := m[w]
			v.Word = w
			f(&v)
			m[w] = v
		}
	}
	for action, list := range verbsByAction {
		change(list, func(v *Verb) { v.Action = action })
	}
	change(nounVerbs, func(v *Verb) { v.Noun = true })
	change(neutralVerbs, func(v *Verb) { v.Neutral = true })
	change(catchAlls, func(v *Verb) { v.CatchAll = true })
	return m
}

// LookupVerb finds the verb that the word of a name is. Plurals are not folded: in a
// name "messages" and "releases" are nouns.
func LookupVerb(word string) (Verb, bool) {
	v, ok := lexicon[word]
	return v, ok
}

// LookupVerbForm finds the verb of a word of prose, folding the third person
// ("deletes", "publishes", "replies").
func LookupVerbForm(word string) (Verb, bool) {
	for _, form := range verbForms(word) {
		if v, ok := lexicon[form]; ok {
			return v, true
		}
	}
	return Verb{}, false
}

func verbForms(w string) []string {
	forms := []string{w}
	if s, ok := strings.CutSuffix(w, "ies"); ok {
		forms = append(forms, s+"y")
	}
	if s, ok := strings.CutSuffix(w, "es"); ok {
		forms = append(forms, s)
	}
	if s, ok := strings.CutSuffix(w, "s"); ok {
		forms = append(forms, s)
	}
	return forms
}

// ObjectAction gives the action of an object's head noun, where it is an action
// noun. The object is its words in order; plurals are folded, and its last one or two
// words decide.
func ObjectAction(object []string) string {
	if len(object) == 0 {
		return ""
	}
	last := Singular(object[len(object)-1])
	if len(object) > 1 {
		if a, ok := actionNouns[Singular(object[len(object)-2])+" "+last]; ok {
			return a
		}
	}
	return actionNouns[last]
}
