package runner

import (
	"context"
	"os/exec"
	"strings"
)

// Subject is what was checked.
type Subject struct {
	Commit string `json:"commit"`
	Dirty  bool   `json:"dirty"` // whether the tree held what is not committed, new files included
}

// Subject gives the commit that the directory is at; nil where git, a repository or a
// commit is missing. A tree that git cannot tell the state of counts as dirty.
func (r *Runner) Subject(ctx context.Context) *Subject {
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return nil
	}
	state, err := r.git(ctx, "status", "--porcelain", "--untracked-files=normal")
	return &Subject{Commit: commit, Dirty: err != nil || state != ""}
}

// git asks git without letting it write, or start a program that its configuration
// names.
func (r *Runner) git(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.environment()
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
