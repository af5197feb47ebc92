package runner

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Subject is what was checked.
type Subject struct {
	Commit string `json:"commit"`
	// Dirty says whether the tree held what is not committed, new files included, but for
	// those of [Runner.Own].
	Dirty bool `json:"dirty"`
}

// Subject gives the commit that the directory is at; nil where git, a repository or a
// commit is missing. Git starts programs that the repository's configuration names, such as
// filters, to see whether the tree has changed: where commands are to run, somebody must
// have agreed first. A tree that it cannot tell the state of counts as dirty.
func (r *Runner) Subject(ctx context.Context) *Subject {
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return nil
	}
	return &Subject{Commit: commit, Dirty: r.dirty(ctx)}
}

func (r *Runner) dirty(ctx context.Context) bool {
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return true
	}
	state, err := r.git(ctx, "status", "--porcelain", "-z", "--untracked-files=all")
	if err != nil {
		return true
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(state, "\x00"), "\x00") {
		path, untracked := strings.CutPrefix(entry, "?? ")
		if entry != "" && !(untracked && r.owns(filepath.Join(top, filepath.FromSlash(path)))) {
			return true
		}
	}
	return false
}

// owns says whether a file is one of the caller's own.
func (r *Runner) owns(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && slices.ContainsFunc(r.Own, func(own fs.FileInfo) bool { return os.SameFile(own, info) })
}

// git asks git without letting it write, which runs hooks, or watch the tree.
func (r *Runner) git(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.environment()
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
