package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// unfinished is the directory, in the one to write to, that holds a release until all
// of it is made. It lies there because files can only be moved within a file system.
const unfinished = ".unfinished"

// place is a directory that one release alone writes to.
type place struct {
	dir     string
	created bool // whether it was not there before
}

// claim takes a directory that holds nothing for one release.
func claim(dir string) (*place, error) {
	p := &place{dir: dir}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		p.created = true
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	err := os.Mkdir(p.filling(), 0o755)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is there, so another release writes to %s or was killed: wait for it or remove the directory, or name another one with -out", p.filling(), dir)
	}
	if err != nil {
		return nil, err
	}
	held, err := os.ReadDir(dir)
	if err == nil && len(held) > 1 {
		err = fmt.Errorf("%s holds files already: remove them, or name another directory with -out", dir)
	}
	if err != nil {
		p.leave()
		return nil, err
	}
	return p, nil
}

// filling is the directory to write the files to until they are published.
func (p *place) filling() string { return filepath.Join(p.dir, unfinished) }

// publish moves the files to where they belong, in the order given.
func (p *place) publish(names []string) error {
	for _, name := range names {
		file := filepath.Join(p.dir, name)
		if err := os.Rename(filepath.Join(p.filling(), name), file); err != nil {
			return err
		}
		fmt.Println(file)
	}
	return nil
}

// leave removes what is not published.
func (p *place) leave() {
	os.RemoveAll(p.filling())
	if p.created {
		os.Remove(p.dir) // which fails where something was published, as it should
	}
}
