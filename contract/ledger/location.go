package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const (
	directoryName = "plumbline"
	fileName      = "ledger.db"
)

// DefaultDSN gives the ledger that a process in dir uses unless told otherwise:
// plumbline/ledger.db in the common directory of the Git repository around dir, so
// that all its worktrees share one and nothing is committed; without a repository in
// $XDG_STATE_HOME, else in ~/.local/state. getenv is [os.Getenv], or a test's. Nothing
// is made. The error is LEDGER_UNAVAILABLE: a repository whose .git cannot be read
// gets no ledger elsewhere, where its other worktrees would not look.
func DefaultDSN(dir string, getenv func(string) string) (string, error) {
	common, err := gitCommonDir(dir)
	if err != nil {
		return "", &Error{Code: Unavailable, Message: "the Git repository of the working directory cannot be read, so there is no default place for the ledger",
			Hint: "mend its .git, or say with --ledger where the ledger lies", Detail: dir + ": " + err.Error(), Err: err}
	}
	base := common
	if base == "" {
		if base, err = stateHome(getenv); err != nil {
			return "", err
		}
	}
	return "sqlite:" + filepath.Join(base, directoryName, fileName), nil
}

func stateHome(getenv func(string) string) (string, error) {
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) { // a relative one counts as none
		return state, nil
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := getenv(name); filepath.IsAbs(home) {
			return filepath.Join(home, ".local", "state"), nil
		}
	}
	return "", refuse(Unavailable, "there is no home directory to keep the ledger in", "say with --ledger where it lies")
}

// gitCommonDir finds the directory that all worktrees of the repository around dir
// share; empty where there is none.
func gitCommonDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			if found, err := exists(filepath.Join(git, "HEAD")); found || err != nil {
				return git, err
			}
		case err == nil && info.Mode().IsRegular():
			return linkedCommonDir(git)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// linkedCommonDir follows a .git file, as worktrees and submodules have.
func linkedCommonDir(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	target, found := strings.CutPrefix(string(text), "gitdir:")
	if target = strings.TrimSpace(target); !found || target == "" {
		return "", errors.New("the .git file names no gitdir")
	}
	gitDir := against(filepath.Dir(file), target)
	isRepository, err := exists(filepath.Join(gitDir, "HEAD"))
	switch {
	case err != nil:
		return "", err
	case !isRepository:
		return "", errors.New("the .git file names a directory that is no repository")
	}
	common, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return gitDir, nil // a submodule has all in its own
	case err != nil:
		return "", err
	}
	return against(gitDir, strings.TrimSpace(string(common))), nil
}

// against resolves a path that is relative to dir.
func against(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// exists says whether a file is there; the error is that nobody can tell.
func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
