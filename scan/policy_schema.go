package scan

import (
	"fmt"
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// PolicySchema returns the JSON Schema (draft 2020-12) of policy files, which editors
// complete and check them by. It names every rule, so that they can offer them.
// [ReadPolicy] refuses more: bad globs, numbers that are not in decimal, what stands there
// twice, and waivers of critical findings without a last day.
func PolicySchema() []byte {
	var codes []string
	for _, r := range Rules() {
		codes = append(codes, r.Code, agentready.ShortCode(r.Code), r.Finding)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	return fmt.Appendf(nil, policySchema, agentready.JSONList(agentready.FailOnValues()), maxTokens, agentready.JSONList(ruleSeverities),
		maxGlob, maxReason, agentready.JSONList(codes))
}

const policySchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:plumbline:schema:policy",
  "title": ".plumbline.yaml",
  "description": "What a project asks of its OpenAPI documents and MCP tool lists when Plumbline scans them.",
  "type": ["object", "null"],
  "additionalProperties": false,
  "properties": {
    "min_score": {
      "description": "Least score, without waived findings, that passes.",
      "type": "integer",
      "minimum": 0,
      "maximum": 100
    },
    "fail_on": {
      "description": "Least severity of a finding that fails.",
      "enum": %s
    },
    "max_tokens": {
      "description": "Most tokens that all definitions of one document may cost an agent, by bytes ÷ 4; 0 for any number.",
      "type": "integer",
      "minimum": 0,
      "maximum": %d
    },
    "rules": {
      "description": "Severities of rules, before scoring, by rule code or finding code; off: the rule is not applied.",
      "type": ["object", "null"],
      "propertyNames": { "$ref": "#/$defs/rule" },
      "additionalProperties": { "enum": %s }
    },
    "waivers": {
      "description": "Findings that are accepted: they stay visible and do not fail the build.",
      "type": ["array", "null"],
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["rule", "tool", "reason"],
        "properties": {
          "rule": { "$ref": "#/$defs/rule" },
          "tool": {
            "description": "Id of the tool or operation, or a glob over ids: *, **, ?, [a-z], {a,b}.",
            "type": "string",
            "minLength": 1,
            "maxLength": %d
          },
          "reason": {
            "description": "Why it is accepted.",
            "type": "string",
            "pattern": "\\S",
            "maxLength": %d
          },
          "expires": {
            "description": "Last day on which the waiver holds, as 2026-12-31 in UTC. Critical findings need one.",
            "type": "string",
            "format": "date",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
          },
          "definition": {
            "description": "Fingerprint of the definition that was accepted; the waiver is void once that changes.",
            "type": "string",
            "pattern": "^sha256:[0-9a-f]{12}$"
          }
        }
      }
    }
  },
  "$defs": {
    "rule": { "enum": %s }
  }
}
`
