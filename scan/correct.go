package scan

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/words"
)

// methodNever are what a method cannot mean, and what it then means (rules page,
// section 3, "Corrections").
var methodNever = map[string]struct {
	never   []Action
	instead Action
}{
	"DELETE": {[]Action{ActionRead, ActionList, ActionSearch, ActionCreate, ActionUpdate}, ActionDelete},
	"PUT":    {[]Action{ActionRead, ActionList, ActionSearch}, ActionUpdate},
	"PATCH":  {[]Action{ActionRead, ActionList, ActionSearch}, ActionUpdate},
}

// safeActions are what a GET or HEAD can mean without a plain verb that says more.
var safeActions = []Action{ActionRead, ActionList, ActionSearch, ActionExport, ActionHealthCheck, ActionSensitiveData}

// correct applies the corrections to what the steps decided.
func (c *classifier) correct(d decision) Action {
	a := d.action
	if m, ok := methodNever[c.tool.Method]; ok && slices.Contains(m.never, a) {
		return m.instead
	}
	if c.isGet() && !slices.Contains(safeActions, a) && !d.verb.Plain() && !d.first {
		a = c.fromMethod()
	}
	if a == ActionRead && c.readsMany() {
		a = ActionList
	}
	if c.postSearches() {
		a = ActionSearch
	}
	if slices.Contains([]Action{ActionRead, ActionList, ActionSearch, ActionExport}, a) && c.readsSecrets() {
		a = ActionSensitiveData
	}
	return a
}

func (c *classifier) isGet() bool { return c.tool.Method == "GET" || c.tool.Method == "HEAD" }

// fetches are the READ verbs that return their object; "check_alerts" and
// "count_users" return something about it.
var fetches = []string{"get", "read", "fetch", "retrieve", "return", "show", "view", "describe"}

// readsMany: the summary speaks of a list, or the name's object is a plural.
func (c *classifier) readsMany() bool {
	if c.text.beginsAsList() {
		return true
	}
	if !c.verbInName || !slices.Contains(fetches, c.named.verb.Word) || (!c.mcp && c.path.endsInParameter()) || c.answersOneObject() {
		return false
	}
	_, at, _ := c.name.head(c.lead)
	return isMany(c.name.object(at))
}

// containers hold several things, so that their contents are a list; those of a file
// are one text.
var containers = words.NewSet("directory dir folder repository repo bucket container drive volume archive zip cart basket collection playlist queue")

// isMany says whether the object of a verb names several things.
func isMany(object []string) bool {
	if len(object) == 0 {
		return false
	}
	last := object[len(object)-1]
	if last == "contents" && len(object) > 1 {
		return containers[object[len(object)-2]]
	}
	return words.IsPlural(last)
}

var searchVerbs = []string{"search", "query", "lookup", "find"}

// postSearches: a POST that searches, unless its name changes something.
func (c *classifier) postSearches() bool {
	if c.tool.Method != "POST" || c.named.action.changesState() {
		return false
	}
	candidates := []string{c.lead.Word, strings.ToLower(c.path.last())}
	if c.verbInName {
		candidates = append(candidates, c.named.verb.Word)
	}
	return slices.ContainsFunc(candidates, func(w string) bool { return slices.Contains(searchVerbs, w) })
}

// secretNouns are objects whose reading is SENSITIVE_DATA.
var secretNouns = map[string]bool{
	"secret": true, "credential": true, "password": true, "private key": true, "api key": true,
	"secret key": true, "env": true, "environment": true,
	"env variable": true, "env var": true, "environment variable": true,
}

// readsSecrets: the head noun of an object is a secret.
func (c *classifier) readsSecrets() bool { return slices.ContainsFunc(c.objectsRead(), c.isSecret) }

// isSecret leaves out an environment that things are deployed to: of several, or one
// that the path names.
func (c *classifier) isSecret(object []string) bool {
	if len(object) == 0 {
		return false
	}
	last := object[len(object)-1]
	noun := words.Singular(last)
	if secretNouns[noun] {
		return last != "environments" && (noun != "environment" || !c.path.endsInParameter())
	}
	if len(object) == 1 {
		return false
	}
	owner := object[len(object)-2]
	return secretNouns[owner+" "+noun] && (owner != "environment" || !c.path.hasParameter())
}

// objectsRead gives what the tool reads: the object of the name's verb; without one the
// name and the text's object, else the path's last static segment.
func (c *classifier) objectsRead() [][]string {
	if _, at, ok := c.name.head(c.lead); ok {
		return [][]string{c.name.object(at)}
	}
	var out [][]string
	if len(c.name.words) > 0 {
		out = append(out, untilPreposition(c.name.words))
	}
	if c.lead.Word != "" {
		out = append(out, c.text.objectRead())
	}
	if len(out) == 0 {
		out = append(out, words.Split(c.path.lastStatic()))
	}
	return out
}
