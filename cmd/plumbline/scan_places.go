package main

import (
	"os"
	"path/filepath"
	"strings"
)

// places names files as programs on another machine find them: relative to the root of
// the repository around the working directory, or to that where there is none.
type places struct {
	base string // absolute
	dir  string // of --root, as of gives files
}

// newPlaces finds the base; root is --root, or empty.
func newPlaces(root string) (*places, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, usagef("the working directory cannot be found: %v: change to one that exists", err)
	}
	p := &places{base: repository(dir)}
	if root != "" {
		p.dir = p.relative(root)
	}
	return p, nil
}

// of is the path of an input with slashes: relative, absolute where it lies outside of
// the base, empty for what is no file.
func (p *places) of(in input) string {
	if !in.isFile() {
		return ""
	}
	return p.relative(in.name)
}

func (p *places) relative(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	relative, err := filepath.Rel(p.base, absolute)
	if err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return "/" + strings.TrimPrefix(filepath.ToSlash(absolute), "/") // of C:\ too
}

// repository is the root of the Git working tree around dir; dir where there is none.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
