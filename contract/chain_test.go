package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestChainVectors(t *testing.T) {
	type vector struct {
		Name, About      string
		Chain            json.RawMessage
		Files            map[string]string
		Errors, Warnings []string
	}
	for _, v := range loadVectors[vector](t, "chains.json") {
		t.Run(v.Name, func(t *testing.T) {
			result := contract.CheckChain(v.Chain, files(v.Files))
			wantCodes(t, result.Report, v.Errors, v.Warnings)
		})
	}
}

// revision is the contract with that number; letter makes its criteria, so that equal
// letters have equal fingerprints.
func revision(t testing.TB, number int, letter string, changes ...string) *contract.Contract {
	t.Helper()
	text := stamp(t, parcels, append([]string{`"revision": 1`, fmt.Sprintf(`"revision": %d`, number), "The letter is kind.", letter}, changes...)...)
	c, _ := parsed(t, text)
	return c
}

// on adds the member "revision" to a round.
func on(number int, round []byte) []byte {
	return fmt.Appendf(nil, `{"revision": %d, %s`, number, round[1:])
}

// chainFile writes a chain of revisions and rounds.
func chainFile(revisions []*contract.Contract, rounds ...[]byte) []byte {
	write := func(texts []string) string { return "[" + strings.Join(texts, ",") + "]" }
	var contracts, judged []string
	for _, c := range revisions {
		contracts = append(contracts, string(c.Text))
	}
	for _, text := range rounds {
		judged = append(judged, string(text))
	}
	return fmt.Appendf(nil, `{"aac": "0.1.0", "revisions": %s, "rounds": %s}`, write(contracts), write(judged))
}

func TestChainRules(t *testing.T) {
	a, b := revision(t, 1, "A"), revision(t, 2, "B")
	again := revision(t, 3, "A")
	retitled := revision(t, 2, "A", `"owner": "depot"}`, `"owner": "depot", "title": "New"}`)
	pass := func(c *contract.Contract) []byte { return round(c, "pass") }
	extends := func(c *contract.Contract) []byte { return round(c, "fail", extension) }
	escalates := func(c *contract.Contract) []byte { return round(c, "escalate", escalated) }
	type list = []*contract.Contract
	type texts = [][]byte
	tests := []struct {
		name      string
		revisions list
		rounds    texts
		errors    []string
	}{
		{"no round", list{a, b}, nil, nil},
		{"back to older criteria", list{a, b, again}, nil, nil},
		{"303: begins with 2", list{b}, nil, []string{"AAC303 /revisions/0/contract/revision"}},
		{"303: one twice", list{a, revision(t, 1, "B")}, nil, []string{"AAC303 /revisions/1/contract/revision"}},
		{"303: a gap", list{a, revision(t, 3, "B")}, nil, []string{"AAC303 /revisions/1/contract/revision"}},
		{"304: another id", list{a, b, revision(t, 3, "C", `"id": "parcels"`, `"id": "letters"`)}, nil, []string{"AAC304 /revisions/2/contract/id"}},
		{"305: the same criteria", list{a, retitled}, nil, []string{"AAC305 /revisions/1/contract/fingerprint"}},

		{"rounds go on", list{a, b}, texts{pass(a), pass(a), pass(b)}, nil},
		{"801: no version", list{a}, texts{[]byte(strings.Replace(string(pass(a)), "version", "name", 1))}, []string{"AAC801 /rounds/0/gate"}},
		{"801: of no revision", list{a}, texts{pass(b)}, []string{"AAC801 /rounds/0/gate/version"}},
		{"802: back", list{a, b}, texts{pass(b), pass(a)}, []string{"AAC802 /rounds/1/gate/version"}},
		{"802: back twice", list{a, b}, texts{pass(b), pass(a), pass(a), pass(b)}, []string{"AAC802 /rounds/1/gate/version", "AAC802 /rounds/2/gate/version"}},
		{"a round of no revision is none before", list{a, b}, texts{pass(revision(t, 3, "C")), pass(a)}, []string{"AAC801 /rounds/0/gate/version"}},

		{"of two, the earliest not older", list{a, b, again}, texts{pass(a), pass(b), pass(again)}, nil},
		{"of two, the earliest", list{a, b, again}, texts{pass(again), pass(b)}, nil},
		{"its own revision decides", list{a, b, again}, texts{on(3, pass(again)), pass(b)}, []string{"AAC802 /rounds/1/gate/version"}},
		{"its own revision is older", list{a, b, again}, texts{pass(b), on(1, pass(a))}, []string{"AAC802 /rounds/1/gate/version"}},
		{"801: its own revision is another's", list{a, b}, texts{on(2, pass(a))}, []string{"AAC801 /rounds/0/revision"}},
		{"801: its own revision is none", list{a, b}, texts{on(3, pass(a))}, []string{"AAC801 /rounds/0/revision"}},

		{"604: the second of two", list{a}, texts{extends(a), extends(a)}, []string{"AAC604 /rounds/1/verdict", "AAC604 /rounds/1/findings/0/remedy"}},
		{"604: the second of two escalates", list{a}, texts{extends(a), escalates(a)}, nil},
		{"604: one of each revision", list{a, b}, texts{extends(a), extends(b)}, nil},
		{"604: two revisions with one fingerprint", list{a, b, again}, texts{extends(a), extends(b), extends(again)}, nil},
		{"605: the third, not 604", list{a}, texts{extends(a), escalates(a), extends(a)}, []string{"AAC605 /rounds/2/findings/0"}},
		{"after the budget, a defect", list{a}, texts{extends(a), escalates(a), round(a, "fail", defect), pass(a)}, nil},
		{"an invalid round counts", list{a}, texts{round(a, "pass", extension), escalates(a)}, []string{"AAC607 /rounds/0/verdict"}},
		{"a note does not count", list{a}, texts{round(a, "pass", note), extends(a), escalates(a)}, nil},
		{"equal rounds are two", list{a}, texts{extends(a), extends(a), extends(a)}, []string{"AAC604 /rounds/1/verdict", "AAC604 /rounds/1/findings/0/remedy", "AAC605 /rounds/2/findings/0"}},
		{"one that names no revision does not count", list{a}, texts{extends(b), extends(a), escalates(a)}, []string{"AAC801 /rounds/0/gate/version"}},
		{"one that is stale does not count", list{a, b}, texts{pass(b), extends(a), extends(b), escalates(b)}, []string{"AAC802 /rounds/1/gate/version"}},
		{"the verdict is judged without a revision", list{a}, texts{round(b, "pass", defect)}, []string{"AAC801 /rounds/0/gate/version", "AAC607 /rounds/0/verdict"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result := contract.CheckChain(chainFile(tt.revisions, tt.rounds...), nil)
			if diff := cmp.Diff(append([]string{}, tt.errors...), codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s\n%+v", diff, result.Report.Errors())
			}
		})
	}
}

func TestChainThatIsNone(t *testing.T) {
	a, b := revision(t, 1, "A"), revision(t, 2, "B")
	whole := string(chainFile([]*contract.Contract{a, b}, round(a, "pass")))
	tests := []struct {
		name, text string
		errors     []string
	}{
		{"cut", whole[:len(whole)-1], []string{"AAC300 "}},
		{"a list", `[]`, []string{"AAC301 "}},
		{"no revision", `{"aac": "0.1.0", "revisions": [], "rounds": []}`, []string{"AAC301 /revisions"}},
		{"a revision that is none", strings.Replace(whole, string(a.Text), `7`, 1), []string{"AAC301 /revisions/0", "AAC801 /rounds/0/gate/version"}},
		{"a round that is none", strings.Replace(whole, string(round(a, "pass")), `null`, 1), []string{"AAC301 /rounds/0"}},
		{"an invalid revision", strings.Replace(whole, `"owner": "depot"`, `"owner": " "`, 1), []string{"AAC301 /revisions/0/contract/owner"}},
		{"a revision with another fingerprint", strings.ReplaceAll(whole, a.Fingerprint, "sha256:000000000000"), []string{"AAC302 /revisions/0/contract/fingerprint"}},
		{"a malformed number", strings.Replace(whole, `"revision": 2`, `"revision": "2"`, 1), []string{"AAC301 /revisions/1/contract/revision"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result := contract.CheckChain([]byte(tt.text), nil)
			if diff := cmp.Diff(tt.errors, codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// What is wrong with a revision is said once; rounds on it are judged by what does not
// need it.
func TestChainWithBrokenParts(t *testing.T) {
	a, b, again := revision(t, 1, "A"), revision(t, 2, "B"), revision(t, 3, "A")
	defective := round(a, "fail", finding("weight", "blocking", "heavy", patch)) // AAC601 on a valid revision
	vague := []byte(strings.Replace(string(on(3, round(a, "fail", extension))), `"revision": 3`, `"revision": "3"`, 1))
	tests := []struct {
		name    string
		file    []byte
		changes []string // of the file
		errors  []string
	}{
		{"as it is", chainFile([]*contract.Contract{a}, defective), nil, []string{"AAC601 /rounds/0/findings/0"}},
		{"a rule broken", chainFile([]*contract.Contract{a}, defective), []string{`"budget": {"extensions": 2}`, `"budget": {"extensions": 2}, "note": "\u202e"`}, []string{"AAC406 /revisions/0/note"}},
		{"a shape broken", chainFile([]*contract.Contract{a}, defective), []string{`"extensions": 2`, `"extensions": 0`}, []string{"AAC301 /revisions/0/budget/extensions"}},
		{"labels that are none", chainFile([]*contract.Contract{a, b}), []string{a.Fingerprint, "none", b.Fingerprint, "none"},
			[]string{"AAC301 /revisions/0/contract/fingerprint", "AAC301 /revisions/1/contract/fingerprint"}},
		{"a link out of the root", chainFile([]*contract.Contract{a}), []string{"rows.csv", "out/rows.csv"},
			[]string{"AAC302 /revisions/0/contract/fingerprint", "AAC404 /revisions/0/criteria/1/domain/artifact", "AAC404 /revisions/0/criteria/2/domain/artifact", "AAC404 /revisions/0/criteria/3/cases/artifact"}},
		{"rounds of no certain revision count nowhere", chainFile([]*contract.Contract{a, b, again}, vague, vague, vague), nil,
			[]string{"AAC301 /rounds/0/revision", "AAC301 /rounds/1/revision", "AAC301 /rounds/2/revision"}},
	}
	root := fstest.MapFS{"out/rows.csv": {Data: []byte("../../rows.csv"), Mode: fs.ModeSymlink | 0o777}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result := contract.CheckChain([]byte(strings.NewReplacer(tt.changes...).Replace(string(tt.file))), root)
			if diff := cmp.Diff(tt.errors, codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// Two contracts whose criteria have one label are no unchanged revision in words.
func TestUnchangedLabelIsNotUnchangedCriteria(t *testing.T) {
	const colliding = `{"aac": "0.1.0", "contract": {"id": "refund", "revision": %d, "fingerprint": "", "owner": "o"}, "budget": {"extensions": 1},
		"criteria": [{"cases": ["over-limit"], "checks": [{"run": %q, "type": "command"}], "class": "refund-limit", "id": "refund-limit", "kind": "enumerable", "n": %d, "statement": "The listed refund cases end as stated."}]}`
	first, _ := parsed(t, stamp(t, fmt.Sprintf(colliding, 1, "go test ./refund", 31981508)))
	second, _ := parsed(t, stamp(t, fmt.Sprintf(colliding, 2, "true", 3028074)))
	if first.Fingerprint != second.Fingerprint {
		t.Fatalf("the labels differ: %s, %s", first.Fingerprint, second.Fingerprint)
	}
	chain := contract.ResumeChain(contract.Snapshot{})
	chain.AddRevision(first, true)
	errors := chain.CheckRevision(second).Errors()
	if len(errors) != 1 || errors[0].Code != contract.CriteriaUnchanged || !strings.Contains(errors[0].Message, "although the criteria differ") {
		t.Errorf("got %+v", errors)
	}
}

// On a ledger a round is on the newest revision, and a chain resumed from a snapshot
// judges as the one that saw every event.
func TestLedgerChain(t *testing.T) {
	a, b := revision(t, 1, "A"), revision(t, 2, "B")
	root := files(map[string]string{"rows.csv": rowsCSV})
	first := contract.ResumeChain(contract.Snapshot{})
	if first.Newest() != nil || first.ID() != "" {
		t.Errorf("an empty ledger has %v, %q", first.Newest(), first.ID())
	}
	if report := first.CheckRevision(b); !report.Has(contract.RevisionSequence) {
		t.Errorf("a chain may begin with 2: %+v", report)
	}
	first.SetFiles(root)
	first.AddRevision(a, true)
	judge := func(c *contract.Chain, text []byte) *contract.RoundResult {
		return c.CheckRound(mustRound(t, text), &contract.Report{}, true)
	}
	first.AddRound(judge(first, round(a, "fail", extension)))

	resumed := contract.ResumeChain(contract.Snapshot{Revisions: first.Revisions(), Newest: a, Files: root, Progress: first.Progress()})
	for _, chain := range []*contract.Chain{first, resumed} {
		if got := judge(chain, round(a, "fail", extension)); !got.MustEscalate || !got.Report.Has(contract.EscalationRequired) {
			t.Errorf("the second extension round: %+v", got)
		}
		wantCodes(t, judge(chain, round(a, "fail", finding("row", "blocking", rowAt("2"), command, patch))).Report, nil, nil)
		wantCodes(t, chain.CheckRevision(b), nil, nil)
		chain.SetFiles(nil)
		chain.AddRevision(b, true)
		wantCodes(t, judge(chain, round(a, "pass")).Report, []string{"AAC802_STALE_REVISION"}, nil)
		unkept := judge(chain, round(b, "fail", finding("row", "blocking", rowAt("2"), command, patch)))
		wantCodes(t, unkept.Report, []string{"AAC606_INPUT_NOT_VERIFIED"}, nil)
		both := contract.ResumeChain(contract.Snapshot{Revisions: chain.Revisions(), Newest: b, Progress: chain.Progress()})
		wantCodes(t, judge(both, round(a, "pass")).Report, []string{"AAC802_STALE_REVISION"}, nil)
		if next := judge(chain, round(b, "fail", extension)); next.ExtensionsUsed != 1 || next.Revision != 2 {
			t.Errorf("on revision %d: %d extension rounds", next.Revision, next.ExtensionsUsed)
		}
	}
}

func mustRound(t testing.TB, text []byte) *contract.Round {
	t.Helper()
	r, report := contract.ParseRound(text)
	if !report.Valid() {
		t.Fatal(report.Errors())
	}
	return r
}

// What a ledger took event by event is valid as a file, and counts the same.
func TestExportedChainAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 0))
	for range 30 {
		live := contract.ResumeChain(contract.Snapshot{})
		var revisions [][]byte
		var rounds []roundOn
		newest := (*contract.Contract)(nil)
		for range 25 {
			if newest == nil || random.IntN(5) == 0 {
				newest = revision(t, len(revisions)+1, string(rune('A'+len(revisions)%2)))
				wantCodes(t, live.CheckRevision(newest), nil, nil)
				live.AddRevision(newest, true)
				revisions = append(revisions, newest.Text)
				continue
			}
			text := [][]byte{round(newest, "pass"), round(newest, "fail", defect, extension), round(newest, "escalate", escalated), round(newest, "pass", note)}[random.IntN(4)]
			result := live.CheckRound(mustRound(t, text), &contract.Report{}, true)
			if result.Report.Valid() {
				live.AddRound(result)
				rounds = append(rounds, roundOn{Text: text, Revision: newest.Revision})
			}
		}
		file, err := written(revisions, rounds)
		if err != nil {
			t.Fatal(err)
		}
		result := contract.CheckChain(file, nil)
		wantCodes(t, result.Report, nil, nil)
		if diff := cmp.Diff(live.Revisions(), result.Chain.Revisions()); diff != "" {
			t.Errorf("revisions and their extension rounds (-ledger +file):\n%s", diff)
		}
		if diff := cmp.Diff(live.Progress(), result.Chain.Progress()); diff != "" {
			t.Errorf("progress (-ledger +file):\n%s", diff)
		}
	}
}

// roundOn is a round's text and the revision that it was judged against.
type roundOn struct {
	Text     []byte
	Revision int64
}

// written is a chain file with an empty record.
func written(revisions [][]byte, rounds []roundOn) ([]byte, error) {
	var file bytes.Buffer
	w := contract.NewChainWriter(&file)
	for _, text := range revisions {
		if err := w.Revision(text); err != nil {
			return nil, err
		}
	}
	for _, r := range rounds {
		if err := w.Round(r.Text, r.Revision); err != nil {
			return nil, err
		}
	}
	err := w.Close(func(out io.Writer) error {
		_, err := io.WriteString(out, `{"events": []}`)
		return err
	})
	return file.Bytes(), err
}

func TestChainWriter(t *testing.T) {
	a := revision(t, 1, "A")
	plain := round(a, "pass")
	file, err := written([][]byte{append([]byte("\ufeff "), a.Text...)}, []roundOn{
		{Text: plain, Revision: 1}, {Text: on(7, plain), Revision: 1}, {Text: []byte("{}"), Revision: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := contract.Decode(file)
	if err != nil {
		t.Fatalf("%v in %s", err, file)
	}
	if got := v.Get("revisions").Items[0].Raw(); string(got) != string(a.Text) {
		t.Errorf("the revision is %s, not as it was given", got)
	}
	for _, item := range v.Get("rounds").Items {
		if number, _ := item.Get("revision").Int(); number != 1 {
			t.Errorf("the round %s is not on revision 1", item.Raw())
		}
	}
	if got := string(v.Get("rounds").Items[1].Raw()); got != string(on(1, plain)) {
		t.Errorf("the round is %s, with more changed than its revision", got)
	}
	if _, err := written([][]byte{[]byte("{")}, nil); err == nil {
		t.Error("a text that is no JSON was exported")
	}
	if _, err := written(nil, []roundOn{{Text: []byte("{")}}); err == nil {
		t.Error("a text that is no JSON was exported")
	}
}

// longChain has rounds on one revision, the first of which are extension rounds.
func longChain(t testing.TB, rounds int) []byte {
	a := revision(t, 1, "A", `"extensions": 2`, `"extensions": 1000000`)
	texts := make([][]byte, rounds)
	for i := range texts {
		texts[i] = round(a, "fail", defect, extension, note)
	}
	return chainFile([]*contract.Contract{a}, texts...)
}

func BenchmarkCheckChain(b *testing.B) {
	for _, rounds := range []int{1000, 10_000} {
		text := longChain(b, rounds)
		b.Run(fmt.Sprint(rounds), func(b *testing.B) {
			for b.Loop() {
				if result := contract.CheckChain(text, nil); !result.Report.Valid() {
					b.Fatal(result.Report.Errors())
				}
			}
		})
	}
}

func BenchmarkCheckRound(b *testing.B) {
	c, report := parsed(b, stamp(b, parcels))
	text := round(c, "fail", defect, note)
	for b.Loop() {
		if result := contract.CheckRound(c, report, text, nil); !result.Report.Valid() {
			b.Fatal(result.Report.Errors())
		}
	}
}

// A chain that is fed from a ledger keeps of each revision before the newest what it is
// called, and not its text and files: there may be any number of them.
func TestLiveChainForgets(t *testing.T) {
	chain := contract.ResumeChain(contract.Snapshot{})
	add := func(number int, letter string) weak.Pointer[contract.Contract] {
		c := revision(t, number, letter)
		chain.AddRevision(c, true)
		if chain.Newest() != c {
			t.Errorf("after revision %d the newest is another", number)
		}
		return weak.Make(c)
	}
	first, second := add(1, "The letter is short."), add(2, "The letter is long.")
	runtime.GC()
	if first.Value() != nil || second.Value() == nil {
		t.Errorf("kept are the first: %t, the second: %t", first.Value() != nil, second.Value() != nil)
	}
	if all := chain.Revisions(); len(all) != 2 || all[0].Fingerprint == "" {
		t.Errorf("the revisions are %+v", all)
	}
	runtime.KeepAlive(chain)
}
