package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/runner"
)

// newRunner makes what runs commands in a directory. own are the files that the command
// line names, or empty.
func (p *process) newRunner(dir string, own ...string) (r *runner.Runner, close func(), err error) {
	root, close, err := openRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		close()
		return nil, nil, usagef("--root %s: %v", dir, plain(err))
	}
	return &runner.Runner{Dir: absolute, Files: root, Env: p.env, Own: p.ownFiles(own)}, close, nil
}

// ownFiles are those of the files that are there, and the one that stdout leads to.
func (p *process) ownFiles(paths []string) []fs.FileInfo {
	var own []fs.FileInfo
	for _, path := range paths {
		for _, stat := range []func(string) (fs.FileInfo, error){os.Stat, os.Lstat} {
			if info, err := stat(path); err == nil && !info.IsDir() {
				own = append(own, info)
			}
		}
	}
	if f, ok := p.stdout.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			own = append(own, info)
		}
	}
	return own
}

// How much is shown of a check that did not pass.
const (
	shownLines = 10  // of the end of its output
	shownRunes = 200 // of one line
)

// showChecks tells on stderr how the checks go, each by its label, and on a terminal how
// long the one that runs has been running. end is to be called after the last.
func (p *process) showChecks(labels []string) (show func(runner.Event), end func()) {
	var running *progress
	show = func(e runner.Event) {
		running.end()
		page := p.newPage(p.stderr)
		if e.Outcome == nil {
			page.line("[%d/%d] %s: %s", e.Index+1, e.Total, labels[e.Index], clip(e.Check.Run))
		} else {
			page.outcome(e.Outcome)
		}
		_, _ = p.stderr.Write([]byte(page.String()))
		if e.Outcome == nil {
			running = p.newProgress()
			running.check(e.Index, e.Total, time.Now())
		}
	}
	return show, func() { running.end() }
}

// outcome writes how a check ended; of one that did not pass, the end of its output.
func (b *page) outcome(o *runner.Outcome) {
	took := (time.Duration(o.DurationMS) * time.Millisecond).String()
	if o.Passed {
		b.line("      passed after %s", took)
	} else {
		b.line("      did not pass: exit code %d after %s", o.ExitCode, took)
	}
	if o.Problem != "" {
		b.text("  %s", o.Problem)
	}
	if o.Passed {
		return
	}
	lines := strings.Split(strings.TrimRight(o.OutputTail, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-shownLines):] {
		if line != "" {
			b.line("      | %s", clip(line))
		}
	}
}

// clip cuts a text to what a line can hold.
func clip(s string) string {
	n := 0
	for i := range s {
		if n == shownRunes {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
