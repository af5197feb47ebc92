package scan

import (
	"slices"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// The sentences that a tool's recommendations begin with.
const (
	adviceClean      = "Allow autonomous execution under normal authorization and validation controls."
	adviceIncomplete = "Do not allow autonomous execution before the tool can be read whole; fix what could not be read and scan again."
)

// adviceBySeverity leads a tool's recommendations, by its worst finding.
var adviceBySeverity = map[agentready.Severity]string{
	agentready.Critical: "Do not allow autonomous execution before fixing critical risks.",
	agentready.High:     "Allow execution only under human supervision until the high risks are fixed.",
	agentready.Medium:   "Fix the listed gaps before relying on autonomous execution.",
	agentready.Low:      "Autonomous execution is acceptable; the listed gaps are worth fixing.",
}

// recommend says what to do before an agent may use the tool, most severe first.
// findings are ordered most severe first.
func recommend(findings []agentready.Rule, whole bool) []string {
	out := []string{}
	if !whole {
		out = append(out, adviceIncomplete)
	}
	if len(findings) > 0 {
		out = append(out, adviceBySeverity[findings[0].Severity])
	}
	for _, f := range findings {
		if !slices.Contains(out, f.Recommendation) {
			out = append(out, f.Recommendation)
		}
	}
	if len(out) == 0 {
		out = append(out, adviceClean)
	}
	return out
}

func allowedWhen(s *subject, findings []agentready.Rule, whole bool) []string {
	out := []string{"The caller is authorized and the input passes validation."}
	if s.confirmationRequired() {
		out = append(out, "A human has confirmed this exact call.")
	}
	if worst(findings).Rank() >= agentready.High.Rank() || !whole {
		out = append(out, "A human supervises the call.")
	}
	return out
}

func forbiddenWhen(s *subject, findings []agentready.Rule, whole bool) []string {
	out := []string{}
	if worst(findings) == agentready.Critical {
		out = append(out, "A critical finding stands against the tool.")
	}
	if s.confirmationRequired() {
		out = append(out, "No human has confirmed the call.")
	}
	if !whole {
		out = append(out, "Part of the tool's definition could not be read.")
	}
	return out
}

// failureModes are what can go wrong: the explanations of the findings that are at
// least high.
func failureModes(findings []agentready.Rule) []string {
	out := []string{}
	for _, f := range findings {
		if f.Severity.Rank() >= agentready.High.Rank() && !slices.Contains(out, f.Explanation) {
			out = append(out, f.Explanation)
		}
	}
	return out
}

// worst gives the severity of the first, most severe, finding; empty without any.
func worst(findings []agentready.Rule) agentready.Severity {
	if len(findings) == 0 {
		return ""
	}
	return findings[0].Severity
}
