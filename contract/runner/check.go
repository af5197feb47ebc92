package runner

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Outcome is how one check ended (objects page, section 7). Problem is this project's
// own member: in words, why a check did not pass where its exit code does not tell.
type Outcome struct {
	Type         contract.CheckType `json:"type"`
	Run          string             `json:"run"`
	ExitCode     int                `json:"exit_code"` // 128 + the signal that ended it; 127 where it could not be started
	Passed       bool               `json:"passed"`
	Problem      string             `json:"problem,omitempty"`
	OutputSHA256 string             `json:"output_sha256,omitempty"` // of stdout and stderr as they came
	OutputBytes  int64              `json:"output_bytes"`
	OutputTail   string             `json:"output_tail"` // the last 16 KiB, as valid UTF-8
	TimedOut     bool               `json:"timed_out"`
	Files        []File             `json:"files,omitempty"`      // as they were before the run
	StartedAt    string             `json:"started_at,omitempty"` // RFC 3339, in UTC, to the millisecond
	DurationMS   int64              `json:"duration_ms"`
}

// File is a file that a check depends on, with the fingerprint it had.
type File struct {
	Artifact    string `json:"artifact"`
	Fingerprint string `json:"fingerprint"`
}

// exitNotStarted is the exit code of a command that could not be started, as shells
// have it for one that is not found.
const exitNotStarted = 127

// timeLayout is RFC 3339 to the millisecond: whole seconds would put a check before
// the registration that it came after.
const timeLayout = "2006-01-02T15:04:05.000Z"

// check verifies the files of a check and runs it.
func (r *Runner) check(ctx context.Context, check contract.Check) Outcome {
	o := Outcome{Type: check.Type, Run: check.Run}
	o.Files, o.Problem = r.fingerprints(check.Files)
	started := time.Now()
	o.StartedAt = started.UTC().Format(timeLayout)
	out := newOutput(check.Expect)
	r.shell(ctx, check, out, &o)
	o.DurationMS = time.Since(started).Milliseconds()
	o.OutputSHA256, o.OutputBytes, o.OutputTail = out.sum(), out.bytes, out.text()
	o.Passed = o.ExitCode == 0 && !o.TimedOut && out.found
	if o.ExitCode == 0 && !o.TimedOut && !out.found {
		o.Problem = "its output does not contain " + strconv.Quote(check.Expect)
	}
	return o
}

// shell runs the command and tells in o how it ended. Whatever it started is killed
// when it returns, but for processes that made a session of their own.
func (r *Runner) shell(ctx context.Context, check contract.Check, out *output, o *Outcome) {
	limit := timeout(check)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := shellCommand(ctx, check.Run)
	cmd.Dir, cmd.Env = r.Dir, r.environment()
	cmd.Stdout, cmd.Stderr = out, out // one pipe, so that lines keep their order
	cmd.WaitDelay = grace
	cmd.Cancel = func() error {
		o.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
		return stopGroup(cmd.Process.Pid)
	}
	if err := cmd.Start(); err != nil {
		o.ExitCode, o.Problem = exitNotStarted, "it could not be started: "+bare(err).Error()
		return
	}
	// The error says what the state does, or that a child kept the output open.
	_ = cmd.Wait()
	killGroup(cmd.Process.Pid)
	o.ExitCode = exitCode(cmd.ProcessState)
	if o.TimedOut {
		o.Problem = fmt.Sprintf("it took longer than %v and was killed", limit)
	}
}

// bare is the error without the name of the shell's file.
func bare(err error) error {
	if inner := errors.Unwrap(err); inner != nil && !errors.Is(err, exec.ErrNotFound) {
		return inner
	}
	return err
}

// timeout is how long a check may take: what it declares, at most maxTimeout, else
// defaultTimeout.
func timeout(check contract.Check) time.Duration {
	switch {
	case check.Timeout <= 0:
		return defaultTimeout
	case check.Timeout >= maxTimeout.Seconds():
		return maxTimeout
	}
	return time.Duration(check.Timeout * float64(time.Second))
}

// fingerprints reads the files that a check depends on. Those that cannot be read are
// left out, and the problem says why of the first.
func (r *Runner) fingerprints(files []contract.ArtifactRef) (read []File, problem string) {
	for _, ref := range files {
		data, err := contract.ReadArtifact(r.Files, ref.Path)
		if err != nil {
			if problem == "" {
				problem = "a file it depends on: " + err.Error()
			}
			continue
		}
		f := File{ref.Path, contract.Fingerprint(data)}
		if f.Fingerprint != ref.Fingerprint && problem == "" {
			problem = fmt.Sprintf("a file it depends on, %s, is %s and not %s as declared", strconv.Quote(f.Artifact), f.Fingerprint, ref.Fingerprint)
		}
		read = append(read, f)
	}
	return read, problem
}
