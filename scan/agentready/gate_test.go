package agentready

import "testing"

// policies are policies that differ in each way, and outcomes exports on which they
// disagree.
func policies() (all []Policy) {
	for _, score := range []int{0, 50, 75, 100} {
		for _, failOn := range FailOnValues() {
			for _, tokens := range []int{0, 100, 200} {
				all = append(all, Policy{MinScore: score, FailOn: failOn, MaxTokens: tokens})
			}
		}
	}
	return all
}

func outcomes() (all []*Export) {
	for _, score := range []int{0, 49, 50, 74, 75, 99, 100} {
		all = append(all, &Export{GateScore: score})
		for _, tokens := range []int{100, 101, 200, 201} {
			all = append(all, &Export{GateScore: score, Tokens: tokens})
		}
		for _, s := range severities {
			tool := Tool{DetectedRules: []Rule{{Severity: s}}}
			all = append(all, &Export{GateScore: score, Tools: []Tool{tool}})
		}
	}
	return all
}

// A policy is looser than another if it lets anything pass that the other does not.
func TestLooserThan(t *testing.T) {
	for _, p := range policies() {
		for _, than := range policies() {
			want := false
			for _, e := range outcomes() {
				want = want || p.Decide(e).Verdict == Pass && than.Decide(e).Verdict == Fail
			}
			if got := p.LooserThan(than); got != want {
				t.Errorf("%+v looser than %+v: %v, want %v", p, than, got, want)
			}
		}
	}
}
