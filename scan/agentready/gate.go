package agentready

// Policy is what a gate asks of an export (specification, "CI Gate Semantics").
type Policy struct {
	MinScore int      `json:"min_score"` // 0 to 100
	FailOn   Severity `json:"fail_on"`   // FailOnNone: no finding fails the gate
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
