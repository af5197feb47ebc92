package contract

// Progress is what stands on the newest revision: what [Next] needs to know.
type Progress struct {
	Revision int64 // 0 where there is none
	// Rounds counts the rounds on the revision; those before the last matter no more.
	Rounds     int
	Verdict    Verdict // of the last round
	Against    int     // findings of the last round against criteria
	Extensions int     // extensions of the last round
	Failed     bool    // whether a round failed it
	// Done says that a done report is done since the revision and since its last fail.
	Done bool
	// Judged says that a round came since the last such report.
	Judged bool
	// DoneSinceRound says that a done report is done since the last round.
	DoneSinceRound bool
	// Unfinished says that the newest done report since the revision and since its last
	// fail is of unfinished work. A ledger keeps what is told here; it leaves this and the
	// next out where they are false.
	Unfinished bool `json:",omitempty"`
	// StandBefore says that findings of rounds before the last stand against criteria: no
	// done report is done since.
	StandBefore bool `json:",omitempty"`
}

// round is a round that counts for the revision.
func (p *Progress) round(r *RoundResult) {
	p.Rounds++
	p.StandBefore = p.stand()
	p.Verdict = r.Round.Verdict
	p.Against, p.Extensions = r.Against(), 0
	if r.ExtensionRound {
		p.Extensions = r.Extensions()
	}
	p.DoneSinceRound = false
	if p.Verdict == Fail {
		p.Failed, p.Done, p.Unfinished = true, false, false
	}
	p.Judged = true
}

// done is a done report that is done.
func (p *Progress) done() {
	p.Done, p.Judged, p.DoneSinceRound, p.Unfinished, p.StandBefore = true, false, true, false, false
}

// stand says whether findings stand against criteria.
func (p *Progress) stand() bool { return p.StandBefore || p.Against > 0 && !p.DoneSinceRound }

// Actor is who has to act.
type Actor string

// The actors.
const (
	ActorOwner   Actor = "owner"
	ActorBuilder Actor = "builder"
	ActorJudge   Actor = "judge"
)

// Step is something that has to be done next.
type Step struct {
	Actor Actor  `json:"actor"`
	Tool  string `json:"tool"`
	Why   string `json:"why"`
}

// The steps. Tools are named as the server offers them.
var (
	stepRegister = Step{ActorOwner, "register_contract", "no revision is registered yet"}
	stepDecide   = Step{ActorOwner, "register_contract", "the last round escalated: answer with a new revision that grows, closes or narrows"}
	stepAnswer   = Step{ActorOwner, "register_contract", "the last round holds an extension: answer with a new revision that grows, closes or narrows"}
	stepMend     = Step{ActorBuilder, "check_done", "findings stand against criteria: mend them, run every check and report done"}
	stepReport   = Step{ActorBuilder, "check_done", "no done report since the revision was registered: build, run every check and report done"}
	stepFinish   = Step{ActorBuilder, "check_done", "the newest done report is of unfinished work: mend what did not pass, run every check and report done"}
	stepAgain    = Step{ActorBuilder, "check_done", "no done report since the last fail: mend what it found, run every check and report done"}
	stepJudge    = Step{ActorJudge, "check_round", "the work is reported done and no round has judged it since"}
)

// nextRows is the table of [Next]; the first row that applies gives the steps.
var nextRows = []struct {
	applies func(Progress) bool
	steps   func(Progress) []Step
}{
	{func(p Progress) bool { return p.Revision == 0 }, steps(stepRegister)},
	{func(p Progress) bool { return p.Verdict == Escalate }, steps(stepDecide)},
	{func(p Progress) bool { return p.Extensions > 0 }, answerSteps},
	{func(p Progress) bool { return !p.Done && p.Unfinished }, steps(stepFinish)},
	{func(p Progress) bool { return !p.Done && p.Failed }, steps(stepAgain)},
	{func(p Progress) bool { return !p.Done }, steps(stepReport)},
	{func(p Progress) bool { return !p.Judged }, steps(stepJudge)},
}

func steps(s ...Step) func(Progress) []Step { return func(Progress) []Step { return s } }

// answerSteps sends the extensions to the owner and, while no report says they are
// mended, the defects to the builder.
func answerSteps(p Progress) []Step {
	if p.stand() {
		return []Step{stepAnswer, stepMend}
	}
	return []Step{stepAnswer}
}

// Next says who has to act; empty, never nil, once the newest revision is reported
// done and passed.
func Next(p Progress) []Step {
	for _, row := range nextRows {
		if row.applies(p) {
			return append([]Step{}, row.steps(p)...)
		}
	}
	return []Step{}
}
