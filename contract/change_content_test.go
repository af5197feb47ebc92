package contract_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// What changed is shown on both sides: what differs, and not what stays.
func TestChangesTellBothSides(t *testing.T) {
	type objects = map[string]any
	type items = []any
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name   string
		before func(f fixture)
		change func(f fixture)
		want   []string // what, sides
	}{
		{"a case's members",
			func(f fixture) {
				f.criterion(0)["cases"] = items{objects{"id": "at", "input": 501, "expect": "paid", "note": 1}}
			},
			func(f fixture) {
				f.criterion(0)["cases"] = items{objects{"id": "at", "input": 601, "expect": "refused", "note": 1}}
			},
			[]string{`case changed: "at"`, `- expect "paid", input 501`, `+ expect "refused", input 601`}},
		{"a member of a case comes and goes",
			func(f fixture) { f.criterion(0)["cases"] = items{objects{"id": "at", "input": 1}} },
			func(f fixture) { f.criterion(0)["cases"] = items{objects{"id": "at", "a b": nil}} },
			[]string{`case changed: "at"`, `- input 1`, `+ "a b" null`}},
		{"a case becomes an object", nil,
			func(f fixture) {
				f.criterion(0)["cases"].(items)[0] = objects{"id": "under"}
			},
			[]string{`case changed: "under"`, `- "under"`, `+ {"id":"under"}`}},
		{"cases added and removed", nil,
			func(f fixture) {
				f.criterion(0)["cases"] = items{"under", objects{"id": "new", "input": "a\nb\u2028"}}
			},
			[]string{`case added: "new"`, `+ input "a\nb\u2028"`, `case removed: "over"`, `- input {"amount":501}`}},
		{"a statement", nil,
			func(f fixture) { f.criterion(3)["statement"] = "The refusal is short." },
			[]string{"statement changed", `- "The refusal is courteous."`, `+ "The refusal is short."`}},
		{"an authority that is gone", nil,
			func(f fixture) { set(f.object("contract"), "authority", nil) },
			[]string{"authority changed", `- "plan.md#1"`}},
		{"a domain", nil,
			func(f fixture) { f.object("criteria", 1, "domain")["fingerprint"] = "sha256:000000000000" },
			[]string{"another domain file: its rows are not compared", `- fingerprint "sha256:0123456789ab"`, `+ fingerprint "sha256:000000000000"`}},
		{"a domain's key", nil,
			func(f fixture) { f.object("criteria", 1, "domain")["key"] = "name" },
			[]string{"domain file: what else is said of it changed", `- key "id"`, `+ key "name"`}},
		{"a check's timeout", nil,
			func(f fixture) {
				f.criterion(0)["checks"].(items)[0] = objects{"type": "command", "run": "go test ./refund", "timeout_s": 31}
			},
			[]string{`command check added: "go test ./refund"`, "+ timeout_s 31", `command check removed: "go test ./refund"`,
				`- expect "ok", files [{"artifact":"refund_test.go","fingerprint":"sha256:0123456789ab"}], timeout_s 30`}},
		{"a criterion added", nil,
			func(f fixture) {
				f["criteria"] = append(f["criteria"].(items), objects{"id": "new", "class": "new", "kind": "judgment", "statement": "x", "checks": items{objects{"type": "condition", "text": "y"}}})
			},
			[]string{`criterion added: "x"`, `+ checks [{"text":"y","type":"condition"}], class "new", kind "judgment"`}},
		{"a member nobody knows", nil, func(f fixture) { f.criterion(3)["note"] = 1 }, []string{`member "note" added`, "+ 1"}},
		{"the order of cases", nil,
			func(f fixture) {
				cases := f.criterion(0)["cases"].(items)
				cases[0], cases[1] = cases[1], cases[0]
			},
			[]string{"case order changed", `- "under", "over"`, `+ "over", "under"`}},
		{"the end of a long value",
			func(f fixture) {
				f.criterion(0)["cases"] = items{objects{"id": "at", "input": long + "1"}}
			},
			func(f fixture) {
				f.criterion(0)["cases"] = items{objects{"id": "at", "input": long + "2"}}
			},
			[]string{`case changed: "at"`, `- input …` + strings.Repeat("x", 40) + `1"`, `+ input …` + strings.Repeat("x", 40) + `2"`}},
		{"a long case", nil,
			func(f fixture) {
				f.criterion(0)["cases"] = append(f.criterion(0)["cases"].(items), objects{"id": "at", "input": long})
			},
			[]string{`case added: "at"`, `+ input "` + strings.Repeat("x", 493) + "… (508 more characters)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			if c.before != nil {
				c.before(f)
			}
			from := f.parse(t)
			c.change(f)
			var got []string
			for _, change := range contract.Changes(from, f.parse(t)) {
				got = append(append(got, change.What), change.Sides()...)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryChangeIsShown: of whatever changes, a reader sees something of it, of a bounded
// length, and never the same on both sides.
func TestEveryChangeIsShown(t *testing.T) {
	const most = 600
	from := newFixture(t).parse(t)
	f := newFixture(t)
	criteria := f["criteria"].([]any)
	count := 0
	for i := range criteria {
		mutate(criteria[i], func(value any) { criteria[i] = value }, func(what string) {
			to, report := contract.ParseContract(f.text(t))
			if !report.Valid() {
				return
			}
			for _, c := range contract.Changes(from, to) {
				count++
				said := strings.ContainsAny(c.What, `"→`) || c.What == "the checks stand in another order"
				if c.From == c.To && !said || c.From == c.To && c.From != "" {
					t.Errorf("criterion %d, %s: %+v", i, what, c)
				}
				if utf8.RuneCountInString(c.From) > most || utf8.RuneCountInString(c.To) > most || strings.ContainsAny(c.From+c.To, "\n\u2028\x1b") {
					t.Errorf("criterion %d, %s: %+v", i, what, c)
				}
			}
		})
	}
	if count < 50 {
		t.Errorf("only %d changes were looked at", count)
	}
}
