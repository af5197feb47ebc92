package scan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// descriptionRules are the rules of agent_descriptions, but for hidden text.
var descriptionRules = []rule{
	{RuleInfo{
		Finding:        "ambiguous_tool_description",
		Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
		Severity:       agentready.Medium,
		Category:       "agent_descriptions",
		Applies:        appliesBoth,
		Explanation:    "The text is too short, or only repeats the name. An agent then guesses from the name what the tool does and what a call changes.",
		Recommendation: "Describe in at least 80 characters what the tool does, to what, and what a call changes or returns.",
		Before: `/tickets/{id}/close:
  post:
    operationId: closeTicket
    summary: Close ticket`,
		After: `/tickets/{id}/close:
  post:
    operationId: closeTicket
    summary: Close a support ticket
    description: Marks one ticket as solved and tells the customer. A closed ticket can be opened again for 30 days.`,
	}, ambiguousDescription},
	{RuleInfo{
		Finding:        "agent_context_confusion",
		Code:           "AR007_OVERBROAD_TOOL_SCOPE",
		Severity:       agentready.Medium,
		Category:       "agent_descriptions",
		Applies:        appliesBoth,
		Explanation:    "The tool acts on something that its caller cannot see: who or what is current is decided elsewhere. An agent that works for several people or projects may act on the wrong one.",
		Recommendation: "Take the account, workspace, or project as an explicit parameter, or say how the caller finds out which one a call acts on.",
		Before:         `{"name": "list_invoices", "description": "List the invoices of the current account."}`,
		After:          `{"name": "list_invoices", "description": "List the invoices of the account given in account_id."}`,
	}, contextConfusion},
}

// minDescription is how many characters a text needs to say anything of a tool.
const minDescription = 80

// ambiguousDescription fires on a text that is too short or only repeats the name.
func ambiguousDescription(s *subject) []surface.Text {
	if s.is(ActionHealthCheck) {
		return nil
	}
	text := strings.Join(strings.Fields(prose(s.tool)), " ")
	if utf8.RuneCountInString(text) >= minDescription && !s.repeatsName() {
		return nil
	}
	return s.textPlace()
}

// textPlace is the evidence for a finding about the tool's text: the description,
// else the summary, else the tool.
func (s *subject) textPlace() []surface.Text {
	for _, t := range []surface.Text{s.tool.Description, s.tool.Summary} {
		if strings.TrimSpace(t.Value) != "" {
			return []surface.Text{t}
		}
	}
	return s.place()
}

// emptyWords say nothing of what a tool does.
var emptyWords = strings.Fields("a an the this that it is are to of for in on by with from and or be can will you your use used using " +
	"tool endpoint operation method function api call calls action allows lets enables please simply one given specified based")

// repeatsName says whether the text has no word that the name does not have.
func (s *subject) repeatsName() bool {
	known := map[string]bool{}
	name := s.name
	if len(name) == 0 {
		name = words.Split(s.tool.Path)
	}
	for _, w := range name {
		known[stem(w)] = true
	}
	return !slices.ContainsFunc(s.text.Words(), func(w string) bool {
		return !slices.Contains(emptyWords, w) && !known[stem(w)]
	})
}

// stem folds a verb's forms and a noun's plural into one.
func stem(w string) string {
	if v, ok := words.LookupVerbForm(w); ok {
		return v.Word
	}
	return words.Singular(w)
}

// The states that a caller cannot see, and those who hold them.
const (
	unseen  = "current|active|selected|chosen|currently-active|currently-selected"
	session = "currently-logged-in|currently-signed-in"
	holders = "account|tenant|workspace|organization|organisation|org|project|environment|team|profile|context"
)

var unseenState = words.MustPhrases(
	unseen+" user|"+holders+" $",
	session+" user|customer|member|"+holders+" $",
	"default project|workspace|account|tenant|organization|organisation $",
	"my account|workspace|organization|organisation|tenant|team|project|profile $",
	"whichever|whatever "+holders+" is|are current|currently|active|selected|open",
	holders+" you|user|agent are|is currently? in|using|working-in|logged-into|signed-into",
)

// selfSegments are path segments that stand for whoever calls.
var selfSegments = []string{"me", "@me", "~me", "current-user", "current_user", "currentuser"}

// contextConfusion fires on a text or a path that leans on state the caller cannot see.
func contextConfusion(s *subject) []surface.Text {
	places := s.unseenMentions()
	if s.isMCP() {
		return places // the path is only the name
	}
	for _, segment := range strings.Split(strings.ToLower(s.tool.Path), "/") {
		if slices.Contains(selfSegments, segment) {
			return append(places, s.place()...)
		}
	}
	return places
}

// unseenMentions returns where the summary and the description lean on such state.
func (s *subject) unseenMentions() []surface.Text {
	if !affirms(s.text, unseenState) {
		return nil
	}
	var places []surface.Text
	for _, t := range []surface.Text{s.tool.Summary, s.tool.Description} {
		if mention, ok := s.parse(t.Value).Affirms(unseenState); ok {
			places = append(places, surface.Text{Value: mention, Pos: t.Pos})
		}
	}
	return places
}
