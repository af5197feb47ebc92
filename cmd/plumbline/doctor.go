package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const doctorHelp = `Check what a server or a command would find when it is started here: where it may read,
which ledger it uses and as whom, which policy applies, which servers the client
configuration names, and whether a server of this program answers. With --server, also
whether the team's server does, with the token in PLUMBLINE_TOKEN.

Each line is ok, warn or fail, and says what to do. Nothing is written: no ledger is
made where there is none. Exit code 0 means that nothing fails, 1 that something does.`

// doctorTime is how long one check may take unless --timeout says otherwise: none needs a
// second where all is well.
const doctorTime = 15 * time.Second

// doctor is one call of `doctor`.
type doctor struct {
	*process
	service *serviceFlags
	caller  tools.Caller
	roots   []string
	timeout time.Duration
}

func newDoctorCmd(p *process) *cobra.Command {
	d := &doctor{process: p}
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Check how the parts fit that a server finds here",
		Long:    doctorHelp,
		Example: "  plumbline doctor\n  plumbline doctor --server https://plumbline.example --format json",
		Args:    atMost(0, "no arguments"),
	}
	view := addView(cmd)
	d.service = addService(p, cmd)
	cmd.Flags().StringArrayVar(&d.roots, "root", nil, "as for serve: read files inside `DIR` alone; may be repeated")
	cmd.Flags().DurationVar(&d.timeout, "timeout", doctorTime, "`TIME` that one check may take, as 5s or 1m")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if d.timeout <= 0 {
			return usagef("--timeout %v: give a check some time, as 5s or 1m", d.timeout)
		}
		if _, err := d.service.remote(); err != nil {
			return err
		}
		if d.caller, err = d.service.caller(); err != nil {
			return err
		}
		return d.run(cmd.Context(), *view)
	}
	return cmd
}

// grade says how a check went.
type grade string

// The grades, which text and JSON share.
const (
	gradeOK   grade = "ok"
	gradeWarn grade = "warn"
	gradeFail grade = "fail"
)

// diagnosis is what one check found.
type diagnosis struct {
	Check string `json:"check"`
	Grade grade  `json:"status"`
	Found string `json:"found"`
	Next  string `json:"next,omitempty"` // what to do
}

func fine(format string, args ...any) diagnosis {
	return diagnosis{Grade: gradeOK, Found: fmt.Sprintf(format, args...)}
}

func warn(next, format string, args ...any) diagnosis {
	return diagnosis{Grade: gradeWarn, Found: fmt.Sprintf(format, args...), Next: next}
}

// failed is for an error; most say in their message what to do. Nothing is recorded here,
// so that a hint for who was recording says less.
func failed(err error) diagnosis {
	var kept *ledger.Error
	if errors.As(err, &kept) {
		return diagnosis{Grade: gradeFail, Found: strings.TrimSuffix(kept.Message+": "+kept.Detail, ": "), Next: strings.Replace(kept.Hint, ledger.HintRetry, "try again", 1)}
	}
	return diagnosis{Grade: gradeFail, Found: outcome(refusal(err)).message}
}

// doctorChecks are all checks in order; the columns of the text hold the longest name.
var doctorChecks = []struct {
	name  string
	check func(*doctor, context.Context) (diagnosis, error)
}{
	{"version", (*doctor).version},
	{"roots", (*doctor).readableRoots},
	{"git", (*doctor).git},
	{"caller", (*doctor).acts},
	{"ledger", (*doctor).ledger},
	{"chains", (*doctor).chains},
	{"policy", (*doctor).policy},
	{"client", (*doctor).client},
	{"server", (*doctor).team},
	{"handshake", (*doctor).handshake},
}

// errNoCheck is for a check that has nothing to look at.
var errNoCheck = errors.New("nothing to check")

// run makes all checks, each within its time, and tells of each as soon as it is there.
func (d *doctor) run(ctx context.Context, view viewFlag) error {
	all := []diagnosis{}
	counts := map[grade]int{}
	for _, c := range doctorChecks {
		found, err := d.within(ctx, c.check)
		switch {
		case ctx.Err() != nil:
			return errInterrupted
		case errors.Is(err, errNoCheck):
			continue
		case err != nil:
			found = failed(err)
		}
		found.Check = c.name
		all, counts[found.Grade] = append(all, found), counts[found.Grade]+1
		if view == viewText {
			if err := d.tell(found); err != nil {
				return err
			}
		}
	}
	ok := notValidUnless(counts[gradeFail] == 0)
	if view == viewJSON {
		return worstOf(d.writeJSON(struct {
			OK     bool        `json:"ok"`
			Checks []diagnosis `json:"checks"`
		}{ok == nil, all}), ok)
	}
	_, err := fmt.Fprintf(d.stdout, "%s, %s, %d ok\n",
		agentready.Count(counts[gradeFail], "failure"), agentready.Count(counts[gradeWarn], "warning"), counts[gradeOK])
	return worstOf(written(err), ok)
}

// doctorGrace is how long a check may take to end what it started once its time is over:
// more than a server is given to end by itself.
const doctorGrace = 10 * time.Second

// within runs a check beside a clock. What the check started has ended too, unless even
// that takes too long.
func (d *doctor) within(ctx context.Context, check func(*doctor, context.Context) (diagnosis, error)) (diagnosis, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	ended := make(chan struct{})
	found, err := interruptible(ctx, func() (diagnosis, error) {
		defer close(ended)
		return check(d, ctx)
	})
	select {
	case <-ended:
	case <-time.After(doctorGrace):
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return diagnosis{}, usagef("no answer within %v: give it more with --timeout, or see what it waits for", d.timeout)
	}
	return found, err
}

// tell writes a line about a check.
func (d *doctor) tell(found diagnosis) error {
	page := d.newPage(d.stdout)
	next := ""
	if found.Next != "" {
		next = ": " + found.Next
	}
	page.line("%-5s %-10s %s%s", found.Grade, found.Check, found.Found, next)
	_, err := io.WriteString(d.stdout, page.String())
	return written(err)
}
