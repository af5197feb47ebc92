package page

import (
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// moment is one event of a timeline: one of Revision, Done and Round is not nil.
type moment struct {
	Receipt  receipt
	Who      string
	Role     contract.Actor // in which who recorded it
	At       instant
	Revision *revision
	Done     *done
	Round    *round
}

type done struct {
	Revision    int64
	Commit      string
	Dirty, Done bool
	Failing     []string // criteria that a check did not pass of
	Unnamed     int      // how many more there are
}

type round struct {
	Revision                      int64
	Verdict                       contract.Verdict
	Commit                        string
	Against, Extensions, Advisory int
	Marks                         []string // what the record shows of it
	Findings                      []finding
	Unshown                       int // findings for which the page has no room
	Withheld                      int // findings that are not for the role: extensions and advisory ones
}

type finding struct {
	Disposition contract.Disposition
	Severity    contract.Weight
	Criterion   string
	Owner       string // who answers it, of an extension
	Class       string
	Location    string
	Message     string
	Check       string
	Remedy      string
	Cut         bool
}

func newMoment(m tools.Moment) moment {
	switch {
	case m.Revision != nil:
		shown := newRevision(m.Revision, maxGlance)
		return moment{Receipt: shown.Receipt, Who: shown.Who, Role: shown.Role, At: shown.At, Revision: &shown}
	case m.Done != nil:
		d := m.Done
		return moment{Receipt: newReceipt(d.Receipt), Who: show(d.Who, maxLabel), Role: d.Role, At: newInstant(d.At), Done: newDone(m)}
	}
	r := m.Round
	return moment{Receipt: newReceipt(r.Receipt), Who: show(r.Who, maxLabel), Role: r.Role, At: newInstant(r.At), Round: newRound(m)}
}

func newReceipt(r ledger.Receipt) receipt { return receipt{r.Seq, r.Hash} }

func newDone(m tools.Moment) *done {
	d := m.Done
	shown := &done{Revision: d.Revision, Commit: show(d.Commit, maxLabel), Dirty: d.Dirty, Done: d.Done, Unnamed: m.Failing - len(d.Failing)}
	for _, id := range d.Failing {
		shown.Failing = append(shown.Failing, show(id, maxLabel))
	}
	return shown
}

func newRound(m tools.Moment) *round {
	r := m.Round
	shown := &round{Revision: r.Revision, Verdict: r.Verdict, Commit: show(r.Commit, maxLabel),
		Against: r.Against, Extensions: r.Extensions, Advisory: r.Advisory,
		Withheld: r.Against + r.Extensions + r.Advisory - len(m.Findings)}
	for _, name := range m.Facts {
		shown.Marks = append(shown.Marks, words(name))
	}
	var findings []tools.OpenFinding
	findings, shown.Unshown = first(m.Findings, maxFindings)
	for _, f := range findings {
		shown.Findings = append(shown.Findings, finding{
			Disposition: f.Disposition, Severity: f.Severity, Criterion: show(f.Criterion, maxLabel), Owner: show(f.Owner, maxLabel),
			Class: show(f.Class, maxLabel), Location: show(f.Location, maxLabel), Message: show(f.Message, maxText),
			Check: members(f.Check), Remedy: members(f.Remedy), Cut: f.Cut,
		})
	}
	return shown
}

// words is a name of the record in words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
