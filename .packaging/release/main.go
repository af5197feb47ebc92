// Release builds what is published of one commit: for every target an archive and the
// list of what its program is made of (a CycloneDX SBOM), and the checksums of all.
//
//	go run ./.packaging/release [-out DIR] [-targets OS/ARCH,...] [-dirty]
//
// It runs in the root of a clone with its tags, and builds from a copy of the commit, so
// that nothing else can be in what it makes. The version is the tag that the commit
// has, which Go stamps into the programs; without one it is a pseudo-version. The same
// commit and the same release of Go give the same bytes in any directory on any machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// allTargets are the systems that releases are for.
const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// release is what one run makes.
type release struct {
	tools   tools
	targets []target
	dirty   bool // whether changes that are in no commit may be in it

	out  string    // the directory that is being filled
	from string    // the directory to build
	at   time.Time // the commit's time, which every file in an archive gets
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
	out := flag.String("out", "dist", "the `directory` to write to; it may not hold anything yet")
	targets := flag.String("targets", allTargets, "the systems to build for, as `OS/ARCH,...`")
	flag.BoolVar(&r.dirty, "dirty", false, "build also what is in no commit; the version says so")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := r.run(ctx, *out, *targets)
	if ctx.Err() != nil && err != nil {
		err = errors.New("interrupted, so nothing was released: begin again")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) run(ctx context.Context, out, targets string) (err error) {
	if flag.NArg() > 0 {
		return fmt.Errorf("it takes no arguments but flags, and got %q", flag.Args())
	}
	if r.targets, err = parseTargets(targets); err != nil {
		return err
	}
	if r.tools, err = newTools(ctx); err != nil {
		return err
	}
	place, err := claim(out)
	if err != nil {
		return err
	}
	defer place.leave()
	temporary, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	// Go leaves its own files where it is interrupted early.
	r.tools.env = append(r.tools.env, "GOTMPDIR="+temporary)
	r.out = place.filling()
	if err := r.source(ctx, filepath.Join(temporary, "source")); err != nil {
		return err
	}
	made, err := r.makeAll(ctx, temporary)
	if err != nil {
		return err
	}
	return place.publish(made)
}

func parseTargets(names string) ([]target, error) {
	var targets []target
	for name := range strings.SplitSeq(names, ",") {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return nil, fmt.Errorf("%q is no target: give OS/ARCH, as in linux/amd64", name)
		}
		targets = append(targets, target{system, arch})
	}
	return targets, nil
}

// makeAll builds for every target, each in a directory of its own, and gives the names
// of what it wrote, the checksums last.
func (r *release) makeAll(ctx context.Context, temporary string) ([]string, error) {
	var made []string
	for _, t := range r.targets {
		fmt.Fprintf(os.Stderr, "building for %s/%s\n", t.os, t.arch)
		names, err := r.make(ctx, t, filepath.Join(temporary, t.os+"_"+t.arch))
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
		made = append(made, names...)
	}
	return append(made, sums), writeSums(r.out, made)
}

// make builds for a target and gives the names of what it wrote for it.
func (r *release) make(ctx context.Context, t target, dir string) ([]string, error) {
	program := filepath.Join(dir, t.program())
	version, err := r.build(ctx, t, program)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("plumbline_%s_%s_%s", version, t.os, t.arch)
	packed, err := r.pack(t, name, program)
	if err != nil {
		return nil, err
	}
	listed, err := r.list(ctx, name, program, version)
	if err != nil {
		return nil, err
	}
	return []string{packed, listed}, nil
}
