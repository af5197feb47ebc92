package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// exportName is the file name of an export.
const exportName = "agentready.json"

// writeExports writes each item's export into dir, which is made where it is
// missing. The names depend on all inputs, read or not, so that they stay the same
// when one of them breaks.
func writeExports(ctx context.Context, dir string, all, scanned []input, items []report.Item) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usagef("--out %s: %v: give a directory that can be written", dir, plain(err))
	}
	names := exportNames(all)
	for i, item := range items {
		path := filepath.Join(dir, names[scanned[i]])
		write := func(w io.Writer) error { return agentready.Write(w, item.Export) }
		if err := writeFile(path, until(ctx, write)); err != nil {
			return err
		}
	}
	return nil
}

// until has what is written fail once ctx has ended, so that nothing half written stays.
func until(ctx context.Context, write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error { return write(writerUntil{ctx, w}) }
}

type writerUntil struct {
	ctx context.Context
	io.Writer
}

// Write fails once the context has ended.
func (w writerUntil) Write(text []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(text)
}

// exportNames gives each input its file name: agentready.json for one alone, else
// the input's base name without its ending; where two would be the same, on any file
// system, its whole path.
func exportNames(inputs []input) map[input]string {
	if len(inputs) == 1 {
		return map[input]string{inputs[0]: exportName}
	}
	count := map[string]int{}
	for _, in := range inputs {
		count[strings.ToLower(stem(in))]++
	}
	names, taken := map[input]string{}, map[string]bool{}
	for _, in := range inputs {
		name := stem(in)
		if count[strings.ToLower(name)] > 1 {
			name = flat(in)
		}
		unique := name
		for n := 2; taken[strings.ToLower(unique)]; n++ {
			unique = fmt.Sprintf("%s-%d", name, n)
		}
		taken[strings.ToLower(unique)] = true
		names[in] = unique + "." + exportName
	}
	return names
}

func stem(in input) string {
	base := filepath.Base(in.name)
	if s := strings.TrimSuffix(base, filepath.Ext(base)); s != "" {
		return s
	}
	return base
}

// flat is the input's path as one file name: a/b.yaml is a-b.yaml.
func flat(in input) string {
	path := strings.TrimLeft(filepath.ToSlash(filepath.Clean(in.name)), "./")
	return strings.ReplaceAll(path, "/", "-")
}

// writeFile writes a file whole or not at all, and keeps the mode of an old one. A
// device or pipe, such as /dev/null, is written to as it is.
func writeFile(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = replace(path, 0, write)
	case info.Mode().IsRegular():
		err = replace(path, info.Mode().Perm(), write)
	default:
		err = writeTo(os.OpenFile(path, os.O_WRONLY, 0))(write)
	}
	if err != nil {
		return usagef("cannot write %s: %v", path, plain(err))
	}
	return nil
}

// replace writes beside the file's place first and renames then. The mode is the old
// file's, 0 for none: a file that was private must not become public, not even while
// it is written.
func replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	return writeAside(path, mode, write, os.Rename)
}

// writeAside writes a file beside a path, and puts it there once it is whole.
func writeAside(path string, mode os.FileMode, write func(io.Writer) error, put func(part, path string) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	part := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
	defer os.Remove(part) // gone already where all went well
	if err := writeTo(os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(mode, 0o666)))(write); err != nil {
		return err
	}
	if mode != 0 {
		// The process's mask may have taken something away.
		if err := os.Chmod(part, mode); err != nil {
			return err
		}
	}
	return put(part, path)
}

// writeTo gives a function that writes into f, if it could be opened, and closes it.
func writeTo(f *os.File, err error) func(func(io.Writer) error) error {
	return func(write func(io.Writer) error) error {
		if err != nil {
			return err
		}
		buffered := bufio.NewWriter(f)
		err := write(buffered)
		if err == nil {
			err = buffered.Flush()
		}
		if closed := f.Close(); err == nil {
			err = closed
		}
		return err
	}
}
