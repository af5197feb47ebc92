package tools

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// trees are the roots as one file system, for a contract that was given inline; nil
// where there is no root.
func (r *Roots) trees() fs.FS {
	if r == nil || len(r.dirs) == 0 {
		return nil
	}
	var all layers
	for _, d := range r.dirs {
		all = append(all, d.root.FS())
	}
	return all
}

// artifactRoot is the root that a file was read in, with its directories and links, which the
// rules of artifacts look at.
func artifactRoot(files fs.FS) fs.FS {
	if in, ok := files.(regularFS); ok {
		return in.dir.root.FS()
	}
	return files
}

// layers are file systems one above the other: each name is looked up in the first
// that has it.
type layers []fs.FS

// first runs do on the layers until one has the name.
func first[T any](l layers, op, name string, do func(fs.FS) (T, error)) (found T, err error) {
	err = &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	for _, layer := range l {
		found, err = do(layer)
		if !errors.Is(err, fs.ErrNotExist) {
			return found, err
		}
	}
	return found, err
}

// Open opens a file of the first layer that has it.
func (l layers) Open(name string) (fs.File, error) {
	return first(l, "open", name, func(f fs.FS) (fs.File, error) { return f.Open(name) })
}

// Stat follows links.
func (l layers) Stat(name string) (fs.FileInfo, error) {
	return first(l, "stat", name, func(f fs.FS) (fs.FileInfo, error) { return fs.Stat(f, name) })
}

// Lstat does not.
func (l layers) Lstat(name string) (fs.FileInfo, error) {
	return first(l, "lstat", name, func(f fs.FS) (fs.FileInfo, error) { return fs.Lstat(f, name) })
}

// ReadLink gives where a link leads.
func (l layers) ReadLink(name string) (string, error) {
	return first(l, "readlink", name, func(f fs.FS) (string, error) { return fs.ReadLink(f, name) })
}

// sentFiles are artifacts that came with a call, by their paths.
type sentFiles map[string]string

// UnmarshalJSON refuses a string that no text can hold, whose bytes nobody sent.
func (s *sentFiles) UnmarshalJSON(raw []byte) error {
	v, err := contract.Decode(raw)
	if err != nil {
		return fmt.Errorf("`artifacts` cannot be read: %w", err)
	}
	*s = sentFiles{}
	for _, m := range v.Members {
		if text, ok := m.Value.Text(); ok {
			(*s)[m.Name] = text
		}
	}
	return nil
}

// Open opens a file, or a directory that holds one (which cannot be listed).
func (s sentFiles) Open(name string) (fs.File, error) {
	if text, ok := s[name]; ok {
		return sentFile{strings.NewReader(text), sentInfo{path.Base(name), int64(len(text)), 0o444}}, nil
	}
	for other := range s {
		if strings.HasPrefix(other, name+"/") {
			return sentFile{bytes.NewReader(nil), sentInfo{path.Base(name), 0, fs.ModeDir | 0o555}}, nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type sentFile struct {
	io.Reader
	info sentInfo
}

func (f sentFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f sentFile) Close() error               { return nil }

type sentInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i sentInfo) Name() string       { return i.name }
func (i sentInfo) Size() int64        { return i.size }
func (i sentInfo) Mode() fs.FileMode  { return i.mode }
func (i sentInfo) ModTime() time.Time { return time.Time{} }
func (i sentInfo) IsDir() bool        { return i.mode.IsDir() }
func (i sentInfo) Sys() any           { return nil }

// withSent puts the artifacts that came with a call above the files of the server.
func withSent(sent sentFiles, files fs.FS) fs.FS {
	switch {
	case len(sent) == 0:
		return files
	case files == nil:
		return sent
	}
	return layers{sent, files}
}
