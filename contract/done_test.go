package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestDoneVectors(t *testing.T) {
	type vector struct {
		Name, About      string
		Contract, Done   json.RawMessage
		Errors, Warnings []string
	}
	for _, v := range loadVectors[vector](t, "done.json") {
		t.Run(v.Name, func(t *testing.T) {
			c, report := contract.ParseContract(v.Contract)
			result := contract.CheckDone(c, report, v.Done)
			wantCodes(t, result.Report, v.Errors, v.Warnings)
		})
	}
}

// results are those of every check of the parcels contract, in its order.
func results() []string {
	checks := []struct {
		criterion string
		check     int
		kind, run string
	}{
		{"weights", 0, "command", "prove weights"}, {"weights", 1, "preview", "show weights"}, {"rows", 0, "command", "prove rows"},
		{"keyed", 0, "command", "prove keys"}, {"listed", 0, "command", "prove listed"}, {"one-way", 0, "command", "prove writer"},
	}
	list := []string{}
	for _, c := range checks {
		list = append(list, fmt.Sprintf(`{"criterion": %q, "check": %d, "type": %q, "run": %q, "exit_code": 0, "passed": true}`, c.criterion, c.check, c.kind, c.run))
	}
	return list
}

// doneReport writes a report on the contract; rest are further members of its head.
func doneReport(c *contract.Contract, results []string, rest ...string) []byte {
	return fmt.Appendf(nil, `{"done": "0.1", "contract": {"id": %q, "fingerprint": %q%s}, "results": [%s]}`,
		c.ID, c.Fingerprint, strings.Join(append([]string{""}, rest...), ", "), strings.Join(results, ", "))
}

func TestDoneRules(t *testing.T) {
	const first = "/results/0"
	declared := func(files string) []string {
		return []string{`"run": "prove weights"`, `"run": "prove weights", "files": ` + files}
	}
	oneFile := declared(`[{"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}, {"artifact": "b", "fingerprint": "sha256:bbbbbbbbbbbb"}]`)
	reported := func(files string) []string { return []string{`"passed": true`, `"passed": true, "files": ` + files} }
	tests := []struct {
		name           string
		changes        []string                        // of the contract
		first          []string                        // changes of the first result
		all            func(results []string) []string // changes of the list
		errors         []string
		complete, done bool
	}{
		{name: "whole", complete: true, done: true},
		{name: "in another order", all: func(r []string) []string { slices.Reverse(r); return r }, complete: true, done: true},
		{name: "701: the first is missing", all: func(r []string) []string { return r[1:] }, errors: []string{"AAC701 /results"}},
		{name: "701: none", all: func([]string) []string { return nil }, errors: slices.Repeat([]string{"AAC701 /results"}, 6)},
		{name: "702: no criterion", first: []string{`"weights"`, `"Weights"`}, errors: []string{"AAC701 /results", "AAC702 " + first + "/criterion"}},
		{name: "702: no check", first: []string{`"check": 0`, `"check": 2`}, errors: []string{"AAC701 /results", "AAC702 " + first + "/check"}},
		{name: "702: a condition", all: func(r []string) []string {
			return append(r, `{"criterion": "tone", "check": 0, "type": "condition", "run": "", "exit_code": 0, "passed": true}`)
		}, errors: []string{"AAC702 /results/6/check"}},
		{name: "702: another type", first: []string{`"command"`, `"preview"`}, errors: []string{"AAC702 " + first + "/type"}},
		{name: "702: another command", first: []string{"prove weights", "prove weights "}, errors: []string{"AAC702 " + first + "/run"}},
		{name: "703: twice", all: func(r []string) []string { return append(r, r[2]) }, errors: []string{"AAC703 /results/6"}},
		{name: "703: thrice", all: func(r []string) []string { return append(r, r[2], r[2]) }, errors: []string{"AAC703 /results/6", "AAC703 /results/7"}},
		{name: "704: not passed", first: []string{"true", "false"}, errors: []string{"AAC704 " + first + "/passed"}, complete: true},
		{name: "704: passed with an exit code", first: []string{`"exit_code": 0`, `"exit_code": 2`}, errors: []string{"AAC704 " + first + "/exit_code"}, complete: true},
		{name: "704: passed below zero", first: []string{`"exit_code": 0`, `"exit_code": -1`}, errors: []string{"AAC704 " + first + "/exit_code"}, complete: true},
		{name: "704: out of time", first: []string{"true", `true, "timed_out": true`}, errors: []string{"AAC704 " + first + "/timed_out"}, complete: true},
		{name: "704: in time", first: []string{"true", `true, "timed_out": false`}, complete: true, done: true},
		{name: "705: as declared", changes: oneFile, first: reported(`[{"artifact": "b", "fingerprint": "sha256:bbbbbbbbbbbb"}, {"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}]`), complete: true, done: true},
		{name: "705: none", changes: oneFile, errors: []string{"AAC705 " + first, "AAC705 " + first}, complete: true},
		{name: "705: one is missing", changes: oneFile, first: reported(`[{"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}]`), errors: []string{"AAC705 " + first + "/files"}, complete: true},
		{name: "705: one differs", changes: oneFile, first: reported(`[{"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}, {"artifact": "b", "fingerprint": "sha256:aaaaaaaaaaaa"}]`), errors: []string{"AAC705 " + first + "/files"}, complete: true},
		{name: "705: one in two versions", changes: declared(`[{"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}]`), first: reported(`[{"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}, {"artifact": "a", "fingerprint": "sha256:bbbbbbbbbbbb"}]`), errors: []string{"AAC705 " + first + "/files"}, complete: true},
		{name: "705: nothing declared", first: reported(`[{"artifact": "a", "fingerprint": "sha256:aaaaaaaaaaaa"}]`), complete: true, done: true},
		{name: "301: passed is no boolean", first: []string{"true", `"true"`}, errors: []string{"AAC301 " + first + "/passed"}},
		{name: "301: a check that is malformed is none", first: []string{`"check": 0`, `"check": -1`}, errors: []string{"AAC701 /results", "AAC301 " + first + "/check"}},
		{name: "301: no command", first: []string{`"run": "prove weights", `, ""}, errors: []string{"AAC301 " + first}},
		{name: "301: a type that is no string", first: []string{`"command"`, `1`}, errors: []string{"AAC301 " + first + "/type"}},
		{name: "301: files that are malformed", changes: oneFile, first: reported(`[{"artifact": "a"}]`), errors: []string{"AAC301 " + first + "/files/0"}},
		{name: "301: a result that is none", all: func(r []string) []string { return append(r, `"passed"`) }, errors: []string{"AAC301 /results/6"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, report := parsed(t, stamp(t, parcels, tt.changes...))
			list := results()
			list[0] = strings.NewReplacer(tt.first...).Replace(list[0])
			if tt.all != nil {
				list = tt.all(list)
			}
			result := contract.CheckDone(c, report, doneReport(c, list))
			if diff := cmp.Diff(append([]string{}, tt.errors...), codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s\n%+v", diff, result.Report.Errors())
			}
			if result.Complete() != tt.complete || result.IsDone() != tt.done {
				t.Errorf("complete %v, done %v; want %v, %v", result.Complete(), result.IsDone(), tt.complete, tt.done)
			}
		})
	}
}

func TestDoneNamesTheCriteriaThatFail(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels))
	list := results()
	for _, i := range []int{0, 1, 3} { // two checks of one criterion, and one of another
		list[i] = strings.Replace(list[i], `"passed": true`, `"passed": false`, 1)
	}
	list[3] = strings.Replace(list[3], `"exit_code": 0`, `"exit_code": 1`, 1)
	if got := contract.CheckDone(c, report, doneReport(c, list)).Failing(); !slices.Equal(got, []string{"weights", "keyed"}) {
		t.Errorf("criteria that fail: %q", got)
	}
	for _, text := range [][]byte{doneReport(c, results()), doneReport(c, nil), []byte("[]"), nil} {
		if got := contract.CheckDone(c, report, text).Failing(); len(got) > 0 {
			t.Errorf("%s: criteria that fail: %q", text, got)
		}
	}
}

// Which revision a report is about, on a chain whose first and third have one label.
func TestDoneRevisions(t *testing.T) {
	a, b, again := revision(t, 1, "A"), revision(t, 2, "B"), revision(t, 3, "A")
	other := *a
	other.ID = "letters"
	tests := []struct {
		name   string
		of     *contract.Contract
		rest   []string
		errors []string
	}{
		{"the newest", again, nil, nil},
		{"the newest by number", again, []string{`"revision": 3`}, nil},
		{"the oldest by number", again, []string{`"revision": 1`}, []string{"AAC802 /contract/fingerprint"}},
		{"an older", b, nil, []string{"AAC802 /contract/fingerprint"}},
		{"an older's label with the newest's number", b, []string{`"revision": 3`}, []string{"AAC801 /contract/revision"}},
		{"none", revision(t, 1, "C"), nil, []string{"AAC801 /contract/fingerprint"}},
		{"another contract's", &other, nil, []string{"AAC801 /contract/id"}},
		{"the newest's bytes", again, []string{fmt.Sprintf(`"sha256": %q`, again.SHA256())}, nil},
		{"the bytes of one with the same label", again, []string{fmt.Sprintf(`"sha256": %q`, a.SHA256())}, []string{"AAC801 /contract/sha256"}},
		{"an older with its bytes", b, []string{fmt.Sprintf(`"sha256": %q`, b.SHA256())}, []string{"AAC802 /contract/fingerprint"}},
		{"bytes that are none", again, []string{`"sha256": ""`}, []string{"AAC301 /contract/sha256"}},
		{"bytes in upper case", again, []string{fmt.Sprintf(`"sha256": %q`, strings.ToUpper(again.SHA256()))}, []string{"AAC301 /contract/sha256"}},
		{"bytes as a label", again, []string{fmt.Sprintf(`"sha256": %q`, "sha256:"+again.SHA256())}, []string{"AAC301 /contract/sha256"}},
		{"a malformed number", again, []string{`"revision": 0`}, []string{"AAC301 /contract/revision"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chain := contract.ResumeChain(contract.Snapshot{})
			for _, c := range []*contract.Contract{a, b, again} {
				chain.AddRevision(c, true)
			}
			d, report := contract.ParseDone(doneReport(tt.of, results(), tt.rest...))
			result := chain.CheckDone(d, report, time.Time{})
			if diff := cmp.Diff(append([]string{}, tt.errors...), codePaths(result.Report.Errors())); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if result.Complete() != (tt.errors == nil) {
				t.Errorf("complete is %v", result.Complete())
			}
			chain.AddDone(result)
			if chain.Progress().Done != (tt.errors == nil) {
				t.Errorf("after it the chain is done: %v", chain.Progress().Done)
			}
		})
	}
}

// A result may be no older than the revision it is about, which is a warning only.
func TestDoneBeforeContract(t *testing.T) {
	registered := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for started, want := range map[string][]string{
		`"2026-11-30T09:59:59.999Z"`:  {"AAC706 /results/0/started_at"},
		`"2026-11-30T10:00:00Z"`:      {},
		`"2026-11-30T10:30:00+01:00"`: {"AAC706 /results/0/started_at"},
		`"2026-11-30T09:30:00-01:00"`: {},
	} {
		chain := contract.ResumeChain(contract.Snapshot{})
		c := revision(t, 1, "A")
		chain.AddRevision(c, true)
		list := results()
		list[0] = strings.Replace(list[0], "true", `true, "started_at": `+started, 1)
		for _, at := range []time.Time{registered, {}} {
			d, report := contract.ParseDone(doneReport(c, list))
			result := chain.CheckDone(d, report, at)
			expect := want
			if at.IsZero() {
				expect = []string{}
			}
			if diff := cmp.Diff(expect, codePaths(result.Report.Warnings())); diff != "" {
				t.Errorf("%s: warnings (-want +got):\n%s", started, diff)
			}
			if !result.IsDone() {
				t.Errorf("%s: not done: %v", started, result.Report.Errors())
			}
		}
	}
}

func TestDoneThatIsNone(t *testing.T) {
	c, report := parsed(t, stamp(t, parcels))
	for text, want := range map[string]string{
		`{`: "AAC300_INVALID_JSON", `[]`: "AAC301_SCHEMA", `{}`: "AAC301_SCHEMA",
		`{"done": "0.2", "contract": {"id": "parcels", "fingerprint": "` + c.Fingerprint + `"}, "results": null}`: "AAC301_SCHEMA",
	} {
		result := contract.CheckDone(c, report, []byte(text))
		if diff := cmp.Diff([]string{want}, codes(result.Report.Errors())); diff != "" {
			t.Errorf("%s: errors (-want +got):\n%s", text, diff)
		}
		if result.Complete() || result.IsDone() {
			t.Errorf("%s: complete %v, done %v", text, result.Complete(), result.IsDone())
		}
	}
	broken, brokenReport := contract.ParseContract(stamp(t, strings.Replace(parcels, `"kind": "judgment"`, `"kind": "enumerable"`, 1)))
	result := contract.CheckDone(broken, brokenReport, []byte(`{`))
	want := []string{"AAC401_KIND_FIELDS", "AAC402_CHECKS_BY_KIND"}
	if diff := cmp.Diff(want, codes(result.Report.Errors())); diff != "" || result.Complete() {
		t.Errorf("by an invalid contract: complete is %v, errors (-want +got):\n%s", result.Complete(), diff)
	}
}

// Whatever a report holds, its problems point into it, and only a whole one is done.
func FuzzDone(f *testing.F) {
	c, report := parsed(f, stamp(f, parcels))
	f.Add(doneReport(c, results()))
	f.Add(doneReport(c, results()[1:], `"revision": 1`))
	f.Add([]byte(strings.Replace(string(doneReport(c, results())), `"check": 0`, `"check": 1e9`, 1)))
	f.Add([]byte(`{"contract": [], "results": [{}, 1, {"criterion": "weights", "check": 0, "files": [1]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		result := contract.CheckDone(c, report, text)
		v, err := contract.Decode(text)
		if err != nil {
			wantCodes(t, result.Report, []string{"AAC300_INVALID_JSON"}, nil)
			return
		}
		checkReport(t, v, result.Report)
		if !result.IsDone() {
			return
		}
		for _, want := range results() {
			w, err := contract.Decode([]byte(want))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(v.Get("results").Items, func(item *contract.Value) bool {
				return item.Get("run").Same(w.Get("run")) && item.Get("criterion").Same(w.Get("criterion")) && item.Get("passed").Same(w.Get("passed"))
			}) {
				t.Errorf("done without %s", want)
			}
		}
	})
}
