package runner

import (
	"errors"
	"fmt"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// resume keeps what passed in an earlier report. It must be about the same bytes of
// the contract; where it is about another commit, nothing of it is kept, since a report
// has one subject.
func (r *Runner) resume(plan *Plan, text []byte) error {
	c := plan.Contract
	checked := contract.CheckDone(c, &contract.Report{}, text)
	if checked.Report.Has(contract.InvalidJSON, contract.SchemaProblem) {
		return errors.New("the report to resume is not a done report: `plumbline done check` says what is wrong with it")
	}
	sha, _ := checked.Done.Value.Get("contract").Get("sha256").Text()
	if sha != c.SHA256() || checked.Report.Has(contract.UnknownRevision, contract.StaleRevision) {
		return fmt.Errorf("the report to resume is not about this contract, whose sha256 is %s: run all checks, without --resume", c.SHA256())
	}
	if commit := plan.commit(); checked.Done.Commit != commit {
		plan.Rerun = fmt.Sprintf("the report to resume is about %s and the tree is at %s, so every check is run again", orNone(checked.Done.Commit), orNone(commit))
		return nil
	}
	if plan.Subject != nil && checked.Done.Dirty {
		plan.Subject.Dirty = true // the results that are kept are of such a tree
	}
	plan.Kept = r.passed(checked)
	return nil
}

func (p *Plan) commit() string {
	if p.Subject == nil {
		return ""
	}
	return p.Subject.Commit
}

func orNone(commit string) string {
	if commit == "" {
		return "no commit"
	}
	return "the commit " + commit
}

// passed are the results that no problem was found with, and whose files are still as
// declared.
func (r *Runner) passed(checked *contract.DoneResult) []Result {
	faulty := map[string]bool{}
	for _, problem := range checked.Report.Errors() {
		if rest, ok := strings.CutPrefix(problem.Path, "/results/"); ok {
			index, _, _ := strings.Cut(rest, "/")
			faulty["/results/"+index] = true
		}
	}
	var kept []Result
	for i := range checked.Done.Results {
		result := &checked.Done.Results[i]
		if !faulty[result.Value.Pointer()] && r.unchanged(result.Files) {
			kept = append(kept, keep(result))
		}
	}
	return kept
}

func (r *Runner) unchanged(files []contract.ArtifactRef) bool {
	_, problem := r.fingerprints(files)
	return problem == ""
}

// keep reads a result of a sound report by its exact member names.
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
