package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Fact is something that no rule can forbid and everybody should see (objects page,
// section 10). Its text names ids, callers and numbers, and repeats no finding.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// factRules find each fact, in the order they are shown in.
var factRules = []struct {
	name string
	find func(*Status) []string
}{
	{"advisory_findings", advisoryFindings},
	{"unanswered_extensions", unansweredExtensions},
	{"pass_without_done", passWithoutDone},
	{"coverage_gap", coverageGap},
	{"dirty_tree", dirtyTree},
	{"self_judged", selfJudged},
	{"two_roles", twoRoles},
	{"vacuous_check", vacuousChecks},
	{"budget_changed", budgetChanges},
	{"owner_changed", ownerChanges},
	{"extensions_ever", extensionsEver},
}

// maxPerFact is how many texts one rule may add; the last says how many more.
const maxPerFact = 10

func facts(s *Status) []Fact {
	all := []Fact{}
	for _, rule := range factRules {
		texts := rule.find(s)
		for _, text := range texts[:min(len(texts), maxPerFact)] {
			all = append(all, Fact{rule.name, text})
		}
		if more := len(texts) - maxPerFact; more > 0 {
			all = append(all, Fact{rule.name, fmt.Sprintf("and %d more", more)})
		}
	}
	return all
}

func one(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }

// count is a number with its noun.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// onNewest says whether the newest round is on the newest revision.
func (s *Status) onNewest() bool { return s.Last != nil && s.Progress.Rounds > 0 }

func (s *Status) passes() bool { return s.onNewest() && s.Progress.Verdict == contract.Pass }

func advisoryFindings(s *Status) []string {
	if s.Last == nil || s.Last.Result.Advisory() == 0 {
		return nil
	}
	r := s.Last.Result
	return one("the last round says %s with %s, which bind nobody, beside %d against criteria and %s",
		r.Round.Verdict, count(int64(r.Advisory()), "advisory finding"), r.Against(), count(int64(r.Extensions()), "extension"))
}

func unansweredExtensions(s *Status) []string {
	if s.ExtensionsUsed == 0 {
		return nil
	}
	if s.passes() {
		return one("the last round passes, but the extensions of %s on this revision were never answered by a new one", count(s.ExtensionsUsed, "round"))
	}
	return one("the extensions of %s on this revision wait for the owner's answer", count(s.ExtensionsUsed, "round"))
}

func passWithoutDone(s *Status) []string {
	switch {
	case !s.passes():
		return nil
	case s.Done == nil || s.Done.Revision != s.Progress.Revision || !s.Done.Done:
		return one("the last round passes, but nobody has reported this revision done")
	case s.Done.Report.Commit != s.Last.Result.Round.Commit:
		return one("the last round passes %s, but the done report is about %s", subjectName(s.Last.Result.Round.Commit), subjectName(s.Done.Report.Commit))
	}
	return nil
}

func subjectName(commit string) string {
	if commit == "" {
		return "no named commit"
	}
	return quote(commit)
}

func coverageGap(s *Status) []string {
	if !s.passes() || !s.Last.Result.Report.Has(contract.CoverageGap) {
		return nil
	}
	return one("the last round passes, but its coverage does not name every class of the contract")
}

func dirtyTree(s *Status) []string {
	if s.Done == nil || !s.Done.Report.Dirty {
		return nil
	}
	return one("the done report is about a tree with changes that are in no commit")
}

func selfJudged(s *Status) []string {
	if s.Last == nil || !s.Last.SelfJudged {
		return nil
	}
	return one("%s judged in the last round what %s had reported done", quote(s.Last.Who), quote(s.Last.Who))
}

// kindNames say what somebody did who recorded each kind.
var kindNames = map[Kind]string{Revision: "owner (revisions)", Done: "builder (done reports)", Round: "judge (rounds)"}

// twoRoles finds names that did the work of several roles, or came with several.
func twoRoles(s *Status) []string {
	did, came := map[string][]string{}, map[string][]string{}
	names := []string{}
	for _, a := range s.actors {
		if did[a.who] == nil {
			names = append(names, a.who)
		}
		did[a.who] = addOnce(did[a.who], kindNames[a.kind])
		came[a.who] = addOnce(came[a.who], string(a.role))
	}
	var texts []string
	for _, name := range names {
		if len(did[name]) > 1 {
			texts = append(texts, fmt.Sprintf("%s acted as %s", quote(name), strings.Join(did[name], " and ")))
		} else if len(came[name]) > 1 {
			texts = append(texts, fmt.Sprintf("%s came with the roles %s", quote(name), strings.Join(came[name], " and ")))
		}
	}
	return texts
}

func addOnce(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// vacuous are the commands that pass whatever the work is.
var vacuous = []string{"true", ":", "exit 0"}

func vacuousChecks(s *Status) []string {
	var texts []string
	for _, cr := range s.Contract.Criteria {
		for i, check := range cr.Checks {
			if check.Type.Runs() && slices.Contains(vacuous, strings.Join(strings.Fields(check.Run), " ")) {
				texts = append(texts, fmt.Sprintf("check %d of %s is %s, which passes whatever the work is", i, quote(cr.ID), quote(check.Run)))
			}
		}
	}
	return texts
}

func budgetChanges(s *Status) []string {
	return s.changes(func(from, to revisionRow) string {
		if from.budget == to.budget {
			return ""
		}
		return fmt.Sprintf("revision %d changed the budget from %d to %d extension rounds", to.number, from.budget, to.budget)
	})
}

func ownerChanges(s *Status) []string {
	return s.changes(func(from, to revisionRow) string {
		if from.owner == to.owner {
			return ""
		}
		return fmt.Sprintf("revision %d changed the owner from %s to %s", to.number, quote(from.owner), quote(to.owner))
	})
}

// changes compares each revision with the one before, the newest first.
func (s *Status) changes(compare func(from, to revisionRow) string) []string {
	var texts []string
	for i := len(s.revisions) - 1; i > 0; i-- {
		if text := compare(s.revisions[i-1], s.revisions[i]); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func extensionsEver(s *Status) []string {
	if len(s.revisions) < 2 || s.ExtensionsEver == 0 {
		return nil
	}
	return one("%s over all %d revisions", count(s.ExtensionsEver, "extension round"), len(s.revisions))
}
