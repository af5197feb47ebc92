package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// ruleFormats are the formats of `rules`.
var ruleFormats = []struct {
	name  string
	write func(p *process, rules []scan.RuleInfo, detail bool) error
}{
	{"text", writeRulesText},
	{"json", writeRulesJSON},
}

// ruleFormatNames names them for people.
func ruleFormatNames() string {
	names := make([]string, len(ruleFormats))
	for i, f := range ruleFormats {
		names[i] = f.name
	}
	return agentready.Choice(names)
}

func newRulesCmd(p *process) *cobra.Command {
	format := ruleFormats[0].name
	cmd := &cobra.Command{
		Use:   "rules [CODE]",
		Short: "List the rules, or explain one with an example before and after",
		Long:  "List the rules, or explain those of a rule code (AR002, or in full) or one by its finding code.",
		Args:  atMost(1, "at most one code"),
		RunE: func(_ *cobra.Command, args []string) error {
			rules := scan.Rules()
			if len(args) == 1 {
				rules = rulesNamed(args[0])
			}
			if len(rules) == 0 {
				return unknown("rule", args[0], ruleCodes(), "plumbline rules")
			}
			for _, f := range ruleFormats {
				if f.name == format {
					return f.write(p, rules, len(args) == 1)
				}
			}
			return usagef("unknown format %q: use %s", format, ruleFormatNames())
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "how to show them, as `FORMAT`: "+ruleFormatNames())
	return cmd
}

// rulesNamed are the rules of a rule code, short or in full, or of a finding code;
// letter case does not count.
func rulesNamed(code string) []scan.RuleInfo {
	return slices.DeleteFunc(scan.Rules(), func(r scan.RuleInfo) bool {
		return !strings.EqualFold(code, r.Code) && !strings.EqualFold(code, agentready.ShortCode(r.Code)) && !strings.EqualFold(code, r.Finding)
	})
}

func ruleCodes() []string {
	var codes []string
	for _, r := range scan.Rules() {
		codes = append(codes, agentready.ShortCode(r.Code), r.Code, r.Finding)
	}
	return codes
}

func writeRulesJSON(p *process, rules []scan.RuleInfo, _ bool) error {
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(rules)
}

func writeRulesText(p *process, rules []scan.RuleInfo, detail bool) error {
	if detail {
		return explainRules(p, rules)
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CODE\tFINDING\tSEVERITY\tAPPLIES TO\tCATEGORY")
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", agentready.ShortCode(r.Code), r.Finding, r.Severity, r.Applies, r.Category)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "\n`plumbline rules CODE` says why, what to do, and gives an example.")
	return err
}

func explainRules(p *process, rules []scan.RuleInfo) error {
	var b strings.Builder
	width := p.view(p.stdout).Width
	for i, r := range rules {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s\n%s: %s, category %s, applies to %s\n", r.Code, r.Finding, r.Severity, r.Category, r.Applies)
		for _, part := range []struct{ title, text string }{{"Why", r.Explanation}, {"What to do", r.Recommendation}} {
			fmt.Fprintf(&b, "\n%s\n%s", part.title, report.Wrap(part.text, "  ", "  ", width))
		}
		for _, part := range []struct{ title, text string }{{"Before", r.Before}, {"After", r.After}} {
			fmt.Fprintf(&b, "\n%s\n%s", part.title, indent(part.text))
		}
	}
	_, err := io.WriteString(p.stdout, b.String())
	return err
}

// indent sets an example apart, line by line.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		b.WriteString("  " + line)
	}
	return b.String()
}
