package report

// The members of a SARIF 2.1.0 log that are written, in the terms of its specification.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool             sarifTool            `json:"tool"`
		Invocations      []sarifInvocation    `json:"invocations"`
		OriginalURIBases map[string]sarifBase `json:"originalUriBaseIds"`
		Artifacts        []sarifArtifact      `json:"artifacts"`
		ColumnKind       string               `json:"columnKind"`
		Results          []sarifResult        `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string           `json:"id"`
		Name       string           `json:"name"`
		Short      sarifText        `json:"shortDescription"`
		Full       sarifText        `json:"fullDescription"`
		Help       sarifHelp        `json:"help"`
		Default    sarifDefault     `json:"defaultConfiguration"`
		Properties sarifRuleDetails `json:"properties"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifRuleDetails struct {
		// Security is from 0.0 to 10.0, as CVSS counts.
		Security string   `json:"security-severity"`
		Tags     []string `json:"tags"`
		RuleCode string   `json:"rule_code"`
	}
	sarifBase struct {
		Description sarifText `json:"description"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifArtifact struct {
		Location   sarifAddress   `json:"location"`
		Roles      []string       `json:"roles"`
		Properties map[string]any `json:"properties"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions"`
		Baseline     string             `json:"baselineState,omitempty"`
		Properties   map[string]any     `json:"properties"`
	}
	sarifSuppression struct {
		Kind          string         `json:"kind"`
		Status        string         `json:"status"`
		Justification string         `json:"justification,omitempty"`
		Properties    map[string]any `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifAddress `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifAddress struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
	sarifLogical struct {
		Name     string `json:"name"`
		FullName string `json:"fullyQualifiedName"`
		Kind     string `json:"kind"`
	}
)
