package ledger

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Verification is what recomputing a contract's chain found.
type Verification struct {
	ContractID string
	Events     int64
	Head       Receipt // of the last event; keep it elsewhere
	// KeptAt is the number of the event that the given head belongs to; 0 where none
	// was given, or no event has it (then that is a fault).
	KeptAt int64
	Faults []Fault // empty, never nil, where all agrees
	// Sees and Blind say what a verification like this finds, and what it cannot.
	Sees, Blind []string
}

// OK says that nothing differs.
func (v *Verification) OK() bool { return len(v.Faults) == 0 }

// Fault is one thing that does not agree.
type Fault struct {
	Seq  int64  `json:"seq"` // of the event; 0 for the chain as a whole
	What string `json:"what"`
}

// maxFaults is how many faults are told; one change rarely makes more than three.
const maxFaults = 100

func (v *Verification) fault(seq int64, format string, args ...any) {
	if len(v.Faults) < maxFaults {
		v.Faults = append(v.Faults, Fault{seq, fmt.Sprintf(format, args...)})
	}
}

const (
	seesEvents    = "a change of any field of an event, an event inserted, deleted or reordered, a body that the rules of this version refuse"
	seesStore     = "artifacts, counts or lists in the store that differ from the events, and missing append-only triggers"
	seesKept      = "whether anything up to the kept head was cut off or rewritten"
	blindRewrite  = "a rewrite of the whole chain by a process that can write the ledger, after the kept head or without one"
	blindTail     = "events cut off the end, since no kept head was given"
	blindNames    = "whether names, times and results are true: they are what the callers said"
	blindFiles    = "artifacts beyond the 48-bit fingerprint that the contract declares, and the digest kept beside them"
	blindNoFiles  = "rounds whose inputs lie in files that were not given or cannot be read: their findings are not judged anew"
	blindNoStore  = "the store's own copies of events: an export holds none"
	faultNoKept   = "the kept head is the hash of no event: the tail was cut off, or the chain was rewritten"
	faultNoEvents = "there are no events"
)

// Verify recomputes a contract's chain: every digest and hash, the sequence, every
// rule, and what the store keeps beside the events. keptHead is the hash of a receipt
// kept elsewhere, empty for none. The error is UNKNOWN_CONTRACT, or why the store
// cannot be read; what differs is in the answer.
func (l *Ledger) Verify(ctx context.Context, id, keptHead string) (*Verification, error) {
	var found *Verification
	err := l.viewWhole(ctx, id, func(q querier) (err error) {
		found, err = l.verify(ctx, q, id, keptHead)
		return err
	})
	return found, err
}

// verify is Verify in a transaction that has begun.
func (l *Ledger) verify(ctx context.Context, q querier, id, keptHead string) (*Verification, error) {
	v := newVerifier(id, keptHead)
	err := eachEvent(ctx, q, id, 0, allEvents, func(e *Event) error {
		return v.stored(ctx, q, e)
	})
	if err != nil {
		return nil, err
	}
	if err := v.store(ctx, q, l.backend); err != nil {
		return nil, err
	}
	v.Sees = append(v.Sees, seesStore)
	v.Blind = append(v.Blind, blindFiles)
	return v.finish(), nil
}

// stored takes the next event of a store, with the artifacts kept there. The error is why
// those cannot be read, which a round needs too.
func (v *verifier) stored(ctx context.Context, q querier, e *Event) error {
	if e.Kind == Revision {
		v.kept = v.keptFiles(ctx, q, e)
	}
	v.event(e, v.kept)
	if v.kept == nil {
		return nil // no revision comes first, which is a fault
	}
	return v.kept.failed
}

// VerifyExport recomputes the chain of an export ([Ledger.Export]) without the store, and
// reads it event by event: it may be of any length. root is where the contracts' artifacts
// lie, nil for nowhere. keptHead is as in [Ledger.Verify]. The error says that the text is
// no export, or is that of r.
func VerifyExport(r io.Reader, root fs.FS, keptHead string) (*Verification, error) {
	v, err := verifyFile(r, root, keptHead)
	if err != nil {
		return nil, err
	}
	return v.finish(), nil
}

// Record is what the events of an export tell beside its lists.
type Record struct {
	SHA256   string            // of the newest revision's registered bytes
	Progress contract.Progress // with the done reports
}

// ReadRecord reads the events of an export ([Ledger.Export]) with artifacts under root,
// nil for nowhere. It is nil where the file has none, or where they do not hold together
// and nothing may be told by them: [VerifyExport] says why.
func ReadRecord(text []byte, root fs.FS) *Record {
	v, err := verifyFile(bytes.NewReader(text), root, "")
	if err != nil || !v.OK() || len(v.revisions) == 0 {
		return nil
	}
	return &Record{SHA256: v.revisions[len(v.revisions)-1].sha256, Progress: v.head.progress}
}

func (v *verifier) finish() *Verification {
	if v.Events == 0 {
		v.fault(0, faultNoEvents)
	}
	v.Sees = append([]string{seesEvents}, v.Sees...)
	v.Blind = append(v.Blind, blindRewrite, blindNames)
	switch {
	case v.keptHead == "":
		v.Blind = append(v.Blind, blindTail)
	case v.KeptAt == 0:
		v.fault(0, faultNoKept)
	default:
		v.Sees = append(v.Sees, seesKept)
	}
	if v.unjudged {
		v.Blind = append(v.Blind, blindNoFiles)
	}
	v.Head = Receipt{ContractID: v.ContractID, Seq: v.last.Seq, Hash: v.last.Hash}
	return &v.Verification
}
