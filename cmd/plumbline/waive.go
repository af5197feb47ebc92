package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const waiveHelp = `Accept findings of a rule: scan FILE and add a waiver to the policy file that applies to
it (or make .plumbline.yaml beside it), with the fingerprint of what is accepted. A
waived finding stays visible and does not fail the build, until its last day or until
the definition of the tool changes. What matches no finding is refused; a critical
finding needs --expires. A waiver is a decision of whoever owns the document: agents
have no tool for it.`

const waiveExample = `  plumbline waive openapi.yaml --rule AR005 --tool getInvoice \
    --reason "Only the payer's own."
  plumbline waive tools.json --rule AR002 --tool 'send_*' \
    --reason "Our client asks." --expires 2026-12-31`

// waiveFlags are the flags of `waive`, as given.
type waiveFlags struct {
	rule, tool, reason, expires string
	policy, root                string
}

func newWaiveCmd(p *process) *cobra.Command {
	flags := &waiveFlags{}
	cmd := &cobra.Command{
		Use:     "waive FILE",
		Short:   "Accept findings of a rule in the policy file, with a reason",
		Long:    waiveHelp,
		Example: waiveExample,
		Args:    exactly(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := newWaiving(p, flags, args[0])
			if err != nil {
				return err
			}
			return w.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.rule, "rule", "", "rule `CODE` (AR005, or in full) or finding code")
	f.StringVar(&flags.tool, "tool", "", "`ID` of the tool or operation, or a glob over ids")
	f.StringVar(&flags.reason, "reason", "", "the `TEXT` that says why it is accepted, for those who read the policy")
	f.StringVar(&flags.expires, "expires", "", "last `DAY`, as 2026-12-31; critical findings need one")
	f.StringVar(&flags.policy, "policy", "", "add to this policy `FILE`, not to the nearest "+scan.PolicyName)
	f.StringVar(&flags.root, "root", "", "follow references to other files, inside `DIR` alone")
	return cmd
}

// waiving is one call of `waive`, with its flags checked.
type waiving struct {
	*process
	flags  *waiveFlags
	rule   string // in full
	now    time.Time
	in     input
	policy foundPolicy
}

func newWaiving(p *process, flags *waiveFlags, file string) (*waiving, error) {
	w := &waiving{process: p, flags: flags}
	var near string
	if w.rule, near = scan.FindRule(flags.rule); flags.rule != "" && w.rule == "" {
		return nil, usagef("there is no rule %q: did you mean %s? `plumbline rules` lists all", flags.rule, near)
	}
	flags.reason = strings.TrimSpace(flags.reason)
	for _, needed := range []struct{ name, value string }{{"rule", flags.rule}, {"tool", flags.tool}, {"reason", flags.reason}} {
		if needed.value == "" {
			return nil, usagef("--%s is missing: give --rule, --tool and --reason", needed.name)
		}
	}
	var err error
	if w.now, err = p.now(); err != nil {
		return nil, err
	}
	if err := w.checkDay(); err != nil {
		return nil, err
	}
	return w, w.find(file)
}

// checkDay refuses a last day that is none or is over.
func (w *waiving) checkDay() error {
	if w.flags.expires == "" {
		return nil
	}
	day, err := scan.ParseDay(w.flags.expires)
	if err != nil {
		return usagef("--expires %v", err)
	}
	if !w.now.Before(day.AddDate(0, 0, 1)) {
		return usagef("--expires %s is over: give a day to come", w.flags.expires)
	}
	return nil
}

// find finds the document and its policy file.
func (w *waiving) find(file string) error {
	inputs, problems := expand([]string{file})
	if len(problems) > 0 {
		return problems[0]
	}
	if len(inputs) != 1 {
		return usagef("%s names %d files: waive findings of one at a time", file, len(inputs))
	}
	w.in = inputs[0]
	places, err := newPlaces(w.flags.root)
	if err != nil {
		return err
	}
	list := newPolicies(w.process, places, w.flags.policy, w.flags.root)
	w.policy = list.of(w.in)
	switch {
	case w.flags.policy != "" && missing(w.flags.policy):
		w.policy = foundPolicy{path: w.flags.policy}
	case w.policy.err != nil:
		for _, problem := range w.policy.explain() {
			w.exit(problem)
		}
		return errInput
	case w.policy.path == "":
		w.policy.path = filepath.Join(list.directory(w.in), scan.PolicyName)
	}
	return nil
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// run scans the document, and adds a waiver for each tool that has the finding.
func (w *waiving) run(ctx context.Context) error {
	export, err := interruptible(ctx, func() (*agentready.Export, error) { return w.scan(ctx) })
	if err != nil {
		return w.in.explain(err)
	}
	list, err := w.waivers(export)
	if err != nil {
		return err
	}
	if err := alone(ctx, w.policy.path, func() error { return w.add(list) }); err != nil {
		return err
	}
	return w.tell(list)
}

// add adds waivers to the policy file as it is now: others may have changed it since the
// scan.
func (w *waiving) add(list []agentready.Waiver) error {
	text, err := w.text()
	if err != nil {
		return err
	}
	for _, waiver := range list {
		if text, err = scan.AddWaiver(text, waiver); err != nil {
			return usagef("%s: %v", shown(w.policy.path), err)
		}
	}
	return writeFile(w.policy.path, func(out io.Writer) error { _, err := out.Write(text); return err })
}

func (w *waiving) scan(ctx context.Context) (*agentready.Export, error) {
	r, err := newReader(w.stdin, w.flags.root)
	if err != nil {
		return nil, err
	}
	defer r.close()
	return scanInput(ctx, r, w.in, "", scan.Options{Now: w.now, Policy: w.policy.policy})
}

// waivers are one for each tool that is meant and has findings of the rule which are not
// waived yet.
func (w *waiving) waivers(e *agentready.Export) ([]agentready.Waiver, error) {
	means, err := w.meant(e)
	if err != nil {
		return nil, err
	}
	var list []agentready.Waiver
	var ids []string // of tools that have the finding but are not meant
	waivedAlready := false
	for _, t := range e.Tools {
		found := w.findings(t)
		left := slices.DeleteFunc(slices.Clone(found), func(r agentready.Rule) bool { return r.Waived })
		switch {
		case len(found) == 0:
		case !means(t.ID):
			ids = append(ids, t.ID)
		case len(left) == 0:
			waivedAlready = true
		default:
			waiver, err := w.waiver(t, left)
			if err != nil {
				return nil, err
			}
			list = append(list, waiver)
		}
	}
	switch {
	case len(list) > 0:
		return list, nil
	case waivedAlready:
		return nil, usagef("%s has waived %s for %s already", shown(w.policy.path), w.rule, w.flags.tool)
	}
	return nil, w.noFinding(e, ids)
}

// meant says which ids --tool means: the one that it is, or else those that match it.
func (w *waiving) meant(e *agentready.Export) (func(id string) bool, error) {
	is := func(id string) bool { return id == w.flags.tool }
	if slices.ContainsFunc(e.Tools, func(t agentready.Tool) bool { return is(t.ID) }) {
		return is, nil
	}
	if err := scan.CheckGlob(w.flags.tool); err != nil {
		return nil, usagef("--tool: %v", err)
	}
	return func(id string) bool { return scan.MatchesTool(w.flags.tool, id) }, nil
}

// findings are a tool's findings of the rule.
func (w *waiving) findings(t agentready.Tool) []agentready.Rule {
	return slices.DeleteFunc(slices.Clone(t.DetectedRules), func(r agentready.Rule) bool {
		return r.RuleCode != w.rule && r.FindingCode != w.rule
	})
}

func (w *waiving) waiver(t agentready.Tool, found []agentready.Rule) (agentready.Waiver, error) {
	critical := slices.ContainsFunc(found, func(r agentready.Rule) bool { return r.Severity == agentready.Critical })
	if critical && w.flags.expires == "" {
		return agentready.Waiver{}, usagef("%s is critical for %s: give a last day with --expires", w.rule, t.ID)
	}
	return agentready.Waiver{
		Rule: w.rule, Tool: scan.ExactGlob(t.ID), Reason: w.flags.reason, Expires: w.flags.expires, Definition: t.Definition,
	}, nil
}

// noFinding says what was asked for in vain, and what there is.
func (w *waiving) noFinding(e *agentready.Export, ids []string) error {
	noun := agentready.Noun(e.SourceType)
	if len(ids) == 0 {
		return usagef("%s has no finding of %s: `plumbline scan %s` shows what it has", w.in.name, w.rule, w.in.name)
	}
	which := "`plumbline scan " + w.in.name + "` shows which have"
	if near := tools.Nearest(w.flags.tool, ids, 1); len(near) > 0 {
		which = "did you mean " + near[0] + "?"
	}
	return usagef("no %s of %s that %q means has a finding of %s: %s", noun, w.in.name, w.flags.tool, w.rule, which)
}

// text is the text of the policy file, empty where there is none.
func (w *waiving) text() ([]byte, error) {
	if missing(w.policy.path) {
		return nil, nil
	}
	f, err := openRegular(w.policy.path, scan.MaxPolicy)
	if err != nil {
		return nil, input{name: shown(w.policy.path)}.explain(err)
	}
	defer f.Close()
	return readBounded(f, scan.MaxPolicy)
}

// tell says what was waived, a line each.
func (w *waiving) tell(list []agentready.Waiver) error {
	b := w.newPage(w.stdout)
	for _, waiver := range list {
		until := ""
		if waiver.Expires != "" {
			until = " until " + waiver.Expires
		}
		b.line("%s: waived %s for %s%s, as long as its definition is %s", shown(w.policy.path), waiver.Rule, waiver.Tool, until, waiver.Definition)
	}
	return b.print(w.stdout)
}
