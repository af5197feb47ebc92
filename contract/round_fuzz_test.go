package contract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// Whatever a round holds: each problem points at something in it and has words; a
// finding has at most one disposition; an advisory one is no extension; and a note
// more changes no error.
func FuzzRound(f *testing.F) {
	c, report := parsed(f, stamp(f, parcels, `"extensions": 2`, `"extensions": 1`))
	for _, seed := range [][]byte{
		round(c, "pass"), round(c, "fail", defect, note), round(c, "escalate", escalated), round(c, "fail", extension, `{}`, `null`),
		round(c, "fail", finding("row", "blocking", rowAt("2"), command, patch), finding("", "high", "x", `"check": 1`, `"remedy": {"type": 2}`)),
		[]byte(`{"gate": 1, "coverage": [], "findings": {}, "revision": {}}`), []byte(`[]`), []byte(`{`),
	} {
		f.Add(seed)
	}
	root := files(map[string]string{"rows.csv": rowsCSV})
	f.Fuzz(func(t *testing.T, text []byte) {
		result := contract.CheckRound(c, report, text, root)
		v, err := contract.Decode(text)
		if err != nil {
			wantCodes(t, result.Report, []string{"AAC300_INVALID_JSON"}, nil)
			return
		}
		checkReport(t, v, result.Report)
		if result.Round == nil {
			return
		}
		for i, finding := range result.Round.Findings {
			if judged := result.Findings[i]; (judged.Disposition == contract.DispositionAdvisory) != (finding.Weight == contract.Advisory) {
				t.Errorf("a finding of severity %q is %q", finding.Weight, judged.Disposition)
			}
		}
		more := withFinding(v, note)
		if more == nil {
			return
		}
		again := contract.CheckRound(c, report, more, root)
		if diff := cmp.Diff(codePaths(result.Report.Errors()), codePaths(again.Report.Errors())); diff != "" {
			t.Errorf("one note more changes the errors:\n%s", diff)
		}
	})
}

// checkReport holds a report to what every report promises.
func checkReport(t *testing.T, doc *contract.Value, report *contract.Report) {
	t.Helper()
	for _, problems := range [][]contract.Problem{report.Errors(), report.Warnings()} {
		last := -1
		for _, p := range problems {
			at := atPointer(doc, p.Path)
			if at == nil {
				t.Fatalf("%s points at %q, where nothing is", p.Code, p.Path)
			}
			if at.Offset < last {
				t.Errorf("%s at %q stands behind a later place", p.Code, p.Path)
			}
			last = at.Offset
			if p.Message == "" || p.Fix == "" {
				t.Errorf("%s at %q has no words", p.Code, p.Path)
			}
		}
	}
}

// atPointer follows a JSON Pointer.
func atPointer(v *contract.Value, pointer string) *contract.Value {
	if pointer == "" {
		return v
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		if v.Type() == contract.Array {
			i := slices.IndexFunc(v.Items, func(item *contract.Value) bool { return strings.HasSuffix(item.Pointer(), "/"+token) })
			if i < 0 {
				return nil
			}
			v = v.Items[i]
			continue
		}
		v = v.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	return v
}

// withFinding appends a finding to a round; nil where it has no list of findings.
func withFinding(round *contract.Value, finding string) []byte {
	list := round.Get("findings")
	if list.Type() != contract.Array {
		return nil
	}
	if len(list.Items) > 0 {
		finding = "," + finding
	}
	text, end := round.Raw(), list.End-round.Offset-1
	return slices.Concat(text[:end], []byte(finding), text[end:])
}

// The order of members means nothing, that of findings only the order of answers.
func TestRoundOrderMeansNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 28))
	c, report := parsed(t, stamp(t, parcels, `"class": "tone"`, `"class": "weight"`))
	root := files(map[string]string{"rows.csv": rowsCSV})
	for range 300 {
		doc := randomRound(random, c)
		first := contract.CheckRound(c, report, inAnyOrder(random, doc), root)
		again := contract.CheckRound(c, report, inAnyOrder(random, doc), root)
		if diff := cmp.Diff(dispositions(first), dispositions(again)); diff != "" {
			t.Fatalf("dispositions of %v:\n%s", doc, diff)
		}
		if diff := cmp.Diff(codes(first.Report.Errors()), codes(again.Report.Errors())); diff != "" {
			t.Fatalf("errors of %v:\n%s", doc, diff)
		}
		findings := doc["findings"].([]any)
		slices.Reverse(findings)
		turned := dispositions(contract.CheckRound(c, report, inAnyOrder(random, doc), root))
		slices.Reverse(turned)
		if diff := cmp.Diff(dispositions(first), turned); diff != "" {
			t.Fatalf("dispositions of %v, turned around:\n%s", doc, diff)
		}
	}
}

// randomRound makes a round of likely and unlikely parts.
func randomRound(random *rand.Rand, c *contract.Contract) map[string]any {
	pick := func(values ...any) any { return values[random.IntN(len(values))] }
	findings := []any{}
	for range random.IntN(5) {
		findings = append(findings, map[string]any{
			"class":    pick("weight", "row", "keyed", "listed", "writer", "none", " "),
			"severity": pick("blocking", "blocking", "advisory", "high"),
			"location": pick("light", "feather", rowAt("1"), rowAt("y"), rowAt("9"), 7),
			"message":  "wrong",
			"check":    pick(map[string]any{"type": "command", "run": "prove weights"}, map[string]any{"type": "condition", "text": "x"}),
			"remedy":   pick(map[string]any{"type": "patch"}, map[string]any{"type": "delegate", "to": "depot"}, map[string]any{"type": "decide", "options": []any{"grow", "close", "narrow"}}),
		})
	}
	return map[string]any{
		"agc": "0.1.0", "gate": map[string]any{"name": "judge", "version": c.Fingerprint}, "verdict": pick("pass", "fail", "escalate"), "findings": findings,
	}
}

// inAnyOrder writes a value with the members of its objects in any order.
func inAnyOrder(random *rand.Rand, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		members := []string{}
		for name, value := range v {
			members = append(members, fmt.Sprintf("%q: %s", name, inAnyOrder(random, value)))
		}
		slices.Sort(members)
		random.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
		return []byte("{" + strings.Join(members, ", ") + "}")
	case []any:
		items := []string{}
		for _, item := range v {
			items = append(items, string(inAnyOrder(random, item)))
		}
		return []byte("[" + strings.Join(items, ", ") + "]")
	default:
		text, _ := json.Marshal(v)
		return text
	}
}
