package runner

import (
	"errors"
	"fmt"
	"slices"

	"github.com/plumbline-mcp/plumbline/contract"
)

// readEarlier reads a report to resume.
func readEarlier(c *contract.Contract, text []byte) (*contract.DoneResult, error) {
	checked := contract.CheckDone(c, &contract.Report{}, text)
	if checked.Report.Has(contract.InvalidJSON, contract.SchemaProblem) {
		return nil, errors.New("the report to resume is not a done report: `plumbline done check` says what is wrong with it")
	}
	return checked, nil
}

// resume keeps what passed in an earlier report. Unless it is certain that it is about the
// same bytes of the contract and the same tree, nothing of it is kept: what passed there
// may fail here.
func (r *Runner) resume(plan *Plan) {
	c, checked := plan.Contract, plan.earlier
	why := otherTree(checked.Done, plan.Subject)
	sha, _ := checked.Done.Value.Get("contract").Get("sha256").Text()
	if sha != c.SHA256() || checked.Report.Has(contract.UnknownRevision, contract.StaleRevision) {
		why = fmt.Sprintf("the report to resume is not about this contract, whose sha256 is %s", c.SHA256())
	}
	if why == "" {
		plan.Kept = r.passed(c, checked.Done.Results)
	} else {
		plan.Rerun = why + ", so every check is run again"
	}
}

// otherTree says why the tree need not be the one that an earlier report is about; empty
// where it is: only a commit without changes names one tree.
func otherTree(earlier *contract.Done, now *Subject) string {
	why := ""
	dirty, told := earlier.Value.Get("subject").Get("dirty").Truth()
	switch {
	case now == nil || now.Commit == "":
		why = "the tree is at no commit, and nothing tells whether it has changed"
	case earlier.Commit != now.Commit:
		why = fmt.Sprintf("the report to resume is about %s and the tree is at %s", orNone(earlier.Commit), orNone(now.Commit))
	case dirty || !told:
		why = "the report to resume is about a tree that held what is not committed"
	case now.Dirty:
		why = "the tree holds what is not committed"
	}
	return why
}

func orNone(commit string) string {
	if commit == "" {
		return "no commit"
	}
	return "the commit " + commit
}

// passed are the results that alone tell of a check of the contract, and of its pass, and
// whose files are still as declared. Each is judged by what it says itself: what is
// wrong with a report is a list that leaves out what is beyond its limits.
func (r *Runner) passed(c *contract.Contract, results []contract.Result) []Result {
	told := map[jobKey][]*contract.Result{}
	for i := range results {
		key := jobKey{results[i].Criterion, results[i].Check}
		told[key] = append(told[key], &results[i])
	}
	var kept []Result
	for _, job := range jobs(c) {
		found := told[job.key()]
		if len(found) == 1 && job.passedBy(found[0]) && r.unchanged(found[0].Files) {
			kept = append(kept, keep(found[0]))
		}
	}
	return kept
}

// passedBy says whether a result tells that exactly this check passed, with the files
// that it declares.
func (j Job) passedBy(result *contract.Result) bool {
	passed, _ := result.Value.Get("passed").Truth()
	code, isNumber := result.Value.Get("exit_code").Int()
	timedOut, _ := result.Value.Get("timed_out").Truth()
	if !passed || !isNumber || code != 0 || timedOut || result.Type != j.Check.Type || result.Run != j.Check.Run {
		return false
	}
	for _, file := range j.Check.Files {
		same := func(f contract.ArtifactRef) bool {
			return f.Path == file.Path && f.Fingerprint == file.Fingerprint
		}
		if !slices.ContainsFunc(result.Files, same) {
			return false
		}
	}
	return true
}

func (r *Runner) unchanged(files []contract.ArtifactRef) bool {
	_, problem := r.fingerprints(files)
	return problem == ""
}

// keep reads a result of a sound report that passed by its exact member names.
func keep(result *contract.Result) Result {
	v := result.Value
	kept := Result{Criterion: result.Criterion, Check: result.Check, Outcome: Outcome{
		Type: result.Type, Run: result.Run, Passed: true,
	}}
	kept.OutputSHA256, _ = v.Get("output_sha256").Text()
	kept.OutputBytes, _ = v.Get("output_bytes").Int()
	kept.OutputTail, _ = v.Get("output_tail").Text()
	kept.StartedAt, _ = v.Get("started_at").Text()
	kept.DurationMS, _ = v.Get("duration_ms").Int()
	for _, f := range result.Files {
		kept.Files = append(kept.Files, File{f.Path, f.Fingerprint})
	}
	return kept
}
