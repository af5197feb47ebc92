package tools

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Every byte of a definition costs every agent at every start, so descriptions are
// short, and the rows of the answer are closed sets of names without types.

// scanArgumentsSchema gives the properties of the inputSchema that both scan tools
// share.
func scanArgumentsSchema() string {
	policy := agentready.Recommended
	return fmt.Sprintf(`
	"name": {"type": "string", "maxLength": %d, "description": "What to call the document"},
	"min_score": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Least score to pass (default %d)"},
	"fail_on": {"type": "string", "enum": %s, "description": "Least severity to fail (default %s)"},
	"limit": {"type": "integer", "minimum": 1, "maximum": %d, "description": "Most to list (default %d)"},
	"cursor": {"type": "string", "maxLength": 200, "description": "next_cursor of the last answer"}`,
		maxLabel, policy.MinScore, agentready.JSONList(agentready.FailOnValues()), policy.FailOn, maxListed, defaultListed)
}

// scanAnswerSchema is the outputSchema of both: scanAnswer.
const scanAnswerSchema = `{
"type": "object",
"additionalProperties": false,
"required": ["verdict", "reasons", "name", "score", "gate_score", "status", "risk_counts", "tool_count", "tools", "policy_source", "loosened", "notes"],
"properties": {
	"verdict": {"enum": ["PASS", "FAIL"]},
	"reasons": {"type": "array", "items": {"type": "string"}},
	"name": {"type": "string"},
	"score": {"type": "integer"},
	"gate_score": {"type": "integer"},
	"status": {"type": "string"},
	"risk_counts": {"type": "object", "additionalProperties": {"type": "integer"}},
	"tool_count": {"type": "integer"},
	"by_rule": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
		"rule": {}, "finding": {}, "severity": {}, "count": {}, "waived": {}, "points": {}, "example": {}, "fix": {}}}},
	"tools": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
		"id": {}, "method": {}, "path": {}, "action_type": {}, "severity": {}, "score": {}, "file": {}, "line": {},
		"rules": {}, "risks": {}, "fixes": {}, "incomplete": {}, "findings": {}}}},
	"next_cursor": {"type": "string"},
	"policy_source": {"enum": ["default", "file", "arguments"]},
	"loosened": {"type": "boolean"},
	"notes": {"type": "array", "items": {"type": "string"}},
	"omitted": {"type": "object"}
}}`
