// Package contract holds Agent Acceptance Contracts (AAC 0.1): canonical JSON and
// fingerprints, the objects (contract, round, chain, done report) with their rules,
// and the briefs for builder and judge. It is pure: bytes in, objects and reports
// out; other files are read only through an [io/fs.FS].
//
// [ParseContract] is where most callers begin. What it returns keeps every value at
// its place in the document ([Value]), so that a problem can be shown where it
// stands, and the document's bytes, so that nobody judges by a copy.
package contract

// Limits of the objects. A contract goes to agents verbatim, so its size is theirs.
const (
	// MaxDocumentBytes is the size of the largest contract, chain, report or round that is
	// looked at; a larger one is a mistake or an attack.
	MaxDocumentBytes = 8 << 20
	// MaxContractBytes is the size of the largest valid contract (AAC407).
	MaxContractBytes = 64 << 10
	// MaxDepth is how many arrays and objects may stand inside each other in a
	// document, the outermost included (AAC300).
	MaxDepth = 512
	// MaxValues is how many values a JSON text may have, arrays and objects included, so
	// that junk takes no more memory than an object that is used.
	MaxValues = 1_000_000
	// MaxSafeInteger is the largest revision: a double counts exactly up to it.
	MaxSafeInteger = 1<<53 - 1
)

// Kind says how a criterion can be proved (text section 5).
type Kind string

// The kinds of criteria.
const (
	Enumerable Kind = "enumerable" // a list of cases
	Bounded    Kind = "bounded"    // the rows of an artifact
	Structural Kind = "structural" // holds by construction
	Judgment   Kind = "judgment"   // a reader decides
)

// CheckType says what a check is: something to run, or something to read.
type CheckType string

// The types of checks.
const (
	Command   CheckType = "command"
	Preview   CheckType = "preview"
	Condition CheckType = "condition"
)

// Runs says whether a check of the type is run, so that a done report owes it.
func (t CheckType) Runs() bool { return t == Command || t == Preview }

// Contract is one revision of a contract (objects page, section 2). Where a part of
// the document is missing or malformed (AAC301), its field is the zero value; a
// contract whose report is valid has every required field.
type Contract struct {
	Value       *Value // the object at its place in its document
	Text        []byte // the bytes it was given as, which are registered
	ID          string
	Revision    int64
	Fingerprint string // as declared
	Owner       string
	Title       string
	Authority   string
	Budget      int64 // extension rounds allowed against this revision
	Criteria    []Criterion
}

// Criterion is one condition the work must meet (objects page, section 3).
type Criterion struct {
	Value        *Value
	ID           string
	Class        string
	Kind         Kind
	Statement    string
	Owner        string       // as declared, empty for the contract's
	Cases        []Case       // enumerable, inline
	CaseFile     *ArtifactRef // enumerable, the cases in a file
	Domain       *ArtifactRef // bounded
	Construction []Entry      // structural
	Checks       []Check      // in order; one whose type is unknown is kept, to hold its index
}

// Case is one member of an enumerable criterion's finite set.
type Case struct {
	Value *Value
	ID    string
}

// ArtifactRef names a file and the fingerprint that its bytes must have.
type ArtifactRef struct {
	Value       *Value
	Path        string // slash-separated, relative to the root
	Fingerprint string
	Key         string // the column or member that names a row; only a domain's counts
	Keyed       bool   // whether a key is declared
}

// Entry is one part of a structural criterion's construction.
type Entry struct {
	Value     *Value
	Statement string
	Kind      Kind // empty for an entry that is a string
	Cases     []Case
	CaseFile  *ArtifactRef
	Domain    *ArtifactRef
}

// Check is one check of a criterion or of a finding.
type Check struct {
	Value   *Value
	Type    CheckType // empty where missing or unknown
	Run     string    // of a command or preview
	Text    string    // of a condition
	Expect  string    // what the output must contain; empty for nothing
	Timeout float64   // seconds; 0 where none is declared
	Files   []ArtifactRef
}

// OwnerOf gives who answers an extension of the criterion's class: the criterion's
// own owner, else the contract's.
func (c *Contract) OwnerOf(cr *Criterion) string {
	if cr.Owner != "" {
		return cr.Owner
	}
	return c.Owner
}

// SHA256 is the full digest of the registered bytes: 64 lower-case hex digits.
func (c *Contract) SHA256() string { return SHA256(c.Text) }

// CriteriaFingerprint computes what contract.fingerprint must be; empty where the
// document has no criteria array.
func (c *Contract) CriteriaFingerprint() string {
	criteria := c.Value.Get("criteria")
	if criteria.Type() != Array {
		return ""
	}
	return Fingerprint(criteria.Canonical())
}
