package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// write writes the file, unless it changed since it was shown, by another `init` too.
func (f proposal) write(ctx context.Context) error {
	if f.old == nil {
		return f.writeNew()
	}
	return alone(ctx, f.name, func() error {
		return writeFile(f.name, func(w io.Writer) error {
			if _, err := w.Write(f.text); err != nil {
				return err
			}
			return f.unchanged() // just before it is put in the old one's place
		})
	})
}

// changedSince is for a file that somebody else wrote since it was shown.
const changedSince = "it changed in the meantime and is left: run `plumbline init` again"

func (f proposal) unchanged() error {
	if now, err := os.ReadFile(f.name); err != nil || !bytes.Equal(now, f.old) {
		return errors.New(changedSince)
	}
	return nil
}

// writeNew makes the file, where its name is free at that moment.
func (f proposal) writeNew() error {
	err := writeAside(f.name, 0, writing(f.text), linkOrCopy)
	if errors.Is(err, fs.ErrExist) {
		return usagef("cannot write %s: %s", f.name, changedSince)
	}
	if err != nil {
		return usagef("cannot write %s: %v", f.name, plain(err))
	}
	return nil
}

// linkOrCopy puts a file where there must be none yet. Not every file system has links.
func linkOrCopy(part, path string) error {
	err := os.Link(part, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	text, err := os.ReadFile(part)
	if err != nil {
		return err
	}
	made, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return writeTo(made, err)(writing(text))
}
