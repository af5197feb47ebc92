package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/tools"
)

// maxInput is the largest document that is read, in bytes: twice the server's, since here
// one is read at a time.
const maxInput = 128 << 20

// reader reads inputs, never more than maxInput bytes each.
type reader struct {
	stdin io.Reader
	root  string
	lists map[input]serverList // of the inputs that are servers
	roots *tools.Roots         // nil where no references to other files are followed
}

// newReader makes a reader; root is the directory inside which references to other
// files are followed, or empty.
func newReader(stdin io.Reader, root string) (*reader, error) {
	r := &reader{stdin: stdin, root: root}
	if root == "" {
		return r, nil
	}
	roots, err := tools.OpenRoots([]string{root}, maxInput)
	if err != nil {
		return nil, usagef("--root %s: %v: give a directory that exists and can be read", root, plain(err))
	}
	r.roots = roots
	return r, nil
}

func (r *reader) close() {
	if r.roots != nil {
		r.roots.Close()
	}
}

// nameOf is what an input is called in results. A server that was started by hand is called
// as it calls itself: its command is most often a launcher's.
func (r *reader) nameOf(in input) string {
	return cmp.Or(r.lists[in].name, in.name)
}

func (r *reader) read(in input) (scan.Input, error) {
	if in.server != nil {
		return scan.Input{Name: r.nameOf(in), Data: r.lists[in].text}, nil
	}
	if in.stdin {
		data, err := readDocument(r.stdin)
		return scan.Input{Name: in.name, Data: data}, err
	}
	f, err := openRegular(in.name, maxInput)
	if errors.Is(err, errDirectory) {
		err = usagef("is a directory: give files, or a glob such as '%s'", filepath.Join(in.name, "**", "*.yaml"))
	}
	if err != nil {
		return scan.Input{}, err
	}
	defer f.Close()
	if r.roots != nil {
		return r.readInRoot(in.name)
	}
	data, err := readDocument(f)
	return scan.Input{Name: filepath.Base(in.name), Data: data}, err
}

// readInRoot reads a file, which is known to open, inside the root that references
// are followed in.
func (r *reader) readInRoot(name string) (scan.Input, error) {
	absolute, err := filepath.Abs(name)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err != nil {
		return scan.Input{}, err
	}
	file, err := r.roots.Read(absolute)
	var told *tools.Error
	switch {
	case errors.As(err, &told) && told.Code == tools.PathOutsideRoot:
		return scan.Input{}, usagef("lies outside of --root %s: give a root that holds the file", r.root)
	case err != nil:
		return scan.Input{}, err
	case len(file.Data) == 0:
		return scan.Input{}, errEmpty
	}
	return scan.Input{Name: filepath.Base(name), Data: file.Data, Files: file.Files, Path: file.Path}, nil
}

// readDocument reads a document to scan from r.
func readDocument(r io.Reader) ([]byte, error) {
	data, err := readBounded(r, maxInput)
	if err == nil && len(data) == 0 {
		err = errEmpty
	}
	return data, err
}

var (
	errEmpty     = usagef("is empty, so there is nothing to scan")
	errDirectory = usagef("is a directory: give a file")
)

func errTooLarge(limit int64) error {
	return usagef("is larger than %d MiB, the most that is read of it: give a smaller one", limit>>20)
}

// openRegular opens a regular file of at most limit bytes. Others are refused before
// they are opened: a named pipe or a device may never end.
func openRegular(name string, limit int64) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, usagef("no such file: check the path")
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errDirectory
	case !info.Mode().IsRegular():
		return nil, usagef("is not a regular file: give a file, or send the document to stdin and give -")
	case info.Size() > limit:
		return nil, errTooLarge(limit)
	}
	return os.Open(name)
}

// readBounded reads all of r, at most limit bytes.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	data, err := tools.ReadBounded(r, limit)
	if errors.Is(err, tools.ErrTooLarge) {
		err = errTooLarge(limit)
	}
	return data, err
}

// position is file:line:column, or the file alone where the line is not known.
func position(file string, at surface.Position) string {
	if at.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, at.Line, at.Column)
}
