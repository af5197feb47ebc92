// Package report shows exports: one file a format. A view prints what an export
// and its verdict say and decides nothing; it knows no flag and reads no file.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Item is one scanned file with what the gate says of it.
type Item struct {
	// File is the file as the user named it; places in it are shown as
	// File:line:column.
	File string
	// Path is the file as programs find it: relative to the root of the repository,
	// with slashes; absolute where it lies outside of that; empty for stdin.
	Path string
	// Dir is likewise the directory that the files of places (Location.File) lie below.
	Dir    string
	Export *agentready.Export
	Policy agentready.Policy
	// Given are the arguments that set thresholds of Policy in place of a policy file, as
	// the user gives them.
	Given   []string
	Verdict agentready.Verdict
}

// Options say how a view for people looks, and what beside the items is to be shown.
type Options struct {
	// Color allows terminal colour sequences. Nothing else writes any.
	Color bool
	// Width is the line length in characters; 0 for DefaultWidth.
	Width int
	// All shows every rule and tool that has a finding, not only the worst.
	All bool
	// AllHint is how the user asks for All, as in "--all"; empty for no hint.
	AllHint string
	// MaxBytes is the most that the Markdown view writes; 0 for MaxComment.
	MaxBytes int
	// Unread are the files that could not be scanned: a line each that says why.
	Unread []string
	// Rules is the catalogue that the items were judged by.
	Rules []agentready.RuleInfo
	// Version is the version of Plumbline.
	Version string
}

// DefaultWidth is the line length where the terminal's is not known.
const DefaultWidth = 80

// Format is one way to show scanned files.
type Format struct {
	Name  string // as in --format
	About string // one line for help
	// Write shows the items, which may be none, in their order. It fails only when w does.
	Write func(w io.Writer, items []Item, opts Options) error
}

// Formats are all formats, the default one first.
var Formats = []Format{
	{"text", "what a person reads in a terminal", writeText},
	{"json", "agentready.json; an array for several files", writeJSON},
	{"markdown", "a comment for a pull request", writeMarkdown},
	{"html", "one page for a browser, which needs no network", writeHTML},
	{"sarif", "SARIF 2.1.0, which code scanning services read", writeSARIF},
	{"junit", "test suites, which CI services read", writeJUnit},
	{"github", "annotations and a job summary of GitHub Actions", writeGitHub},
}

// Find returns the format of that name; the error names those that there are.
func Find(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("unknown format %q: use %s", name, agentready.Choice(names()))
}

// names are the names of all formats, the default one first.
func names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Line is the verdict on one file in one line, without a line break. It says where
// the verdict rests on less than the whole document.
func (i Item) Line() string {
	s := fmt.Sprintf("%s %s: score %d, %s, %s", i.Verdict.Verdict, show(i.File), i.Export.Score,
		show(i.Export.Status), counts(i.Export.RiskCounts))
	if n := i.Export.Waived(); n > 0 {
		s += fmt.Sprintf(", %d waived (score %d without)", n, i.Export.GateScore)
	}
	if b := i.Export.Baseline; b != nil {
		s += fmt.Sprintf(", %d new, %d fixed", b.New, len(b.Fixed))
	}
	if n := incomplete(i.Export); n > 0 {
		s += fmt.Sprintf(", %s not read whole", agentready.Count(n, agentready.Noun(i.Export.SourceType)))
	}
	if i.Export.Partial {
		s += ", partial"
	}
	if n := len(i.Export.Notes); n > 0 {
		s += ", " + agentready.Count(n, "note")
	}
	if len(i.Verdict.Reasons) > 0 {
		s += " (" + strings.Join(i.Verdict.Reasons, "; ") + ")"
	}
	return s
}

// counts is "1 critical, 4 high, 6 medium, 0 low".
func counts(c agentready.RiskCounts) string {
	return fmt.Sprintf("%d critical, %d high, %d medium, %d low", c.Critical, c.High, c.Medium, c.Low)
}
