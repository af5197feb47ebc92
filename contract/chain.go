package contract

import (
	"fmt"
	"io/fs"
	"slices"
)

// Chain is the state of one contract's revisions and rounds (objects page, section 6),
// fed with them in order. The same rules hold for a chain file and for a ledger. It is
// not safe for concurrent use.
//
// In a file ([CheckChain]) all revisions stand before all rounds, and a round may be on
// any that is not older than the last one judged. On a ledger ([ResumeChain]) they come
// as they happened, and a round is on the newest revision.
type Chain struct {
	id        string
	revisions []chainRevision
	byLabel   map[label][]int // indices of revisions, in order
	floor     int             // index of the oldest revision that a round may be on
	live      bool            // a new revision ends the rounds on those before
	files     *artifacts
	progress  Progress
}

// ChainRevision is what a chain keeps of each revision.
type ChainRevision struct {
	Number      int64
	Fingerprint string // as declared
	Extensions  int64  // extension rounds against it
}

// label is what a round or a report names a revision by.
type label struct {
	fingerprint string
	number      int64 // 0 where it names none
}

type chainRevision struct {
	ChainRevision
	contract *Contract // nil where only its number and label are known
	standard *Standard // nil where the contract is not valid, or unknown
}

// newChain makes an empty chain for a file; root is where artifacts lie, nil for
// nowhere.
func newChain(root fs.FS) *Chain {
	return &Chain{byLabel: map[label][]int{}, files: newArtifacts(root)}
}

// Snapshot is what a ledger keeps of a chain, so that the next event can be judged
// without reading those before.
type Snapshot struct {
	Revisions []ChainRevision // all, in order; the last is that of Newest
	Newest    *Contract       // valid; nil where there is no revision yet
	Files     fs.FS           // the artifacts kept with Newest
	Progress  Progress
}

// ResumeChain makes the chain of a ledger as the snapshot has it.
func ResumeChain(s Snapshot) *Chain {
	c := newChain(s.Files)
	c.live = true
	for _, r := range s.Revisions {
		c.push(chainRevision{ChainRevision: r})
	}
	if s.Newest != nil {
		newest := &c.revisions[len(c.revisions)-1]
		newest.contract, newest.standard = s.Newest, newStandard(s.Newest, c.files)
		c.id, c.floor = s.Newest.ID, len(c.revisions)-1
	}
	c.progress = s.Progress
	return c
}

// SetFiles says where the artifacts of revisions added from now on lie. A ledger
// keeps them for each revision.
func (c *Chain) SetFiles(root fs.FS) { c.files = newArtifacts(root) }

// ID gives the contract id of the chain, that of its first revision; empty for none.
func (c *Chain) ID() string { return c.id }

// Revisions gives all revisions in order. The caller owns the list.
func (c *Chain) Revisions() []ChainRevision {
	all := make([]ChainRevision, len(c.revisions))
	for i, r := range c.revisions {
		all[i] = r.ChainRevision
	}
	return all
}

// Newest gives the newest revision's contract; nil if there is none.
func (c *Chain) Newest() *Contract {
	if last := c.last(); last != nil {
		return last.contract
	}
	return nil
}

// Progress gives what stands on the newest revision, as [Next] takes it.
func (c *Chain) Progress() Progress { return c.progress }

func (c *Chain) last() *chainRevision {
	if len(c.revisions) == 0 {
		return nil
	}
	return &c.revisions[len(c.revisions)-1]
}

// CheckRevision checks a revision against those before it: AAC303 to AAC305. A part
// that is malformed, here or before, is not judged.
func (c *Chain) CheckRevision(next *Contract) *Report {
	report := &Report{}
	head := next.Value.Get("contract")
	if c.id != "" && next.ID != "" && next.ID != c.id {
		report.Add(ChainIDMismatch, head.Get("id"),
			fmt.Sprintf("the contract id is %s, but that of the chain is %s", quoteName(next.ID), quoteName(c.id)),
			"give the revision the chain's id, or begin a chain of its own with it")
	}
	last := c.last()
	if want := c.nextNumber(); want > 0 && next.Revision > 0 && next.Revision != want {
		report.Add(RevisionSequence, head.Get("revision"),
			fmt.Sprintf("the revision is %d, but %d comes next", next.Revision, want),
			fmt.Sprintf("set contract.revision to %d", want))
	}
	if last != nil && next.Fingerprint != "" && next.Fingerprint == last.Fingerprint {
		report.Add(CriteriaUnchanged, head.Get("fingerprint"), unchanged(last.contract, next),
			"change the criteria, which changes the fingerprint; a change beside the criteria is no revision")
	}
	return report
}

// nextNumber is the number that the next revision must have; 0 where the last one's is
// malformed.
func (c *Chain) nextNumber() int64 {
	last := c.last()
	switch {
	case last == nil:
		return 1
	case last.Number == 0:
		return 0
	}
	return last.Number + 1
}

// unchanged says why a fingerprint is that of the revision before: mostly since the
// criteria are, but 48 bits can meet.
func unchanged(before, next *Contract) string {
	if before != nil && !before.Value.Get("criteria").Same(next.Value.Get("criteria")) {
		return "the fingerprint is that of the revision before, although the criteria differ, so nobody could tell the two apart by it"
	}
	return "the criteria are those of the revision before"
}

// AddRevision appends a revision. Rounds on one that is not valid are judged only by
// the rules that do not need it.
func (c *Chain) AddRevision(next *Contract, valid bool) {
	r := chainRevision{ChainRevision: ChainRevision{Number: next.Revision, Fingerprint: next.Fingerprint}, contract: next}
	if valid {
		r.standard = newStandard(next, c.files)
	}
	c.push(r)
	if c.id == "" {
		c.id = next.ID
	}
	if c.live {
		c.floor = len(c.revisions) - 1
		c.forgetOlder()
	}
	c.progress = Progress{Revision: next.Revision}
}

// forgetOlder lets go of the revision before the newest, but for its labels: no round may
// be on it any more.
func (c *Chain) forgetOlder() {
	if before := len(c.revisions) - 2; before >= 0 {
		c.revisions[before].contract, c.revisions[before].standard = nil, nil
	}
}

func (c *Chain) push(r chainRevision) {
	if r.Fingerprint != "" {
		c.name(label{fingerprint: r.Fingerprint})
		if r.Number != 0 {
			c.name(label{r.Fingerprint, r.Number})
		}
	}
	c.revisions = append(c.revisions, r)
}

// name gives the next revision a label.
func (c *Chain) name(l label) { c.byLabel[l] = append(c.byLabel[l], len(c.revisions)) }

// named gives the revision that a fingerprint names, and a number if it is not 0: the
// oldest that is not older than floor. stale says that all it names are older, of
// which the newest is given; -1 is none.
func (c *Chain) named(fingerprint string, number int64, floor int) (index int, stale bool) {
	candidates := c.byLabel[label{fingerprint, number}]
	if len(candidates) == 0 {
		return -1, false
	}
	at, _ := slices.BinarySearch(candidates, floor)
	if at == len(candidates) {
		return candidates[at-1], true
	}
	return candidates[at], false
}
