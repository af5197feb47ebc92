package tools

import (
	"encoding/json"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// DoneRow is the newest done report: its builder's own word.
type DoneRow struct {
	Who          string         `json:"who"`
	Role         contract.Actor `json:"role"`
	At           string         `json:"at"`
	SelfReported bool           `json:"self_reported"` // always: whoever recorded it says so
	Revision     int64          `json:"revision"`
	Commit       string         `json:"commit"`
	Dirty        bool           `json:"dirty"`
	Done         bool           `json:"done"`
	Failing      []string       `json:"failing,omitempty"` // the first criteria that a check did not pass of
	Receipt      ledger.Receipt `json:"receipt"`
}

func newDoneRow(d *ledger.DoneStatus) *DoneRow {
	if d == nil {
		return nil
	}
	return &DoneRow{Who: d.Who, Role: d.Role, At: stamp(d.At), SelfReported: true, Revision: d.Revision,
		Commit: clip(d.Report.Commit, maxLabel), Dirty: d.Report.Dirty, Done: d.Done,
		Failing: d.Failing[:min(len(d.Failing), maxFailing)], Receipt: d.Receipt}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// RoundRow is the newest round, without its findings.
type RoundRow struct {
	Who        string           `json:"who"`
	Role       contract.Actor   `json:"role"`
	At         string           `json:"at"`
	Verdict    contract.Verdict `json:"verdict"`
	Revision   int64            `json:"revision"`
	Commit     string           `json:"commit"`
	Against    int              `json:"against"`
	Extensions int              `json:"extensions"`
	Advisory   int              `json:"advisory"`
	SelfJudged bool             `json:"self_judged"`
	Receipt    ledger.Receipt   `json:"receipt"`
}

func newRoundRow(r *ledger.RoundStatus) *RoundRow {
	if r == nil {
		return nil
	}
	return &RoundRow{Who: r.Who, Role: r.Role, At: stamp(r.At), Verdict: r.Result.Round.Verdict, Revision: r.Result.Revision,
		Commit: clip(r.Result.Round.Commit, maxLabel), Against: r.Result.Against(), Extensions: r.Result.Extensions(), Advisory: r.Result.Advisory(),
		SelfJudged: r.SelfJudged, Receipt: r.Receipt}
}

// OpenRow is what the last round left: the findings that a role may see, and how many
// extensions wait for the owner.
type OpenRow struct {
	Revision          int64         `json:"revision"` // that the round was judged against
	Findings          []OpenFinding `json:"findings"`
	ExtensionsWaiting int           `json:"extensions_waiting"`
}

// OpenFinding is one finding, with what it takes to mend it.
type OpenFinding struct {
	Disposition contract.Disposition `json:"disposition"`
	Criterion   string               `json:"criterion"`
	Owner       string               `json:"owner,omitempty"`
	Class       string               `json:"class"`
	Severity    contract.Weight      `json:"severity"`
	Location    string               `json:"location"`
	Message     string               `json:"message"`
	Check       json.RawMessage      `json:"check,omitempty"`
	Remedy      json.RawMessage      `json:"remedy,omitempty"`
	// Cut says that the finding is too long to be shown in full.
	Cut bool `json:"cut,omitempty"`
}

// newOpenRow shows the last round to a role; nil before the first.
func newOpenRow(s *ledger.Status, role Role) *OpenRow {
	if s.Last == nil {
		return nil
	}
	result := s.Last.Result
	return &OpenRow{Revision: result.Revision, Findings: shownFindings(result, role), ExtensionsWaiting: s.Progress.Extensions}
}

// shownFindings are the findings of a round that a role may see.
func shownFindings(result *contract.RoundResult, role Role) []OpenFinding {
	shown := []OpenFinding{}
	for i, j := range result.Findings {
		if j.Disposition == contract.DispositionAgainst || SeesExtensions(role) {
			shown = append(shown, newOpenFinding(j, result.Round.Findings[i]))
		}
	}
	return shown
}

func newOpenFinding(j contract.Judged, f contract.Finding) OpenFinding {
	one := OpenFinding{Disposition: j.Disposition, Owner: clip(j.Owner, maxLabel), Class: f.Class, Severity: f.Weight, Location: f.Location, Message: f.Message}
	if j.Criterion != nil {
		one.Criterion = j.Criterion.ID
	}
	if f.Check != nil {
		one.Check = f.Check.Value.Canonical()
	}
	if f.Remedy != nil {
		one.Remedy = f.Remedy.Value.Canonical()
	}
	if textSize(one) > maxFinding {
		one.cut()
	}
	return one
}

// cut shortens a long finding. A part of a check that is run would be another check:
// one that does not fit is left out.
func (o *OpenFinding) cut() {
	o.Cut = true
	o.Class, o.Location = clip(o.Class, maxLabel), clip(o.Location, maxLabel)
	o.Message = clip(o.Message, maxFindingPart)
	for _, part := range []*json.RawMessage{&o.Check, &o.Remedy} {
		if textSize(*part) > maxFindingPart {
			*part = nil
		}
	}
}

// BriefState is what changes with time, beside a brief that does not.
type BriefState struct {
	// NewestRevision tells whether the brief is stale.
	NewestRevision   int64           `json:"newest_revision"`
	Registered       RegisteredRow   `json:"registered"`
	Subject          string          `json:"subject"`
	DoneReport       *DoneRow        `json:"done_report"`
	Rounds           int64           `json:"rounds"`
	ExtensionsUsed   int64           `json:"extensions_used"`
	ExtensionsBudget int64           `json:"extensions_budget"`
	LastRound        *RoundRow       `json:"last_round"`
	Facts            []ledger.Fact   `json:"facts"`
	Next             []contract.Step `json:"next"`
	// RoundTemplate is for a judge of the newest revision.
	RoundTemplate *contract.RoundTemplate `json:"round_template,omitempty"`
}

// RegisteredRow says who registered the brief's revision.
type RegisteredRow struct {
	Who     string         `json:"who"`
	At      string         `json:"at"`
	Receipt ledger.Receipt `json:"receipt"`
}

func newBriefState(r *ledger.Registered, s *ledger.Status) *BriefState {
	return &BriefState{NewestRevision: s.Contract.Revision, Registered: RegisteredRow{r.Who, stamp(r.At), r.Receipt}, Subject: clip(s.Subject, maxLabel), DoneReport: newDoneRow(s.Done),
		Rounds: s.Rounds, ExtensionsUsed: s.ExtensionsUsed, ExtensionsBudget: s.ExtensionsBudget,
		LastRound: newRoundRow(s.Last), Facts: facts(s), Next: s.Next}
}

func facts(s *ledger.Status) []ledger.Fact {
	for i := range s.Facts {
		s.Facts[i].Text = clip(s.Facts[i].Text, maxMessage)
	}
	return s.Facts
}
