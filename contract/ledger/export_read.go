package ledger

import (
	"crypto/sha256"
	"io"
	"io/fs"

	"github.com/plumbline-mcp/plumbline/contract"
)

const hintNoEvents = "give what `plumbline chain export` writes, but with --role builder, which leaves the events out; for a chain file without a ledger there is `plumbline chain check`"

// noEvents refuses what is JSON, but nothing that an export writes.
func noEvents() *Error {
	return &Error{Code: UnreadableDocument, Message: "the file has no events of a ledger", Hint: hintNoEvents, Err: ErrNoEvents}
}

// exportFile is an export that is read part by part. Its revisions and rounds stand in
// lists and in events: what is kept are their digests.
type exportFile struct {
	*parts
	*verifier
	root   fs.FS
	events bool // the file has a list of them

	listed, held struct{ revisions, rounds []digest } // in the lists, in the events
}

// digest is the SHA-256 of a value's canonical form.
type digest [sha256.Size]byte

func digestOf(v *contract.Value) digest { return sha256.Sum256(v.Canonical()) }

// verifyFile reads the events of an export, and holds its lists against them.
func verifyFile(r io.Reader, root fs.FS, keptHead string) (*verifier, error) {
	f := &exportFile{parts: newParts(r), verifier: newVerifier("", keptHead), root: root}
	f.fromFile = true
	err := f.read()
	switch {
	case f.in.err != nil:
		return nil, f.in.err
	case err != nil:
		return nil, err
	case !f.events:
		return nil, noEvents()
	}
	f.compare("revisions", f.listed.revisions, f.held.revisions)
	f.compare("rounds", f.listed.rounds, f.held.rounds)
	f.Blind = append(f.Blind, blindNoStore)
	return f.verifier, nil
}

func (f *exportFile) read() error {
	keep := func(into *[]digest) func() error {
		return func() error {
			return f.list(func(item *contract.Value) error {
				*into = append(*into, digestOf(item))
				return nil
			})
		}
	}
	events := func() error {
		f.events = true
		return f.list(f.exported)
	}
	err := f.object(map[string]func() error{
		"revisions": keep(&f.listed.revisions),
		"rounds":    keep(&f.listed.rounds),
		"ledger":    func() error { return f.object(map[string]func() error{"events": events}) },
	})
	if err != nil {
		return err
	}
	return f.close()
}

// exported takes the next event.
func (f *exportFile) exported(v *contract.Value) error {
	e, broken := readExported(v)
	if broken != "" {
		if len(f.Faults) == maxFaults {
			return noEvents() // so many are junk
		}
		f.fault(f.Events+1, "its member `%s` is missing or is not what an export writes", broken)
		f.Events++
		return nil
	}
	if f.ContractID == "" {
		f.ContractID, f.head.id = e.Contract, e.Contract
	}
	f.event(e, f.root)
	switch e.Kind {
	case Revision:
		f.held.revisions = appendDigest(f.held.revisions, e.Body)
	case Round:
		if text, err := contract.OnRevision(e.Body, int64(len(f.held.revisions))); err == nil {
			f.held.rounds = appendDigest(f.held.rounds, text)
		}
	}
	return nil
}

// appendDigest leaves out what is no JSON, which is a fault of its event.
func appendDigest(all []digest, text []byte) []digest {
	v, err := contract.Decode(text)
	if err != nil {
		return all
	}
	return append(all, digestOf(v))
}

// compare holds a list of the file against what the events hold.
func (f *exportFile) compare(name string, listed, held []digest) {
	if len(listed) != len(held) {
		f.fault(0, "the file holds other %s than the events", name)
		return
	}
	for i := range held {
		if listed[i] != held[i] {
			f.fault(0, "/%s/%d of the file is not what the events hold", name, i)
		}
	}
}

// readExported reads an event. broken names the first member that is not what an export
// writes.
func readExported(v *contract.Value) (e *Event, broken string) {
	sound := func(name string, is bool) {
		if !is && broken == "" {
			broken = name
		}
	}
	text := func(name string) string {
		s, is := v.Get(name).Text()
		sound(name, is)
		return s
	}
	number := func(name string) int64 {
		n, is := v.Get(name).Int()
		sound(name, is)
		return n
	}
	e = &Event{
		Contract: text("contract"), Seq: number("seq"), Kind: Kind(text("kind")),
		Who: text("who"), Role: contract.Actor(text("role")), Submission: text("submission"), At: number("at"),
		BodySHA256: text("body_sha256"), Prev: text("prev"), Hash: text("hash"), Body: []byte(text("body")),
	}
	return e, broken
}
