package scan

import (
	"fmt"
	"time"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// waivers are those of one policy, at work on one document.
type waivers struct {
	list  []agentready.Waiver
	today string // as agentready.Waiver.Expires
	// met counts the findings that each is about; changed, of those, the ones that it
	// would waive were their tool what it was.
	met, changed []int
}

// dayForm is how days are written.
const dayForm = "2006-01-02"

func newWaivers(use *agentready.PolicyUse, now time.Time) *waivers {
	w := &waivers{today: now.UTC().Format(dayForm)}
	if use != nil {
		w.list = use.Waivers
	}
	w.met, w.changed = make([]int, len(w.list)), make([]int, len(w.list))
	return w
}

// apply marks the findings of a tool that are waived.
func (w *waivers) apply(t *agentready.Tool) {
	for i := range t.DetectedRules {
		w.finding(t, &t.DetectedRules[i])
	}
}

// finding marks one finding by the first waiver that holds for it.
func (w *waivers) finding(t *agentready.Tool, r *agentready.Rule) {
	var changed []int
	for i := range w.list {
		waiver := &w.list[i]
		if waiver.Rule != r.RuleCode && waiver.Rule != r.FindingCode || !MatchesTool(waiver.Tool, t.ID) {
			continue
		}
		w.met[i]++
		switch {
		case waiver.Expires != "" && waiver.Expires < w.today:
		case waiver.Definition != "" && waiver.Definition != t.Definition:
			changed = append(changed, i)
		case !r.Waived:
			r.Waived, r.Waiver = true, &agentready.RuleWaiver{Reason: waiver.Reason, Expires: waiver.Expires}
			waiver.Findings++
		}
	}
	if !r.Waived {
		for _, i := range changed {
			w.changed[i]++
		}
	}
}

// settle says what became of each.
func (w *waivers) settle() {
	for i := range w.list {
		waiver := &w.list[i]
		switch {
		case waiver.Expires != "" && waiver.Expires < w.today:
			waiver.State = agentready.WaiverExpired
		case waiver.Findings > 0:
			waiver.State = agentready.WaiverApplied
		case w.changed[i] > 0:
			waiver.State = agentready.WaiverVoid
		default:
			waiver.State = agentready.WaiverUnused
		}
	}
}

// ReportWaivers adds to the notes of exports which waivers do not hold, each once. One
// that holds in another of the exports is well: a policy file may be for several
// documents, whose tools may share names.
func ReportWaivers(exports ...*agentready.Export) {
	type key struct {
		file string
		line int
	}
	holds, scopes := map[key]bool{}, map[string]waiverScope{}
	for _, e := range exports {
		eachWaiver(e, func(w agentready.Waiver) {
			if w.Findings > 0 {
				holds[key{e.Policy.File, w.Line}] = true
			}
		})
		if e.Policy != nil {
			scopes[e.Policy.File] = scopes[e.Policy.File].with(e)
		}
	}
	told := map[key]bool{}
	for _, e := range exports {
		eachWaiver(e, func(w agentready.Waiver) {
			at := key{e.Policy.File, w.Line}
			said := troubles[w.State]
			if said == nil || told[at] || holds[at] && w.Findings == 0 {
				return
			}
			told[at] = true
			e.Notes = append(e.Notes, fmt.Sprintf("%s line %d: the waiver of %s for %s %s",
				e.Policy.File, w.Line, w.Rule, surface.Clip(w.Tool, maxEvidence), said(w, scopes[e.Policy.File])))
		})
	}
}

func eachWaiver(e *agentready.Export, f func(agentready.Waiver)) {
	if e.Policy == nil {
		return
	}
	for _, w := range e.Policy.Waivers {
		f(w)
	}
}

// waiverScope is what of a policy file's documents is known together.
type waiverScope struct {
	documents int
	partial   bool // whether some of them was not read
}

func (s waiverScope) with(e *agentready.Export) waiverScope {
	return waiverScope{s.documents + 1, s.partial || e.Partial}
}

// troubles say of a waiver that does not hold why, and what to do. What documents that are
// scanned apart need is not known, so that none is simply to be removed.
var troubles = map[agentready.WaiverState]func(agentready.Waiver, waiverScope) string{
	agentready.WaiverExpired: func(w agentready.Waiver, _ waiverScope) string {
		return "expired after " + w.Expires + ": mend what it covers, or renew it"
	},
	agentready.WaiverVoid: func(agentready.Waiver, waiverScope) string {
		return "is void: the definition has changed since; look at it again, then mend it or renew the waiver"
	},
	agentready.WaiverUnused: func(_ agentready.Waiver, scope waiverScope) string { return scope.unused() },
}

// unused says of a waiver that it is of no use to the documents.
func (s waiverScope) unused() string {
	if s.documents == 1 {
		return "is unused in this document: correct its rule and tool, unless it is for another document"
	}
	where := fmt.Sprintf("is unused in all %d documents here: ", s.documents)
	if s.partial {
		return where + "correct its rule and tool, unless it is for what was not read"
	}
	return where + "remove it if the policy is for no other, or correct its rule and tool"
}
