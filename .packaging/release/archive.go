package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// beside are the files of the repository that go into every archive beside the program.
var beside = []string{"LICENSE", "README.md", "CHANGELOG.md"}

// sums is the name of the checksums' file, in the form that `sha256sum -c` reads. It is
// written last: without it a release is not complete.
const sums = "SHA256SUMS"

// entry is one file in an archive.
type entry struct {
	name string
	mode fs.FileMode
	data []byte
}

// pack writes the archive of a target and gives its name: what people unpack there
// without further programs.
func (r *release) pack(t target, name, program string) (string, error) {
	entries, err := r.entries(name, program)
	if err != nil {
		return "", err
	}
	packed, write := name+".tar.gz", writeTar
	if t.os == "windows" {
		packed, write = name+".zip", writeZip
	}
	f, err := os.Create(filepath.Join(r.out, packed))
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := write(f, entries, r.at); err != nil {
		return "", err
	}
	return packed, f.Close()
}

// entries are the files of an archive, in a directory of its name, always in one order.
func (r *release) entries(name, program string) ([]entry, error) {
	var entries []entry
	files := []string{program}
	for _, file := range beside {
		files = append(files, filepath.Join(r.from, file))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		e := entry{name: path.Join(name, filepath.Base(file)), mode: 0o644, data: data}
		if file == program {
			e.mode = 0o755
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// writeTar writes a tar in gzip whose files belong to root and have one time.
func writeTar(w io.Writer, entries []entry, at time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(packed)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(e.data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// writeZip writes a zip whose files have one time.
func writeZip(w io.Writer, entries []entry, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(e.data); err != nil {
			return err
		}
	}
	return archive.Close()
}

// writeSums writes the SHA-256 of each file by its name.
func writeSums(dir string, names []string) error {
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(dir, sums), []byte(text.String()), 0o644)
}
