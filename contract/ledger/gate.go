package ledger

import (
	"fmt"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Closing is one reason why a gate is closed. Its texts repeat no finding.
type Closing struct {
	Reason string         // what is missing
	Actor  contract.Actor // who can change it
	Do     string         // how
}

// Gate says why the work may not go on: every reason, in the order in which they are to
// be dealt with; none where the newest revision is reported done and a later round passes
// it with full coverage. A subject that is not empty is the commit that both must name.
// What no rule can forbid closes nothing: that is in Facts.
func (s *Status) Gate(subject string) []Closing {
	reasons := s.doneClosing(subject)
	if done := s.Done; done != nil && s.onNewest() && s.Last.Receipt.Seq < done.Receipt.Seq {
		return append(reasons, Closing{"no round has judged the newest done report", contract.ActorJudge, judgeLater})
	}
	return append(reasons, s.roundClosing(subject)...)
}

const judgeLater = "judge the work once it is reported done, and record a round"

// doneClosing is what the done report lacks.
func (s *Status) doneClosing(subject string) []Closing {
	const again = "mend what is open, run every check, and record a done report"
	closed := func(reason, do string) []Closing { return []Closing{{reason, contract.ActorBuilder, do}} }
	done := s.Done
	switch {
	case done == nil || done.Revision != s.Progress.Revision:
		return closed(fmt.Sprintf("nobody has reported revision %d done", s.Progress.Revision), "run every check, and record a done report")
	case !done.Done:
		return closed("the newest done report is of unfinished work: a check did not pass", again)
	case !s.Progress.Done:
		return closed("no done report since the last round that failed the work", again)
	case subject != "" && done.Report.Commit != subject:
		return closed(fmt.Sprintf("the newest done report is about %s, not %s", subjectName(done.Report.Commit), quote(subject)),
			"run every check on that commit, and record a done report")
	}
	return nil
}

// roundClosing is what the last round lacks.
func (s *Status) roundClosing(subject string) []Closing {
	judge := func(reason, do string) Closing { return Closing{reason, contract.ActorJudge, do} }
	if !s.onNewest() {
		return []Closing{judge(fmt.Sprintf("no round has judged revision %d", s.Progress.Revision), judgeLater)}
	}
	round := s.Last.Result
	switch {
	case s.Progress.Verdict == contract.Escalate || s.Progress.Extensions > 0:
		return []Closing{{fmt.Sprintf("the last round says %s and asks the owner", s.Progress.Verdict), contract.ActorOwner,
			"answer with a new revision that grows, closes or narrows"}}
	case s.Progress.Verdict != contract.Pass:
		return []Closing{judge(fmt.Sprintf("the last round says %s", s.Progress.Verdict), judgeLater)}
	}
	var reasons []Closing
	if round.Report.Has(contract.CoverageGap) {
		reasons = append(reasons, judge("the last round passes, but its coverage does not name every class of the contract",
			"judge every class, and record a round whose coverage.classes names them all"))
	}
	if subject != "" && round.Round.Commit != subject {
		reasons = append(reasons, judge(fmt.Sprintf("the last round is about %s, not %s", subjectName(round.Round.Commit), quote(subject)),
			"judge that commit, and record a round whose subject.commit names it"))
	}
	return reasons
}
