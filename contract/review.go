package contract

import (
	"fmt"
	"strings"
)

// Review is what a revision does to the one before it, as its registration answers
// (objects page, section 8).
type Review struct {
	Answer  string // grow, close, narrow, mixed or none; empty for a first revision
	Changes []Change
	Report  *Report // warnings only: AAC306, AAC307
}

// ReviewRevision compares a revision with the one before it, nil for none. extended
// says whether the one before has an extension that waits for an answer. Whether the
// revision may follow at all, [Chain.CheckRevision] says. Both are valid contracts.
func ReviewRevision(previous, next *Contract, extended bool) *Review {
	review := &Review{Changes: []Change{}, Report: &Report{}}
	if previous == nil {
		return review
	}
	review.Changes = append(review.Changes, Changes(previous, next)...)
	review.Answer = Answer(review.Changes)
	if extended && review.Answer == noAnswer {
		review.Report.Add(NotAnAnswer, next.Value.Get("criteria"),
			"a judge found something that no criterion covers, and this revision does not answer it: it neither grows, closes nor narrows",
			"add the case, row or criterion, make the criterion structural, or narrow its statement")
	}
	sameAuthority := previous.Value.Get("contract").Get("authority").Same(next.Value.Get("contract").Get("authority"))
	for i := range next.Criteria {
		if cr := &next.Criteria[i]; sameAuthority && narrowed(previous, cr) {
			review.Report.Add(NarrowWithoutAuthority, cr.Value.Get("statement"),
				"the statement changed, but contract.authority is the same: who decided that less, or other, is right?",
				"change the plan, spec or ticket first, and name its new version in contract.authority")
		}
	}
	return review
}

func narrowed(previous *Contract, cr *Criterion) bool {
	for _, old := range previous.Criteria {
		if old.ID == cr.ID {
			return old.Statement != cr.Statement
		}
	}
	return false
}

// Diff shows a person what changed between two contracts: a line a change and one for
// each side of it, texts of the contracts quoted on one line each. Both are valid contracts.
func Diff(from, to *Contract) string {
	var out strings.Builder
	head := func(sign string, c *Contract) {
		fmt.Fprintf(&out, "%s %s revision %d %s sha256:%s\n", sign, c.ID, c.Revision, c.Fingerprint, c.SHA256())
	}
	head("-", from)
	head("+", to)
	changes := Changes(from, to)
	if len(changes) == 0 {
		out.WriteString("no change\n")
		return out.String()
	}
	fmt.Fprintf(&out, "answer: %s\n", Answer(changes))
	for i, c := range changes {
		if i == 0 || c.Criterion != changes[i-1].Criterion {
			fmt.Fprintf(&out, "\n%s\n", place(c))
		}
		fmt.Fprintf(&out, "  %-7s %s\n", c.Kind, c.What)
		for _, side := range c.Sides() {
			fmt.Fprintf(&out, "          %s\n", side)
		}
	}
	return out.String()
}

func place(c Change) string {
	if c.Criterion == "" {
		return "contract"
	}
	return "criterion " + c.Criterion
}
