package contract

// The steps after a check without a ledger, which alone knows what was reported and
// judged before: they speak of the object that was checked, and of nothing else.
var (
	stepMendRound   = Step{ActorJudge, "check_round", "the round is not valid, so it judges nothing yet: mend what is wrong with it and check it again"}
	stepDecideAlone = Step{ActorOwner, "register_contract", "the round escalates: answer with a new revision that grows, closes or narrows"}
	stepAnswerAlone = Step{ActorOwner, "register_contract", "the round holds an extension: answer with a new revision that grows, closes or narrows"}
	stepMendAlone   = Step{ActorBuilder, "check_done", "findings of the round stand against criteria: mend them, run every check and report done"}

	stepMendReport = Step{ActorBuilder, "check_done", "the report does not tell each check's result once, as the contract has it: mend it and check it again"}
	stepUnfinished = Step{ActorBuilder, "check_done", "not every check passed as declared: mend the work, run every check and report done"}
	stepJudgeAlone = Step{ActorJudge, "check_round", "the report says that the work is done: judge the work by the contract"}
)

// roundRows is the table of [NextAfterRound]; the first row that applies gives the
// steps.
var roundRows = []struct {
	applies func(*RoundResult) bool
	steps   []Step
}{
	{func(r *RoundResult) bool { return r.unjudged }, nil},
	{func(r *RoundResult) bool { return !r.Report.Valid() }, []Step{stepMendRound}},
	{func(r *RoundResult) bool { return r.Round.Verdict == Escalate }, []Step{stepDecideAlone}},
	{func(r *RoundResult) bool { return r.ExtensionRound && r.Against() > 0 }, []Step{stepAnswerAlone, stepMendAlone}},
	{func(r *RoundResult) bool { return r.ExtensionRound }, []Step{stepAnswerAlone}},
	{func(r *RoundResult) bool { return r.Round.Verdict == Fail }, []Step{stepMendAlone}},
}

// NextAfterRound says who has to act after a round that [CheckRound] judged alone.
// Empty, never nil, after a pass, and where the contract is not valid: then the report
// is about the contract.
func NextAfterRound(r *RoundResult) []Step {
	for _, row := range roundRows {
		if row.applies(r) {
			return append([]Step{}, row.steps...)
		}
	}
	return []Step{}
}

// NextAfterChain says who has to act after the rounds of a chain file, which holds no done
// reports: what follows from the last round on the newest revision. Empty, never nil, where
// there is none, after a pass, and where the chain is not valid.
func NextAfterChain(c *ChainResult) []Step {
	n := len(c.Rounds)
	if !c.Report.Valid() || n == 0 || c.Rounds[n-1].Revision != c.Chain.progress.Revision {
		return []Step{}
	}
	return NextAfterRound(c.Rounds[n-1])
}

// NextAfterDone says who has to act after a done report that [CheckDone] checked alone.
// Empty, never nil, where the contract is not valid: then the report is about the
// contract.
func NextAfterDone(r *DoneResult) []Step {
	switch {
	case r.unjudged:
		return []Step{}
	case r.IsDone():
		return []Step{stepJudgeAlone}
	case r.Complete():
		return []Step{stepUnfinished}
	}
	return []Step{stepMendReport}
}
