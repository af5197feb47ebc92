package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

func (p *process) printStatus(a tools.StatusAnswer) error {
	page := p.newPage(p.stdout)
	page.status(a.StatusRow)
	page.record(a.DoneReport, a.LastRound)
	if a.Open != nil {
		page.open(a.Open.Findings)
	}
	page.facts(a.Facts)
	page.omitted(a.Omitted)
	page.next(a.Next)
	page.nothingNext(a.Next)
	return page.print(p.stdout)
}

// open writes the findings of the last round with what it takes to mend them.
func (b *page) open(findings []tools.OpenFinding) {
	for i, f := range findings[:min(len(findings), maxShown)] {
		b.line("finding %d of the last round: %s", i+1, label(f.Disposition, f.Criterion, f.Class, f.Owner))
		b.finding(f.Location, f.Message)
		b.part("check", f.Check)
		b.part("remedy", f.Remedy)
		if f.Cut {
			b.line("    cut, since it is long: plumbline chain export has all of it")
		}
	}
	b.more(len(findings), "findings")
}

// status writes how a contract stands, in a few lines.
func (b *page) status(r tools.StatusRow) {
	b.label(r.Label)
	b.line("    rounds %d, the last verdict on this revision: %s", r.Rounds, cmp.Or(string(r.LastVerdict), "none"))
	b.line("    extension rounds %d of %d", r.ExtensionsUsed, r.ExtensionsBudget)
	b.line("    head %s at event %d", r.Head.Hash, r.Head.Seq)
}

// record writes the newest done report and the newest round; each may be nil.
func (b *page) record(d *tools.DoneRow, r *tools.RoundRow) {
	if d == nil {
		b.line("    no done report")
	} else {
		word := "done"
		if !d.Done {
			word = "unfinished"
		}
		b.line("    reported %s by %s (self-reported) at %s: revision %d, %s", word, d.Who, d.At, d.Revision, commitName(d.Commit))
		b.criteria("checks did not pass of", d.Failing)
	}
	if r == nil {
		b.line("    no round")
		return
	}
	b.line("    judged %s by %s%s at %s: revision %d, %s", r.Verdict, r.Who, map[bool]string{true: " (self-judged)"}[r.SelfJudged], r.At, r.Revision, commitName(r.Commit))
	b.line("    findings: %d against criteria, %s, %d advisory", r.Against, agentready.Count(r.Extensions, "extension"), r.Advisory)
}

// maxCriteria is how many criteria are named in one paragraph.
const maxCriteria = 20

// criteria names criteria, if there are any.
func (b *page) criteria(what string, ids []string) {
	switch more := len(ids) - maxCriteria; {
	case len(ids) == 0:
	case more > 0:
		b.text("%s: %s, and %d more", what, strings.Join(ids[:maxCriteria], ", "), more)
	default:
		b.text("%s: %s", what, strings.Join(ids, ", "))
	}
}

func commitName(commit string) string {
	if commit == "" {
		return "no named commit"
	}
	return fmt.Sprintf("commit %q", commit)
}

// part writes a part of a finding as JSON, if it has one.
func (b *page) part(name string, value json.RawMessage) {
	if value != nil {
		b.text("%s: %s", name, value)
	}
}

// facts writes what the record shows because no rule can forbid it.
func (b *page) facts(facts []ledger.Fact) {
	for _, fact := range facts {
		b.line("note %s", fact.Name)
		b.text("%s", fact.Text)
	}
}
