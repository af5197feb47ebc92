//go:build unix

package tools

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tree makes two roots, a secret beside them, and all that may lie in a root.
func tree(t *testing.T) (first, second string) {
	t.Helper()
	base := t.TempDir()
	first, second = filepath.Join(base, "first"), filepath.Join(base, "second")
	write(t, filepath.Join(base, "secret"), "a secret")
	write(t, filepath.Join(first, "a.yaml"), "in first")
	write(t, filepath.Join(first, "sub", "b.yaml"), "below first")
	write(t, filepath.Join(first, "large"), strings.Repeat("x", 101))
	write(t, filepath.Join(second, "a.yaml"), "in second")
	write(t, filepath.Join(second, "c.yaml"), "only in second")
	for _, link := range [][2]string{{"../secret", "out"}, {filepath.Join(base, "secret"), "absolute"}, {"..", "up"}, {"a.yaml", "inside"}, {"loop", "loop"}} {
		if err := os.Symlink(link[0], filepath.Join(first, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(first, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	return first, second
}

func openTree(t *testing.T, dirs ...string) *Roots {
	t.Helper()
	roots, err := OpenRoots(dirs, 100)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { roots.Close() })
	return roots
}

func TestRootsRead(t *testing.T) {
	first, second := tree(t)
	roots := openTree(t, first, second)
	for path, want := range map[string]string{
		"a.yaml":                          "in first",
		"./sub/../a.yaml":                 "in first",
		"sub/b.yaml":                      "below first",
		"c.yaml":                          "only in second",
		"inside":                          "in first",
		filepath.Join(first, "a.yaml"):    "in first",
		filepath.Join(second, "a.yaml"):   "in second",
		first + "/sub/../../first/a.yaml": "in first",
	} {
		file, err := roots.Read(path)
		if err != nil {
			t.Errorf("Read(%q): %v", path, err)
		} else if string(file.Data) != want || file.Name != filepath.Base(path) {
			t.Errorf("Read(%q) = %q named %q, want %q", path, file.Data, file.Name, want)
		}
	}
}

func TestRootsRefuse(t *testing.T) {
	first, second := tree(t)
	roots := openTree(t, first, second)
	tests := []struct {
		path string
		code Code
		says string
	}{
		{"../secret", PathOutsideRoot, first + ", " + second},
		{"sub/../../secret", PathOutsideRoot, "outside"},
		{filepath.Join(first, "..", "secret"), PathOutsideRoot, "outside"},
		{"/etc/passwd", PathOutsideRoot, "outside"},
		{first + "x/a.yaml", PathOutsideRoot, "outside"},
		{"out", PathOutsideRoot, "outside"},
		{"absolute", PathOutsideRoot, "outside"},
		{"up/secret", PathOutsideRoot, "outside"},
		{"pipe", UnreadableFile, "not a regular file"},
		{"sub", UnreadableFile, "not a regular file"},
		{".", UnreadableFile, "not a regular file"},
		{"loop", UnreadableFile, "cannot be read"},
		{"missing", UnreadableFile, "does not exist"},
		{"a.yaml/b", UnreadableFile, "cannot be read"},
		{"a\x00b", UnreadableFile, "cannot be read"},
		{"large", TooLarge, "--max-file"},
	}
	for _, tt := range tests {
		_, err := roots.Read(tt.path)
		var told *Error
		if !errors.As(err, &told) {
			t.Errorf("Read(%q) gives %v, want a tool error", tt.path, err)
			continue
		}
		if told.Code != tt.code || told.Path != "/path" || !strings.Contains(told.Error(), tt.says) || strings.Contains(told.Error(), "a secret") {
			t.Errorf("Read(%q) gives %+v, want %s with %q", tt.path, told, tt.code, tt.says)
		}
	}
}

func TestRootThatIsALink(t *testing.T) {
	first, _ := tree(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(first, link); err != nil {
		t.Fatal(err)
	}
	roots := openTree(t, link)
	for _, path := range []string{filepath.Join(link, "a.yaml"), filepath.Join(first, "a.yaml")} {
		if _, err := roots.Read(path); err != nil {
			t.Errorf("Read(%q): %v", path, err)
		}
	}
}

// What references are followed in is as confined as the paths themselves.
func TestFilesOfARoot(t *testing.T) {
	first, _ := tree(t)
	file, err := openTree(t, first).Read("sub/b.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if file.Path != "sub/b.yaml" {
		t.Errorf("the file lies at %q, want sub/b.yaml", file.Path)
	}
	if text, err := fs.ReadFile(file.Files, "a.yaml"); err != nil || string(text) != "in first" {
		t.Errorf("reading a.yaml gives %q, %v", text, err)
	}
	for _, name := range []string{"../secret", "out", "absolute", "up/secret", "pipe", "large", "/etc/passwd"} {
		if text, err := fs.ReadFile(file.Files, name); err == nil {
			t.Errorf("reading %s gives %q, want an error", name, text)
		}
	}
}

func TestWithoutRoots(t *testing.T) {
	for _, roots := range []*Roots{nil, openTree(t)} {
		_, err := roots.Read("a.yaml")
		var told *Error
		if !errors.As(err, &told) || told.Code != PathOutsideRoot || !strings.Contains(told.Hint, "--root") {
			t.Errorf("Read gives %v, want %s with a hint at --root", err, PathOutsideRoot)
		}
	}
}

func TestOpenRootsThatAreNone(t *testing.T) {
	first, _ := tree(t)
	for _, dir := range []string{filepath.Join(first, "missing"), filepath.Join(first, "a.yaml")} {
		if _, err := OpenRoots([]string{first, dir}, 1); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("OpenRoots(%s) gives %v, want an error that names it", dir, err)
		}
	}
}

func TestDefaultRoots(t *testing.T) {
	tests := []struct {
		cwd  string
		want []string
	}{
		{"/", nil},
		{"/home/ada", nil},
		{"/home/ada/", nil},
		{"/home/ada/work", []string{"/home/ada/work"}},
		{"/srv", []string{"/srv"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, DefaultRoots(tt.cwd, "", "/home/ada")); diff != "" {
			t.Errorf("DefaultRoots(%q) (-want +got):\n%s", tt.cwd, diff)
		}
	}
}
