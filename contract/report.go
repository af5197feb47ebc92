package contract

import (
	"cmp"
	"errors"
	"slices"
)

// Problem is one thing that is wrong with an object, for a person or an agent to
// mend (objects page, section 9).
type Problem struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // JSON Pointer in the document; a missing member's is its parent's
	Message  string   `json:"message"`
	Fix      string   `json:"fix"`
	Line     int      `json:"line,omitempty"`   // of AAC300 only, 1-based
	Column   int      `json:"column,omitempty"` // of AAC300 only, 1-based, in bytes

	at   *Value
	part int // of the documents that a report is about; its own is 0
	rank int // the place in the part
}

// Position gives the 1-based line and column (in bytes) of the problem in its
// document; zeros where it has none.
func (p Problem) Position() (line, column int) {
	if p.Line > 0 {
		return p.Line, p.Column
	}
	return p.at.Position()
}

// Limits of a report. Nobody mends more at once, and junk has a problem at each of its
// values.
const (
	// maxProblems is how many problems of one code and severity a report holds, and one
	// more, which says that others are left out. It is above what [shape] tells.
	maxProblems = 2 * maxShapeProblems
	// maxPathBytes is how long the paths of all problems may be together before the
	// same happens: members' names may be as long as the document.
	maxPathBytes = 1 << 20
)

// Report is every problem of one object, errors and warnings, in the order in which
// their paths stand in the document; of many that are alike the first that were found.
type Report struct {
	problems []Problem
	parts    int // documents merged under prefixes
	count    map[alike]int
	left     map[alike]bool // of which some are left out
	paths    int            // bytes of all paths
}

// alike is what problems that are counted together have in common.
type alike struct {
	code     Code
	severity Severity
}

// Add adds a problem at the value (for a missing member: its parent), with the
// code's own severity.
func (r *Report) Add(code Code, at *Value, message, fix string) {
	r.add(code, severities[code], at, message, fix)
}

// addAs adds a problem with another severity than the code's own.
func (r *Report) addAs(severity Severity, code Code, at *Value, message, fix string) {
	r.add(code, severity, at, message, fix)
}

func (r *Report) add(code Code, severity Severity, at *Value, message, fix string) {
	if r.left[alike{code, severity}] {
		return // without looking for its path
	}
	p := Problem{Code: code, Severity: severity, Path: at.Pointer(), Message: message, Fix: fix, at: at}
	if at != nil {
		p.rank = at.Offset
	}
	r.keep(p)
}

// keep keeps a problem; the first beyond the limits says that it is not the last.
func (r *Report) keep(p Problem) {
	kind := alike{p.Code, p.Severity}
	if r.left[kind] {
		return
	}
	if r.count == nil {
		r.count, r.left = map[alike]int{}, map[alike]bool{}
	}
	if r.count[kind] >= maxProblems || r.paths > maxPathBytes {
		r.left[kind] = true
		p.Message = "more problems have this code than a report holds: this one and those found after it are left out"
		p.Fix = "mend the others first"
	}
	r.count[kind]++
	r.paths += len(p.Path)
	r.problems = append(r.problems, p)
}

// addSyntax adds why [Decode] refused a text.
func (r *Report) addSyntax(err error) {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return
	}
	r.keep(Problem{
		Code: InvalidJSON, Severity: Error, Message: syntax.Message, Fix: syntax.Hint,
		Line: syntax.Line, Column: syntax.Column,
	})
}

// Merge adds the problems of another report. Without a prefix they are about the same
// document and take their places in it. With one, a JSON Pointer, they are about another
// document, whose paths go under the prefix: they follow those that r has.
func (r *Report) Merge(other *Report, prefix string) {
	if other == nil {
		return
	}
	if prefix == "" {
		for _, p := range other.problems {
			r.keep(p)
		}
		return
	}
	r.parts++
	for i, p := range other.sorted() {
		p.Path, p.part, p.rank = prefix+p.Path, r.parts, i
		r.keep(p)
	}
}

// sorted gives the problems in document order: by place, then by code; of one place
// and code as they were added.
func (r *Report) sorted() []Problem {
	if r == nil {
		return nil
	}
	all := slices.Clone(r.problems)
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Code, b.Code))
	})
	return all
}

func (r *Report) of(severity Severity) []Problem {
	out := []Problem{}
	for _, p := range r.sorted() {
		if p.Severity == severity {
			out = append(out, p)
		}
	}
	return out
}

// Errors gives the errors in document order; empty, never nil, if there are none.
func (r *Report) Errors() []Problem { return r.of(Error) }

// Warnings gives the warnings in document order; empty, never nil, if there are none.
func (r *Report) Warnings() []Problem { return r.of(Warning) }

// Valid says whether there is no error.
func (r *Report) Valid() bool {
	return r == nil || !slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Severity == Error })
}

// Has says whether one of the codes was reported.
func (r *Report) Has(codes ...Code) bool {
	return r != nil && slices.ContainsFunc(r.problems, func(p Problem) bool { return slices.Contains(codes, p.Code) })
}
