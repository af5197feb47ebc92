package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// write writes all that was asked for: the formats, then the job summary, then the
// exports under --out. Of no items too: what an earlier run wrote is not this one's result.
func (s *scanRun) write(ctx context.Context, items []report.Item, files []input) error {
	verdicts := true
	for _, f := range s.flags.formats.orDefault() {
		if f.file == "" && f.format.Name == textFormat {
			verdicts = false
		}
		if err := s.writeFormat(ctx, f, items); err != nil {
			return err
		}
	}
	if verdicts {
		for _, item := range items {
			fmt.Fprintln(s.stderr, item.Line())
		}
	}
	if err := s.writeSummary(items); err != nil {
		return err
	}
	if s.flags.out == "" || len(items) == 0 {
		return nil
	}
	return writeExports(ctx, s.flags.out, s.named, files, items)
}

func (s *scanRun) writeFormat(ctx context.Context, f formatFlag, items []report.Item) error {
	if f.file != "" {
		return writeFile(f.file, until(ctx, func(w io.Writer) error { return f.format.Write(w, items, s.options(report.Options{})) }))
	}
	if len(items) == 0 && f.format.Name == jsonFormat {
		return nil // a reader waits for an export, and no list stands for one
	}
	if err := f.format.Write(s.stdout, items, s.options(s.view(s.stdout))); err != nil {
		return usagef("cannot write the result: %v", err)
	}
	return nil
}

// options adds to how a view looks what all formats are told.
func (s *scanRun) options(o report.Options) report.Options {
	o.All, o.AllHint = s.flags.all, "--all"
	o.Unread, o.Rules, o.Version = s.unread, scan.Rules(), version()
	return o
}

// GitHub Actions shows as a job's summary what its steps append to the file that
// summaryVariable names, at most maxSummary bytes a step, or none of it.
const (
	githubFormat    = "github"
	markdownFormat  = "markdown"
	summaryVariable = "GITHUB_STEP_SUMMARY"
	maxSummary      = 1 << 20
	minSummary      = 4 << 10 // with room for less there is none worth writing
)

// summaryFile is where the job summary goes; empty for none.
func (s *scanRun) summaryFile() string {
	for _, f := range s.flags.formats {
		if f.format.Name == githubFormat {
			return s.getenv(summaryVariable)
		}
	}
	return ""
}

// writeSummary appends the scan to the job summary, if one is asked for and has room.
func (s *scanRun) writeSummary(items []report.Item) error {
	path := s.summaryFile()
	if path == "" {
		return nil
	}
	room := maxSummary
	if info, err := os.Stat(path); err == nil {
		room -= int(min(info.Size(), maxSummary))
	}
	if room < minSummary {
		s.complain("no job summary: %s is nearly as large as GitHub allows for a step", path)
		return nil
	}
	format, err := report.Find(markdownFormat)
	if err != nil {
		return err
	}
	opts := s.options(report.Options{MaxBytes: room})
	var before string // what ends the line of another step
	if unended(path) {
		before = "\n"
		opts.MaxBytes--
	}
	err = writeTo(os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666))(func(w io.Writer) error {
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		return format.Write(w, items, opts)
	})
	if err != nil {
		return usagef("cannot write the job summary %s: %v: correct or unset %s", path, plain(err), summaryVariable)
	}
	return nil
}

// unended says whether a file ends within a line.
func unended(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}
