package contract

import (
	"io/fs"
	"strings"
)

// Disposition says what a finding is under one revision (objects page, section 5).
type Disposition string

// The dispositions. A finding whose class, or location where it matters, is
// malformed has none.
const (
	DispositionNone      Disposition = ""
	DispositionAdvisory  Disposition = "advisory"  // binds nobody
	DispositionAgainst   Disposition = "against"   // a defect: a criterion holds its input
	DispositionExtension Disposition = "extension" // outside the contract: its owner's to answer
)

// Route says who acts on a finding.
type Route string

// The routes.
const (
	RouteNone    Route = "none"
	RouteBuilder Route = "builder"
	RouteOwner   Route = "owner"
)

var routes = map[Disposition]Route{
	DispositionNone:      RouteNone,
	DispositionAdvisory:  RouteNone,
	DispositionAgainst:   RouteBuilder,
	DispositionExtension: RouteOwner,
}

// Judged is a finding under one revision.
type Judged struct {
	Disposition Disposition
	Criterion   *Criterion // that holds the input; nil where none does
	Owner       string     // who answers it, of an extension
	// Unverified is why the input could not be looked up in its file (AAC606); nil
	// where it was, or where no file is concerned.
	Unverified error
}

// Route says who acts on the finding.
func (j Judged) Route() Route { return routes[j.Disposition] }

// Standard is one revision with the files that its cases and rows lie in: what
// findings are held against. Each file is read at most once. It is not safe for
// concurrent use.
type Standard struct {
	Contract *Contract // valid
	files    *artifacts
	byClass  map[string][]*Criterion        // in contract order
	runs     map[string]bool                // the commands of its own checks
	cases    map[*Criterion]map[string]bool // ids of inline cases, where they were asked for
}

// NewStandard makes the standard of a valid contract; root is where its artifacts
// lie, nil for nowhere.
func NewStandard(c *Contract, root fs.FS) *Standard { return newStandard(c, newArtifacts(root)) }

func newStandard(c *Contract, files *artifacts) *Standard {
	s := &Standard{
		Contract: c,
		files:    files,
		byClass:  map[string][]*Criterion{},
		runs:     map[string]bool{},
		cases:    map[*Criterion]map[string]bool{},
	}
	for i := range c.Criteria {
		cr := &c.Criteria[i]
		s.byClass[cr.Class] = append(s.byClass[cr.Class], cr)
		for _, check := range cr.Checks {
			if check.Type.Runs() {
				s.runs[check.Run] = true
			}
		}
	}
	return s
}

// Judge gives the disposition of one finding.
func (s *Standard) Judge(f *Finding) Judged {
	holder, unverified := s.holder(f)
	j := Judged{Criterion: holder, Unverified: unverified}
	switch {
	case f.Weight == Advisory:
		j.Disposition = DispositionAdvisory
	case f.Class == "" || !f.Located && s.needsInput(f.Class):
		return Judged{}
	case holder != nil:
		j.Disposition = DispositionAgainst
	default:
		j.Disposition, j.Owner = DispositionExtension, s.ownerOf(f.Class)
	}
	return j
}

// ownerOf gives who answers an extension of the class: the owner of the first
// criterion with it, else the contract's.
func (s *Standard) ownerOf(class string) string {
	if same := s.byClass[class]; len(same) > 0 {
		return s.Contract.OwnerOf(same[0])
	}
	return s.Contract.Owner
}

// needsInput says whether a criterion of the class has a finite set of inputs, so
// that nothing can be said of a finding without a location.
func (s *Standard) needsInput(class string) bool {
	for _, cr := range s.byClass[class] {
		if cr.Kind.finite() {
			return true
		}
	}
	return false
}

// finite says whether criteria of the kind hold a finite set of inputs.
func (k Kind) finite() bool { return k == Enumerable || k == Bounded }

// hold says how surely a criterion holds an input; the surest holder is the one that
// a finding is against, the first in contract order among equals.
type hold int

const (
	holdVerified   hold = iota // a finite set that has the input
	holdUnverified             // a finite set in a file that cannot be looked into
	holdStructural             // any input
	holdJudgment               // any input
	holdNot
)

// holder gives the criterion that holds the finding's input, nil for none. The error
// is why its file could not be looked into, or, where nothing holds the input, why
// any could not.
func (s *Standard) holder(f *Finding) (*Criterion, error) {
	var (
		best      *Criterion
		bestHold  = holdNot
		unreached error
	)
	for _, cr := range s.byClass[f.Class] {
		h, err := s.holds(cr, f)
		if h < bestHold {
			best, bestHold = cr, h
			unreached = err
		} else if bestHold == holdNot && unreached == nil {
			unreached = err
		}
	}
	return best, unreached
}

// holds says how surely the criterion holds the finding's input. The error is why
// the file could not be looked into.
func (s *Standard) holds(cr *Criterion, f *Finding) (hold, error) {
	switch {
	case cr.Kind == Structural:
		return holdStructural, nil
	case cr.Kind == Judgment:
		return holdJudgment, nil
	case !f.Located:
		return holdNot, nil
	case cr.Kind == Bounded:
		return s.holdsRow(cr.Domain, naming{keyed: cr.Domain.Keyed, key: cr.Domain.Key}, f.Location)
	case cr.CaseFile != nil:
		return s.holdsRow(cr.CaseFile, naming{cases: true}, f.Location)
	}
	if s.casesOf(cr)[f.Location] {
		return holdVerified, nil
	}
	return holdNot, nil
}

// casesOf gives the ids of a criterion's inline cases.
func (s *Standard) casesOf(cr *Criterion) map[string]bool {
	ids, known := s.cases[cr]
	if !known {
		ids = make(map[string]bool, len(cr.Cases))
		for _, c := range cr.Cases {
			ids[c.ID] = true
		}
		s.cases[cr] = ids
	}
	return ids
}

// holdsRow looks a location "<artifact>@<fingerprint>#<name>" up in the file that
// ref declares. What the declared path and fingerprint hold themselves is compared
// whole, so that "@" and "#" in them mean nothing.
func (s *Standard) holdsRow(ref *ArtifactRef, by naming, location string) (hold, error) {
	name, ok := strings.CutPrefix(location, ref.Path)
	if ok {
		name, ok = strings.CutPrefix(name, "@"+ref.Fingerprint+"#")
	}
	if !ok {
		return holdNot, nil
	}
	rows, err := s.files.names(ref, by)
	switch {
	case err != nil && !by.cases && !by.keyed && !isRowNumber(name):
		return holdNot, err // no row of any file is called so
	case err != nil:
		return holdUnverified, err
	case rows.hold(name):
		return holdVerified, nil
	}
	return holdNot, nil
}
