package tools

// Every byte of a definition costs every agent at every start, so descriptions are
// short, and the rows of the answer are closed sets of names without types.

// scanArgumentsSchema are the properties of the inputSchema that both scan tools
// share.
const scanArgumentsSchema = `
	"name": {"type": "string", "maxLength": 200, "description": "What to call the document"},
	"min_score": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Least score to pass (default 75)"},
	"fail_on": {"type": "string", "enum": ["critical", "high", "medium", "low", "none"], "description": "Least severity to fail (default critical)"},
	"limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Most to list (default 10)"},
	"cursor": {"type": "string", "maxLength": 200, "description": "next_cursor of the last answer"}`

// scanAnswerSchema is the outputSchema of both: scanAnswer.
const scanAnswerSchema = `{
"type": "object",
"additionalProperties": false,
"required": ["verdict", "reasons", "name", "score", "status", "risk_counts", "tool_count", "tools", "policy_source", "loosened", "notes"],
"properties": {
	"verdict": {"enum": ["PASS", "FAIL"]},
	"reasons": {"type": "array", "items": {"type": "string"}},
	"name": {"type": "string"},
	"score": {"type": "integer"},
	"status": {"type": "string"},
	"risk_counts": {"type": "object", "additionalProperties": {"type": "integer"}},
	"tool_count": {"type": "integer"},
	"by_rule": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
		"rule": {}, "finding": {}, "severity": {}, "count": {}, "points": {}, "example": {}, "fix": {}}}},
	"tools": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
		"id": {}, "method": {}, "path": {}, "action_type": {}, "severity": {}, "score": {}, "file": {}, "line": {},
		"rules": {}, "risks": {}, "fixes": {}, "incomplete": {}, "findings": {}}}},
	"next_cursor": {"type": "string"},
	"policy_source": {"enum": ["default", "arguments"]},
	"loosened": {"type": "boolean"},
	"notes": {"type": "array", "items": {"type": "string"}},
	"omitted": {"type": "object"}
}}`
