package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbline-mcp/plumbline/scan/mcplist"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// stdinArg is the file argument that stands for stdin.
const stdinArg = "-"

// input is one document to scan.
type input struct {
	name  string // as shown: the path, or "stdin"
	stdin bool
	// server is asked for the document; nil for a file or stdin.
	server *mcplist.Server
}

// isFile says whether the document lies in a file.
func (in input) isFile() bool { return !in.stdin && in.server == nil }

// expand turns arguments into inputs, each once: files as they are named, a glob's
// matches in alphabetical order. Arguments that name nothing are problems, which do
// not keep the others from being scanned.
func expand(args []string) (inputs []input, problems []error) {
	seen := map[string]bool{}
	add := func(in input, key string) {
		if !seen[key] {
			seen[key] = true
			inputs = append(inputs, in)
		}
	}
	for _, arg := range args {
		if arg == stdinArg {
			if seen[stdinArg] {
				problems = append(problems, usagef("- is given twice: stdin can be read only once"))
			}
			add(input{name: "stdin", stdin: true}, stdinArg)
			continue
		}
		names, err := files(arg)
		if err != nil {
			problems = append(problems, err)
		}
		for _, name := range names {
			add(input{name: name}, identity(name))
		}
	}
	return inputs, problems
}

// identity makes two spellings of one file, or two links to it, comparable.
func identity(name string) string {
	path := name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		path = resolved
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return "file:" + filepath.Clean(path)
}

// files are the files that one argument names. An existing file is never taken for
// a glob, whatever characters its name holds.
func files(arg string) ([]string, error) {
	if arg == "" {
		return nil, usagef("a file name is empty: give a path, a glob, or - for stdin")
	}
	if _, err := os.Lstat(arg); err == nil || !strings.ContainsAny(arg, "*?[{") {
		return []string{arg}, nil
	}
	names, err := glob(arg)
	switch {
	case errors.Is(err, doublestar.ErrBadPattern):
		return nil, usagef("%s: not a valid glob: close every [ and {, or escape them with \\", arg)
	case err != nil:
		return nil, usagef("%s: %v", arg, plain(err))
	case len(names) == 0:
		return nil, usagef("%s: no file matches", arg)
	}
	slices.Sort(names)
	return names, nil
}

// glob lists the files that match. A `**` does not enter linked directories, which
// may lead out of the tree or around in it.
func glob(pattern string) ([]string, error) {
	options := []doublestar.GlobOption{doublestar.WithFilesOnly()}
	if strings.Contains(pattern, "**") {
		options = append(options, doublestar.WithNoFollow())
	}
	names, err := doublestar.FilepathGlob(pattern, options...)
	return slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.IsDir()
	}), err
}

// explain words an error about the input as one line that begins with its name and,
// where known, the place.
func (in input) explain(err error) error {
	var read *surface.ReadError
	var exit *exitError
	switch {
	case errors.As(err, &read):
		return usagef("%s", in.place(read))
	case errors.As(err, &exit):
		e := *exit
		e.message = in.name + ": " + e.message
		return &e
	}
	return usagef("%s: %v", in.name, plain(err))
}

func (in input) place(e *surface.ReadError) string {
	at := surface.Position{Line: e.Line, Column: e.Column}
	bare := *e
	bare.Line, bare.Column = 0, 0
	return position(in.name, at) + ": " + bare.Error()
}

// plain is err without the operation and path that the system puts before it.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
