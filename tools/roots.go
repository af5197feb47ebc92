package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Roots are the directories that paths of callers are confined to. Files are
// opened through [os.Root]: neither `..` nor a symbolic link leads out.
type Roots struct {
	dirs    []rootDir
	maxFile int64
}

type rootDir struct {
	name string // as given, made absolute
	real string // with its own symbolic links resolved
	root *os.Root
}

// File is one file read under a root.
type File struct {
	Name string // base name
	Data []byte
	// Files is the root that the file lies in, and Path its place there: what
	// references to other files are followed in.
	Files fs.FS
	Path  string
}

// DefaultRoots is where a local server may read when nobody said so: the working
// directory, but not the whole disk and not a home directory, since a host may
// start servers anywhere.
func DefaultRoots(cwd string, homes ...string) []string {
	cwd = filepath.Clean(cwd)
	if filepath.Dir(cwd) == cwd {
		return nil
	}
	for _, home := range homes {
		if home != "" && cwd == filepath.Clean(home) {
			return nil
		}
	}
	return []string{cwd}
}

// OpenRoots opens the directories. maxFile is the largest file to read, in bytes.
func OpenRoots(dirs []string, maxFile int64) (*Roots, error) {
	r := &Roots{maxFile: maxFile}
	for _, dir := range dirs {
		opened, err := openRoot(dir)
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("root %s: %w (give a directory that exists and can be read)", dir, err)
		}
		r.dirs = append(r.dirs, opened)
	}
	return r, nil
}

func openRoot(dir string) (rootDir, error) {
	name, err := filepath.Abs(dir)
	if err != nil {
		return rootDir{}, err
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return rootDir{}, err
	}
	root, err := os.OpenRoot(real)
	return rootDir{name: name, real: real, root: root}, err
}

// Close releases the directories.
func (r *Roots) Close() error {
	var errs []error
	for _, d := range r.dirs {
		errs = append(errs, d.root.Close())
	}
	return errors.Join(errs...)
}

// Read reads the regular file at path: relative to a root (the first that has it),
// or absolute inside one. Errors are *[Error]s about the argument `path`.
func (r *Roots) Read(path string) (*File, error) {
	if r == nil || len(r.dirs) == 0 {
		return nil, &Error{Code: PathOutsideRoot, Path: "/path", Message: "this server reads no files: it has no root directory",
			Hint: "pass the text as `document`, or start the server with --root DIR"}
	}
	inside, outside := false, false
	for _, d := range r.dirs {
		rel, ok := d.relative(path)
		if !ok {
			continue
		}
		data, err := d.read(rel, r.maxFile)
		switch {
		case err == nil:
			return &File{filepath.Base(rel), data, regularFS{d, r.maxFile}, filepath.ToSlash(rel)}, nil
		case errors.Is(err, fs.ErrNotExist):
			inside = true
		case escapes(err):
			outside = true
		default:
			return nil, fileError(path, err)
		}
	}
	if inside && !outside {
		return nil, fileError(path, fs.ErrNotExist)
	}
	return nil, &Error{Code: PathOutsideRoot, Path: "/path", Message: fmt.Sprintf("%q is outside of the directories this server may read", clip(path, maxLabel)),
		Hint: "use a path inside " + r.list()}
}

// list names the roots for an error.
func (r *Roots) list() string {
	names := make([]string, len(r.dirs))
	for i, d := range r.dirs {
		names[i] = d.name
	}
	return strings.Join(names, ", ")
}

// relative turns a path into one inside the root; false where it lies elsewhere.
func (d rootDir) relative(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		rel := filepath.Clean(path)
		return rel, filepath.IsLocal(rel)
	}
	for _, base := range []string{d.name, d.real} {
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// errNotRegular is why a file is not read although it exists.
var errNotRegular = errors.New("not a regular file")

// open opens a regular file. It looks before it opens, and opens without waiting,
// since opening a named pipe that nobody writes to would hang the call.
func (d rootDir) open(rel string, maxFile int64) (*os.File, error) {
	info, err := d.root.Stat(rel)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := d.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err == nil && info.Size() > maxFile {
		err = ErrTooLarge
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (d rootDir) read(rel string, maxFile int64) ([]byte, error) {
	f, err := d.open(rel, maxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadBounded(f, maxFile)
}

// regularFS is a root as a file system that opens regular files alone.
type regularFS struct {
	dir     rootDir
	maxFile int64
}

// Open opens a regular file inside the root.
func (f regularFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.dir.open(filepath.FromSlash(name), f.maxFile)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

// escapes recognises the error of os.Root for a way out, which has no exported value.
func escapes(err error) bool {
	var pe *fs.PathError
	return errors.As(err, &pe) && pe.Err.Error() == "path escapes from parent"
}

// fileError says why a file inside a root was not read, without what is in it.
func fileError(path string, err error) *Error {
	e := &Error{Code: UnreadableFile, Path: "/path"}
	what := "cannot be read"
	switch {
	case errors.Is(err, ErrTooLarge):
		e.Code, what, e.Hint = TooLarge, "is larger than this server reads", "scan a smaller document, or start the server with a larger --max-file"
	case errors.Is(err, errNotRegular):
		what, e.Hint = "is not a regular file", "give the path of a file, not of a directory, pipe or device"
	case errors.Is(err, fs.ErrNotExist):
		what, e.Hint = "does not exist", "check the path, relative to the server's root"
	case errors.Is(err, fs.ErrPermission):
		what, e.Hint = "may not be read by the server", "give the server's user leave to read it, or pass the text as `document`"
	default:
		e.Hint = "pass the text as `document`"
	}
	e.Message = fmt.Sprintf("%q %s", clip(path, maxLabel), what)
	return e
}
