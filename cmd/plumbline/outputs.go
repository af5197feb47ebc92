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
		names := exportNames(s.inputs)
		for _, in := range s.inputs {
			paths = append(paths, filepath.Join(s.flags.out, names[in]))
		}
	}
	return paths
}

// checkOutputs refuses to write two results into one file, or one over a document
// that is scanned.
func (s *scanRun) checkOutputs() error {
	seen := map[string]bool{}
	for _, path := range s.outputs() {
		real := realPath(path)
		if seen[real] {
			return usagef("two results would be written to %s: give each --format its own file, and --out another directory", path)
		}
		seen[real] = true
		if s.scans(path) {
			return usagef("%s would be written over although it is scanned: choose another file", path)
		}
	}
	return nil
}

// scans says whether the file at path is one of the inputs.
func (s *scanRun) scans(path string) bool {
	file, err := os.Stat(path)
	if err != nil {
		return false // it does not exist yet
	}
	for _, in := range s.inputs {
		if from, err := os.Stat(in.name); err == nil && !in.stdin && os.SameFile(from, file) {
			return true
		}
	}
	return false
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
