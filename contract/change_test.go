package contract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestChanges(t *testing.T) {
	type objects = map[string]any
	type items = []any
	file := func(path, label string) objects { return objects{"artifact": path, "fingerprint": "sha256:" + label} }
	command := func(run string) objects { return objects{"type": "command", "run": run} }
	condition := objects{"type": "condition", "text": "holds"}
	for _, c := range []struct {
		name   string
		change func(f fixture)
		answer string
		want   []string // kind, criterion
	}{
		{"nothing", func(fixture) {}, "none", nil},
		{"a case added", func(f fixture) {
			cases := f.criterion(0)["cases"].(items)
			f.criterion(0)["cases"] = append(cases, "zero")
		}, "grow", []string{"grow limit"}},
		{"a case removed", func(f fixture) { f.criterion(0)["cases"] = items{"under"} }, "none", []string{"shrink limit"}},
		{"a case swapped for another", func(f fixture) { f.criterion(0)["cases"] = items{"under", "zero"} }, "grow", []string{"grow limit", "shrink limit"}},
		{"a case's input", func(f fixture) { f.object("criteria", 0, "cases", 1)["input"] = 1 }, "none", []string{"other limit"}},
		{"cases in another order", func(f fixture) {
			cases := f.criterion(0)["cases"].(items)
			f.criterion(0)["cases"] = items{cases[1], cases[0]}
		}, "none", []string{"other limit"}},
		{"cases moved to a file", func(f fixture) { f.criterion(0)["cases"] = file("c.json", "0123456789ab") }, "grow",
			[]string{"shrink limit", "shrink limit", "grow limit"}},
		{"another row file", func(f fixture) { f.object("criteria", 1, "domain")["fingerprint"] = "sha256:000000000000" }, "grow", []string{"grow rows"}},
		{"another key", func(f fixture) { f.object("criteria", 1, "domain")["key"] = "name" }, "none", []string{"other rows"}},
		{"an entry added", func(f fixture) {
			f.criterion(2)["construction"] = append(f.criterion(2)["construction"].(items), "one more")
		}, "grow", []string{"grow one-path"}},
		{"an entry removed", func(f fixture) { f.criterion(2)["construction"] = items{"Move is the single caller"} }, "none", []string{"shrink one-path"}},
		{"a case of an entry", func(f fixture) { f.object("criteria", 2, "construction", 1)["cases"] = items{"client.go", "dial.go"} }, "grow", []string{"grow one-path"}},
		{"a criterion added", func(f fixture) {
			f["criteria"] = append(f["criteria"].(items), objects{"id": "new", "class": "new", "kind": "judgment", "statement": "x", "checks": items{condition}})
		}, "grow", []string{"grow new"}},
		{"a criterion removed", func(f fixture) { f["criteria"] = f["criteria"].(items)[:3] }, "none", []string{"shrink tone"}},
		{"criteria in another order", func(f fixture) {
			list := f["criteria"].(items)
			list[0], list[3] = list[3], list[0]
		}, "none", []string{"other "}},
		{"a criterion became structural", func(f fixture) {
			set(f.criterion(1), "domain", nil)
			f.criterion(1)["kind"], f.criterion(1)["construction"] = "structural", items{"sums are computed by one function"}
			f.criterion(1)["checks"] = items{command("go test ./rows"), condition}
		}, "close", []string{"close rows", "checks rows"}},
		{"a criterion became judgment", func(f fixture) {
			set(f.criterion(1), "domain", nil)
			f.criterion(1)["kind"], f.criterion(1)["checks"] = "judgment", items{condition}
		}, "none", []string{"weaken rows", "checks rows", "weaken rows"}},
		{"a statement", func(f fixture) { f.criterion(3)["statement"] = "The refusal is short." }, "narrow", []string{"narrow tone"}},
		{"a statement and a case", func(f fixture) {
			f.criterion(0)["statement"] = "The three cases end as stated."
			f.criterion(0)["cases"] = append(f.criterion(0)["cases"].(items), "zero")
		}, "mixed", []string{"narrow limit", "grow limit"}},
		{"a check lost", func(f fixture) { f.criterion(0)["checks"] = f.criterion(0)["checks"].(items)[:1] }, "none", []string{"weaken limit"}},
		{"a check replaced", func(f fixture) { f.criterion(1)["checks"] = items{command("true")} }, "none", []string{"checks rows", "checks rows"}},
		{"a check added", func(f fixture) {
			f.criterion(1)["checks"] = append(f.criterion(1)["checks"].(items), command("go vet ./rows"))
		}, "none", []string{"checks rows"}},
		{"a check's timeout", func(f fixture) { f.object("criteria", 0, "checks", 0)["timeout_s"] = 31 }, "none", []string{"checks limit", "checks limit"}},
		{"checks in another order", func(f fixture) {
			checks := f.criterion(0)["checks"].(items)
			checks[0], checks[1] = checks[1], checks[0]
		}, "none", []string{"checks limit"}},
		{"a class", func(f fixture) { f.criterion(3)["class"] = "tone" }, "none", []string{"other tone"}},
		{"a member nobody knows", func(f fixture) { f.criterion(3)["note"] = 1 }, "none", []string{"other tone"}},
		{"a criterion's owner", func(f fixture) { set(f.criterion(0), "owner", nil) }, "none", []string{"owner limit"}},
		{"the contract's own fields", func(f fixture) {
			f.object("budget")["extensions"] = 3
			f.object("contract")["owner"], f.object("contract")["title"] = "somebody", "Another title"
			f["extra"] = true
		}, "none", []string{"budget ", "owner ", "other ", "other "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			from := f.parse(t)
			c.change(f)
			to := f.parse(t)
			changes := contract.Changes(from, to)
			var got []string
			for _, change := range changes {
				got = append(got, string(change.Kind)+" "+change.Criterion)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%+v", diff, changes)
			}
			if answer := contract.Answer(changes); answer != c.answer {
				t.Errorf("answer %s, want %s", answer, c.answer)
			}
		})
	}
}

// TestNoChangeOfTheCriteriaIsMissed: whatever changes the fingerprint of a valid
// contract is a change.
func TestNoChangeOfTheCriteriaIsMissed(t *testing.T) {
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
			count++
			if len(contract.Changes(from, to)) == 0 {
				t.Errorf("criterion %d, %s: no change", i, what)
			}
		})
	}
	if count < 50 {
		t.Errorf("only %d valid contracts were compared", count)
	}
}

func TestReviewRevision(t *testing.T) {
	grow := func(f fixture) { f.criterion(0)["cases"] = append(f.criterion(0)["cases"].([]any), "zero") }
	narrow := func(f fixture) { f.criterion(3)["statement"] = "The refusal is short." }
	checks := func(f fixture) { f.object("criteria", 0, "checks", 0)["run"] = "go test -count=1 ./refund" }
	for _, c := range []struct {
		name     string
		extended bool
		change   func(f fixture)
		answer   string
		want     []string
	}{
		{"an answer", true, grow, "grow", []string{}},
		{"no answer where one is owed", true, checks, "none", []string{"AAC306 /criteria"}},
		{"no answer where none is owed", false, checks, "none", []string{}},
		{"a narrow by a new authority", true, func(f fixture) { narrow(f); f.object("contract")["authority"] = "plan.md#2" }, "narrow", []string{}},
		{"a narrow by the same authority", true, narrow, "narrow", []string{"AAC307 /criteria/3/statement"}},
		{"a narrow by no authority", true, func(f fixture) { narrow(f); set(f.object("contract"), "authority", nil) }, "narrow", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			from := f.parse(t)
			c.change(f)
			review := contract.ReviewRevision(from, f.parse(t), c.extended)
			if review.Answer != c.answer {
				t.Errorf("answer %s, want %s", review.Answer, c.answer)
			}
			if diff := cmp.Diff(c.want, places(review.Report.Warnings())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !review.Report.Valid() {
				t.Errorf("a review has errors: %+v", review.Report.Errors())
			}
		})
	}
	first := contract.ReviewRevision(nil, newFixture(t).parse(t), true)
	if first.Answer != "" || len(first.Changes) > 0 || len(first.Report.Warnings()) > 0 {
		t.Errorf("a first revision is reviewed: %+v", first)
	}
}

func TestDiffReads(t *testing.T) {
	from := readContract(t, "every-kind.json")
	f := newFixture(t)
	f.object("contract")["revision"] = 2
	f.object("budget")["extensions"] = 3
	f.criterion(0)["cases"] = []any{"under", "over the\nlimit"}
	f.criterion(1)["statement"] = "A row's total is right.\n# Heading \u2028 \x1b[31mred"
	f["criteria"] = f["criteria"].([]any)[:3]
	diff := contract.Diff(from, f.parse(t))
	golden(t, "diff.txt", []byte(diff))
	if strings.ContainsAny(diff, "\x1b\u2028") || strings.Contains(diff, "\n#") {
		t.Errorf("a text of the contract is shown as it is:\n%s", diff)
	}
	if same := contract.Diff(from, from); !strings.Contains(same, "no change") {
		t.Errorf("a contract differs from itself:\n%s", same)
	}
}
