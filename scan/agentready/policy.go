package agentready

// Off is what a policy file gives a rule in place of a severity so that it is not
// applied.
const Off Severity = "off"

// PolicyUse is what a policy file did to an export.
type PolicyUse struct {
	File string `json:"file"` // relative to the root of the repository, with slashes
	// Rules are the severities that it gave to rules, by rule code or finding code.
	Rules   map[string]Severity `json:"rules,omitempty"`
	Waivers []Waiver            `json:"waivers,omitempty"` // in the order of the file
}

// Waiver accepts findings of one rule at some tools, as a policy file has it.
type Waiver struct {
	Rule   string `json:"rule"` // rule code or finding code, in full
	Tool   string `json:"tool"` // a glob over ids of tools
	Reason string `json:"reason"`
	// Expires is the last day on which it holds, as 2006-01-02 in UTC; empty for none.
	Expires string `json:"expires,omitempty"`
	// Definition is the fingerprint (Tool.Definition) of what was accepted; empty for
	// whatever the tool becomes.
	Definition string `json:"definition,omitempty"`
	Line       int    `json:"line"` // in the policy file, from 1
	// State says what became of it in this export; empty before a scan.
	State    WaiverState `json:"state"`
	Findings int         `json:"findings"` // how many it waives here
}

// WaiverState says what became of a waiver.
type WaiverState string

// The states of a waiver.
const (
	WaiverApplied WaiverState = "applied" // it waives something
	WaiverExpired WaiverState = "expired" // its last day is over
	WaiverVoid    WaiverState = "void"    // it waives nothing, since the definition that it was given for has changed
	WaiverUnused  WaiverState = "unused"  // it waives nothing in this document
)

// RuleWaiver is why a finding is waived, and until when.
type RuleWaiver struct {
	Reason  string `json:"reason"`
	Expires string `json:"expires,omitempty"` // as Waiver.Expires
}

// Waived is how many findings are waived.
func (e *Export) Waived() int {
	n := 0
	for _, t := range e.Tools {
		for _, r := range t.DetectedRules {
			if r.Waived {
				n++
			}
		}
	}
	return n
}

// turnedOff says whether a policy file turned off the rule of a finding.
func (e *Export) turnedOff(r Rule) bool {
	if e.Policy == nil {
		return false
	}
	if severity, ok := e.Policy.Rules[r.FindingCode]; ok {
		return severity == Off
	}
	return e.Policy.Rules[r.RuleCode] == Off
}
