package scan

import (
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// usageRules are the rules of usage_boundaries.
var usageRules = []rule{
	{RuleInfo{
		Finding:        "missing_when_to_use",
		Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
		Severity:       agentready.Medium,
		Category:       "usage_boundaries",
		Applies:        appliesBoth,
		Explanation:    "Nothing says when this tool is the right one. An agent with many tools picks among look-alikes by their names.",
		Recommendation: "Say when to use the tool: \"Use this when …\", and what must be known or done before.",
		Before:         `{"name": "move_ticket", "description": "Move a ticket to another team and tell its members."}`,
		After:          `{"name": "move_ticket", "description": "Move a ticket to another team and tell its members. Use this when the ticket concerns a product of that team."}`,
	}, missingWhenToUse},
	{RuleInfo{
		Finding:        "missing_when_not_to_use",
		Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
		Severity:       agentready.Medium,
		Category:       "usage_boundaries",
		Applies:        appliesBoth,
		Explanation:    "Nothing says what the tool is not for or what it needs. An agent finds its limits by calling it where it should not.",
		Recommendation: "Say when not to use the tool: what it does not do, what it requires, and which tool to use instead.",
		Before:         `{"name": "replace_order", "description": "Use this when an order arrived damaged. Starts a replacement shipment."}`,
		After:          `{"name": "replace_order", "description": "Use this when an order arrived damaged. Starts a replacement shipment. Do not use it for lost parcels; use open_claim instead."}`,
	}, missingWhenNotToUse},
}

// toCase leads from the tool to the case that it is for; itself are the names that a
// text gives the tool.
const (
	toCase = "when|whenever|if|for|to|only|after|before|once|where|in-order|instead|as"
	itself = "tool|endpoint|operation|method|function|call|command|action|route"
)

// whenToUse guides to the tool.
var whenToUse = words.MustPhrases(
	"use this|it "+itself+"|api|request|query? "+toCase, "use the "+itself+" "+toCase,
	"use when|whenever|only|if|after|before|once|in-order",
	"this|it|"+itself+" is|can-be|may-be|should-be|must-be used|called to|when|whenever|if|for|only|after|before|in-cases|where",
	"using this|it "+itself+"? when|if",
	"only after|when", "only once a|an|the|you|your|it|all|every|both|this|that", "when to use|call", "should be used|called", "should only be used|called|run",
	"intended for|use|only", "designed for|specifically", "meant for", itself+" is|was? made for",
	"prefer this|it|over", "preferred when|for|way|over",
	"call|invoke|run|choose|pick|select|execute this|it "+itself+"? "+toCase,
	"call|invoke|choose|pick when|whenever|after|before|only|once|if",
	"useful when|whenever|if|for|to|in|after|before", "helpful when|if|for|to|in", "handy when|if|for",
	"best|well|ideally|particularly|especially suited|used|useful|for|when", "suitable|ideal|appropriate|recommended for|when|if", "good|great choice|fit for|when|if",
	"use case|cases", "in cases where", "typically used|called",
	"applies when|if|only", "for use when|with|in|by", "reach for this|it", "helps when",
	"call first|this-first",
)

// limits exclude by themselves; a denial is what makes them.
var limits = words.MustPhrases(
	"do not", "must not", "should not", "shall not", "may not", "will not", "would not", "could not", "cannot",
	"not for|intended|meant|built|made|suitable|designed|recommended|appropriate|to|a-replacement|a-substitute",
	"never", "not ... supported|available|allowed|permitted|possible|included|returned|accepted|enabled|valid|accessible|applicable|guaranteed",
	"unable to", "does not return|include|work|support|delete|remove|affect|modify|change|apply|handle|send|create|update|cover|accept|expand|follow|trigger|notify|fetch|search|touch|check|validate|contain|store|keep",
	"unsupported|unavailable|disallowed|forbidden|prohibited", "no longer", "avoid using|calling|this|it|if|when|unless",
	"not all|every|both|exceed|be", "unless", "except|excepting", "other than", "instead",
)

// conditions limit where they are stated, and not where they are denied.
var conditions = words.MustPhrases(
	"excluding|excludes|excluded|exclude", "rather than",
	"only if|when|for|by|after|once|with|in|within|from|on|the|to|one|works|work|returns|return|available|accessible|accepts|accept|applies|valid|supports|supported|includes|lists|shows|members|admins|administrators|owners|users|callers|see|data|public",
	"only be used|called|run|invoked|applied", "limited|restricted|confined to|by", "exclusive|exclusively", "solely",
	"prerequisite|prerequisites|precondition|preconditions",
	"deprecated", "ignored if|when|unless", "subject to", "as long as", "provided that", "outside the? scope",
	"limitation|limitations|caveat|caveats",
)

// demands are what a call or its caller must have. In the case that a tool is for they
// are no limit: "use this when you need a list".
var demands = words.MustPhrases(
	"requires|require|needs", "need the|a|an|to-be|to-have|at-least", "need ... scope|permission|permissions|role|rights|access|token|privilege|privileges",
	"required to|for|scope|scopes|permission|role|before|that|if|when",
	"must ... have|be|already|exist|belong|contain|use|provide|first", "should ... already|exist|belong|first",
	"you must|have-to|should-use",
).OutsideCases()

// missingWhenToUse fires on a text without guidance on when to use the tool.
func missingWhenToUse(s *subject) []surface.Text {
	if s.is(ActionHealthCheck, ActionWebhook) || affirms(s.text, whenToUse) {
		return nil
	}
	return s.textPlace()
}

// missingWhenNotToUse fires on a text without a limit or an exclusion.
func missingWhenNotToUse(s *subject) []surface.Text {
	if s.is(ActionHealthCheck, ActionWebhook) || s.text.Mentions(limits) || affirms(s.text, conditions) || affirms(s.text, demands) {
		return nil
	}
	return s.textPlace()
}
