package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// source chooses the directory to build, a copy of the commit that is checked out, and
// takes the commit's time. What git was told to ignore, or what changes meanwhile, is
// not in the copy.
func (r *release) source(ctx context.Context, dir string) error {
	commit, err := r.tools.output(ctx, ".", nil, "git", "rev-parse", "--verify", "HEAD")
	if err != nil {
		return fmt.Errorf("%w: run it in the root of a clone that has a commit", err)
	}
	if r.at, err = r.commitTime(ctx, commit); err != nil {
		return err
	}
	if r.dirty {
		r.from = "."
		return nil
	}
	changed, err := r.tools.output(ctx, ".", nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("these changes are in no commit:\n%s\nCommit or remove them; for a build to try, give -dirty", changed)
	}
	r.from = dir
	return r.copyOf(ctx, commit, dir)
}

func (r *release) commitTime(ctx context.Context, commit string) (time.Time, error) {
	said, err := r.tools.output(ctx, ".", nil, "git", "log", "-1", "--no-show-signature", "--format=%ct", commit)
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(said, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("git gives no time for the commit %s: %w; see what is wrong with it by `git fsck`", commit, err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// copyOf makes a clone with its tags that has the commit checked out as it is, whatever
// the user set for git.
func (r *release) copyOf(ctx context.Context, commit, dir string) error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	clone := strings.Fields("clone --quiet --no-hardlinks --no-checkout --template= " +
		"-c core.autocrlf=false -c core.attributesFile= -c core.hooksPath=/dev/null --")
	if _, err := r.tools.output(ctx, ".", nil, "git", append(clone, here, dir)...); err != nil {
		return fmt.Errorf("copy the commit: %w: see above what git says", err)
	}
	if _, err := r.tools.output(ctx, dir, nil, "git", "checkout", "--quiet", "--detach", commit); err != nil {
		return fmt.Errorf("copy the commit: %w: see above what git says", err)
	}
	return nil
}
