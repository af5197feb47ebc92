package ledger

import (
	"regexp"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// commitForm is what names a commit and cannot tell more.
var commitForm = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)

// commitForBuilder gives the commit of a round as a builder may see it. It is the judge's
// own text, which could tell of what is withheld, unless it has the form of a commit or
// is one that the builder knows. What stands for another is none of those.
func commitForBuilder(commit string, known ...string) string {
	if commit == "" || commitForm.MatchString(commit) || slices.Contains(known, commit) {
		return commit
	}
	withheld := "(withheld)"
	for slices.Contains(known, withheld) {
		withheld = "(" + withheld + ")"
	}
	return withheld
}

// ForBuilder gives the status as a builder may see it: of what a judge wrote only the
// findings remain, of which the caller shows those against criteria. subject is the
// commit that was asked for; empty for none.
func (s *Status) ForBuilder(subject string) *Status {
	if s.Last == nil {
		return s
	}
	known := []string{subject}
	if s.Done != nil {
		known = append(known, s.Done.Report.Commit)
	}
	cut := *s
	cut.Last = s.Last.forBuilder(known...)
	cut.Subject = cut.subject()
	cut.Facts = facts(&cut)
	return &cut
}

// forBuilder gives the round as a builder may see it who knows some commits.
func (r *RoundStatus) forBuilder(known ...string) *RoundStatus {
	round, result, cut := *r.Result.Round, *r.Result, *r
	round.Commit = commitForBuilder(round.Commit, known...)
	result.Round, cut.Result = &round, &result
	return &cut
}

// classesForBuilder gives the classes that a round covers and the contract has.
func classesForBuilder(r *contract.Round, c *contract.Contract) []string {
	classes := []string{}
	for _, cr := range c.Criteria {
		if slices.Contains(r.Classes, cr.Class) && !slices.Contains(classes, cr.Class) {
			classes = append(classes, cr.Class)
		}
	}
	return classes
}
