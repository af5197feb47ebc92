package contract

// Code names a rule that a problem breaks (objects page, section 9).
type Code string

// Severity says whether a problem makes its object invalid.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// The codes of problems.
const (
	InvalidJSON            Code = "AAC300_INVALID_JSON"
	SchemaProblem          Code = "AAC301_SCHEMA"
	FingerprintMismatch    Code = "AAC302_FINGERPRINT_MISMATCH"
	RevisionSequence       Code = "AAC303_REVISION_SEQUENCE"
	ChainIDMismatch        Code = "AAC304_CHAIN_ID_MISMATCH"
	CriteriaUnchanged      Code = "AAC305_CRITERIA_UNCHANGED"
	NotAnAnswer            Code = "AAC306_NOT_AN_ANSWER"
	NarrowWithoutAuthority Code = "AAC307_NARROW_WITHOUT_AUTHORITY"
	KindFields             Code = "AAC401_KIND_FIELDS"
	ChecksByKind           Code = "AAC402_CHECKS_BY_KIND"
	DuplicateID            Code = "AAC403_DUPLICATE_ID"
	UnsafeArtifactPath     Code = "AAC404_UNSAFE_ARTIFACT_PATH"
	SharedClass            Code = "AAC405_SHARED_CLASS"
	HiddenText             Code = "AAC406_HIDDEN_TEXT"
	TooLarge               Code = "AAC407_TOO_LARGE"
	UniversalWord          Code = "AAC501_UNIVERSAL_WORD"
	CommandCheckRequired   Code = "AAC601_COMMAND_CHECK_REQUIRED"
	ExtensionRemedy        Code = "AAC602_EXTENSION_REMEDY"
	ExtensionOwner         Code = "AAC603_EXTENSION_OWNER"
	EscalationRequired     Code = "AAC604_ESCALATION_REQUIRED"
	BudgetExceeded         Code = "AAC605_BUDGET_EXCEEDED"
	InputNotVerified       Code = "AAC606_INPUT_NOT_VERIFIED"
	VerdictMismatch        Code = "AAC607_VERDICT_MISMATCH"
	CheckIsWholeSuite      Code = "AAC608_CHECK_IS_WHOLE_SUITE"
	CheckNotReported       Code = "AAC701_CHECK_NOT_REPORTED"
	CheckUnknown           Code = "AAC702_CHECK_UNKNOWN"
	CheckReportedTwice     Code = "AAC703_CHECK_REPORTED_TWICE"
	CheckFailed            Code = "AAC704_CHECK_FAILED"
	CheckFileChanged       Code = "AAC705_CHECK_FILE_CHANGED"
	BeforeContract         Code = "AAC706_BEFORE_CONTRACT"
	UnknownRevision        Code = "AAC801_UNKNOWN_REVISION"
	StaleRevision          Code = "AAC802_STALE_REVISION"
	NoGateVersion          Code = "AAC803_NO_GATE_VERSION"
	CoverageGap            Code = "AAC804_COVERAGE_GAP"
)

// Rule describes one code.
type Rule struct {
	Code     Code
	Severity Severity
	Meaning  string // one line for a list of the rules
}

// rules is the table of all codes, in their order.
var rules = []Rule{
	{InvalidJSON, Error, "the text is not JSON, or is JSON that readers would read differently"},
	{SchemaProblem, Error, "a member is missing or is not what the schema says"},
	{FingerprintMismatch, Error, "the declared fingerprint is not that of the criteria"},
	{RevisionSequence, Error, "revisions are not 1, 2, 3, …"},
	{ChainIDMismatch, Error, "a revision carries another contract id than the first"},
	{CriteriaUnchanged, Error, "a revision has the same criteria as the one before"},
	{NotAnAnswer, Warning, "after an extension, a revision neither grows, closes nor narrows"},
	{NarrowWithoutAuthority, Warning, "a statement was narrowed without a new authority"},
	{KindFields, Error, "cases, domain or construction is missing, or stands where the kind has none"},
	{ChecksByKind, Error, "the kind does not allow these checks"},
	{DuplicateID, Error, "two criteria, or two cases of one list, have one id"},
	{UnsafeArtifactPath, Error, "an artifact's path is not a plain path under the root"},
	{SharedClass, Warning, "two criteria share a class, so coverage cannot tell them apart"},
	{HiddenText, Error, "a string holds invisible or direction-changing characters"},
	{TooLarge, Error, "the contract is larger than 64 KiB"},
	{UniversalWord, Warning, "an enumerable statement makes a universal claim"},
	{CommandCheckRequired, Error, "a blocking finding has no command check"},
	{ExtensionRemedy, Error, "an extension's remedy is neither delegate nor decide"},
	{ExtensionOwner, Error, "an extension is delegated to someone else than its owner"},
	{EscalationRequired, Error, "the round reaches the extension budget without escalating"},
	{BudgetExceeded, Error, "an extension round is beyond the budget of its revision"},
	{InputNotVerified, Warning, "a finding's input could not be looked up in its file"},
	{VerdictMismatch, Error, "the verdict does not follow from the findings"},
	{CheckIsWholeSuite, Warning, "a finding's check is the contract's own, not the case's"},
	{CheckNotReported, Error, "a check of the contract has no result"},
	{CheckUnknown, Error, "a result names no check to run, or another type or command"},
	{CheckReportedTwice, Error, "two results name one check"},
	{CheckFailed, Error, "a check did not pass"},
	{CheckFileChanged, Error, "a file that a check depends on is not as declared"},
	{BeforeContract, Warning, "a result began before its revision was registered"},
	{UnknownRevision, Error, "no revision of this contract is named"},
	{StaleRevision, Error, "an older revision is named"},
	{NoGateVersion, Warning, "a round does not say what it was judged against"},
	{CoverageGap, Warning, "a criterion's class is missing from the coverage"},
}

// Rules returns the table of all codes in their order. The caller owns it.
func Rules() []Rule { return append([]Rule(nil), rules...) }

var severities = func() map[Code]Severity {
	m := make(map[Code]Severity, len(rules))
	for _, r := range rules {
		m[r.Code] = r.Severity
	}
	return m
}()
