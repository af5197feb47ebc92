package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// TestJunkIsNotJudgedValueByValue: a problem for each of a million values would help
// nobody and cost minutes.
func TestJunkIsNotJudgedValueByValue(t *testing.T) {
	junk := "[" + strings.Repeat(`"\u202e",`, 200_000) + "7]"
	_, report := contract.ParseContract([]byte(`{"contract":{"id":"!"},"criteria":` + junk + `}`))
	if diff := cmp.Diff([]string{"AAC301 ", "AAC407 "}, places(report.Errors())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestChainIsJudgedUntilItHoldsTooMuchJunk(t *testing.T) {
	result := contract.CheckChain([]byte(`{"aac":"0.2","revisions":[],"rounds":[`+strings.Repeat(`{"findings":[]},`, 600)+`7]}`), nil)
	errors := places(result.Report.Errors())
	want := []string{"AAC301 /aac", "AAC301 /revisions", "AAC301 /rounds/0", "AAC301 /rounds/0"}
	if diff := cmp.Diff(want, errors[:4]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Each of the first rounds lacks two members; the first behind the limit has one
	// problem: that it and those behind it were not judged.
	wanted := map[string]int{"/rounds/498": 2, "/rounds/499": 1, "/rounds/500": 0, "/rounds/600": 0}
	for path, want := range wanted {
		count := 0
		for _, e := range errors {
			if e == "AAC301 "+path {
				count++
			}
		}
		if count != want {
			t.Errorf("%s has %d problems, want %d", path, count, want)
		}
	}
}

// TestJunkIsNotJudgedByTheRules: what is not judged as malformed is not judged at all,
// so that a report stays short and its cost that of reading the text.
func TestJunkIsNotJudgedByTheRules(t *testing.T) {
	a := revision(t, 1, "A")
	text := chainFile([]*contract.Contract{a}, []byte(strings.Repeat(`{},`, 100_000)+`{}`))
	result := contract.CheckChain(text, nil)
	if n := len(result.Rounds); n > 1_000 {
		t.Errorf("%d rounds were judged", n)
	}
	if n := len(result.Report.Errors()); n > 5_000 {
		t.Errorf("%d errors", n)
	}

	c, report := parsed(t, stamp(t, parcels))
	done := contract.CheckDone(c, report, doneReport(c, []string{strings.Repeat(`{},`, 100_000) + `{}`}))
	if diff := cmp.Diff([]string{"AAC301 "}, places(done.Report.Errors())); diff != "" {
		t.Errorf("a done report (-want +got):\n%s", diff)
	}
	if len(done.Done.Results) > 0 || done.Complete() {
		t.Errorf("%d results of it were read", len(done.Done.Results))
	}
}

// TestOneObjectIsJudgedUntilItHoldsTooMuchJunk: the rest of it counts as nothing, and
// the limit is told each time alike.
func TestOneObjectIsJudgedUntilItHoldsTooMuchJunk(t *testing.T) {
	text := []byte(`{"agc":"0.1.0","verdict":"pass","findings":[` + strings.Repeat(`{},`, 3_000) + `{}]}`)
	round, report := contract.ParseRound(text)
	errors := report.Errors()
	if len(errors) > 1_010 || errors[0].Path != "" || !strings.HasPrefix(errors[0].Message, "more than 1000 values of the document are malformed") {
		t.Errorf("%d errors, the first %+v", len(errors), errors[0])
	}
	if len(round.Findings) > 0 || round.Verdict != "" {
		t.Errorf("%d findings of it were read, and the verdict %q", len(round.Findings), round.Verdict)
	}
	_, again := contract.ParseRound(text)
	if diff := cmp.Diff(places(errors), places(again.Errors())); diff != "" {
		t.Errorf("the same text gives other errors:\n%s", diff)
	}
}

// TestManyFaultyObjectsAreNotJudged: a chain of large rounds, each with one fault.
func TestManyFaultyObjectsAreNotJudged(t *testing.T) {
	round := `{"agc":"0.1.0","verdict":"?","findings":[],"coverage":{"classes":[` + strings.Repeat(`"c",`, 40_000) + `"c"]}},`
	result := contract.CheckChain([]byte(`{"aac":"0.1.0","revisions":[],"rounds":[`+strings.Repeat(round, 12)+`7]}`), nil)
	want := []string{"AAC301 /revisions"}
	for i := range 5 { // 5 times 40,000 values are the limit
		want = append(want, fmt.Sprintf("AAC301 /rounds/%d/verdict", i))
	}
	got := []string{}
	for _, e := range result.Report.Errors() {
		if e.Code == contract.SchemaProblem {
			got = append(got, fmt.Sprintf("AAC301 %s", e.Path))
		}
	}
	if diff := cmp.Diff(append(want, "AAC301 /rounds/5"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// junkTexts are chains of about 8 MB, the largest that are read, that cost much to
// judge.
func junkTexts(t testing.TB) map[string][]byte {
	a := revision(t, 1, "A")
	fill := func(unit string) []byte { return []byte(strings.Repeat(unit+",", 8<<20/(len(unit)+1)) + unit) }
	chain := func(unit string) []byte { return chainFile([]*contract.Contract{a}, fill(unit)) }
	classes := strings.Repeat(`"c",`, 40_000) + `"c"`
	return map[string][]byte{
		"numbers":           chain(`0`),
		"empty rounds":      chain(`{}`),
		"rounds on nothing": chain(`{"agc":"0.1.0","verdict":"pass","findings":[],"gate":{"version":"x"}}`),
		"wide rounds":       chain(`{"agc":"0.1.0","verdict":"pass","findings":[],"coverage":{"classes":[` + classes + `]}}`),
		"faulty rounds":     chain(`{"agc":"0.1.0","verdict":"?","findings":[],"coverage":{"classes":[` + classes + `]}}`),
		"empty revisions":   []byte(`{"aac":"0.1.0","rounds":[],"revisions":[` + string(fill(`{}`)) + `]}`),
		"equal revisions":   []byte(`{"aac":"0.1.0","rounds":[],"revisions":[` + string(fill(string(a.Text))) + `]}`),
		"long names":        []byte(`{"aac":"0.1.0","rounds":[],"revisions":[{"` + strings.Repeat("n", 4<<20) + `":[` + strings.Repeat("\"\u202e\",", 40_000) + `0]}]}`),
	}
}

func BenchmarkJunk(b *testing.B) {
	for name, text := range junkTexts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				result := contract.CheckChain(text, nil)
				b.ReportMetric(float64(len(result.Report.Errors())), "errors")
			}
		})
	}
	c, report := parsed(b, stamp(b, parcels))
	text := doneReport(c, []string{strings.Repeat(`{},`, 1_300_000) + `{}`})
	b.Run("done report", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			b.ReportMetric(float64(len(contract.CheckDone(c, report, text).Report.Errors())), "errors")
		}
	})
}

// TestFixesOfFingerprintsNameACommand: no person and no agent can compute a digest.
func TestFixesOfFingerprintsNameACommand(t *testing.T) {
	for _, c := range []struct {
		name, command string
		change        func(f fixture)
	}{
		{"a contract's, empty", "plumbline contract stamp", func(f fixture) { f.object("contract")["fingerprint"] = "" }},
		{"a contract's, malformed", "plumbline contract stamp", func(f fixture) { f.object("contract")["fingerprint"] = "sha256:abc" }},
		{"a contract's, not there", "plumbline contract stamp", func(f fixture) { delete(f.object("contract"), "fingerprint") }},
		{"an artifact's, empty", "plumbline contract fingerprint --artifact", func(f fixture) { f.object("criteria", 1, "domain")["fingerprint"] = "" }},
		{"a check's file's, not there", "plumbline contract fingerprint --artifact", func(f fixture) { delete(f.object("criteria", 0, "checks", 0, "files", 0), "fingerprint") }},
	} {
		f := newFixture(t)
		f.object("contract")["fingerprint"] = f.parse(t).CriteriaFingerprint()
		c.change(f)
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		_, report := contract.ParseContract(text)
		fixed := func(p contract.Problem) bool {
			return p.Code == contract.SchemaProblem && strings.Contains(p.Fix, "`"+c.command+" FILE`")
		}
		if !slices.ContainsFunc(report.Errors(), fixed) {
			t.Errorf("%s: %+v", c.name, report.Errors())
		}
	}
}
