// Release builds what is published of one commit: for every target an archive and the
// list of what its program is made of (a CycloneDX SBOM), and the checksums of all.
//
//	go run ./.packaging/release [-out DIR] [-targets OS/ARCH,...] [-dirty]
//
// It runs in the root of a clone with its tags. The version is the tag that the commit
// has, which Go stamps into the programs; without one it is a pseudo-version. The same
// commit and the same release of Go give the same bytes in any directory on any machine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// allTargets are the systems that releases are for.
const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// beside are the files of the repository that go into every archive beside the program.
var beside = []string{"LICENSE", "README.md", "CHANGELOG.md"}

// release is what one run makes.
type release struct {
	out     string // the directory of what is made
	targets []target
	dirty   bool      // whether changes that are in no commit may be in it
	at      time.Time // the commit's time, which every file in an archive gets
}

// target is one system to build for.
type target struct{ os, arch string }

// program is the file name that the program has there.
func (t target) program() string {
	if t.os == "windows" {
		return "plumbline.exe"
	}
	return "plumbline"
}

func main() {
	var r release
	flag.StringVar(&r.out, "out", "dist", "the `directory` to write to; it may not hold anything yet")
	targets := flag.String("targets", allTargets, "the systems to build for, as `OS/ARCH,...`")
	flag.BoolVar(&r.dirty, "dirty", false, "build also what is in no commit; the version says so")
	flag.Parse()
	if err := r.run(*targets); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) run(targets string) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("it takes no arguments but flags, and got %q", flag.Args())
	}
	if err := r.read(targets); err != nil {
		return err
	}
	if err := r.mayBuild(); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var made []string
	for _, t := range r.targets {
		names, err := r.make(t, filepath.Join(temporary, t.os+"_"+t.arch))
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
		made = append(made, names...)
	}
	return writeSums(r.out, made)
}

// read takes the targets and the time of the commit.
func (r *release) read(targets string) error {
	for name := range strings.SplitSeq(targets, ",") {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("%q is no target: give OS/ARCH, as in linux/amd64", name)
		}
		r.targets = append(r.targets, target{system, arch})
	}
	said, err := output(exec.Command("git", "log", "-1", "--format=%ct"))
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(said, 10, 64)
	if err != nil {
		return fmt.Errorf("the commit's time: %w", err)
	}
	r.at = time.Unix(seconds, 0).UTC()
	return nil
}

// mayBuild refuses to release what no commit holds, and to mix two releases.
func (r *release) mayBuild() error {
	changed, err := output(exec.Command("git", "status", "--porcelain"))
	if err != nil {
		return err
	}
	if changed != "" && !r.dirty {
		return fmt.Errorf("these changes are in no commit:\n%s\nCommit or remove them; for a build to try, give -dirty", changed)
	}
	held, err := os.ReadDir(r.out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(held) > 0 {
		return fmt.Errorf("%s holds files already: remove them, or name another directory with -out", r.out)
	}
	return nil
}

// make builds for a target in a directory of its own, and gives the names of what it
// wrote for it.
func (r *release) make(t target, dir string) ([]string, error) {
	program := filepath.Join(dir, t.program())
	version, err := r.build(t, program)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("plumbline_%s_%s_%s", version, t.os, t.arch)
	packed, err := r.pack(t, name, program)
	if err != nil {
		return nil, err
	}
	listed, err := r.list(name, program, version)
	if err != nil {
		return nil, err
	}
	fmt.Println(filepath.Join(r.out, packed))
	return []string{packed, listed}, nil
}

// output runs a command and gives what it says, without the line's end.
func output(cmd *exec.Cmd) (string, error) {
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimRight(string(said), "\r\n"), nil
}
