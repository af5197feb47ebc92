package agentready

import (
	"fmt"
	"slices"
)

// Policy is what a gate asks of an export (specification, "CI Gate Semantics").
type Policy struct {
	MinScore int      `json:"min_score"` // 0 to 100
	FailOn   Severity `json:"fail_on"`   // FailOnNone: no finding fails the gate
	// MaxTokens is the most that all definitions of one document may cost an agent (see
	// Export.Tokens); 0 for whatever they cost.
	MaxTokens int `json:"max_tokens,omitempty"`
}

// FailOnNone is the `fail-on` value under which no severity fails.
const FailOnNone Severity = "none"

// Recommended is the specification's recommended v0.1 policy.
var Recommended = Policy{MinScore: 75, FailOn: Critical}

// Verdict is the gate's answer and, for a FAIL, why.
type Verdict struct {
	Verdict string   `json:"verdict"` // PASS or FAIL
	Reasons []string `json:"reasons"` // empty for a PASS
}

// The two verdicts.
const (
	Pass = "PASS"
	Fail = "FAIL"
)

// Decide applies the policy: PASS where the gate score is at least MinScore and no
// finding, but waived ones and those known to a baseline, is at or above FailOn, and the
// definitions cost no more than MaxTokens.
func (p Policy) Decide(e *Export) Verdict {
	v := Verdict{Verdict: Pass, Reasons: []string{}}
	minimum, finding := "the minimum of", "finding"
	if e.Baseline != nil {
		finding = "new finding"
		if p.MinScore == e.Baseline.GateScore {
			minimum = "the baseline's"
		}
	}
	if e.GateScore < p.MinScore {
		v.Reasons = append(v.Reasons, fmt.Sprintf("score %d is below %s %d", e.GateScore, minimum, p.MinScore))
	}
	if n := p.countFailing(e); n > 0 {
		v.Reasons = append(v.Reasons, fmt.Sprintf("%s at or above %s", Count(n, finding), p.FailOn))
	}
	if p.Costly(e) {
		v.Reasons = append(v.Reasons, fmt.Sprintf("the definitions cost an agent about %s, and at most %d are allowed", Count(e.Tokens, "token"), p.MaxTokens))
	}
	if len(v.Reasons) > 0 {
		v.Verdict = Fail
	}
	return v
}

// Costly says whether the definitions cost more than the policy allows.
func (p Policy) Costly(e *Export) bool { return p.MaxTokens > 0 && e.Tokens > p.MaxTokens }

// Fails says whether the finding alone makes the verdict a FAIL: it is at or above
// FailOn, not waived and not known to a baseline.
func (p Policy) Fails(r Rule) bool {
	return p.FailOn != FailOnNone && !r.Waived && r.Baseline != BaselineKnown && r.Severity.Rank() >= p.FailOn.Rank()
}

// countFailing counts the findings that fail the gate.
func (p Policy) countFailing(e *Export) int {
	n := 0
	for _, t := range e.Tools {
		for _, r := range t.DetectedRules {
			if p.Fails(r) {
				n++
			}
		}
	}
	return n
}

// LooserThan says whether p lets anything pass that than does not.
func (p Policy) LooserThan(than Policy) bool {
	cheaper := than.MaxTokens > 0 && (p.MaxTokens == 0 || p.MaxTokens > than.MaxTokens)
	return p.MinScore < than.MinScore || leniency(p.FailOn) > leniency(than.FailOn) || cheaper
}

// leniency orders fail-on values: the more, the fewer findings fail.
func leniency(failOn Severity) int {
	if failOn == FailOnNone {
		return len(severities) + 1
	}
	return failOn.Rank()
}

// FailOnValues are the values that a policy's FailOn may have, the most severe first.
func FailOnValues() []Severity { return append(slices.Clone(severities), FailOnNone) }

// ParseFailOn reads a `fail-on` value: a severity, or none. The error names the
// allowed values.
func ParseFailOn(s string) (Severity, error) {
	if sev := Severity(s); sev == FailOnNone || sev.Rank() > 0 {
		return sev, nil
	}
	return "", fmt.Errorf("unknown severity %q: use %s", s, Choice(FailOnValues()))
}
