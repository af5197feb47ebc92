package main

import (
	"bufio"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

const trustUsage = "run without asking, if the file's bytes have this digest: `sha256:HEX` with 64 hex digits"

// batch is commands of strangers that are about to be run.
type batch struct {
	kind   string // of the file they stand in: contract or round
	file   object
	root   string   // where they run
	trust  string   // --trust as given
	labels []string // what each check is
	checks []contract.Check
}

// wording says what a batch does: most run commands, some of a client's configuration ask
// servers at URLs.
type wording struct{ plan, noun, verb, does, question string }

// wordings are by whether there are URLs, and whether there are commands.
var wordings = map[[2]bool]wording{
	{false, true}: {"runs these commands in ROOT", "commands", "run", "runs", "Run them?"},
	{true, false}: {"asks the servers at these URLs", "URLs", "ask", "asks", "Ask them?"},
	{true, true}:  {"runs these commands in ROOT, and asks the servers at these URLs", "commands and URLs", "run and ask", "runs and asks", "Run and ask them?"},
}

func (b batch) wording() wording {
	isURL := func(c contract.Check) bool { return c.Type == shownHTTP }
	isCommand := func(c contract.Check) bool { return !isURL(c) }
	return wordings[[2]bool{slices.ContainsFunc(b.checks, isURL), slices.ContainsFunc(b.checks, isCommand)}]
}

// trustPrefix begins what --trust takes: no fingerprint, which is short enough to be
// forged.
const trustPrefix = "sha256:"

var trustForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// agree makes sure that somebody wants the commands to be run: by --trust, or by
// showing them on a terminal and asking there. Without commands there is nothing to
// agree to.
func (p *process) agree(ctx context.Context, b batch) error {
	digest := trustPrefix + contract.SHA256(b.file.text)
	switch {
	case b.trust != "" && !trustForm.MatchString(b.trust):
		return usagef("--trust %q: use sha256: and the 64 hex digits of the %s's SHA-256, which are %s if you have read it", b.trust, b.kind, digest)
	case b.trust != "" && b.trust != digest:
		return usagef("--trust names another %s: the digest of %s is %s; read it before you trust it. Nothing was run", b.kind, b.file.name, digest)
	case b.trust != "" || len(b.checks) == 0:
		return nil
	}
	p.showCommands(b, digest)
	if p.canAsk() {
		return p.ask(ctx, b.wording().question)
	}
	w := b.wording()
	fmt.Fprintf(p.stderr, "\nNothing was run: there is no terminal to ask on. If you have read the %s and trust\nthem, this %s them:\n\n    %s\n\n", w.noun, w.does, report.Escape(p.trustLine(digest)))
	return usagef("--trust is needed to %s the %s of %s without a terminal", w.verb, w.noun, b.file.name)
}

// showCommands lists what would be run.
func (p *process) showCommands(b batch, digest string) {
	page := p.newPage(p.stderr)
	page.line("The %s %s %s:", b.kind, b.file.name, strings.ReplaceAll(b.wording().plan, "ROOT", b.root))
	page.WriteByte('\n')
	for i, check := range b.checks {
		page.line("  %s (%s)", b.labels[i], check.Type)
		page.line("      %s", check.Run)
	}
	page.WriteByte('\n')
	page.line("Its digest is %s.", digest)
	fmt.Fprint(p.stderr, page.String())
}

// canAsk says whether there is a terminal that shows a question and takes the answer.
func (p *process) canAsk() bool {
	_, reads := terminal(p.stdin)
	_, shows := terminal(p.stderr)
	return reads && shows
}

// ask puts a question and waits for a yes on the terminal.
func (p *process) ask(ctx context.Context, question string) error {
	yes, err := p.confirm(ctx, question)
	if err == nil && !yes {
		err = usagef("nothing was run: the answer was not yes")
	}
	return err
}

// confirm puts a question on the terminal and gives whether the answer is yes.
func (p *process) confirm(ctx context.Context, question string) (yes bool, err error) {
	fmt.Fprint(p.stderr, question+" [y/N] ")
	answer, err := interruptible(ctx, func() (string, error) {
		line, err := bufio.NewReader(p.stdin).ReadString('\n')
		if line != "" {
			err = nil // an answer without a line break
		}
		return line, err
	})
	if err != nil && ctx.Err() != nil {
		return false, errInterrupted
	}
	word := strings.ToLower(strings.TrimSpace(answer))
	return word == "y" || word == "yes", nil
}

// trustLine is the line to type that runs this very call with its trust, which stands behind
// the command's one or two words: further on it could be taken for a flag's value, or follow
// a --.
func (p *process) trustLine(digest string) string {
	at := min(2, len(p.args))
	if flag := slices.IndexFunc(p.args[:at], func(arg string) bool { return strings.HasPrefix(arg, "-") }); flag >= 0 {
		at = flag
	}
	args := slices.Insert(slices.Clone(p.args), at, "--trust", digest)
	for i, arg := range args {
		args[i] = shellWord(arg)
	}
	return "plumbline " + strings.Join(args, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// shellWord quotes an argument for a shell where it needs quoting.
func shellWord(arg string) string {
	if plainWord.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
