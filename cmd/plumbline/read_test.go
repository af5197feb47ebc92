package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// An error of the root is told for what it is: only a file outside lies outside.
func TestReadInRootTellsErrorsApart(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(dir, "long"): "too long", filepath.Join(dir, "short"): "ok", filepath.Join(dir, "empty"): "", filepath.Join(other, "short"): "ok",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots, err := tools.OpenRoots([]string{dir}, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{root: dir, roots: roots}
	defer r.close()
	tests := []struct{ path, says string }{
		{filepath.Join(other, "short"), "lies outside of --root " + dir},
		{filepath.Join(dir, "long"), "larger"},
		{filepath.Join(dir, "gone"), "no such file"},
		{dir, "is a directory: give files, or a glob"},
		{filepath.Join(dir, "empty"), "is empty, so there is nothing to scan"},
		{filepath.Join(dir, "short"), ""},
	}
	for _, test := range tests {
		document, err := r.read(input{name: test.path})
		if test.says == "" {
			if err != nil || string(document.Data) != "ok" || document.Path != "short" || document.Files == nil {
				t.Errorf("%s: read %+v, %v", test.path, document, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: the error is %v, want %q", test.path, err, test.says)
		}
	}
}
