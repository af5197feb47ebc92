package scan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// errorRules are the rules of corrective_errors.
var errorRules = []rule{
	{RuleInfo{
		Finding:        "non_corrective_error",
		Code:           "AR008_MISSING_IDEMPOTENCY_OR_ROLLBACK",
		Severity:       agentready.Medium,
		Category:       "corrective_errors",
		Applies:        appliesOpenAPI,
		Explanation:    "No documented error says what went wrong or what to change. An agent can only repeat the same call or give up.",
		Recommendation: "Document the 4xx responses with a schema that has an error code and message, or say what to correct.",
		Before: `/refunds:
  post:
    operationId: refundOrder
    responses:
      "400":
        description: Bad Request`,
		After: `/refunds:
  post:
    operationId: refundOrder
    responses:
      "422":
        description: The amount exceeds what was paid; retry with a smaller amount.`,
	}, nonCorrectiveError},
	{RuleInfo{
		Finding:        "missing_error_recovery",
		Code:           "AR008_MISSING_IDEMPOTENCY_OR_ROLLBACK",
		Severity:       agentready.Medium,
		Category:       "corrective_errors",
		Applies:        appliesOpenAPI,
		Explanation:    "Nothing says whether a failed call may be repeated. An agent that retries may act twice, one that does not may leave the work half done.",
		Recommendation: "Document retries, an Idempotency-Key, conflict handling (409), or a rollback for failed calls.",
		Before: `/shipments:
  post:
    operationId: createShipment
    responses:
      "400": {description: Bad Request}`,
		After: `/shipments:
  post:
    operationId: createShipment
    parameters:
      - {name: Idempotency-Key, in: header, required: true, schema: {type: string, maxLength: 64}}
    responses:
      "400": {description: Bad Request}`,
	}, missingErrorRecovery},
}

// nonCorrectiveError fires where no documented error says what to correct. What only
// reads may leave its errors undocumented.
func nonCorrectiveError(s *subject) []surface.Text {
	if !s.correctiveOnce {
		s.correctiveOnce, s.uncorrective = true, findUncorrective(s)
	}
	return s.uncorrective
}

func findUncorrective(s *subject) []surface.Text {
	if s.is(ActionHealthCheck) {
		return nil
	}
	var silent []surface.Text
	for _, r := range s.tool.Responses {
		if !isClientError(r.Status) {
			continue
		}
		if s.corrects(r) {
			return nil
		}
		silent = append(silent, answerText(r))
	}
	if silent == nil && !s.is(ActionRead, ActionList, ActionSearch) {
		return s.place()
	}
	return silent
}

// isClientError says whether a response's status stands for errors that a caller can
// do something about. 5xx are not: they need not be documented.
func isClientError(status string) bool {
	return strings.HasPrefix(status, "4") || strings.EqualFold(status, "default")
}

// errorNames are words in the names of properties that explain an error.
var errorNames = []string{"error", "errors", "message", "messages", "detail", "details"}

// minCorrective is how many characters a description needs to say what to correct.
const minCorrective = 30

// toActOn are the words that tell a caller what to change.
var toActOn = words.MustPhrases(
	"missing", "required|requires|require", "invalid|incorrect|malformed|unknown|unrecognised|unrecognized|unsupported|illegal", "provide|supply|specify|include|add|send|set|use|choose|pick|pass",
	"retry|retried|try|wait|repeat|resend", "permission|permissions|scope|scopes|role|privilege|privileges|forbidden|unauthorized|unauthorised|authorization|authenticate|authentication|credentials|token|access",
	"not found", "does|do not exist|match|belong|have", "no such", "not allowed|permitted|authorized|supported|enabled|available|valid|a|an|in", "conflict|conflicts|conflicting|duplicate|already|in-use|taken|stale|outdated",
	"correct|fix|change|adjust|reduce|remove|shorten|check|verify|refresh|renew|contact", "expected|expects|must|should|need|needs|cannot", "no|lack|lacks|lacking|without ... permission|permissions|scope|scopes|role|privilege|privileges|access|credentials|token", "exceeds|exceeded|too|limit|quota|rate|maximum|minimum|at-least|at-most|range",
	"expired|closed|locked|archived|deleted|disabled|suspended|insufficient|mismatch", "validation failed|error|errors", "failed validation", "could not be ... found|parsed|read",
)

// causes lead to what hindered a call; the denial before them is the failure.
var causes = words.MustPhrases("because", "due to")

func (s *subject) corrects(r surface.Response) bool {
	for _, f := range r.Fields {
		name := words.Split(f.Name)
		if containsAny(name, errorNames) || len(name) > 0 && name[len(name)-1] == "code" {
			return true
		}
	}
	text := strings.Join(strings.Fields(readPart(r.Description.Value)), " ")
	if utf8.RuneCountInString(text) < minCorrective {
		return false
	}
	said := s.parse(text)
	return affirms(said, toActOn) || said.Mentions(causes)
}

// recoveryPhrases document what to do after a failed call.
var recoveryPhrases = words.MustPhrases(
	"retry|retries|retried|retrying|retryable|retriable", "try|tried again|later", "retry after", "repeat|repeated|resend|resubmit ... safely|again|same",
	"safe|safely to? retry|repeat|repeated|call-again|resend", "idempotent|idempotency|idempotently|idempotence",
	"conflict|conflicts", "rollback|rollbacks", "roll|rolls|rolled|rolling back", "if-match|etag",
	"back off|backoff", "compensate|compensates|compensating", "undo|undone", "deduplicate|deduplicated|deduplicates|deduplication", "all or nothing", "atomic|atomically|transactional",
)

// recoveryFields are names of fields and headers that make a call safe to repeat.
var recoveryFields = []string{"idempotency key", "idempotence key", "idempotency token", "client request token", "client token", "idempotent key", "if match", "retry after"}

// missingErrorRecovery fires where errors do not correct and nothing tells how to go
// on. PUT and DELETE repeat safely.
func missingErrorRecovery(s *subject) []surface.Text {
	if s.tool.Method == "PUT" || s.tool.Method == "DELETE" {
		return nil
	}
	places := nonCorrectiveError(s)
	if len(places) > 0 && s.recovers() {
		return nil
	}
	return places
}

// recovers says whether anything in the operation tells how to go on after an error.
func (s *subject) recovers() bool {
	if affirms(s.text, recoveryPhrases) || slices.ContainsFunc(s.tool.Fields, s.fieldRecovers) {
		return true
	}
	return slices.ContainsFunc(s.tool.Responses, func(r surface.Response) bool {
		return r.Status == "409" || r.Status == "429" || slices.ContainsFunc(r.Headers, isRecoveryName) ||
			affirms(s.parse(r.Description.Value), recoveryPhrases)
	})
}

func (s *subject) fieldRecovers(f *surface.Field) bool {
	return isRecoveryName(f.Name) ||
		s.says(f.Schema, "recovery", func(p *words.Prose) bool { return affirms(p, recoveryPhrases) })
}

func isRecoveryName(name string) bool {
	joined := strings.TrimPrefix(strings.Join(words.Split(name), " "), "x ")
	return slices.Contains(recoveryFields, joined)
}
