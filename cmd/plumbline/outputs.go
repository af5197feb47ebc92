package main

import (
	"os"
	"path/filepath"
)

// outputs are the files that the run writes, in the order in which they were asked
// for.
func (s *scanRun) outputs() []string {
	var paths []string
	for _, f := range s.flags.formats {
		if f.file != "" {
			paths = append(paths, f.file)
		}
	}
	if summary := s.summaryFile(); summary != "" {
		paths = append(paths, summary)
	}
	if s.flags.out != "" {
		names := exportNames(s.named)
		for _, in := range s.inputs {
			paths = append(paths, filepath.Join(s.flags.out, names[in]))
		}
	}
	return paths
}

// checkOutputs refuses to write two results into one file, or one over a document
// that is scanned, its policy or its baseline: a scan that fails must not become the
// standard of the next.
func (s *scanRun) checkOutputs() error {
	seen := map[string]bool{}
	for _, path := range s.outputs() {
		real := realPath(path)
		if seen[real] {
			return usagef("two results would be written to %s: give each --format its own file, and --out another directory", path)
		}
		seen[real] = true
		if what := s.reads(path); what != "" {
			return usagef("%s would be written over although it is %s: choose another file", path, what)
		}
	}
	return nil
}

// reads says as what the file at path is read; empty where it is not.
func (s *scanRun) reads(path string) string {
	is := func(name string) bool { return oneFile(name, path) }
	for _, in := range s.inputs {
		switch {
		case in.isFile() && is(in.name):
			return "scanned"
		case is(s.flags.live.config):
			return "the client's configuration"
		case is(s.flags.lock):
			return "the lock"
		case is(s.policies[in].path):
			return "the policy"
		case is(s.baselines[in].path):
			return "the baseline"
		}
	}
	return ""
}

// oneFile says whether two names are of one file. Where there is none, they are not.
func oneFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// notOver refuses an --out that is the file a command reads; what says as what.
func notOver(out, read, what string) error {
	if oneFile(out, read) {
		return usagef("--out %s would write over the %s: choose another file", out, what)
	}
	return nil
}

// realPath is the one absolute path of a file, which need not exist, however it is
// named: links are followed as far as there are any.
func realPath(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	dir, base := filepath.Split(absolute)
	if parent := filepath.Clean(dir); parent != absolute {
		return filepath.Join(realPath(parent), base)
	}
	return absolute
}
