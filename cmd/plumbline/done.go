package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/runner"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const doneHelp = `A done report says how each command and preview check of a contract ended. It is the
builder's own word, given before a judge looks at the work.`

func newDoneCmd(p *process) *cobra.Command {
	return newGroup("done", "Run a contract's checks, and check a done report", doneHelp,
		newDoneRunCmd(p),
		newDoneCheckCmd(p),
	)
}

const doneCheckHelp = `Hold a done report against a contract: one of a file, or with --id the newest revision
in the ledger. --record records a complete report for good, also one of unfinished
work, under a key of your own for this attempt: a retry under the same key is not
recorded twice. Exit code 0 means that the work is done.`

const doneCheckExample = `  plumbline done check --contract contract.json done.json
  plumbline done check --id refunds --record --submission done-1 done.json`

func newDoneCheckCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "check [--contract FILE | --id ID] REPORT",
		Short:   "Check a done report against a contract",
		Long:    doneCheckHelp,
		Args:    exactly(1, "one done report"),
		Example: doneCheckExample,
	}
	view := addView(cmd)
	held := addHeld(p, cmd, "look in `DIR` for links of the contract that lead out of it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return doneChecking.run(cmd.Context(), p, held, *view, args[0])
	}
	return cmd
}

var doneChecking = checking[tools.DoneAnswer]{
	tool: "check_done", argument: "report", limit: maxReport,
	alone: func(c givenContract, text []byte, _ fs.FS) tools.DoneAnswer {
		result := contract.CheckDone(c.Contract, c.report, text)
		return *tools.NewDoneAnswer(c.Contract, result, tools.Recording{Next: contract.NextAfterDone(result)})
	},
	parts: func(a *tools.DoneAnswer) (*tools.About, *tools.Recording, map[string]int) {
		return &a.About, &a.Recording, a.Omitted
	},
	details: func(b *page, _ []byte, a *tools.DoneAnswer) error {
		if a.Complete && !a.Done {
			b.line("    complete, but the work is not done")
		}
		return nil
	},
}

const doneRunHelp = `Run every command and preview check of a contract, in order, through the shell in
--root, and write the done report: how each ended, the digest and the end of its
output, the commit and whether the tree holds anything else, but for the files that this
command is given and not committed: the contract and the reports. A check has 10 minutes
unless it declares timeout_s. What it started is killed at its end, but for what left its
process group, as with setsid. PLUMBLINE_* variables are not passed on.

The commands are the contract's author's: they are shown, and nothing runs before you
agree. Without a terminal, --trust names the contract that you have read.

Exit code 0 means that every check that was asked for passed. With --resume, what
passed in the earlier report stands, if it is about the same contract and commit, and the
tree neither held nor holds anything else; otherwise every check is run again.`

const doneRunExample = `  plumbline done run contract.json --out done.json
  plumbline done run contract.json --resume done.json --out done.json
  plumbline done run contract.json --only refund-limit`

// doneRun is one call of `done run`.
type doneRun struct {
	*process
	root, trust, resume, out string
	only                     []string
}

func newDoneRunCmd(p *process) *cobra.Command {
	run := &doneRun{process: p}
	cmd := &cobra.Command{
		Use:     "run CONTRACT",
		Short:   "Run a contract's checks and write the done report",
		Long:    doneRunHelp,
		Example: doneRunExample,
		Args:    exactly(1, "one contract"),
		RunE:    func(cmd *cobra.Command, args []string) error { return run.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&run.root, "root", ".", "run in `DIR`, where the files that checks depend on lie")
	f.StringVar(&run.trust, "trust", "", trustUsage)
	f.StringVar(&run.resume, "resume", "", "run only what failed or is missing in `REPORT`, if the tree is the same commit without changes")
	addOut(f, &run.out, "report")
	f.StringArrayVar(&run.only, "only", nil, "run only the checks of `CRITERION`; may be repeated")
	return cmd
}

func (d *doneRun) run(ctx context.Context, path string) error {
	if err := d.checkOut(path); err != nil {
		return err
	}
	r, close, err := d.newRunner(d.root, path, d.resume, d.out)
	if err != nil {
		return err
	}
	defer close()
	c, earlier, err := d.read(ctx, path)
	if err != nil {
		return err
	}
	c.report.Merge(contract.CheckLinks(c.Contract, r.Files), "")
	if !c.report.Valid() {
		page := d.newPage(d.stderr)
		page.verdict(c.name, tools.NewAbout(c.Contract, c.report))
		page.problems(c.name, c.report.Errors(), c.report.Warnings())
		return worstOf(page.print(d.stderr), errNotValid)
	}
	plan, err := runner.NewPlan(c.Contract, d.only, earlier)
	if err != nil {
		return usagef("%v", err)
	}
	batch := batch{kind: "contract", file: c.object, root: d.root, trust: d.trust, labels: jobLabels(plan), checks: plan.Checks()}
	if err := d.agree(ctx, batch); err != nil {
		return err
	}
	r.Begin(ctx, plan)
	if plan.Rerun != "" {
		d.complain("%s", plan.Rerun)
	}
	show, end := d.showChecks(jobLabels(plan))
	r.Show = show
	report, err := r.Done(ctx, plan)
	end()
	return d.finish(c, report, err)
}

// jobLabels say what each job of a plan is.
func jobLabels(plan *runner.Plan) []string {
	labels := make([]string, len(plan.Jobs))
	for i, job := range plan.Jobs {
		labels[i] = fmt.Sprintf("%s, check %d", job.Criterion, job.Index)
	}
	return labels
}

// checkOut makes sure, before checks run for long, that their report has a place, and
// that it is not the contract's.
func (d *doneRun) checkOut(contractPath string) error {
	if d.out == "" {
		return nil
	}
	if dir, err := os.Stat(filepath.Dir(d.out)); err != nil || !dir.IsDir() {
		return usagef("--out %s: there is no directory %s: make it first", d.out, filepath.Dir(d.out))
	}
	return notOver(d.out, contractPath, "contract")
}

// read reads the contract, and the report to resume if there is one.
func (d *doneRun) read(ctx context.Context, path string) (c givenContract, earlier []byte, err error) {
	paths := []string{path}
	if d.resume != "" {
		paths = append(paths, d.resume)
	}
	given, err := d.readObjects(ctx, []int64{maxObject, maxReport}, paths...)
	if err != nil {
		return c, nil, err
	}
	if d.resume != "" {
		earlier = given[1].text
	}
	return parseContract(given[0], nil), earlier, nil
}

// finish writes the report, also of a run that was interrupted, and says how it ended.
func (d *doneRun) finish(c givenContract, report *runner.Report, interrupted error) error {
	text, err := report.Text()
	if err != nil {
		return &exitError{code: exitInternal, message: err.Error()}
	}
	text = agentready.EscapeUnseen(text)
	if d.out != "" {
		err = writeFile(d.out, writing(text))
	} else {
		_, err = d.stdout.Write(text)
		err = written(err)
	}
	if err != nil {
		return err
	}
	if interrupted != nil {
		d.complain("interrupted after %s: --resume with the report runs the others", agentready.Count(len(report.Results), "result"))
		return errInterrupted
	}
	return d.sum(c, contract.CheckDone(c.Contract, c.report, text))
}

// sum says on stderr what the report shows. Only a report of all checks is a done
// report; with --only, the checks that were asked for decide.
func (d *doneRun) sum(c givenContract, result *contract.DoneResult) error {
	errs := result.Report.Errors()
	missing := func(p contract.Problem) bool { return p.Code == contract.CheckNotReported }
	unreported := len(errs) - len(slices.DeleteFunc(slices.Clone(errs), missing))
	page := d.newPage(d.stderr)
	switch {
	case result.IsDone():
		page.line("DONE %s: every check passed", c.name)
	case unreported > 0:
		page.line("NOT DONE %s: without a result of %s this is no done report yet", c.name, agentready.Count(unreported, "check"))
	default:
		page.line("NOT DONE %s: not every check passed", c.name)
	}
	if len(d.only) > 0 {
		errs = slices.DeleteFunc(errs, missing)
	}
	return worstOf(page.print(d.stderr), notValidUnless(len(errs) == 0))
}
