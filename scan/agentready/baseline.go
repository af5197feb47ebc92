package agentready

// BaselineMark says of a finding whether an earlier export has it already.
type BaselineMark string

// The marks of findings that were compared with a baseline.
const (
	BaselineNew   BaselineMark = "new"
	BaselineKnown BaselineMark = "known"
)

// Comparison is what a baseline, an earlier export of the same document, says of an
// export.
type Comparison struct {
	Ruleset   string `json:"ruleset"`    // of the baseline; empty where it names none
	Score     int    `json:"score"`      // of the baseline
	GateScore int    `json:"gate_score"` // of the baseline: the least that passes
	New       int    `json:"new"`        // findings that it lacks
	Known     int    `json:"known"`      // findings that it has
	// Fixed are its findings that are gone, in its order. A rule that a policy file
	// turned off since fixes nothing.
	Fixed []FixedFinding `json:"fixed"`
}

// FixedFinding is a finding of a baseline that is gone.
type FixedFinding struct {
	Tool        string   `json:"tool"` // its id
	RuleCode    string   `json:"rule_code"`
	FindingCode string   `json:"finding_code"`
	Severity    Severity `json:"severity"`
	// Removed is true where the tool is gone too.
	Removed bool `json:"removed"`
}

// renamed are finding codes of older exports by what they are called today (rules
// page, section 1).
var renamed = map[string]string{
	"dangerous_action_without_confirmation": "missing_human_confirmation_flow",
}

// DriftFinding is the finding code of tools that are not as a lock has them.
const DriftFinding = "definition_drift"

// findingKey is what findings of two exports are matched by: where they stand in the
// document does not count.
type findingKey struct{ tool, finding string }

func keyOf(t Tool, r Rule) findingKey {
	if today, ok := renamed[r.FindingCode]; ok {
		return findingKey{t.ID, today}
	}
	return findingKey{t.ID, r.FindingCode}
}

// Compare marks each finding of e as new or known to the baseline, and sets Baseline. That
// a tool has drifted is known only as long as its definition is the baseline's: who has
// seen one change has not seen the next.
func (e *Export) Compare(base *Export) {
	c := &Comparison{Ruleset: base.Ruleset, Score: base.Score, GateScore: base.GateScore, Fixed: []FixedFinding{}}
	known := findingKeys(base)
	tools := map[string]bool{}
	for _, t := range e.Tools {
		tools[t.ID] = true
		for i := range t.DetectedRules {
			r := &t.DetectedRules[i]
			definition, has := known[keyOf(t, *r)]
			seen := r.FindingCode != DriftFinding || definition != "" && definition == t.Definition
			if r.Baseline = BaselineNew; has && seen {
				r.Baseline = BaselineKnown
				c.Known++
			} else {
				c.New++
			}
		}
	}
	now := findingKeys(e)
	for _, t := range base.Tools {
		for _, r := range t.DetectedRules {
			if _, has := now[keyOf(t, r)]; !has && !e.turnedOff(r) {
				c.Fixed = append(c.Fixed, FixedFinding{t.ID, r.RuleCode, r.FindingCode, r.Severity, !tools[t.ID]})
			}
		}
	}
	e.Baseline = c
}

// findingKeys are the findings of an export, with the definitions of their tools.
func findingKeys(e *Export) map[findingKey]string {
	keys := map[findingKey]string{}
	for _, t := range e.Tools {
		for _, r := range t.DetectedRules {
			keys[keyOf(t, r)] = t.Definition
		}
	}
	return keys
}
