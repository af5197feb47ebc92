package scan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// responseRules are the rules of agent_readable_responses.
var responseRules = []rule{
	{
		RuleInfo: RuleInfo{
			Finding:        "large_unstructured_response",
			Code:           "AR004_BULK_ACTION_WITHOUT_LIMIT",
			Severity:       agentready.Medium,
			Category:       "agent_readable_responses",
			Applies:        appliesBoth,
			Explanation:    "The tool returns a list without a limit, without a maximum page size, or without a response schema. One call can fill the model's context.",
			Recommendation: "Page the answer: add a limit with a documented maximum and a cursor, and declare the response schema.",
			Before: `/orders:
  get:
    operationId: listOrders
    parameters:
      - {name: limit, in: query, schema: {type: integer}}`,
			After: `/orders:
  get:
    operationId: listOrders
    parameters:
      - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      - {name: cursor, in: query, schema: {type: string}}
    responses:
      "200":
        description: One page of orders.
        content:
          application/json:
            schema: {type: array, items: {type: object}}`,
		},
		fires: largeResponse,
	},
	{
		RuleInfo: RuleInfo{
			Finding:        "mcp_missing_output_schema",
			Code:           "AR009_UNCLEAR_AGENT_INSTRUCTIONS",
			Severity:       agentready.Medium,
			Category:       "agent_readable_responses",
			Applies:        appliesMCP,
			Explanation:    "The tool does not declare what it returns. An agent has to guess where in the answer the result stands.",
			Recommendation: "Declare an outputSchema for the structured result.",
			Before:         `{"name": "restart_build", "inputSchema": {"type": "object"}}`,
			After: `{"name": "restart_build", "outputSchema": {"type": "object",
  "properties": {"build_id": {"type": "string"}}, "required": ["build_id"]}}`,
		},
		fires: missingOutputSchema,
	},
}

var (
	// pageSizes are fields that say how many items one answer holds.
	pageSizes = newNames("limit, size, count, per page, page size, page limit, page count, max results, max items, max records, max count, " +
		"max entries, max rows, max keys, max page size, top, top k, first, last, num results, num items, results per page, items per page, page length, " +
		"batch size, maximum results, result limit, results limit, max num results, rows, take")
	// pageFields are other fields that divide an answer into parts.
	pageFields = newNames("page, offset, cursor, page number, page num, page index, page token, next token, next page token, next page, continuation token, " +
		"continuation, after, before, since, skip, start, start index, start at, start after, starting after, ending before, from, marker, next cursor, page cursor, " +
		"after id, before id, since id, max id, scroll id, paging, pagination, bookmark, next")
	// ambiguousSizes mean something else where they are text (`size=L`).
	ambiguousSizes = newNames("size, count, top, first, last, rows, take")
)

func isPageSize(ws []string) bool {
	ws = withoutWrapping(ws)
	return pageSizes.has(ws)
}

// withoutWrapping drops what some styles put around page[size] and x-limit.
func withoutWrapping(ws []string) []string {
	if len(ws) > 1 && (ws[0] == "x" || ws[0] == "query") {
		return ws[1:]
	}
	return ws
}

func largeResponse(s *subject) []surface.Text {
	if !s.returnsMany() {
		return nil
	}
	sizes, paged := s.pageFields()
	if !paged || !s.isMCP() && !s.hasResponseSchema() {
		return s.place()
	}
	var open []surface.Text
	for _, f := range sizes {
		if !f.HasUpper && !f.HasEnum && !f.HasConst && !mentionsMaximum(f.Description.Value) {
			open = append(open, fieldText(f))
		}
	}
	if len(open) > 0 && capsResults(prose(s.tool)) {
		return nil
	}
	return open
}

// returnsMany says whether the answer is a list.
func (s *subject) returnsMany() bool {
	if s.is(ActionList, ActionSearch) {
		return true
	}
	return s.tool.Method == "GET" && slices.ContainsFunc(s.tool.Responses, func(r surface.Response) bool {
		return isSuccess(r.Status) && r.IsArray
	})
}

// pageFields gives the fields that set the page's size, and whether there is any that
// divides the answer.
func (s *subject) pageFields() (sizes []*surface.Field, paged bool) {
	for _, f := range s.tool.Fields {
		if isOnly(f.Types, "boolean") || f.In == "path" {
			continue
		}
		ws := withoutWrapping(words.Split(f.Name))
		switch {
		case pageFields.has(ws):
			paged = true
		case pageSizes.has(ws) && !(ambiguousSizes.has(ws) && !mayBeNumber(f)):
			paged = true
			sizes = append(sizes, f)
		}
	}
	return sizes, paged
}

func (s *subject) hasResponseSchema() bool {
	return slices.ContainsFunc(s.tool.Responses, func(r surface.Response) bool { return isSuccess(r.Status) && r.HasSchema })
}

const atMost = `(?:max(?:imum)?(?: (?:is|of|value|page size|number))*|at most|up to|no more than|not more than|not exceed|cannot exceed|less than|limited to|capped at|between \d+ and|from \d+ to|<=?|≤|\d+ ?(?:-|–|\.\.|to) ?) ?:?(?: (?:is|of))? ?`

var (
	// maximum is a stated maximum in a page size's own description.
	maximum = regexp.MustCompile(`(?i)(?:^|[^\w.])` + atMost + "[`'\"]?" + `\d`)

	noMaximum   = regexp.MustCompile(`(?i)\b(?:no|not|without|never|isn't)\W+(?:\w+\W+)?$`)
	sentenceEnd = regexp.MustCompile(`[.!?;](?:\s|$)|\n\s*\n`)
)

// A maximum in a tool's text may be of anything. That it is one of results is told by
// what it counts, or by what stands before it.
var (
	counted     = `^\d[\d,]*[` + "`'\"]? "
	ofResults   = regexp.MustCompile(`(?i)` + counted + `(?:\w+ ){0,2}(?:results?|items?|records?|entries|rows|per page|matches|hits|objects)\b`)
	perAnswer   = regexp.MustCompile(`(?i)` + counted + `(?:\w+ ){1,2}(?:(?:is|are|will be|can be|get) (?:returned|listed|shown|given)|(?:per|a|each|every|in one) (?:call|page|answer|response)|at once|at a time)\b`)
	ofSome      = regexp.MustCompile(counted + `\w`)
	returning   = regexp.MustCompile(`(?i)\b(?:returns?|lists?|gets?|gives?|fetch(?:es)?|finds?|shows?|yields?|retrieves?|responds? with|answers? with) (?:back |only |an? |the ){0,2}$`)
	pageSize    = regexp.MustCompile(`(?i)\b(?:page[ _-]?(?:size|limit|length)|per[ _-]?page|limit|(?:max|num)[ _-]?(?:results|items|records)|top[ _-]?k|batch[ _-]?size)s?\b|` + "[`'\"](?:count|size|first|last|top|rows|take)[`'\"]")
	otherLimits = regexp.MustCompile(`(?i)\b(?:rate|time|size|spending|credit|memory|length)[ _-]limits?\b`)
	// otherUnits are what a maximum counts that is no result.
	otherUnits = regexp.MustCompile(`(?i)^[\d,.]*[` + "`'\"]?" + `[ -]?(?:char|letter|word|byte|[kmgt]i?b\b|second|minute|hour|day|week|month|year|m?s\b|[km]?g\b|[kcm]?m\b|[%$€£]|percent|dollar|euro|cent|request|call|time|token|retr|attempt|level|degree|met[er]|mile|line)`)
)

// capsResults says whether a tool's text states how many results an answer holds at most.
func capsResults(text string) bool {
	for _, sentence := range sentenceEnd.Split(text, -1) {
		sentence = strings.Join(strings.Fields(sentence), " ")
		for _, at := range maximum.FindAllStringIndex(sentence, -1) {
			before, upTo, rest := lastBytes(sentence[:at[0]+1]), lastBytes(sentence[:at[1]-1]), firstBytes(sentence[at[1]-1:])
			if noMaximum.MatchString(before) || otherUnits.MatchString(rest) {
				continue
			}
			sized := pageSize.MatchString(upTo) && !otherLimits.MatchString(upTo)
			if sized || ofResults.MatchString(rest) || perAnswer.MatchString(rest) || returning.MatchString(before) && ofSome.MatchString(rest) {
				return true
			}
		}
	}
	return false
}

// mentionsMaximum says whether text states a maximum and does not deny it.
func mentionsMaximum(text string) bool {
	text = strings.Join(strings.Fields(text), " ")
	for _, at := range maximum.FindAllStringIndex(text, -1) {
		if !noMaximum.MatchString(lastBytes(text[:at[0]+1])) {
			return true
		}
	}
	return false
}

func missingOutputSchema(s *subject) []surface.Text {
	if len(s.tool.Responses) > 0 {
		return nil
	}
	return s.place()
}
