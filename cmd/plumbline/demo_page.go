package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/report"
	"github.com/plumbline-mcp/plumbline/tools"
)

// demoPage is a text of the demo.
type demoPage struct {
	*page
	color bool
}

func (p *process) newDemoPage() *demoPage {
	return &demoPage{p.newPage(p.stdout), p.view(p.stdout).Color}
}

// demoIndent is what stands left of what was sent and answered.
const demoIndent = "        "

// bold writes a line, in bold type on a terminal.
func (b *demoPage) bold(text string) {
	text = report.Escape(text)
	if b.color {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	b.WriteString(text + "\n")
}

// wrapped writes a paragraph behind first, which is as wide as rest.
func (b *demoPage) wrapped(first, rest, text string) {
	b.WriteString(report.Wrap(report.Escape(text), first, rest, b.width))
}

func (b *demoPage) opening() {
	b.bold("An owner, a builder and a judge work by one contract")
	b.wrapped("", "", "Each of them has a Plumbline server of their own and talks to it over MCP. All servers share one ledger, in a temporary directory. "+
		"What the three say is written down beforehand; what the servers answer is not.")
	b.WriteString("\n")
}

// server shows how a server was started, what it offers, and what it does not offer of
// what there is.
func (b *demoPage) server(role tools.Role, args, offered, all []string) {
	b.line("  $ plumbline %s", strings.Join(args, " "))
	text := fmt.Sprintf("offers the %s %d tools", role, len(offered))
	missing := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(offered, name) })
	if len(missing) > 0 {
		text += ", but not " + strings.Join(missing, ", ")
	}
	b.wrapped(demoIndent, demoIndent, text)
}

func (b *demoPage) chapter(number int, c demoChapter) {
	b.WriteString("\n")
	b.bold(fmt.Sprintf("%d. %s", number, c.title))
	b.wrapped("  ", "  ", c.why)
}

// call begins a step of one of the cast.
func (b *demoPage) call(name string, step demoStep) {
	b.WriteString("\n")
	b.line("  %s (%s) calls %s", name, step.who, step.does)
}

// command begins a step of a build.
func (b *demoPage) command(args string) {
	b.WriteString("\n")
	b.line("  $ plumbline %s", args)
}

// facts shows facts of what was sent, or of an answer, behind a word for which it is.
func (b *demoPage) facts(word string, value any, facts []demoFact) error {
	first := fmt.Sprintf("  %-*s", len(demoIndent)-2, word)
	for _, fact := range facts {
		lines, err := fact.lines(value)
		if err != nil {
			return err
		}
		for _, line := range lines {
			b.wrapped(first, demoIndent, line)
			first = demoIndent
		}
	}
	return nil
}

func (b *demoPage) note(text string) { b.wrapped("      = ", demoIndent, text) }
