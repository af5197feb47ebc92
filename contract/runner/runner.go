// Package runner runs what a contract or a round says to run: the command and preview
// checks that a done report is about, and the command checks of findings. Nothing else
// in this program runs such commands, and none of them before a caller asked for it:
// they are a stranger's text, so a caller shows them to a person first.
package runner

import (
	"context"
	"io/fs"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Limits of running checks.
const (
	// defaultTimeout is how long a check may take that declares no timeout_s.
	defaultTimeout = 10 * time.Minute
	// maxTimeout is the longest time that a check may declare; a longer one is cut.
	maxTimeout = 24 * time.Hour
	// grace is how long the processes of a check may take to end after they are told
	// to, and how long its output is waited for after the command itself ended.
	grace = 2 * time.Second
	// maxTail is how many bytes of the end of an output are kept.
	maxTail = 16 << 10
	// maxReportBytes is the size of the largest report that is written. Tails of
	// outputs are shortened until a report is no larger.
	maxReportBytes = 1 << 20
)

// privatePrefix begins the names of variables that commands do not get: they hold
// tokens and where the ledger is.
const privatePrefix = "PLUMBLINE_"

// Runner runs checks through the system's shell, one after the other.
type Runner struct {
	Dir   string      // where commands run; empty for the working directory
	Files fs.FS       // the root of the files that checks depend on; nil for none
	Env   []string    // NAME=value; variables named PLUMBLINE_* are not passed on
	Show  func(Event) // called before and after each check; nil for nobody
	// Own are files of the caller's, such as the contract and the report: where they lie
	// in the tree and are not tracked, they do not make it dirty.
	Own []fs.FileInfo
}

// Event tells that a check begins, or how it ended.
type Event struct {
	Index, Total int // the check's place among those that are run, from 0
	Check        contract.Check
	Outcome      *Outcome // nil where it begins
}

// Run runs the checks in order and gives their outcomes in that order. A check that
// fails does not keep the next from being run. Where ctx ends, the running check is
// killed; the outcomes before it are given with the error.
func (r *Runner) Run(ctx context.Context, checks []contract.Check) ([]Outcome, error) {
	outcomes := make([]Outcome, 0, len(checks))
	for i, check := range checks {
		if err := ctx.Err(); err != nil {
			return outcomes, err
		}
		r.show(Event{Index: i, Total: len(checks), Check: check})
		outcome := r.check(ctx, check)
		if err := ctx.Err(); err != nil {
			return outcomes, err
		}
		outcomes = append(outcomes, outcome)
		r.show(Event{Index: i, Total: len(checks), Check: check, Outcome: &outcome})
	}
	return outcomes, nil
}

func (r *Runner) show(e Event) {
	if r.Show != nil {
		r.Show(e)
	}
}

// environment is what a command gets.
func (r *Runner) environment() []string {
	env := make([]string, 0, len(r.Env)+1)
	for _, e := range r.Env {
		if !strings.HasPrefix(strings.ToUpper(e), privatePrefix) {
			env = append(env, e)
		}
	}
	if r.Dir != "" {
		env = append(env, "PWD="+r.Dir)
	}
	return env
}
