package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExportNames(t *testing.T) {
	tests := []struct {
		name   string
		inputs []string
		want   []string
	}{
		{"one", []string{"api/a.yaml"}, []string{"agentready"}},
		{"several", []string{"api/a.yaml", "b.json"}, []string{"a", "b"}},
		{"same name in two folders", []string{"x/a.yaml", "../y/a.yaml"}, []string{"x-a.yaml", "y-a.yaml"}},
		{"same name but for the ending", []string{"a.yaml", "a.json"}, []string{"a.yaml", "a.json"}},
		{"same but for case", []string{"x/A.yaml", "y/a.yaml"}, []string{"x-A.yaml", "y-a.yaml"}},
		{"same when made flat", []string{"x-y/a.yaml", "x/y-a.yaml", "z/a.yaml", "z/y-a.yaml"},
			[]string{"x-y-a.yaml", "x-y-a.yaml-2", "z-a.yaml", "z-y-a.yaml"}},
		{"hidden file", []string{".yaml", "b.yaml"}, []string{".yaml", "b"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var inputs []input
			for _, name := range test.inputs {
				inputs = append(inputs, input{name: name})
			}
			names := exportNames(inputs)
			var got []string
			for _, in := range inputs {
				got = append(got, strings.TrimSuffix(strings.TrimSuffix(names[in], ".json"), ".agentready"))
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestWriteFileKeepsTheOldOneWhenItFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	write := func(text string, fail error) error {
		return writeFile(path, func(w io.Writer) error {
			io.WriteString(w, text)
			return fail
		})
	}
	if err := write("first", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("sec", errors.New("disk gone")); err == nil || !strings.Contains(err.Error(), "disk gone") {
		t.Errorf("error is %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "first" {
		t.Errorf("the file holds %q", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("a half-written file is left: %v", entries)
	}
	if err := write("third", nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "third" {
		t.Errorf("the file holds %q", got)
	}
}

func TestWriteFileFollowsALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(real, nil, 0o600), os.Symlink("real", link)); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(real); string(got) != "x" {
		t.Errorf("the link was replaced; its target holds %q", got)
	}
}

func TestWriteFileKeepsTheModeOfTheOldOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666} {
		if err := errors.Join(os.WriteFile(path, nil, mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		during := os.FileMode(0)
		err := writeFile(path, func(w io.Writer) error {
			parts, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".out.json.*"))
			if err == nil && len(parts) == 1 {
				var info os.FileInfo
				if info, err = os.Stat(parts[0]); err == nil {
					during = info.Mode()
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode || during&^mode != 0 {
			t.Errorf("a file with mode %v has %v, and %v while it is written", mode, info.Mode(), during)
		}
	}
}
