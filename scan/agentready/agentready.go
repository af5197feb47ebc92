// Package agentready holds the wire types of agentready.json v0.1, the readiness
// export that a CI gate reads, with their JSON Schema and a reader for older
// exports. It is a leaf: it imports nothing of this module.
package agentready

// Version is the contract version written to `agentready_version`.
const Version = "0.1"

// Ruleset names the rules and the scoring that an export was made with. It
// changes whenever the same document could get other findings.
const Ruleset = "plumbline-1"

// Severity is how much a finding, or a tool, matters.
type Severity string

// The severities, least first.
const (
	Low      Severity = "low"
	Medium   Severity = "medium"
	High     Severity = "high"
	Critical Severity = "critical"
)

// severities are all severities, most severe first.
var severities = []Severity{Critical, High, Medium, Low}

// Rank orders severities: 0 for an unknown one, 1 for low, up to 4 for critical.
func (s Severity) Rank() int {
	for i, v := range severities {
		if s == v {
			return len(severities) - i
		}
	}
	return 0
}

// Export is one agentready.json: the canonical root fields in the order of the
// specification's "Required Root Fields", then its compatibility fields, then
// Plumbline's extensions.
type Export struct {
	AgentreadyVersion string     `json:"agentready_version"`
	SourceType        string     `json:"source_type"` // openapi or mcp
	SourceName        string     `json:"source_name"`
	GeneratedAt       string     `json:"generated_at"` // RFC 3339, UTC, milliseconds
	Score             int        `json:"score"`        // 0 to 100
	Status            string     `json:"status"`
	RiskCounts        RiskCounts `json:"risk_counts"`
	Tools             []Tool     `json:"tools"`

	Source  Source  `json:"source"`
	Summary Summary `json:"summary"`

	Ruleset string `json:"ruleset"`
	// GateScore is the score that the gate compares: the score without waived findings.
	GateScore int `json:"gate_score"`
	// Tokens is the estimated cost of all definitions to an agent: bytes of the
	// canonical definition ÷ 4, rounded up, per tool.
	Tokens int `json:"tokens"`
	// Notes say what could not be read, joined or followed, and which waivers do not
	// hold.
	Notes []string `json:"notes"`
	// Partial is true where tools are known to exist that were not read: a list that
	// stops at a cursor, a path in another file. What the score says is then not of
	// all.
	Partial bool `json:"partial"`
	// Policy is what a policy file did; nil where there is none.
	Policy *PolicyUse `json:"policy,omitempty"`
	// Baseline is what an earlier export says of this one; nil where none was given.
	Baseline *Comparison `json:"baseline,omitempty"`
}

// RiskCounts counts findings by severity over all tools.
type RiskCounts struct {
	Critical int `json:"critical"`
	High     int `json:"high"`
	Medium   int `json:"medium"`
	Low      int `json:"low"`
}

// Tool is one analysed operation or MCP tool: the specification's "Required Tool
// Fields" in order, its compatibility fields, then Plumbline's extensions.
type Tool struct {
	ID              string   `json:"id"`
	Name            string   `json:"name"`
	Method          string   `json:"method"`
	Path            string   `json:"path"`
	ActionType      string   `json:"action_type"`
	Severity        Severity `json:"severity"`
	DetectedRisks   []string `json:"detected_risks"`
	RuleCodes       []string `json:"rule_codes"`
	DetectedRules   []Rule   `json:"detected_rules"`
	Recommendations []string `json:"recommendations"`

	OperationID               string   `json:"operation_id"`
	RiskLevel                 Severity `json:"risk_level"`
	AgentRecommendation       string   `json:"agent_recommendation"`
	RequiresHumanConfirmation bool     `json:"requires_human_confirmation"`
	AllowedWhen               []string `json:"allowed_when"`
	ForbiddenWhen             []string `json:"forbidden_when"`
	FailureModes              []string `json:"failure_modes"`

	Score      int    `json:"score"`      // 0 to 100
	Tokens     int    `json:"tokens"`     // see Export.Tokens
	Definition string `json:"definition"` // fingerprint of the tool's definition
	Location
	// Incomplete says what of the tool could not be read; empty for a whole reading.
	Incomplete []string `json:"incomplete"`
}

// Location is a place in the scanned document: 1-based line and column (in
// characters), 0 where unknown.
type Location struct {
	Pointer string `json:"pointer"`
	// File is set where the place is in another file than the scanned one.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Rule is one finding: the members of the specification's `detected_rules`, then
// Plumbline's extensions.
type Rule struct {
	RuleCode       string     `json:"rule_code"`
	FindingCode    string     `json:"finding_code"`
	Severity       Severity   `json:"severity"`
	Category       string     `json:"category"`
	Recommendation string     `json:"recommendation"`
	Explanation    string     `json:"explanation"`
	Evidence       []Evidence `json:"evidence"`
	// MoreEvidence counts the places that Evidence leaves out.
	MoreEvidence int  `json:"more_evidence,omitempty"`
	Waived       bool `json:"waived"`
	// Waiver says why it is waived; nil where it is not, or an older export.
	Waiver *RuleWaiver `json:"waiver,omitempty"`
	// Baseline says whether an earlier export has it; empty where none was given.
	Baseline BaselineMark `json:"baseline,omitempty"`
}

// Evidence is one place that a finding rests on, with the text that stands
// there, cut to 80 characters; the text is empty where it must not be repeated.
type Evidence struct {
	Location
	Text string `json:"text"`
}

// Source is the compatibility object `source`.
type Source struct {
	Type       string `json:"type"`
	Filename   string `json:"filename,omitempty"`
	ServerName string `json:"server_name,omitempty"`
}

// Summary is the compatibility object `summary`.
type Summary struct {
	Score          int        `json:"score"`
	Status         string     `json:"status"`
	Interpretation string     `json:"interpretation"`
	OperationCount int        `json:"operation_count"`
	RiskCounts     RiskCounts `json:"risk_counts"`
}
