package scan

import (
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// classifier works out one tool's action type (rules page, section 3).
type classifier struct {
	tool  *surface.Tool
	mcp   bool
	path  pathParts
	name  toolName // empty without an explicit name
	text  sentence
	lead  words.Verb // the verb the text begins with
	named decision   // what the name says
	// verbInName: the name has a head verb, though it may not decide.
	verbInName bool
}

// classify gives the tool's action type, and the one that its own name states (empty
// where the name does not decide). text is its first sentence, prefix the document's shared first word.
func classify(t *surface.Tool, kind surface.Kind, text sentence, prefix string) (action, byName Action) {
	c := &classifier{tool: t, mcp: kind == surface.MCP, text: text}
	if !c.mcp {
		c.path = parsePath(t.Path)
	}
	c.lead, _ = c.text.lead()
	if t.Name.Value != "" {
		if strings.EqualFold(prefix, t.Method) {
			prefix = "" // "PostCharges" begins with its verb
		}
		c.name = parseName(t.Name.Value, prefix)
		c.named, c.verbInName = c.name.decide(c.lead)
	}
	return c.correct(c.decide()), c.named.action
}

// decide runs the steps in order; the first that answers decides.
func (c *classifier) decide() decision {
	if c.isHealthCheck() {
		return decision{action: ActionHealthCheck}
	}
	if c.isWebhook() {
		return decision{action: ActionWebhook}
	}
	if c.tool.Method == "POST" {
		if d, ok := c.path.action(); ok && !moreDangerous(c.named.action, d.action) {
			return d
		}
	}
	if c.named.action != "" {
		return c.named
	}
	if d := c.fromText(); d.action != "" {
		return d
	}
	if c.tool.Method == "POST" {
		if d, ok := c.path.leadingAction(); ok {
			return d
		}
	}
	if c.mcp && c.verbInName && c.named.verb.Neutral && !slices.Contains(undecidedNeutral, c.named.verb.Word) {
		return decision{action: ActionCreate}
	}
	return decision{action: c.fromMethod()}
}

// undecidedNeutral are neutral verbs that say nothing of a tool by themselves.
var undecidedNeutral = []string{"execute", "process", "perform"}

// healthPrefixes may stand before a health word as the whole name of a tool.
var healthPrefixes = []string{"", "get ", "check "}

func (c *classifier) isHealthCheck() bool {
	if !c.mcp {
		return c.tool.Method == "GET" && c.path.isHealth()
	}
	name := strings.Join(words.Split(c.tool.Name.Value), " ")
	for _, p := range healthPrefixes {
		if rest, ok := strings.CutPrefix(name, p); ok && (healthSegments[rest] || rest == "health check") {
			return true
		}
	}
	return false
}

// isWebhook: a POST on a webhook's path, unless its name or summary says that hooks
// are managed there.
func (c *classifier) isWebhook() bool {
	if c.tool.Method != "POST" || !c.path.hasWebhook() {
		return false
	}
	if c.verbInName && c.named.verb.Action != "" && !c.namesWebhook() {
		return false
	}
	return c.lead.Action == ""
}

// namesWebhook: in "smsWebhook" the first word is a noun that says what comes in; in
// "listWebhooks" and "setWebhook" it is a verb.
func (c *classifier) namesWebhook() bool {
	last := c.name.words[len(c.name.words)-1]
	return c.named.verb.Noun && !c.named.verb.Handles() && webhookSegments[last] && !words.IsPlural(last)
}

// fromText takes the most dangerous verb of the first sentence, and of a command
// field where the name does not decide.
func (c *classifier) fromText() decision {
	said := append(c.text.actions(), c.commandActions()...)
	if c.verbInName {
		said = append(said, decision{action: atLeast(c.named.verb)})
	}
	return mostDangerous(said)
}

func (c *classifier) commandActions() []decision {
	if c.verbInName && !c.named.verb.CatchAll {
		return nil
	}
	return commandActions(c.tool)
}

// methodActions are the HTTP methods that mean one thing (step 5).
var methodActions = map[string]Action{
	"HEAD": ActionRead, "OPTIONS": ActionRead, "TRACE": ActionRead, "QUERY": ActionSearch,
	"POST": ActionCreate, "PUT": ActionUpdate, "PATCH": ActionUpdate, "DELETE": ActionDelete,
}

func (c *classifier) fromMethod() Action {
	if a, ok := methodActions[c.tool.Method]; ok {
		return a
	}
	if c.tool.Method != "GET" {
		return ActionUnknown
	}
	if c.path.endsInParameter() || c.answersOneObject() {
		return ActionRead
	}
	return ActionList
}

// answersOneObject says whether a 2xx schema is an object without an array property.
func (c *classifier) answersOneObject() bool {
	for _, r := range c.tool.Responses {
		if isSuccess(r.Status) && r.HasSchema {
			return r.IsObject && !r.HasArray
		}
	}
	return false
}
