package ledger

import (
	"io/fs"
	"slices"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// verifier reads a chain from its first event on and keeps what the store should keep
// beside it.
type verifier struct {
	Verification
	keptHead string
	fromFile bool
	unjudged bool       // a round was not judged, for want of its files
	kept     *keptFiles // those of the newest revision of a store

	last  Event // without its body
	used  map[[2]string]bool
	chain *contract.Chain

	head      head
	revisions []revisionRow
	actors    map[actor]bool
}

func newVerifier(id, keptHead string) *verifier {
	return &verifier{
		Verification: Verification{ContractID: id, Faults: []Fault{}},
		keptHead:     keptHead,
		used:         map[[2]string]bool{},
		chain:        contract.ResumeChain(contract.Snapshot{}),
		head:         head{id: id},
		actors:       map[actor]bool{},
	}
}

// event takes the next event. files are the artifacts of a revision.
func (v *verifier) event(e *Event, files fs.FS) {
	v.links(e)
	v.digests(e)
	v.labels(e)
	switch e.Kind {
	case Revision:
		v.revision(e, files)
	case Done:
		v.done(e)
	case Round:
		v.round(e)
	default:
		v.fault(e.Seq, "the kind %s is none", quote(string(e.Kind)))
	}
	v.Events++
	if v.keptHead != "" && e.Hash == v.keptHead {
		v.KeptAt = e.Seq
	}
	v.last = *e
	v.last.Body = nil
	v.head.seq, v.head.hash, v.head.progress = e.Seq, e.Hash, v.chain.Progress()
	v.actors[actor{e.Who, e.Role, e.Kind}] = true
}

// links holds an event against the one before.
func (v *verifier) links(e *Event) {
	if e.Seq != v.last.Seq+1 {
		v.fault(e.Seq, "it follows event %d: events are missing or stand in another order", v.last.Seq)
	}
	if e.Prev != v.last.Hash {
		v.fault(e.Seq, "prev is not the hash of the event before")
	}
	if e.Contract != v.ContractID {
		v.fault(e.Seq, "it is of the contract %s", quote(e.Contract))
	}
}

func (v *verifier) digests(e *Event) {
	if !e.hasBody() {
		v.fault(e.Seq, "the body does not have the SHA-256 that was recorded")
	}
	if !e.hasHash() {
		v.fault(e.Seq, "the hash is not that of the event's fields")
	}
}

// labels holds what the caller said against what would have been accepted.
func (v *verifier) labels(e *Event) {
	if writers[e.Kind] == nil {
		return
	}
	if err := (Caller{e.Who, e.Role}).check(e.Kind); err != nil {
		v.fault(e.Seq, "who and role could not have recorded it")
	}
	if (e.Submission == "") != (e.Kind == Revision) {
		v.fault(e.Seq, "a report or round has a submission, and a revision has none")
	}
	key := [2]string{e.Who, e.Submission}
	if e.Submission != "" && v.used[key] {
		v.fault(e.Seq, "an earlier event has the same submission")
	}
	v.used[key] = true
}

func (v *verifier) revision(e *Event, files fs.FS) {
	c, report := contract.ParseContract(e.Body)
	if c == nil {
		v.fault(e.Seq, "the body is no contract")
		return
	}
	if report.Valid() {
		report.Merge(v.chain.CheckRevision(c), "")
	}
	v.valid(e, report)
	if c.ID != v.ContractID {
		v.fault(e.Seq, "the body is a contract of another id")
	}
	v.chain.SetFiles(files)
	v.chain.AddRevision(c, report.Valid())
	v.head.revision = c.Revision
	v.revisions = append(v.revisions, revisionRow{number: c.Revision, seq: e.Seq, fingerprint: c.Fingerprint, sha256: e.BodySHA256, owner: storable(c.Owner), budget: c.Budget})
}

func (v *verifier) done(e *Event) {
	d, report := contract.ParseDone(e.Body)
	result := v.chain.CheckDone(d, report, time.Time{})
	if !result.Complete() {
		v.fault(e.Seq, "the body is not a complete done report of the newest revision")
	}
	v.chain.AddDone(result)
	v.head.lastDone = e.Seq
}

func (v *verifier) round(e *Event) {
	r, report := contract.ParseRound(e.Body)
	result := v.chain.CheckRound(r, report, !v.fromFile)
	unverified := slices.ContainsFunc(result.Findings, func(j contract.Judged) bool { return j.Unverified != nil })
	if v.fromFile && unverified {
		v.unjudged = true // without its file a finding may seem to be against a criterion, or not
	} else {
		v.valid(e, report)
	}
	if r != nil {
		v.chain.AddRound(result)
	}
	if n := len(v.revisions); n > 0 {
		all := v.chain.Revisions()
		v.revisions[n-1].extensions = all[len(all)-1].Extensions
	}
	v.head.rounds++
	v.head.lastRound = e.Seq
}

// valid tells the first error of a body that the rules refuse.
func (v *verifier) valid(e *Event, report *contract.Report) {
	if problems := report.Errors(); len(problems) > 0 {
		p := problems[0]
		v.fault(e.Seq, "the rules of this version refuse the body: %s at %s", p.Code, quote(p.Path))
	}
}
