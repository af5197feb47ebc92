package contract

import "fmt"

type roundOptions struct {
	single   bool // there is one contract and no chain: gate.version may be missing
	recorded bool // the round is about to be kept for good
}

// CheckRound judges a round, as [ParseRound] gave it with its report, as the next of
// the chain, and leaves the chain as it is. Where it is about to be recorded, an input
// that cannot be looked up is an error.
func (c *Chain) CheckRound(r *Round, report *Report, recorded bool) *RoundResult {
	return c.check(r, report, roundOptions{recorded: recorded})
}

// AddRound counts a round that [Chain.CheckRound] judged; one that names no revision,
// or an older one, counts nowhere.
func (c *Chain) AddRound(result *RoundResult) {
	if !result.Counts {
		return
	}
	c.floor = result.index
	if result.ExtensionRound {
		c.revisions[c.floor].Extensions++
	}
	if c.floor == len(c.revisions)-1 {
		c.progress.round(result)
	}
}

func (c *Chain) check(r *Round, report *Report, opts roundOptions) *RoundResult {
	j := &roundJudge{RoundResult: &RoundResult{Round: r, Report: report}, recorded: opts.recorded}
	if r == nil {
		return j.RoundResult
	}
	if on := c.revisionOf(j, opts); on != nil {
		j.standard = on.standard
		j.Revision, j.ExtensionsUsed = on.Number, on.Extensions
	}
	if j.standard != nil {
		j.ExtensionsBudget = j.standard.Contract.Budget
		j.findings()
		j.coverage()
		j.budget()
	}
	j.verdict()
	return j.RoundResult
}

// revisionOf finds the revision to judge a round against, nil for none, and reports
// AAC801, AAC802 and AAC803. Whatever a single round names, it is judged against the
// one contract.
func (c *Chain) revisionOf(j *roundJudge, opts roundOptions) *chainRevision {
	var only *chainRevision
	if opts.single {
		only = c.last()
	}
	r := j.Round
	gate, revision := r.Value.Get("gate"), r.Value.Get("revision")
	version := gate.Get("version")
	if version == nil && (gate == nil || gate.Type() == Object) {
		j.Counts = opts.single
		c.noVersion(j, gate, opts)
		return only
	}
	if !r.shape.sound(version) || revision != nil && !r.shape.sound(revision) {
		return only // malformed, so that nobody can say what it names
	}
	index, stale := c.named(r.Version, r.Revision, c.floor)
	if index < 0 {
		c.unknown(j.Report, r.Version, version, revision)
		return only
	}
	on := &c.revisions[index]
	j.Counts, j.index = !stale, index
	if stale {
		j.Report.Add(StaleRevision, version,
			fmt.Sprintf("the round was judged against revision %d, but no round may be on one older than revision %d any more", on.Number, c.revisions[c.floor].Number),
			"read the brief of the newest revision and judge against that")
	}
	return on
}

func (c *Chain) noVersion(j *roundJudge, gate *Value, opts roundOptions) {
	code, at := UnknownRevision, j.Round.Value
	if opts.single {
		code = NoGateVersion
	}
	if gate != nil {
		at = gate
	}
	fix := "set gate.version to the fingerprint of the contract that was judged by"
	if newest := c.last(); newest != nil {
		fix += fmt.Sprintf("; that of revision %d is %s", newest.Number, newest.Fingerprint)
	}
	j.Report.Add(code, at, "the round does not say by gate.version which revision it was judged against", fix)
}

// unknown is AAC801 for a fingerprint, or a number beside it, that no revision has.
func (c *Chain) unknown(report *Report, fingerprint string, at, revision *Value) {
	message := "no revision has the fingerprint " + quoteName(fingerprint)
	if len(c.byLabel[label{fingerprint: fingerprint}]) > 0 {
		at = revision
		message = fmt.Sprintf("no revision %s has the fingerprint %s", revision.Canonical(), quoteName(fingerprint))
	}
	fix := "register the revision first"
	if newest := c.last(); newest != nil {
		fix = fmt.Sprintf("read the brief of the newest revision, %d with the fingerprint %s, and work by that", newest.Number, newest.Fingerprint)
	}
	report.Add(UnknownRevision, at, message, fix)
}
