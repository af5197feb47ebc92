package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// scoreFlag is a score from 0 to 100.
type scoreFlag struct{ score *int }

func (f scoreFlag) String() string {
	if f.score == nil {
		return ""
	}
	return strconv.Itoa(*f.score)
}

func (f scoreFlag) Type() string { return "N" }

func (f scoreFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 100 {
		return errors.New("use a whole number from 0 to 100")
	}
	*f.score = n
	return nil
}

// tokensFlag is a number of tokens; 0 for any.
type tokensFlag struct{ tokens *int }

func (f tokensFlag) String() string {
	if f.tokens == nil {
		return ""
	}
	return strconv.Itoa(*f.tokens)
}

func (f tokensFlag) Type() string { return "N" }

func (f tokensFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("use a whole number of tokens, 0 for any")
	}
	*f.tokens = n
	return nil
}

// severityFlag is a severity, or none.
type severityFlag struct{ severity *agentready.Severity }

func (f severityFlag) String() string {
	if f.severity == nil {
		return ""
	}
	return string(*f.severity)
}

func (f severityFlag) Type() string { return "SEVERITY" }

func (f severityFlag) Set(s string) error {
	severity, err := agentready.ParseFailOn(s)
	*f.severity = severity
	return err
}

// Formats that are not like the others: text shows verdicts on its own, and json is not
// about what could not be scanned.
const (
	textFormat = "text"
	jsonFormat = "json"
)

// formatFlag is one --format: a format, and the file it goes to or "" for stdout.
type formatFlag struct {
	format report.Format
	file   string
}

// formatFlags are all --format flags.
type formatFlags []formatFlag

func (f *formatFlags) String() string { return "" }

func (f *formatFlags) Type() string { return "FORMAT[=FILE]" }

// Set reads FORMAT or FORMAT=FILE, where - is no file but stdout.
func (f *formatFlags) Set(s string) error {
	name, file, toFile := strings.Cut(s, "=")
	format, err := report.Find(name)
	if err != nil {
		return err
	}
	if toFile && file == "" {
		return fmt.Errorf("name a file after %s=", name)
	}
	if file == stdoutArg {
		file = ""
	}
	*f = append(*f, formatFlag{format, file})
	return nil
}

// check refuses formats that would interleave with each other on stdout.
func (f formatFlags) check() error {
	stdout := 0
	for _, one := range f {
		if one.file != "" {
			continue
		}
		if stdout++; stdout > 1 {
			return usagef("only one --format can go to stdout: send the other to a file, as in --format %s=FILE", one.format.Name)
		}
	}
	return nil
}

// orDefault is text on stdout where no format is given.
func (f formatFlags) orDefault() []formatFlag {
	if len(f) == 0 {
		return []formatFlag{{format: report.Formats[0]}}
	}
	return f
}

// formatHelp lists the formats, a line each.
func formatHelp() string {
	var b strings.Builder
	b.WriteString("Formats:\n")
	for _, f := range report.Formats {
		fmt.Fprintf(&b, "  %-10s%s\n", f.Name, f.About)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
