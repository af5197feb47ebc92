package contract

import (
	"fmt"
	"slices"
)

// certainty is the answer to a question about parts of which some are malformed.
type certainty int

const (
	no certainty = iota
	maybe
	yes
)

// anyFinding gives the surest answer among the findings; a list that is missing or
// malformed may hold anything.
func (r *Round) anyFinding(ask func(i int, f *Finding) certainty) certainty {
	best := no
	if r.Value.Get("findings").Type() != Array {
		best = maybe
	}
	for i := range r.Findings {
		best = max(best, ask(i, &r.Findings[i]))
	}
	return best
}

func blocks(_ int, f *Finding) certainty {
	switch f.Weight {
	case Blocking:
		return yes
	case Advisory:
		return no
	}
	return maybe
}

// decides says whether a blocking finding asks for a decision.
func decides(_ int, f *Finding) certainty {
	switch {
	case f.Remedy == nil || f.Remedy.Type == "":
		return min(maybe, blocks(0, f))
	case f.Remedy.Type == RemedyDecide:
		return blocks(0, f)
	}
	return no
}

// verdict is AAC607, which needs no revision.
func (j *roundJudge) verdict() {
	at := j.Round.Value.Get("verdict")
	blocking := j.Round.anyFinding(blocks)
	switch v := j.Round.Verdict; {
	case v == Pass && blocking == yes:
		j.Report.Add(VerdictMismatch, at, "the verdict is pass, but a finding is blocking",
			"make the verdict fail, or the finding advisory if the work may pass with it")
	case (v == Fail || v == Escalate) && blocking == no:
		j.Report.Add(VerdictMismatch, at, fmt.Sprintf("the verdict is %s, but no finding is blocking", v),
			"name what blocks the work as a blocking finding, or make the verdict pass")
	case v == Escalate && j.Round.anyFinding(decides) == no:
		j.Report.Add(VerdictMismatch, at, "the verdict is escalate, but no blocking finding asks for a decision",
			"give a blocking finding a decide remedy with its options, or make the verdict fail")
	}
}

// escalationWords begin the options of AAC604: the three answers of an owner (text section 6).
var escalationWords = []string{"grow", "close", "narrow"}

// budget counts the round and is AAC604 and AAC605. Only the round that counts is
// bound.
func (j *roundJudge) budget() {
	if !j.Counts || !j.ExtensionRound {
		return
	}
	j.ExtensionsUsed++
	switch {
	case j.ExtensionsUsed > j.ExtensionsBudget:
		j.Report.Add(BudgetExceeded, j.firstExtension().Value,
			fmt.Sprintf("this is extension round %d against revision %d, whose budget is %d", j.ExtensionsUsed, j.Revision, j.ExtensionsBudget),
			"wait for the owner's answer, which is a new revision; until then judge only what the contract holds, and note the rest as advisory")
	case j.ExtensionsUsed == j.ExtensionsBudget:
		j.MustEscalate = true
		j.escalation()
	}
}

// escalation is AAC604 for a round that reaches the budget.
func (j *roundJudge) escalation() {
	round := fmt.Sprintf("this is extension round %d of %d against revision %d", j.ExtensionsUsed, j.ExtensionsBudget, j.Revision)
	if v := j.Round.Verdict; v != "" && v != Escalate {
		j.Report.Add(EscalationRequired, j.Round.Value.Get("verdict"),
			fmt.Sprintf("%s, so its verdict must be escalate, not %s", round, v), "make the verdict escalate")
	}
	if j.Round.anyFinding(j.asksOwner) != no {
		return
	}
	at := j.firstExtension().Value
	if remedy := at.Get("remedy"); remedy != nil {
		at = remedy
	}
	j.Report.Add(EscalationRequired, at, round+", and no extension asks its owner to choose between the three answers",
		`give an extension a decide remedy with exactly three options, one beginning with each of the words grow, close and narrow: {"type": "decide", "options": ["grow: …", "close: …", "narrow: …"]}`)
}

// firstExtension gives the first finding that makes this an extension round.
func (j *roundJudge) firstExtension() *Finding {
	for i := range j.Findings {
		if f := &j.Round.Findings[i]; f.Weight == Blocking && j.Findings[i].Disposition == DispositionExtension {
			return f
		}
	}
	return nil
}

// asksOwner says whether a finding is an extension with the decision that AAC604
// asks for.
func (j *roundJudge) asksOwner(i int, f *Finding) certainty {
	extension := blocks(i, f)
	switch j.Findings[i].Disposition {
	case DispositionAgainst, DispositionAdvisory:
		return no
	case DispositionNone:
		extension = min(maybe, extension)
	}
	switch {
	case f.Remedy == nil || f.Remedy.Type == "":
		return min(maybe, extension)
	case f.Remedy.Type != RemedyDecide:
		return no
	case f.Remedy.Options == nil:
		return min(maybe, extension)
	case offersAnswers(f.Remedy.Options):
		return extension
	}
	return no
}

// offersAnswers says whether there is exactly one option for each answer.
func offersAnswers(options []string) bool {
	if len(options) != len(escalationWords) {
		return false
	}
	for _, answer := range escalationWords {
		if !slices.ContainsFunc(options, func(option string) bool { return hasWordPrefix(option, answer) }) {
			return false
		}
	}
	return true
}
