package scan

import (
	"regexp"
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// parameterRules are the rules of strict_parameters.
var parameterRules = []rule{
	{
		RuleInfo: RuleInfo{
			Finding:        "unbounded_parameter",
			Code:           "AR001_UNBOUNDED_WRITE_ACTION",
			Severity:       agentready.High,
			Category:       "strict_parameters",
			Applies:        appliesBoth,
			Explanation:    "A number that decides how much happens has no lower or no upper bound. A slip of an agent, such as one zero too many, passes validation.",
			Recommendation: "Add minimum and maximum values for amount, quantity, limit, price, discount, or duration fields.",
			Before: `{"name": "refund_order", "inputSchema": {"type": "object",
  "properties": {"amount": {"type": "integer"}}}}`,
			After: `{"name": "refund_order", "inputSchema": {"type": "object",
  "properties": {"amount": {"type": "integer", "minimum": 1, "maximum": 50000}}}}`,
		},
		fires: unboundedParameter,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "missing_enum",
			Code:           "AR010_MISSING_RATE_OR_SCOPE_LIMIT",
			Severity:       agentready.Medium,
			Category:       "strict_parameters",
			Applies:        appliesBoth,
			Explanation:    "A field that takes one of few values accepts any string. An agent has to guess the values, and wrong guesses pass validation.",
			Recommendation: "List the allowed values of status, type, category, country, currency, or language fields as an enum, or name the standard that defines them.",
			Before: `{"name": "list_orders", "inputSchema": {"type": "object",
  "properties": {"status": {"type": "string"}}}}`,
			After: `{"name": "list_orders", "inputSchema": {"type": "object",
  "properties": {"status": {"type": "string", "enum": ["open", "shipped", "cancelled"]}}}}`,
		},
		fires: missingEnum,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "mcp_missing_input_schema",
			Code:           "AR010_MISSING_RATE_OR_SCOPE_LIMIT",
			Severity:       agentready.High,
			Category:       "strict_parameters",
			Applies:        appliesMCP,
			Explanation:    "The tool declares no input schema. An agent can only guess the arguments, and nothing checks them.",
			Recommendation: "Declare an inputSchema with typed, described and required properties.",
			Before:         `{"name": "restart_build", "description": "Restart a build."}`,
			After: `{"name": "restart_build", "inputSchema": {"type": "object", "additionalProperties": false,
  "properties": {"build_id": {"type": "string"}}, "required": ["build_id"]}}`,
		},
		fires: missingInputSchema,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "mcp_empty_input_schema",
			Code:           "AR010_MISSING_RATE_OR_SCOPE_LIMIT",
			Severity:       agentready.Medium,
			Category:       "strict_parameters",
			Applies:        appliesMCP,
			Explanation:    "The input schema has no properties, but does not say that the tool takes none, or the description speaks of inputs. An agent cannot know what to send.",
			Recommendation: "Declare the properties the tool reads; if it takes none, set additionalProperties to false.",
			Before:         `{"name": "restart_all", "inputSchema": {"type": "object"}}`,
			After:          `{"name": "restart_all", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}}`,
		},
		fires: emptyInputSchema,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "mcp_missing_required_fields",
			Code:           "AR010_MISSING_RATE_OR_SCOPE_LIMIT",
			Severity:       agentready.Medium,
			Category:       "strict_parameters",
			Applies:        appliesMCP,
			Explanation:    "No property is required, and the properties have no defaults. An agent may call the tool without the values that it acts on.",
			Recommendation: "List the properties the tool cannot work without in required, or give every property a default.",
			Before: `{"name": "restart_build", "inputSchema": {"type": "object",
  "properties": {"build_id": {"type": "string"}}}}`,
			After: `{"name": "restart_build", "inputSchema": {"type": "object",
  "properties": {"build_id": {"type": "string"}}, "required": ["build_id"]}}`,
		},
		fires: missingRequired,
	},
}

var (
	// measures are the last words of fields that decide how much happens.
	measures = newNouns("amount, quantity, limit, price, discount, duration, total, count, size, max, minimum, maximum")
	// measureLeads are the first words of such fields.
	measureLeads = words.NewSet("max min num")
)

func unboundedParameter(s *subject) []surface.Text {
	reads := s.is(ActionRead, ActionList, ActionSearch)
	var found []surface.Text
	for _, f := range s.tool.Fields {
		if !mayBeNumber(f) || boundedBothWays(f.Schema) {
			continue
		}
		ws := words.Split(f.Name)
		if measures.tail(ws) == 0 && !measureLeads[firstWord(ws)] {
			continue
		}
		if !(reads && isPageSize(ws)) && !(len(f.Types) == 0 && s.encloses(f)) {
			found = append(found, fieldText(f))
		}
	}
	return found
}

func fieldText(f *surface.Field) surface.Text { return surface.Text{Value: f.Path, Pos: f.Pos} }

// mayBeNumber: the field is declared as a number, or as nothing.
func mayBeNumber(f *surface.Field) bool {
	if len(f.Types) == 0 {
		return !f.HasPattern
	}
	return slices.Contains(f.Types, "number") || slices.Contains(f.Types, "integer")
}

func boundedBothWays(sc *surface.Schema) bool {
	return sc.HasEnum || sc.HasConst || sc.HasLower && sc.HasUpper
}

// choices are the last words of fields that take one of few values.
var choices = newNouns("status, type, category, country, currency, language, locale, role, state, mode")

// standardHeaders are request headers whose values HTTP defines.
var standardHeaders = newNames("content type, accept language, content language")

func missingEnum(s *subject) []surface.Text {
	var found []surface.Text
	for _, f := range s.tool.Fields {
		if !slices.Contains(f.Types, "string") || !choices.mayEnd(f.Name) || constrained(f.Schema) {
			continue
		}
		ws := words.Split(f.Name)
		switch {
		case choices.tail(ws) == 0, namesValues(f.Description.Value):
		case f.In == "header" && standardHeaders.has(ws):
		case isPlace(ws) && s.inAddress(f):
		default:
			found = append(found, fieldText(f))
		}
	}
	return found
}

func constrained(sc *surface.Schema) bool {
	return sc.HasEnum || sc.HasConst || sc.HasPattern || sc.Format != "" || sc.ReadOnly
}

var (
	standards = regexp.MustCompile(`\b(ISO|RFC|IANA)\b|\b(ISO|RFC)\d|\bBCP[ -]?47\b`)
	// denied is a denial right before a standard or a list ("not an ISO code").
	denied = regexp.MustCompile(`(?i)\b(no|not|non|never|without)\W+(\w+\W+){0,3}$`)

	quoted = "(?:`[^`\n]+`|\"[^\"\n]+\"|'[^'\n]+')"
	comma  = `\s*(?:[,|/]\s*(?:or|and)?|\bor\b|\band\b)\s*`
	// valueLists are the ways in which a description lists values.
	valueLists = []*regexp.Regexp{
		regexp.MustCompile(quoted + comma + quoted),
		regexp.MustCompile(`(?i)\b(?:one of|either|values?|values? (?:are|include)|options?|options? are|allowed|supported|possible|valid|accepts|can be|must be|may be)\s*:?\s*[(\[{]?\s*[\w.*-]+\s*(?:[,|/]\s*[\w.*-]+|,?\s*\bor\s+[\w.*-]+)`),
		regexp.MustCompile(`\w+\s*\|\s*\w+`),
		regexp.MustCompile("(?m)(?:^\\s*[-*+]\\s+[`\"'*]*\\w+.*\n?){2}"),
	}
)

// namesValues says whether a description names the standard that defines the values,
// or lists them.
func namesValues(description string) bool {
	if affirmedIn(standards, description) {
		return true
	}
	return slices.ContainsFunc(valueLists, func(re *regexp.Regexp) bool { return affirmedIn(re, description) })
}

// nearBytes is how much text before a match can deny it or say what it is of.
const nearBytes = 200

// lastBytes gives the end of a text that is near what follows it.
func lastBytes(s string) string { return s[max(0, len(s)-nearBytes):] }

// firstBytes gives the beginning of a text that is near what comes before it.
func firstBytes(s string) string { return s[:min(len(s), nearBytes)] }

// affirmedIn says whether text holds a match without a denial right before it.
func affirmedIn(re *regexp.Regexp, text string) bool {
	for _, at := range re.FindAllStringIndex(text, -1) {
		if !denied.MatchString(lastBytes(text[:at[0]])) {
			return true
		}
	}
	return false
}

func isPlace(ws []string) bool { return lastWord(ws) == "state" || lastWord(ws) == "country" }

func missingInputSchema(s *subject) []surface.Text {
	if s.tool.Input.Declared {
		return nil
	}
	return s.place()
}

// inputWords are the words of a text that speaks of inputs.
var inputWords = words.MustPhrases("given|specified|provided|parameter|parameters|argument|arguments|input|inputs")

func emptyInputSchema(s *subject) []surface.Text {
	in := s.tool.Input
	if !in.Declared || in.Properties > 0 {
		return nil
	}
	if _, speaks := s.text.Affirms(inputWords); in.Closed && !speaks {
		return nil
	}
	return s.inputPlace()
}

func (s *subject) inputPlace() []surface.Text {
	if s.tool.Input.Pos == (surface.Position{}) {
		return s.place()
	}
	return []surface.Text{{Value: s.tool.Name.Value, Pos: s.tool.Input.Pos}}
}

var (
	allOptional = words.MustPhrases(
		"all|every|each ... is|are? optional", "everything is optional", "parameters|arguments|fields|properties|inputs are all optional",
	)
	noneRequired = words.MustPhrases(
		"no ... required", "none ... required", "nothing is required",
	)
)

func missingRequired(s *subject) []surface.Text {
	in := s.tool.Input
	if in.Properties == 0 || in.HasRequired || s.is(ActionRead, ActionList, ActionSearch) || s.allDefaulted() {
		return nil
	}
	if _, ok := s.text.Affirms(allOptional); ok || s.text.Mentions(noneRequired) {
		return nil
	}
	return s.inputPlace()
}

func (s *subject) allDefaulted() bool {
	return !slices.ContainsFunc(s.tool.Fields, func(f *surface.Field) bool { return f.Depth == 1 && !f.HasDefault })
}
