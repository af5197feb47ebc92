package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// projectVar is where Claude Code names the project's directory to its hooks. Both the
// event's cwd and the working directory of a hook go where the agent goes: a contract of
// the same id in a repository that the agent makes there would stand for the real one.
// They count for a host alone that names no project.
const projectVar = "CLAUDE_PROJECT_DIR"

// fix makes the ledger one that stays the same wherever the agent is: the default one and
// a relative path of SQLite are those of the project's directory. Where the host names none,
// it is cwd, or else the working directory.
func (h *stopHook) fix(cwd string) error {
	if h.service.changed("server") {
		return nil
	}
	dsn := h.dsn()
	path, isFile := strings.CutPrefix(dsn, "sqlite:")
	switch {
	case dsn == "":
	case ledger.CheckDSN(dsn) != nil || !isFile: // refused where it is opened, or not of this machine
		return nil
	case filepath.IsAbs(path):
		h.service.dsn = dsn
		return nil
	}
	project, err := h.project(cwd)
	switch {
	case err != nil:
		return err
	case isFile:
		h.service.dsn = "sqlite:" + filepath.Join(project, path)
		return nil
	}
	h.service.dir = project
	h.service.dsn, err = h.service.where()
	return err
}

// dsn is the DSN that was named; empty for none.
func (h *stopHook) dsn() string { return cmp.Or(h.service.dsn, h.getenv("PLUMBLINE_LEDGER")) }

// project is the directory of the project.
func (h *stopHook) project(cwd string) (string, error) {
	dir := h.getenv(projectVar)
	if dir == "" {
		return h.place(cwd)
	}
	if !filepath.IsAbs(dir) {
		return "", usagef("%s is %q, which is no absolute path: set it to the project's directory", projectVar, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usagef("%s names no directory: %q: set it to the project's directory", projectVar, dir)
	}
	return dir, nil
}

// place is the directory that stands for a project that the host does not name, and tells
// so: the agent may have gone there from elsewhere.
func (h *stopHook) place(cwd string) (string, error) {
	dir := cwd
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return "", usagef("%s is not set, and there is no working directory: set it to the project's directory, or name the ledger by --ledger with an absolute path, or by --server", projectVar)
		}
	}
	h.complain("%s is not set: the ledger is that of %s, where the agent works now; --ledger with an absolute path, or --server, names one that stays", projectVar, dir)
	return dir, nil
}

// source names the ledger that is asked, without what may be secret; empty for what names
// none.
func (h *stopHook) source() string {
	if h.service.changed("server") {
		if _, err := endpointOf(h.service.server, ""); err != nil {
			return ""
		}
		return "ledger of " + h.service.server
	}
	dsn := h.dsn()
	if ledger.CheckDSN(dsn) != nil {
		return ""
	}
	return "ledger " + shownDSN(dsn)
}

// again gives the flags by which another command reaches the same ledger as the same
// caller from any directory, each after a space. What a DSN may hold of passwords is left
// out.
func (h *stopHook) again() string {
	var words []string
	if h.service.changed("server") {
		words = append(words, "--server", shellWord(h.service.server))
	} else {
		words = append(words, "--role", shellWord(h.service.role))
	}
	if h.service.as != "" {
		words = append(words, "--as", shellWord(h.service.as))
	}
	switch {
	case h.service.changed("server"):
	case strings.HasPrefix(h.service.dsn, "sqlite:"):
		words = append(words, "--ledger", shellWord(h.service.dsn))
	case h.service.dsn == "":
		words = append(words, "--ledger", `"$PLUMBLINE_LEDGER"`)
	default:
		words = append(words, "--ledger", hiddenDSN)
	}
	return " " + strings.Join(words, " ")
}

// hiddenDSN stands for a DSN of the command line, which may hold a password.
const hiddenDSN = "DSN"
