package runner

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Job is one check of a contract that a done report owes a result of.
type Job struct {
	Criterion string
	Index     int // of the check in its criterion
	Check     contract.Check
}

// jobKey names a check of a contract.
type jobKey struct {
	criterion string
	index     int
}

func (j Job) key() jobKey { return jobKey{j.Criterion, j.Index} }

// Plan is which checks of a contract are run, and which results of an earlier report
// stand.
type Plan struct {
	Contract *contract.Contract
	Subject  *Subject // nil where it is not known
	Jobs     []Job    // to run, in contract order
	Kept     []Result
	// Rerun says in words why nothing of the earlier report was kept; empty otherwise.
	Rerun string

	earlier *contract.DoneResult // the report to resume; nil for none
}

// NewPlan plans the checks of a valid contract: of the criteria that only names, of all
// for none. resume is an earlier report, nil for none. It starts nothing, so that somebody
// can agree to its jobs before [Runner.Begin]. The error is for a person.
func NewPlan(c *contract.Contract, only []string, resume []byte) (*Plan, error) {
	if err := known(c, only); err != nil {
		return nil, err
	}
	plan := &Plan{Contract: c}
	if resume != nil {
		var err error
		if plan.earlier, err = readEarlier(c, resume); err != nil {
			return nil, err
		}
	}
	for _, job := range jobs(c) {
		if len(only) == 0 || slices.Contains(only, job.Criterion) {
			plan.Jobs = append(plan.Jobs, job)
		}
	}
	return plan, nil
}

// Begin looks at the tree, once somebody agreed to the plan's jobs, if it has any. What
// passed in the earlier report leaves the jobs, if that is about this contract, and both
// it and the tree are at one commit without changes; else Rerun says why not.
func (r *Runner) Begin(ctx context.Context, plan *Plan) {
	plan.Subject = r.Subject(ctx)
	if plan.earlier == nil || len(plan.Jobs) == 0 {
		return
	}
	r.resume(plan)
	kept := map[jobKey]bool{}
	for _, result := range plan.Kept {
		kept[jobKey{result.Criterion, result.Check}] = true
	}
	plan.Jobs = slices.DeleteFunc(plan.Jobs, func(job Job) bool { return kept[job.key()] })
}

// jobs are all checks that are run, in contract order.
func jobs(c *contract.Contract) []Job {
	var all []Job
	for _, cr := range c.Criteria {
		for i, check := range cr.Checks {
			if check.Type.Runs() {
				all = append(all, Job{cr.ID, i, check})
			}
		}
	}
	return all
}

// known refuses names of criteria that have nothing to run.
func known(c *contract.Contract, only []string) error {
	var names []string
	for _, job := range jobs(c) {
		if !slices.Contains(names, job.Criterion) {
			names = append(names, job.Criterion)
		}
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no criterion %s has a check to run: use one of %s", strconv.Quote(name), strings.Join(names, ", "))
		}
	}
	return nil
}

// Checks are the checks to run, as [Runner.Run] takes them.
func (p *Plan) Checks() []contract.Check {
	checks := make([]contract.Check, len(p.Jobs))
	for i, job := range p.Jobs {
		checks[i] = job.Check
	}
	return checks
}

// Done runs the checks of a plan that began and reports their results with those that were kept,
// in contract order. The tree counts as dirty where it was so before or after the run,
// or is at another commit now: a check may have changed it under those behind it. Where
// ctx ends, the report has the results until then, and the error says so.
func (r *Runner) Done(ctx context.Context, plan *Plan) (*Report, error) {
	outcomes, err := r.Run(ctx, plan.Checks())
	results := map[jobKey]Result{}
	for _, kept := range plan.Kept {
		results[jobKey{kept.Criterion, kept.Check}] = kept
	}
	for i, outcome := range outcomes {
		job := plan.Jobs[i]
		results[job.key()] = Result{job.Criterion, job.Index, outcome}
	}
	report := newReport(plan)
	if report.Subject != nil && len(outcomes) > 0 {
		after := r.Subject(context.WithoutCancel(ctx))
		report.Subject.Dirty = report.Subject.Dirty || after == nil || after.Dirty || after.Commit != report.Subject.Commit
	}
	for _, job := range jobs(plan.Contract) {
		if result, ok := results[job.key()]; ok {
			report.Results = append(report.Results, result)
		}
	}
	return report, err
}
