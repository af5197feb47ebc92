package contract

import "io/fs"

// RoundResult is what the rules say of one round.
type RoundResult struct {
	Round  *Round  // nil where the text is no JSON object
	Report *Report // every problem of the round
	// Findings are the dispositions in the order of the round's findings; empty where
	// there is no revision to hold them against.
	Findings []Judged
	// Revision is the number of the revision that the findings were held against; 0
	// for none.
	Revision int64
	// Counts says that the round counts for its revision: it names it, and no older
	// one than the rounds before.
	Counts bool
	// ExtensionRound says that at least one finding is an extension.
	ExtensionRound bool
	// ExtensionsUsed are the extension rounds against the revision so far, this one
	// included if it is one that counts.
	ExtensionsUsed int64
	// ExtensionsBudget is how many the revision allows.
	ExtensionsBudget int64
	// MustEscalate says that this round reaches the budget (AAC604).
	MustEscalate bool

	index    int  // of the revision in its chain, where the round counts
	unjudged bool // since the contract is not valid: the report is about that
}

// Against counts the findings against criteria.
func (r *RoundResult) Against() int { return r.count(DispositionAgainst) }

// Extensions counts the extensions.
func (r *RoundResult) Extensions() int { return r.count(DispositionExtension) }

// Advisory counts the advisory findings.
func (r *RoundResult) Advisory() int { return r.count(DispositionAdvisory) }

func (r *RoundResult) count(d Disposition) int {
	n := 0
	for _, j := range r.Findings {
		if j.Disposition == d {
			n++
		}
	}
	return n
}

// CheckRound judges a single round against one contract, as [ParseContract] gave it,
// without the rounds before it (objects page, section 5). root is where the
// contract's artifacts lie, nil for nowhere. On a contract that is not valid the
// report holds the contract's errors alone, their paths under /contract.
func CheckRound(c *Contract, contract *Report, round []byte, root fs.FS) *RoundResult {
	chain, report := singleChain(c, contract, root)
	if !report.Valid() {
		return &RoundResult{Report: report, unjudged: true}
	}
	r, report := ParseRound(round)
	return chain.check(r, report, roundOptions{single: true})
}

// singleChain makes the chain of one contract alone; the report has the errors of a
// contract that is not valid.
func singleChain(c *Contract, contract *Report, root fs.FS) (*Chain, *Report) {
	report := &Report{}
	if c != nil && contract.Valid() {
		contract = CheckLinks(c, root)
	}
	report.Merge(&Report{problems: contract.Errors()}, "/contract")
	if !report.Valid() {
		return nil, report
	}
	chain := newChain(root)
	chain.AddRevision(c, true)
	return chain, report
}
