package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/report"
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/tools"
)

// page is a text for people. What strangers wrote goes into it escaped.
type page struct {
	strings.Builder
	width int
}

func (p *process) newPage(w io.Writer) *page { return &page{width: p.view(w).Width} }

// line writes one line, escaped.
func (b *page) line(format string, args ...any) {
	b.WriteString(report.Escape(fmt.Sprintf(format, args...)))
	b.WriteByte('\n')
}

// text writes an indented paragraph, escaped.
func (b *page) text(format string, args ...any) {
	b.WriteString(report.Wrap(report.Escape(fmt.Sprintf(format, args...)), "    ", "    ", b.width))
}

// verdict writes whether a file is valid, and which contract it is, or is held
// against, where that has a whole name.
func (b *page) verdict(file string, a tools.About) {
	word := "VALID"
	if !a.Valid {
		word = "NOT VALID"
	}
	b.line("%s %s", word, file)
	if a.ContractID != "" && a.Revision > 0 && a.Fingerprint != "" {
		b.line("    contract %s, revision %d, %s", a.ContractID, a.Revision, a.Fingerprint)
		b.line("    sha256 %s", a.SHA256)
	}
}

// maxShown is how many problems, or other items of a list, a person is shown: nobody
// reads more, and junk has millions.
const maxShown = 200

// problems writes each problem of a file: where it is, its code, what is wrong, and
// what to do.
func (b *page) problems(file string, lists ...[]contract.Problem) {
	all := slices.Concat(lists...)
	for _, problem := range all[:min(len(all), maxShown)] {
		line, column := problem.Position()
		at := position(file, surface.Position{Line: line, Column: column})
		b.WriteByte('\n')
		b.line("%s", strings.TrimSpace(fmt.Sprintf("%s: %s %s %s", at, problem.Severity, problem.Code, problem.Path)))
		b.text("%s", problem.Message)
		b.text("Fix: %s", problem.Fix)
	}
	b.more(len(all), "problems")
}

// more says that a list of n items was longer than what was shown.
func (b *page) more(n int, what string) {
	if n > maxShown {
		b.line("... and %d more %s: --format json has all", n-maxShown, what)
	}
}

// omitted says how much of which lists a tool left out of its answer.
func (b *page) omitted(cut map[string]int) {
	for _, list := range slices.Sorted(maps.Keys(cut)) {
		b.line("... and %d more %s, which the answer has no room for", cut[list], list)
	}
}

// print writes the page.
func (b *page) print(w io.Writer) error {
	_, err := io.WriteString(w, b.String())
	return written(err)
}
