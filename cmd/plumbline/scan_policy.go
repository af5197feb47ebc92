package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/tools"
)

// policyFlags are the flags that say what passes.
type policyFlags struct {
	agentready.Policy // as --min-score, --fail-on and --max-tokens set it
	file, baseline    string

	minScore, failOn, maxTokens bool // whether they were given
}

// note remembers which of the thresholds were given.
func (f *policyFlags) note(flags *pflag.FlagSet) {
	f.minScore, f.failOn, f.maxTokens = flags.Changed("min-score"), flags.Changed("fail-on"), flags.Changed("max-tokens")
}

// over puts the thresholds that were given over a policy's.
func (f *policyFlags) over(policy agentready.Policy) agentready.Policy {
	if f.minScore {
		policy.MinScore = f.MinScore
	}
	if f.failOn {
		policy.FailOn = f.FailOn
	}
	if f.maxTokens {
		policy.MaxTokens = f.MaxTokens
	}
	return policy
}

// policies finds the policy file of each document.
type policies struct {
	places   *places
	file     string // --policy; empty to look for one
	root     string // of --root, absolute; empty for none
	defaults []string
	// found are the files read so far, by the directory of the document.
	found map[string]foundPolicy
}

// foundPolicy is what was found for the documents of a directory.
type foundPolicy struct {
	policy *scan.Policy // nil for none
	path   string       // absolute; empty for none
	err    error
}

func newPolicies(p *process, places *places, file, root string) *policies {
	list := &policies{places: places, file: file, found: map[string]foundPolicy{}}
	if root != "" {
		list.root = realPath(root)
	}
	if cwd, err := os.Getwd(); err == nil {
		list.defaults = tools.DefaultRoots(realPath(cwd), realPath(p.getenv("HOME")))
	}
	return list
}

// of finds the policy of a document: --policy, or the nearest file beside it or above.
func (p *policies) of(in input) foundPolicy {
	if p.file != "" {
		return p.remember("", func() foundPolicy { return p.read(p.file) })
	}
	dir := p.directory(in)
	return p.remember(dir, func() foundPolicy { return p.search(dir) })
}

func (p *policies) remember(key string, find func() foundPolicy) foundPolicy {
	found, known := p.found[key]
	if !known {
		found = find()
		p.found[key] = found
	}
	return found
}

// directory is where a document lies: its real place where a link leads into --root. What
// comes from no file counts as lying in the working directory.
func (p *policies) directory(in input) string {
	if !in.isFile() {
		return realPath(".")
	}
	dir := realPath(filepath.Dir(in.name))
	if p.root != "" && !within(p.root, dir) {
		dir = filepath.Dir(realPath(in.name))
	}
	return dir
}

// search looks in a directory and above, up to the boundary.
func (p *policies) search(dir string) foundPolicy {
	top := p.boundary(dir)
	relative, err := filepath.Rel(top, dir)
	if err != nil {
		return foundPolicy{err: err}
	}
	root, err := os.OpenRoot(top)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return foundPolicy{} // no document is there either
	case err != nil: // a directory that may be entered alone, where a policy can lie
		return foundPolicy{path: top, err: usagef("%v, so that a %s cannot be looked for from here down to the document: have this directory listable, or name with --root where to look", plain(err), scan.PolicyName)}
	}
	defer root.Close()
	policy, err := scan.FindPolicy(root.FS(), path.Join(filepath.ToSlash(relative), "document"))
	var broken *scan.PolicyError
	switch {
	case errors.As(err, &broken):
		return foundPolicy{path: filepath.Join(top, filepath.FromSlash(broken.File)), err: err}
	case err != nil || policy == nil:
		return foundPolicy{err: err}
	}
	at := filepath.Join(top, filepath.FromSlash(policy.File))
	policy.File = p.places.relative(at)
	return foundPolicy{policy: policy, path: at}
}

// boundary is the directory above which no policy is looked for: --root, else the
// repository, else the working directory, else the document's own. A repository inside
// of one of them is a boundary too, as [scan.FindPolicy] sees to.
func (p *policies) boundary(dir string) string {
	if p.root != "" && within(p.root, dir) {
		return p.root
	}
	if top := repository(dir); top != dir {
		return top
	}
	for _, top := range p.defaults {
		if within(top, dir) {
			return top
		}
	}
	return dir
}

// within says whether dir is top or lies below it.
func within(top, dir string) bool {
	relative, err := filepath.Rel(top, dir)
	return err == nil && filepath.IsLocal(relative)
}

// read reads the file that --policy names.
func (p *policies) read(name string) foundPolicy {
	found := foundPolicy{path: realPath(name)}
	f, err := openRegular(name, scan.MaxPolicy)
	if err != nil {
		found.err = err
		return found
	}
	defer f.Close()
	data, err := readBounded(f, scan.MaxPolicy)
	if err != nil {
		found.err = err
		return found
	}
	if found.policy, found.err = scan.ReadPolicy(data); found.err == nil {
		found.policy.File = p.places.relative(name)
	}
	return found
}

// shown is how a person finds a file from where they are.
func shown(absolute string) string {
	if relative, err := filepath.Rel(realPath("."), absolute); err == nil && filepath.IsLocal(relative) {
		return relative
	}
	return absolute
}

// explain words what is wrong with a policy file, a problem a line.
func (f foundPolicy) explain() []error {
	var broken *scan.PolicyError
	if !errors.As(f.err, &broken) {
		return []error{input{name: cmp.Or(shown(f.path), scan.PolicyName)}.explain(f.err)}
	}
	var lines []error
	for _, problem := range broken.Problems {
		at := surface.Position{Line: problem.Line, Column: problem.Column}
		bare := *problem
		bare.Line, bare.Column = 0, 0
		lines = append(lines, usagef("%s: %v", position(shown(f.path), at), &bare))
	}
	if broken.Cut {
		lines = append(lines, usagef("%s: there are more problems than these %d: mend these first", shown(f.path), len(broken.Problems)))
	}
	return lines
}

// findPolicies finds the policy of every input, and reports all that is wrong with the
// files; false where something is.
func (s *scanRun) findPolicies() bool {
	list := newPolicies(s.process, s.places, s.flags.policy.file, s.flags.root)
	s.policies = map[input]foundPolicy{}
	broken := map[string]bool{}
	for _, in := range s.inputs {
		found := list.of(in)
		s.policies[in] = found
		if found.err == nil || broken[found.path] {
			continue
		}
		broken[found.path] = true
		for _, problem := range found.explain() {
			s.fail(problem)
		}
	}
	return len(broken) == 0
}
