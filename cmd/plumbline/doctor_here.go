package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/tools"
)

func (d *doctor) version(context.Context) (diagnosis, error) {
	return fine("plumbline %s, built with %s for %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH), nil
}

// readableRoots looks at the directories that a server on stdio would read in.
func (d *doctor) readableRoots(context.Context) (diagnosis, error) {
	dirs := (&serveFlags{ledgerFlags: d.service.ledgerFlags, http: &httpFlags{}, roots: d.roots}).readable()
	if len(dirs) == 0 {
		return warn("start it in a project, or with --root DIR",
			"a server started here reads no files: this is the root of the disk or a home directory"), nil
	}
	roots, err := tools.OpenRoots(dirs, tools.DefaultMaxFile)
	if err != nil {
		return diagnosis{}, err
	}
	return fine("a server started here reads files inside %s", strings.Join(dirs, ", ")), roots.Close()
}

// git looks for the program, which done reports name their commit by, and for a
// repository, which keeps the ledger.
func (d *doctor) git(ctx context.Context) (diagnosis, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return warn("install git: without it done reports name no commit", "git is not on the PATH"), nil
	}
	told, err := outputAlone(exec.CommandContext(ctx, path, "--version"))
	if err != nil {
		return warn("run it by hand to see why: without it done reports name no commit", "%s --version fails: %v", path, err), nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return diagnosis{}, err
	}
	top := repository(dir)
	_, err = os.Stat(filepath.Join(top, ".git"))
	switch {
	case err != nil && d.service.named():
		return fine("%s; no repository is around this directory", strings.TrimSpace(string(told))), nil
	case err != nil:
		return warn("run `git init` for a ledger of its own, or name one with --ledger",
			"%s; no repository is around this directory", strings.TrimSpace(string(told))), nil
	}
	return fine("%s; the repository is %s", strings.TrimSpace(string(told)), top), nil
}

// outputAlone is what a command prints. It and all that it started are ended with its
// context.
func outputAlone(cmd *exec.Cmd) ([]byte, error) {
	ownGroup(cmd)
	cmd.Cancel = func() error { return endGroup(cmd) }
	cmd.WaitDelay = time.Second // for what it left behind, which holds its output open
	told, err := cmd.Output()
	if cmd.Process != nil {
		_ = endGroup(cmd) // an error means that nothing is left
	}
	return told, err
}

// acts looks at who is recorded as acting.
func (d *doctor) acts(context.Context) (diagnosis, error) {
	if err := ledger.CheckName(d.caller.Name); err != nil {
		return diagnosis{}, err
	}
	if d.service.server != "" {
		return fine("what is started here acts as %s, in the role %s; at the server the token in PLUMBLINE_TOKEN says who acts", d.caller.Name, d.caller.Role), nil
	}
	return fine("acts as %s, in the role %s", d.caller.Name, d.caller.Role), nil
}

// policy looks at what applies to documents in the working directory.
func (d *doctor) policy(context.Context) (diagnosis, error) {
	found, err := d.policyHere()
	switch {
	case err != nil:
		return diagnosis{}, err
	case found.err != nil:
		problems := found.explain()
		more := ""
		if len(problems) > 1 {
			more = fmt.Sprintf(" (and %d more)", len(problems)-1)
		}
		return diagnosis{}, usagef("%s%s", problems[0], more)
	}
	gate := found.policy.Gate()
	asks := fmt.Sprintf("--min-score %d --fail-on %s", gate.MinScore, gate.FailOn)
	if gate.MaxTokens > 0 {
		asks += fmt.Sprintf(" --max-tokens %d", gate.MaxTokens)
	}
	if found.policy == nil {
		return fine("no %s applies here: scans are held to the recommended policy, %s", scan.PolicyName, asks), nil
	}
	return fine("%s: %s, rules set: %d, waivers: %d", shown(found.path), asks, len(found.policy.Rules), len(found.policy.Waivers)), nil
}
