package agentready

// RuleInfo describes one rule of the catalogue (rules page, section 1) to people
// and machines.
type RuleInfo struct {
	Finding  string   `json:"finding_code"`
	Code     string   `json:"rule_code"`
	Severity Severity `json:"severity"`
	Category string   `json:"category"`
	Applies  string   `json:"applies_to"` // both, openapi or mcp
	// Explanation says what is wrong and why it matters to an agent.
	Explanation string `json:"explanation"`
	// Recommendation says what to do about it.
	Recommendation string `json:"recommendation"`
	// Before and After are an example, in YAML or JSON, that fires and its mended twin.
	Before string `json:"before"`
	After  string `json:"after"`
}
