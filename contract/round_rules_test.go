package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// rowsCSV has the rows 1 to 3, named x, y and z by the column "key".
const rowsCSV = "key,sum\nx,10\ny,20\nz,30\n"

// parcels is a contract with a criterion of each kind, and one of each way to name
// inputs.
const parcels = `{
	"aac": "0.1.0",
	"contract": {"id": "parcels", "revision": 1, "fingerprint": "", "owner": "depot"},
	"budget": {"extensions": 2},
	"criteria": [
		{"id": "weights", "class": "weight", "kind": "enumerable", "statement": "The listed weights are priced as stated.",
		 "cases": ["light", {"id": "heavy", "grams": 9000}], "checks": [{"type": "command", "run": "prove weights"}, {"type": "preview", "run": "show weights"}]},
		{"id": "rows", "class": "row", "kind": "bounded", "statement": "Each row sums up.", "owner": "ledger",
		 "domain": {"artifact": "rows.csv", "fingerprint": "ROWS"}, "checks": [{"type": "command", "run": "prove rows"}]},
		{"id": "keyed", "class": "keyed", "kind": "bounded", "statement": "Each key is known.",
		 "domain": {"artifact": "rows.csv", "fingerprint": "ROWS", "key": "key"}, "checks": [{"type": "command", "run": "prove keys"}]},
		{"id": "listed", "class": "listed", "kind": "enumerable", "statement": "The cases of the file end as stated.",
		 "cases": {"artifact": "rows.csv", "fingerprint": "ROWS"}, "checks": [{"type": "command", "run": "prove listed"}]},
		{"id": "one-way", "class": "writer", "kind": "structural", "statement": "One function writes.",
		 "construction": ["post is the single writer"], "checks": [{"type": "command", "run": "prove writer"}, {"type": "condition", "text": "post writes alone"}]},
		{"id": "tone", "class": "tone", "kind": "judgment", "statement": "The letter is kind.", "checks": [{"type": "condition", "text": "a reader agrees"}]}
	]
}`

// stamp fills in the fingerprints of a contract's text and changes it by pairs of old
// and new text.
func stamp(t testing.TB, text string, changes ...string) []byte {
	t.Helper()
	text = strings.ReplaceAll(text, "ROWS", contract.Fingerprint([]byte(rowsCSV)))
	text = strings.NewReplacer(changes...).Replace(text)
	v, err := contract.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	label := contract.Fingerprint(v.Get("criteria").Canonical())
	return []byte(strings.Replace(text, `"fingerprint": ""`, fmt.Sprintf(`"fingerprint": %q`, label), 1))
}

// parsed is a valid contract.
func parsed(t testing.TB, text []byte) (*contract.Contract, *contract.Report) {
	t.Helper()
	c, report := contract.ParseContract(text)
	if !report.Valid() {
		t.Fatalf("the test's contract is not valid: %+v", report.Errors())
	}
	return c, report
}

// round writes a round on a contract that covers every class.
func round(c *contract.Contract, verdict string, findings ...string) []byte {
	classes := []string{}
	for _, cr := range c.Criteria {
		classes = append(classes, cr.Class)
	}
	covered, _ := json.Marshal(classes)
	return fmt.Appendf(nil, `{"agc": "0.1.0", "gate": {"version": %q}, "verdict": %q, "coverage": {"classes": %s}, "findings": [%s]}`,
		c.Fingerprint, verdict, covered, strings.Join(findings, ","))
}

// finding writes a finding; rest are its further members.
func finding(class, severity, location string, rest ...string) string {
	return fmt.Sprintf(`{"class": %q, "severity": %q, "location": %q, "message": "wrong"%s}`,
		class, severity, location, strings.Join(append([]string{""}, rest...), ", "))
}

const (
	command  = `"check": {"type": "command", "run": "prove this"}`
	patch    = `"remedy": {"type": "patch"}`
	toDepot  = `"remedy": {"type": "delegate", "to": "depot"}`
	decision = `"remedy": {"type": "decide", "options": ["grow: a", "close: b", "narrow: c"]}`
)

// rowAt writes the location of a row or case of rows.csv.
func rowAt(name string) string {
	return "rows.csv@" + contract.Fingerprint([]byte(rowsCSV)) + "#" + name
}

var (
	defect    = finding("weight", "blocking", "heavy", command, patch)
	extension = finding("weight", "blocking", "feather", toDepot)
	escalated = finding("weight", "blocking", "feather", decision)
	note      = finding("weight", "advisory", "feather")
)

func TestRoundRules(t *testing.T) {
	budget1 := []string{`"extensions": 2`, `"extensions": 1`}
	check := func(kind string) string { return fmt.Sprintf(`"check": {"type": %q, "run": "x", "text": "x"}`, kind) }
	options := func(list string) string {
		return fmt.Sprintf(`"remedy": {"type": "decide", "options": [%s]}`, list)
	}
	tests := []struct {
		name     string
		changes  []string // of the contract
		verdict  string
		findings []string
		errors   []string
		warnings []string
	}{
		{name: "601: a defect with a command", verdict: "fail", findings: []string{defect}},
		{name: "601: none", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", patch)}, errors: []string{"AAC601_COMMAND_CHECK_REQUIRED"}},
		{name: "601: a preview", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", check("preview"), patch)}, errors: []string{"AAC601_COMMAND_CHECK_REQUIRED"}},
		{name: "601: a condition, bounded", verdict: "fail", findings: []string{finding("row", "blocking", rowAt("1"), check("condition"), patch)}, errors: []string{"AAC601_COMMAND_CHECK_REQUIRED"}},
		{name: "601: a condition, structural", verdict: "fail", findings: []string{finding("writer", "blocking", "x.go:1", check("condition"), patch)}, errors: []string{"AAC601_COMMAND_CHECK_REQUIRED"}},
		{name: "601: none, judgment", verdict: "fail", findings: []string{finding("tone", "blocking", "line 1", patch)}},
		{name: "601: none, extension", verdict: "fail", findings: []string{extension}},
		{name: "601: none, advisory", verdict: "pass", findings: []string{finding("weight", "advisory", "heavy")}},

		{name: "602: patch", verdict: "fail", findings: []string{finding("weight", "blocking", "feather", command, patch)}, errors: []string{"AAC602_EXTENSION_REMEDY"}},
		{name: "602: command", verdict: "fail", findings: []string{finding("none", "blocking", "", `"remedy": {"type": "command"}`)}, errors: []string{"AAC602_EXTENSION_REMEDY"}},
		{name: "602: decide", verdict: "fail", findings: []string{escalated}},
		{name: "602: patch on an advisory", verdict: "pass", findings: []string{finding("weight", "advisory", "feather", patch)}},
		{name: "602: delegate on a defect", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", command, `"remedy": {"type": "delegate", "to": "anybody"}`)}},

		{name: "603: the contract's owner", verdict: "fail", findings: []string{finding("none", "blocking", "", toDepot)}},
		{name: "603: the contract's owner, not the criterion's", verdict: "fail", findings: []string{finding("row", "blocking", "9", toDepot)}, errors: []string{"AAC603_EXTENSION_OWNER"}},
		{name: "603: the criterion's owner", verdict: "fail", findings: []string{finding("row", "blocking", "9", `"remedy": {"type": "delegate", "to": "ledger"}`)}},
		{name: "603: letter case matters", verdict: "fail", findings: []string{finding("none", "blocking", "", `"remedy": {"type": "delegate", "to": "Depot"}`)}, errors: []string{"AAC603_EXTENSION_OWNER"}},

		{name: "604: not the last of the budget", verdict: "fail", findings: []string{extension}},
		{name: "604: the last", changes: budget1, verdict: "escalate", findings: []string{escalated}},
		{name: "604: the last fails", changes: budget1, verdict: "fail", findings: []string{escalated}, errors: []string{"AAC604_ESCALATION_REQUIRED"}},
		{name: "604: the last, decision on a defect only", changes: budget1, verdict: "escalate", findings: []string{extension, finding("weight", "blocking", "heavy", command, decision)}, errors: []string{"AAC604_ESCALATION_REQUIRED"}},
		{name: "604: the last, decision on one of two", changes: budget1, verdict: "escalate", findings: []string{extension, escalated}},
		{name: "604: two options", changes: budget1, verdict: "escalate", findings: []string{finding("none", "blocking", "", options(`"grow", "close"`))}, errors: []string{"AAC604_ESCALATION_REQUIRED"}},
		{name: "604: four options", changes: budget1, verdict: "escalate", findings: []string{finding("none", "blocking", "", options(`"grow", "close", "narrow", "wait"`))}, errors: []string{"AAC604_ESCALATION_REQUIRED"}},
		{name: "604: one twice", changes: budget1, verdict: "escalate", findings: []string{finding("none", "blocking", "", options(`"grow a", "grow b", "narrow"`))}, errors: []string{"AAC604_ESCALATION_REQUIRED"}},
		{name: "604: any order and letter case", changes: budget1, verdict: "escalate", findings: []string{finding("none", "blocking", "", options(`"NARROW", "Grow.", "close — b"`))}},
		{name: "604: a longer word", changes: budget1, verdict: "escalate", findings: []string{finding("none", "blocking", "", options(`"grows", "close", "narrow"`))}, errors: []string{"AAC604_ESCALATION_REQUIRED"}},
		{name: "604: no extension", changes: budget1, verdict: "fail", findings: []string{defect}},

		{name: "607: pass with a note", verdict: "pass", findings: []string{note}},
		{name: "607: pass with a defect", verdict: "pass", findings: []string{defect}, errors: []string{"AAC607_VERDICT_MISMATCH"}},
		{name: "607: fail with a note", verdict: "fail", findings: []string{note}, errors: []string{"AAC607_VERDICT_MISMATCH"}},
		{name: "607: escalate without finding", verdict: "escalate", errors: []string{"AAC607_VERDICT_MISMATCH"}},
		{name: "607: escalate without decision", verdict: "escalate", findings: []string{defect}, errors: []string{"AAC607_VERDICT_MISMATCH"}},
		{name: "607: escalate with a decision on a note", verdict: "escalate", findings: []string{defect, finding("weight", "advisory", "x", decision)}, errors: []string{"AAC607_VERDICT_MISMATCH"}},
		{name: "607: escalate with a decision on a defect", verdict: "escalate", findings: []string{finding("weight", "blocking", "heavy", command, decision)}},

		{name: "608: the own suite", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", `"check": {"type": "command", "run": "prove weights"}`, patch)}, warnings: []string{"AAC608_CHECK_IS_WHOLE_SUITE"}},
		{name: "608: another criterion's suite", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", `"check": {"type": "command", "run": "show weights"}`, patch)}, warnings: []string{"AAC608_CHECK_IS_WHOLE_SUITE"}},
		{name: "608: one space more", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", `"check": {"type": "command", "run": "prove  weights"}`, patch)}},
		{name: "608: the own preview", verdict: "fail", findings: []string{finding("weight", "blocking", "heavy", `"check": {"type": "preview", "run": "show weights"}`, patch)}, errors: []string{"AAC601_COMMAND_CHECK_REQUIRED"}},
		{name: "608: structural", verdict: "fail", findings: []string{finding("writer", "blocking", "x.go:1", `"check": {"type": "command", "run": "prove writer"}`, patch)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, report := parsed(t, stamp(t, parcels, tt.changes...))
			result := contract.CheckRound(c, report, round(c, tt.verdict, tt.findings...), files(map[string]string{"rows.csv": rowsCSV}))
			wantCodes(t, result.Report, tt.errors, tt.warnings)
		})
	}
}

func TestDispositions(t *testing.T) {
	structuralToo := []string{`"class": "writer"`, `"class": "weight"`}
	judgmentFirst := []string{`"class": "tone"`, `"class": "writer"`}
	present, changed := files(map[string]string{"rows.csv": rowsCSV}), files(map[string]string{"rows.csv": rowsCSV + "u,40\n"})
	tests := []struct {
		name            string
		changes         []string
		root            fstest.MapFS
		class, location string
		disposition     string
		criterion       string
		unverified      bool
	}{
		{name: "a case", class: "weight", location: "light", disposition: "against", criterion: "weights"},
		{name: "a case that is an object", class: "weight", location: "heavy", disposition: "against", criterion: "weights"},
		{name: "letter case", class: "weight", location: "Heavy", disposition: "extension"},
		{name: "no case", class: "weight", location: "", disposition: "extension"},
		{name: "a row", root: present, class: "row", location: rowAt("3"), disposition: "against", criterion: "rows"},
		{name: "the row after the last", root: present, class: "row", location: rowAt("4"), disposition: "extension"},
		{name: "row zero", root: present, class: "row", location: rowAt("0"), disposition: "extension"},
		{name: "a row with a zero before", root: present, class: "row", location: rowAt("03"), disposition: "extension"},
		{name: "a row with a sign", root: present, class: "row", location: rowAt("+3"), disposition: "extension"},
		{name: "a row number beyond any integer", root: present, class: "row", location: rowAt("99999999999999999999"), disposition: "extension"},
		{name: "a row by its key where it has a number", root: present, class: "row", location: rowAt("x"), disposition: "extension"},
		{name: "a row alone", root: present, class: "row", location: "3", disposition: "extension"},
		{name: "a key", root: present, class: "keyed", location: rowAt("z"), disposition: "against", criterion: "keyed"},
		{name: "a number where rows have keys", root: present, class: "keyed", location: rowAt("1"), disposition: "extension"},
		{name: "a case of a file", root: present, class: "listed", location: rowAt("y"), disposition: "against", criterion: "listed"},
		{name: "no case of a file", root: present, class: "listed", location: rowAt("w"), disposition: "extension"},
		{name: "structural", class: "writer", location: "anywhere", disposition: "against", criterion: "one-way"},
		{name: "judgment", class: "tone", location: "anywhere", disposition: "against", criterion: "tone"},
		{name: "no class", class: "writers", location: "anywhere", disposition: "extension"},

		{name: "no file: a row", class: "row", location: rowAt("99"), disposition: "against", criterion: "rows", unverified: true},
		{name: "no file: no row of any file", class: "row", location: rowAt("x"), disposition: "extension", unverified: true},
		{name: "no file: a key", class: "keyed", location: rowAt("w"), disposition: "against", criterion: "keyed", unverified: true},
		{name: "no file: a case", class: "listed", location: rowAt("w"), disposition: "against", criterion: "listed", unverified: true},
		{name: "no file: another file", class: "row", location: "cols.csv@sha256:000000000000#1", disposition: "extension"},
		{name: "other bytes", root: changed, class: "row", location: rowAt("4"), disposition: "against", criterion: "rows", unverified: true},

		{name: "of two, the one with the case", changes: structuralToo, class: "weight", location: "light", disposition: "against", criterion: "weights"},
		{name: "of two, the structural", changes: structuralToo, class: "weight", location: "feather", disposition: "against", criterion: "one-way"},
		{name: "of two, structural before judgment", changes: judgmentFirst, class: "writer", location: "feather", disposition: "against", criterion: "one-way"},
		{name: "of two, the verified", changes: []string{`"class": "weight"`, `"class": "row"`, `"light"`, `"` + rowAt("2") + `"`}, class: "row", location: rowAt("2"), disposition: "against", criterion: "weights"},
		{name: "of two, the verified though later", changes: []string{`"class": "writer"`, `"class": "row"`, `"class": "listed"`, `"class": "row"`, `"rows.csv", "fingerprint": "` + contract.Fingerprint([]byte(rowsCSV)) + `"}, "checks": [{"type": "command", "run": "prove rows"`, `"gone.csv", "fingerprint": "sha256:000000000000"}, "checks": [{"type": "command", "run": "prove rows"`},
			root: present, class: "row", location: rowAt("z"), disposition: "against", criterion: "listed"},
		{name: "of two, the unverified before the structural", changes: []string{`"class": "writer"`, `"class": "row"`}, class: "row", location: rowAt("7"), disposition: "against", criterion: "rows", unverified: true},
		{name: "of two, structural where no row is called so", changes: []string{`"class": "writer"`, `"class": "row"`}, class: "row", location: rowAt("x"), disposition: "against", criterion: "one-way"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, report := parsed(t, stamp(t, parcels, tt.changes...))
			for _, severity := range []string{"blocking", "advisory"} {
				body := round(c, "fail", finding(tt.class, severity, tt.location, command, decision))
				result := contract.CheckRound(c, report, body, tt.root)
				judged := result.Findings[0]
				if severity == "advisory" {
					if judged.Disposition != contract.DispositionAdvisory {
						t.Errorf("an advisory finding is %s", judged.Disposition)
					}
				} else if string(judged.Disposition) != tt.disposition {
					t.Errorf("disposition %s, want %s", judged.Disposition, tt.disposition)
				}
				criterion := ""
				if judged.Criterion != nil {
					criterion = judged.Criterion.ID
				}
				if criterion != tt.criterion {
					t.Errorf("%s: criterion %q, want %q", severity, criterion, tt.criterion)
				}
				if got := result.Report.Has(contract.InputNotVerified); got != tt.unverified {
					t.Errorf("%s: not verified is %v, want %v", severity, got, tt.unverified)
				}
			}
		})
	}
}

func TestRoutes(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels))
	result := contract.CheckRound(c, report, round(c, "fail", defect, extension, note, finding("row", "blocking", "9", decision), `{}`), nil)
	type routed struct{ route, owner string }
	got := []routed{}
	for _, j := range result.Findings {
		got = append(got, routed{string(j.Route()), j.Owner})
	}
	want := []routed{{"builder", ""}, {"owner", "depot"}, {"none", ""}, {"owner", "ledger"}, {"none", ""}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(routed{})); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
	if result.Against() != 1 || result.Extensions() != 2 || result.Advisory() != 1 {
		t.Errorf("%d against, %d extensions, %d advisory; want 1, 2, 1", result.Against(), result.Extensions(), result.Advisory())
	}
	if !result.ExtensionRound || result.ExtensionsUsed != 1 || result.ExtensionsBudget != 2 || result.MustEscalate {
		t.Errorf("got %+v", result)
	}
}
