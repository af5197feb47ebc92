package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/pe"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

const (
	releaseTag  = "v1.2.3"
	releaseTime = 1767323045 // of the commit, in Unix seconds
)

// given are the libraries that the project was asked to build on.
var given = []string{
	"github.com/mark3labs/mcp-go", "github.com/pb33f/libopenapi", "github.com/santhosh-tekuri/jsonschema/v5",
}

// A release of one commit has the same bytes from two clones in different places, whatever
// lies there beside the commit and whatever the user set, and what is in it is what
// people are told.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	seed := releasable(t, dir)
	first, second := filepath.Join(dir, "a"), filepath.Join(dir, "further", "away", "b")
	targets := "linux/" + runtime.GOARCH + ",windows/amd64"
	for _, clone := range []string{first, second} {
		runs(t, dir, nil, "git", "clone", "--quiet", seed, clone)
	}
	runs(t, first, nil, "go", "run", "./.packaging/release", "-targets", targets)
	tool := filepath.Join(dir, "release")
	runs(t, first, nil, "go", "build", "-o", tool, "./.packaging/release")
	hide(t, second)
	runs(t, second, otherwise(t, dir), tool, "-targets", targets, "-out", "inside")
	made := sums(t, filepath.Join(first, "dist"))
	if diff := cmp.Diff(made, sums(t, filepath.Join(second, "inside"))); diff != "" {
		t.Errorf("two clones give different releases (-first +second):\n%s", diff)
	}

	name := "plumbline_" + releaseTag + "_linux_" + runtime.GOARCH
	want := []string{
		"SHA256SUMS", name + ".cdx.json", name + ".tar.gz",
		"plumbline_" + releaseTag + "_windows_amd64.cdx.json", "plumbline_" + releaseTag + "_windows_amd64.zip",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(made))); diff != "" {
		t.Fatalf("files of the release (-want +got):\n%s", diff)
	}
	dist := filepath.Join(first, "dist")
	runs(t, dist, nil, "sha256sum", "--check", "--strict", "SHA256SUMS")
	commit := runs(t, first, nil, "git", "rev-parse", "--short=12", "HEAD")
	t.Run("linux", func(t *testing.T) { wantLinux(t, dist, name, strings.TrimSpace(commit)) })
	t.Run("windows", func(t *testing.T) { wantWindows(t, dist) })
	t.Run("refused", func(t *testing.T) { wantRefused(t, tool, first) })
	t.Run("interrupted", func(t *testing.T) { wantInterrupted(t, tool, second) })
}

// releasable makes a repository of what this checkout holds, in one commit with a tag.
func releasable(t *testing.T, dir string) string {
	t.Helper()
	seed := filepath.Join(dir, "seed")
	worktree, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	date := fmt.Sprintf("%d +0000", releaseTime)
	env := []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=" + date,
	}
	runs(t, dir, env, "git", "init", "--quiet", "--bare", seed)
	for _, args := range [][]string{{"add", "--all"}, {"commit", "--quiet", "--message", "All of it"}, {"tag", releaseTag}} {
		runs(t, worktree, env, "git", append([]string{"--git-dir", seed, "--work-tree", worktree}, args...)...)
	}
	return seed
}

// runs starts a program that must end well, and gives its stdout.
func runs(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	said, err := tries(t, dir, env, name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func tries(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	said, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", cmd, err, said, complaints.String())
	}
	return string(said), err
}

// sums gives what each file of a directory holds, as its hash.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sums[f.Name()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return sums
}

// packed are the files of an archive whose program has that name.
func packed(name, program string) map[string]fs.FileMode {
	return map[string]fs.FileMode{
		path.Join(name, program): 0o755, path.Join(name, "LICENSE"): 0o644,
		path.Join(name, "README.md"): 0o644, path.Join(name, "CHANGELOG.md"): 0o644,
	}
}

// wantLinux unpacks the archive, looks at what tar would make of it, and runs it.
func wantLinux(t *testing.T, dist, name, commit string) {
	f, err := os.Open(filepath.Join(dist, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	archive, found := tar.NewReader(unpacked), map[string]fs.FileMode{}
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found[header.Name] = fs.FileMode(header.Mode)
		if header.Uid != 0 || header.Gid != 0 || header.ModTime.Unix() != releaseTime {
			t.Errorf("%s belongs to %d:%d and is of %s", header.Name, header.Uid, header.Gid, header.ModTime)
		}
	}
	if diff := cmp.Diff(packed(name, "plumbline"), found); diff != "" {
		t.Errorf("the archive (-want +got):\n%s", diff)
	}
	dir := t.TempDir()
	runs(t, dir, nil, "tar", "-xzf", filepath.Join(dist, name+".tar.gz"))
	program := filepath.Join(dir, name, "plumbline")
	if said := runs(t, dir, nil, program, "version"); !strings.HasPrefix(said, "plumbline "+releaseTag+" commit "+commit+"\n") {
		t.Errorf("the program is of commit %s, and says: %s", commit, said)
	}
	wantStatic(t, program)
	wantSBOM(t, filepath.Join(dist, name+".cdx.json"), program)
}

// wantWindows looks at what an explorer would show of the archive, and at the program.
func wantWindows(t *testing.T, dist string) {
	name := "plumbline_" + releaseTag + "_windows_amd64"
	archive, err := zip.OpenReader(filepath.Join(dist, name+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	found := map[string]fs.FileMode{}
	for _, f := range archive.File {
		found[f.Name] = f.Mode()
		if f.Modified.Unix() != releaseTime {
			t.Errorf("%s is of %s", f.Name, f.Modified)
		}
	}
	if diff := cmp.Diff(packed(name, "plumbline.exe"), found); diff != "" {
		t.Errorf("the archive (-want +got):\n%s", diff)
	}
	program := filepath.Join(t.TempDir(), "plumbline.exe")
	data, err := fs.ReadFile(archive, path.Join(name, "plumbline.exe"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := pe.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if read.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
		t.Errorf("the program is for the machine %#x", read.Machine)
	}
	wantSBOM(t, filepath.Join(dist, name+".cdx.json"), program)
}

// sbom is what the test reads of one.
type sbom struct {
	Metadata struct {
		Tools     []struct{ Name, Version string }
		Component struct{ Name, Version string }
	}
	Components []struct{ Name, Version, Purl string }
}

// wantSBOM holds a list of modules to the schema of its format and to what Go stamped
// into the program.
func wantSBOM(t *testing.T, file, program string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	var bom sbom
	if err := errors.Join(json.Unmarshal(text, &value), json.Unmarshal(text, &bom)); err != nil {
		t.Fatal(err)
	}
	if err := sbomSchema(t, bom.Metadata.Tools[0].Version).Validate(value); err != nil {
		t.Errorf("%#v", err)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if got := bom.Metadata.Component; got.Name != info.Main.Path || got.Version != releaseTag {
		t.Errorf("the SBOM is of %s %s", got.Name, got.Version)
	}
	want, got := map[string]string{"std": info.GoVersion}, map[string]string{}
	for _, module := range info.Deps {
		want[module.Path] = module.Version
	}
	for _, c := range bom.Components {
		got[c.Name] = c.Version
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modules in the program, and in its SBOM (-program +SBOM):\n%s", diff)
	}
	for _, library := range given {
		if got[library] == "" {
			t.Errorf("the SBOM lacks %s", library)
		}
	}
}

// sbomSchema is CycloneDX's own, which the program that writes SBOMs is tested with and
// so brings along.
func sbomSchema(t *testing.T, version string) *jsonschema.Schema {
	t.Helper()
	said := runs(t, t.TempDir(), nil, "go", "mod", "download", "-json", "github.com/CycloneDX/cyclonedx-gomod@"+version)
	var module struct{ Dir string }
	if err := json.Unmarshal([]byte(said), &module); err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	const at = "http://cyclonedx.org/schema/"
	for name, file := range map[string]string{
		"bom-1.6.schema.json": "bom-1.6.schema.json", "spdx.schema.json": "spdx.schema.json", "jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		text, err := os.Open(filepath.Join(module.Dir, "internal", "testutil", "schema", file))
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		if err := compiler.AddResource(at+name, text); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(at + "bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
