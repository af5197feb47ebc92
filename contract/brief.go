package contract

import (
	"fmt"
	"strings"
)

// Role is who a brief is for.
type Role string

// The roles that get a brief.
const (
	Builder Role = "builder"
	Judge   Role = "judge"
)

// Brief renders a valid contract for a role as Markdown (text section 9), derived from
// the object alone: one contract gives the same bytes, always. Every text of the
// contract stands in a quoted block, as a JSON string behind a label, so that none can
// begin a line, and with it a heading, a rule or the end of its block. The contract
// object itself is not in it: see [BriefWithContract].
func Brief(c *Contract, role Role) string {
	b := &brief{role: role}
	b.line("# Acceptance contract: brief for the %s", role)
	b.line("")
	b.line("%s", quotedIsData)
	b.line("")
	b.head(c)
	b.line("## Criteria: %d", len(c.Criteria))
	for i := range c.Criteria {
		b.line("")
		b.line("### Criterion %d", i+1)
		b.line("")
		b.criterion(&c.Criteria[i], c)
	}
	b.line("")
	b.line("## Rules for the %s", role)
	b.line("")
	for _, rule := range briefRules[role] {
		b.line("- %s", rule)
	}
	return b.out.String()
}

// BriefWithContract is the brief, followed by the contract's registered bytes in a
// fence that nothing in them can close.
func BriefWithContract(c *Contract, role Role) string {
	return AppendContract(Brief(c, role), c)
}

// AppendContract is [BriefWithContract] of a brief that [Brief] rendered before.
func AppendContract(brief string, c *Contract) string {
	text := string(c.Text)
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return brief + "\n## The contract, verbatim\n\n" + fence + "json\n" + text + fence + "\n"
}

// longestRun gives the length of the longest run of the byte.
func longestRun(s string, of byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

type brief struct {
	out  strings.Builder
	role Role
}

func (b *brief) line(format string, args ...any) {
	fmt.Fprintf(&b.out, format, args...)
	b.out.WriteByte('\n')
}

// quote writes a quoted block: labels and what stands behind them.
func (b *brief) quote(fields []field) {
	b.line("> ```text")
	for _, f := range fields {
		b.line("> %s: %s", f.label, f.text)
	}
	b.line("> ```")
}

// field is one line of a quoted block. Its text is on one line.
type field struct{ label, text string }

func (b *brief) head(c *Contract) {
	fields := []field{
		{"contract", c.ID},
		{"revision", fmt.Sprint(c.Revision)},
		{"fingerprint", c.Fingerprint},
		{"sha256", c.SHA256()},
		{"owner", quoteText(c.Owner)},
	}
	fields = optional(fields, "title", c.Title)
	fields = optional(fields, "authority", c.Authority)
	b.quote(append(fields, field{"budget", fmt.Sprintf("%d extension rounds against this revision", c.Budget)}))
	b.line("")
}

func optional(fields []field, label, text string) []field {
	if text == "" {
		return fields
	}
	return append(fields, field{label, quoteText(text)})
}

func (b *brief) criterion(cr *Criterion, c *Contract) {
	fields := []field{
		{"id", cr.ID},
		{"kind", string(cr.Kind)},
		{"class", quoteText(cr.Class)},
		{"statement", quoteText(cr.Statement)},
		{"owner", quoteText(c.OwnerOf(cr))},
	}
	fields = append(fields, inputFields("", cr.Cases, cr.CaseFile, cr.Domain)...)
	for i := range cr.Construction {
		e := &cr.Construction[i]
		label := fmt.Sprintf("construction %d", i)
		fields = append(fields, field{label, quoteText(e.Statement)})
		fields = append(fields, inputFields(label+", ", e.Cases, e.CaseFile, e.Domain)...)
	}
	for i, check := range cr.Checks {
		fields = append(fields, checkFields(i, check)...)
	}
	if b.role == Judge {
		fields = append(fields, field{"a finding's location", locations[kindOfInput(cr)]})
	}
	b.quote(fields)
}

// inputFields are the lines of what a criterion or an entry is about.
func inputFields(prefix string, cases []Case, caseFile, domain *ArtifactRef) []field {
	var fields []field
	for _, c := range cases {
		fields = append(fields, field{prefix + "case", string(onOneLine(c.Value.Canonical()))})
	}
	if caseFile != nil {
		fields = append(fields, field{prefix + "cases in", quoteText(caseFile.label())})
	}
	if domain != nil {
		fields = append(fields, field{prefix + "rows of", quoteText(domain.label())})
		if domain.Keyed {
			fields = append(fields, field{prefix + "rows named by", quoteText(domain.Key)})
		}
	}
	return fields
}

func checkFields(index int, c Check) []field {
	label := fmt.Sprintf("check %d", index)
	fields := []field{{label + ", " + string(c.Type), quoteText(c.Run + c.Text)}}
	fields = optional(fields, label+", output contains", c.Expect)
	if c.Timeout > 0 {
		fields = append(fields, field{label + ", seconds at most", string(appendNumber(nil, c.Timeout))})
	}
	for _, f := range c.Files {
		fields = append(fields, field{label + ", depends on", quoteText(f.label())})
	}
	return fields
}

// inputKind is how a finding names an input of a criterion.
type inputKind int

const (
	inputFree inputKind = iota
	inputCase
	inputFileCase
	inputRow
	inputKeyedRow
)

// locations say what a finding's location is, by the kind of input.
var locations = map[inputKind]string{
	inputFree:     "wherever it is seen",
	inputCase:     "the id of a case above",
	inputFileCase: "<artifact>@<fingerprint>#<id of a case in the file>, as above",
	inputRow:      "<artifact>@<fingerprint>#<number of the row, from 1>, as above",
	inputKeyedRow: "<artifact>@<fingerprint>#<the row's name>, as above",
}

func kindOfInput(cr *Criterion) inputKind {
	switch {
	case cr.CaseFile != nil:
		return inputFileCase
	case cr.Kind == Enumerable:
		return inputCase
	case cr.Domain != nil && cr.Domain.Keyed:
		return inputKeyedRow
	case cr.Domain != nil:
		return inputRow
	default:
		return inputFree
	}
}
