package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DoneResult is what the rules say of one done report.
type DoneResult struct {
	Done     *Done   // nil where the text is no JSON object
	Report   *Report // every problem of the report
	Revision int64   // the revision that the report was held against; 0 for none

	unjudged bool // since the contract is not valid: the report is about that
}

// incomplete are the errors of a report that does not tell the result of each check.
var incomplete = []Code{InvalidJSON, SchemaProblem, UnknownRevision, StaleRevision, CheckNotReported, CheckUnknown, CheckReportedTwice}

// Complete says that the report tells the result of each check, of the right
// revision: only such a report is recorded.
func (r *DoneResult) Complete() bool {
	return r.Revision > 0 && !r.Report.Has(incomplete...)
}

// IsDone says that the report is complete and every check passed.
func (r *DoneResult) IsDone() bool { return r.Complete() && r.Report.Valid() }

// Failing gives the ids of the criteria that a result is wrong of, each once, in the
// order of the report; empty for a report that is done.
func (r *DoneResult) Failing() []string {
	var ids []string
	for _, p := range r.Report.Errors() {
		rest, _ := strings.CutPrefix(p.Path, "/results/")
		number, _, _ := strings.Cut(rest, "/")
		i, err := strconv.Atoi(number)
		if err != nil || r.Done == nil || i >= len(r.Done.Results) {
			continue // about the report as a whole
		}
		if id := r.Done.Results[i].Criterion; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// CheckDone checks a done report against one contract, as [ParseContract] gave it. On
// a contract that is not valid the report holds the contract's errors alone, their
// paths under /contract.
func CheckDone(c *Contract, contract *Report, done []byte) *DoneResult {
	chain, report := singleChain(c, contract, nil)
	if !report.Valid() {
		return &DoneResult{Report: report, unjudged: true}
	}
	d, report := ParseDone(done)
	return chain.CheckDone(d, report, time.Time{})
}

// CheckDone checks a done report, as [ParseDone] gave it with its report, against the
// newest revision, and leaves the chain as it is. registered is when that revision was
// registered; zero where it is not known.
func (c *Chain) CheckDone(d *Done, report *Report, registered time.Time) *DoneResult {
	result := &DoneResult{Done: d, Report: report}
	newest := c.last()
	if d == nil || newest == nil || newest.standard == nil {
		return result
	}
	result.Revision = newest.Number
	c.checkDoneRevision(d, report)
	j := &doneJudge{Done: d, report: report, contract: newest.contract, registered: registered}
	j.results()
	j.unreported()
	return result
}

// AddDone counts a done report that [Chain.CheckDone] checked.
func (c *Chain) AddDone(result *DoneResult) {
	switch {
	case result.IsDone():
		c.progress.done()
	case result.Complete():
		c.progress.Unfinished = true
	}
}

// checkDoneRevision is AAC801 and AAC802: a report is about the newest revision.
func (c *Chain) checkDoneRevision(d *Done, report *Report) {
	head := d.Value.Get("contract")
	id, fingerprint, revision := head.Get("id"), head.Get("fingerprint"), head.Get("revision")
	if d.shape.sound(id) && d.ContractID != c.id {
		report.Add(UnknownRevision, id,
			fmt.Sprintf("the report is about the contract %s, not %s", quoteName(d.ContractID), quoteName(c.id)),
			"check it against the contract that it names, or run the checks of this one")
		return
	}
	if !d.shape.sound(fingerprint) || revision != nil && !d.shape.sound(revision) {
		return
	}
	newest := c.last()
	index, stale := c.named(d.Fingerprint, d.Revision, len(c.revisions)-1)
	switch {
	case index < 0:
		c.unknown(report, d.Fingerprint, fingerprint, revision)
	case stale:
		report.Add(StaleRevision, fingerprint,
			fmt.Sprintf("the report is about revision %d, but the newest is %d", c.revisions[index].Number, newest.Number),
			fmt.Sprintf("read the brief of revision %d, with the fingerprint %s, and run its checks", newest.Number, newest.Fingerprint))
	default:
		checkDoneBytes(d, newest.contract, report)
	}
}

// checkDoneBytes is AAC801 for a report that tells by its SHA-256 that it was made from
// other bytes than the contract's: many contracts can have one fingerprint.
func checkDoneBytes(d *Done, contract *Contract, report *Report) {
	told := d.Value.Get("contract").Get("sha256")
	if text, _ := told.Text(); d.shape.sound(told) && text != contract.SHA256() {
		report.Add(UnknownRevision, told,
			"the report was made from other bytes than those of this contract, whose SHA-256 is "+contract.SHA256(),
			"get the contract's bytes again, read them, and run its checks")
	}
}

// doneJudge applies the rules of one done report.
type doneJudge struct {
	*Done
	report     *Report
	contract   *Contract
	registered time.Time
	reported   map[checkKey]bool
}

// checkKey names a check of a contract.
type checkKey struct {
	criterion string
	check     int
}

// results judges each result: AAC702 to AAC706.
func (j *doneJudge) results() {
	criteria := map[string]*Criterion{}
	for i := range j.contract.Criteria {
		criteria[j.contract.Criteria[i].ID] = &j.contract.Criteria[i]
	}
	j.reported = map[checkKey]bool{}
	for i := range j.Results {
		r := &j.Results[i]
		if check := j.named(r, criteria[r.Criterion]); check != nil {
			j.same(r, check)
			j.files(r, check)
			j.once(r)
		}
		j.failed(r)
		j.started(r)
	}
}

// named gives the check that a result names; nil for none, which is AAC702 unless the
// name itself is malformed.
func (j *doneJudge) named(r *Result, cr *Criterion) *Check {
	criterion, check := r.Value.Get("criterion"), r.Value.Get("check")
	switch {
	case !j.shape.sound(criterion):
		return nil
	case cr == nil:
		j.unknown(criterion, "the contract has no criterion "+quoteName(r.Criterion))
		return nil
	case !j.shape.sound(check):
		return nil
	case r.Check < 0 || r.Check >= len(cr.Checks):
		j.unknown(check, fmt.Sprintf("the criterion %s has no check %s; its checks are 0 to %d", quoteName(cr.ID), check.Canonical(), len(cr.Checks)-1))
		return nil
	}
	return &cr.Checks[r.Check]
}

func (j *doneJudge) unknown(at *Value, message string) {
	j.report.Add(CheckUnknown, at, message,
		"report the contract's own checks alone, each by its criterion, index, type and command as the contract has them")
}

// same is AAC702 for a check that is read, or of another type or command.
func (j *doneJudge) same(r *Result, check *Check) {
	kind, run := r.Value.Get("type"), r.Value.Get("run")
	switch {
	case !check.Type.Runs():
		j.unknown(r.Value.Get("check"), fmt.Sprintf("check %d of %s is a condition, which is read, not run", r.Check, quoteName(r.Criterion)))
	case j.shape.sound(kind) && r.Type != check.Type:
		j.unknown(kind, fmt.Sprintf("check %d of %s is a %s, not a %s", r.Check, quoteName(r.Criterion), check.Type, quoteName(string(r.Type))))
	case j.shape.sound(run) && r.Run != check.Run:
		j.unknown(run, fmt.Sprintf("check %d of %s runs %s, not %s", r.Check, quoteName(r.Criterion), quoteName(check.Run), quoteName(r.Run)))
	}
}

// once is AAC703.
func (j *doneJudge) once(r *Result) {
	key := checkKey{r.Criterion, r.Check}
	if j.reported[key] {
		j.report.Add(CheckReportedTwice, r.Value,
			fmt.Sprintf("an earlier result is of check %d of %s too", r.Check, quoteName(r.Criterion)), "report each check once, with its last result")
	}
	j.reported[key] = true
}

// failed is AAC704.
func (j *doneJudge) failed(r *Result) {
	passed, exit, timeout := r.Value.Get("passed"), r.Value.Get("exit_code"), r.Value.Get("timed_out")
	var at *Value
	var message string
	if ok, told := passed.Truth(); told && !ok {
		at, message = passed, "the check did not pass"
	}
	if code, told := exit.float(); told && code != 0 {
		at, message = exit, fmt.Sprintf("the check ended with exit code %s", exit.Canonical())
	}
	if out, _ := timeout.Truth(); out {
		at, message = timeout, "the check ran out of time"
	}
	if at != nil {
		j.report.Add(CheckFailed, at, message, "mend the work until "+quoteName(r.Run)+" passes, then run the checks again")
	}
}

// files is AAC705: each file of the check is reported with its fingerprint, and with
// no other.
func (j *doneJudge) files(r *Result, check *Check) {
	list := r.Value.Get("files")
	if list != nil && !j.shape.sound(list) {
		return
	}
	at := r.Value
	if list != nil {
		at = list
	}
	told := toldFiles(r)
	for _, want := range check.Files {
		found, ok := told[want.Path]
		other := found.several || found.fingerprint != want.Fingerprint
		switch {
		case !ok:
			j.report.Add(CheckFileChanged, at,
				fmt.Sprintf("the check depends on %s, which the result does not tell the fingerprint of", quoteName(want.Path)),
				"report the fingerprint the file had before the run, which must be "+want.Fingerprint)
		case other:
			j.report.Add(CheckFileChanged, at,
				fmt.Sprintf("the check depends on %s, which was not as declared", quoteName(want.Path)),
				"restore the file, so that its fingerprint is "+want.Fingerprint+", and run the check again; or let the owner declare it in a new revision")
		}
	}
}

// toldFile is what a result tells of one file.
type toldFile struct {
	fingerprint string
	several     bool // fingerprints of the one file
}

// toldFiles gives the files of a result by their paths.
func toldFiles(r *Result) map[string]toldFile {
	told := make(map[string]toldFile, len(r.Files))
	for _, f := range r.Files {
		was, again := told[f.Path]
		told[f.Path] = toldFile{f.Fingerprint, was.several || again && was.fingerprint != f.Fingerprint}
	}
	return told
}

// started is AAC706.
func (j *doneJudge) started(r *Result) {
	if j.registered.IsZero() || r.StartedAt.IsZero() || !r.StartedAt.Before(j.registered) {
		return
	}
	j.report.Add(BeforeContract, r.Value.Get("started_at"),
		fmt.Sprintf("the check began before its revision was registered at %s", j.registered.UTC().Format(time.RFC3339)),
		"run the check again, against the registered revision")
}

// unreported is AAC701.
func (j *doneJudge) unreported() {
	list := j.Value.Get("results")
	if list.Type() != Array || !j.shape.judged(list) {
		return
	}
	for _, cr := range j.contract.Criteria {
		for i, check := range cr.Checks {
			if check.Type.Runs() && !j.reported[checkKey{cr.ID, i}] {
				j.report.Add(CheckNotReported, list,
					fmt.Sprintf("no result is of check %d of %s", i, quoteName(cr.ID)), "run "+quoteName(check.Run)+" and report its result")
			}
		}
	}
}
