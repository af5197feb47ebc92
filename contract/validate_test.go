package contract_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

// places gives problems as "code path", in the order of the report.
func places(problems []contract.Problem) []string {
	out := []string{}
	for _, p := range problems {
		code, _, _ := strings.Cut(string(p.Code), "_")
		out = append(out, code+" "+p.Path)
	}
	return out
}

func TestContractRules(t *testing.T) {
	type objects = map[string]any
	type items = []any
	ref := func(path string) objects {
		return objects{"artifact": path, "fingerprint": "sha256:0123456789ab"}
	}
	command := objects{"type": "command", "run": "true"}
	for _, c := range []struct {
		name   string
		change func(f fixture)
		want   []string // errors, then warnings
	}{
		{"nothing", func(fixture) {}, nil},
		{"version of the format", func(f fixture) { f["aac"] = "0.1.01" }, []string{"AAC301 /aac"}},
		{"a later patch", func(f fixture) { f["aac"] = "0.1.12" }, nil},
		{"another minor", func(f fixture) { f["aac"] = "0.2.0" }, []string{"AAC301 /aac"}},
		{"a missing member stands at its parent", func(f fixture) { set(f.object("contract"), "owner", nil) }, []string{"AAC301 /contract"}},
		{"two missing members are two problems", func(f fixture) { set(f, "aac", nil); set(f, "budget", nil) }, []string{"AAC301 ", "AAC301 "}},
		{"a blank owner", func(f fixture) { f.object("contract")["owner"] = " \u0085\u3000" }, []string{"AAC301 /contract/owner"}},
		{"a title of another type", func(f fixture) { f.object("contract")["title"] = 1 }, []string{"AAC301 /contract/title"}},
		{"an id with an empty segment", func(f fixture) { f.object("contract")["id"] = "a//b" }, []string{"AAC301 /contract/id"}},
		{"an id with a segment ..", func(f fixture) { f.object("contract")["id"] = "a/../b" }, []string{"AAC301 /contract/id"}},
		{"an id with a segment .", func(f fixture) { f.object("contract")["id"] = "a/." }, []string{"AAC301 /contract/id"}},
		{"an id with dots in segments", func(f fixture) { f.object("contract")["id"] = "a..b/...c/.d" }, nil},
		{"an id that ends in /", func(f fixture) { f.object("contract")["id"] = "a/" }, []string{"AAC301 /contract/id"}},
		{"an id of 128", func(f fixture) { f.object("contract")["id"] = strings.Repeat("a", 128) }, nil},
		{"an id of 129", func(f fixture) { f.object("contract")["id"] = strings.Repeat("a", 129) }, []string{"AAC301 /contract/id"}},
		{"an id with a line break", func(f fixture) { f.object("contract")["id"] = "a\n" }, []string{"AAC301 /contract/id"}},
		{"revision 1.0", func(f fixture) { f.object("contract")["revision"] = json.RawMessage("1.0") }, nil},
		{"revision 0", func(f fixture) {
			f.object("contract")["fingerprint"] = "sha256:000000000000"
			f.object("contract")["revision"] = 0
		},
			[]string{"AAC302 /contract/fingerprint", "AAC301 /contract/revision"}},
		{"revision 2^53", func(f fixture) {
			f.object("contract")["fingerprint"] = "sha256:000000000000"
			f.object("contract")["revision"] = json.RawMessage("9007199254740992")
		}, []string{"AAC302 /contract/fingerprint", "AAC301 /contract/revision"}},
		{"a budget that is no integer", func(f fixture) { f.object("budget")["extensions"] = 1.5 }, []string{"AAC301 /budget/extensions"}},
		{"a huge budget", func(f fixture) { f.object("budget")["extensions"] = 1e300 }, nil},
		{"criteria that are no list", func(f fixture) {
			f["criteria"] = objects{}
			f.object("contract")["fingerprint"] = "sha256:000000000000"
		}, []string{"AAC301 /criteria"}},
		{"a criterion that is no object", func(f fixture) { f["criteria"] = append(f["criteria"].(items), 7) }, []string{"AAC301 /criteria/4"}},
		{"a class that is blank", func(f fixture) { f.criterion(3)["class"] = "\u00a0" }, []string{"AAC301 /criteria/3/class"}},
		{"a class with a control character", func(f fixture) { f.criterion(3)["class"] = "a\tb" }, []string{"AAC301 /criteria/3/class"}},
		{"a class of 128 characters", func(f fixture) { f.criterion(3)["class"] = strings.Repeat("é", 128) }, nil},
		{"a class of 129 characters", func(f fixture) { f.criterion(3)["class"] = strings.Repeat("é", 129) }, []string{"AAC301 /criteria/3/class"}},
		{"a wrong string is one problem", func(f fixture) { f.criterion(3)["class"] = strings.Repeat("\n", 129) }, []string{"AAC301 /criteria/3/class"}},
		{"a case without id", func(f fixture) { f.criterion(0)["cases"] = items{objects{"input": 1}} }, []string{"AAC301 /criteria/0/cases/0"}},
		{"a blank case", func(f fixture) { f.criterion(0)["cases"] = items{" "} }, []string{"AAC301 /criteria/0/cases/0"}},
		{"no case", func(f fixture) { f.criterion(0)["cases"] = items{} }, []string{"AAC301 /criteria/0/cases"}},
		{"a case file without fingerprint", func(f fixture) { f.criterion(0)["cases"] = objects{"artifact": "c.json"} }, []string{"AAC301 /criteria/0/cases"}},
		{"an unsafe case file", func(f fixture) { f.criterion(0)["cases"] = ref("/etc/passwd") }, []string{"AAC404 /criteria/0/cases/artifact"}},
		{"an unsafe path beside a broken fingerprint", func(f fixture) { f.criterion(1)["domain"] = objects{"artifact": "../x", "fingerprint": 1} },
			[]string{"AAC404 /criteria/1/domain/artifact", "AAC301 /criteria/1/domain/fingerprint"}},
		{"an unsafe file of a check", func(f fixture) { f.object("criteria", 0, "checks", 0)["files"] = items{ref("a/../b")} },
			[]string{"AAC404 /criteria/0/checks/0/files/0/artifact"}},
		{"a key that is no string", func(f fixture) { f.object("criteria", 1, "domain")["key"] = 1 }, []string{"AAC301 /criteria/1/domain/key"}},
		{"an extra field is not read", func(f fixture) { f.criterion(3)["cases"] = 5; f.criterion(3)["domain"] = ref("../x") },
			[]string{"AAC401 /criteria/3/cases", "AAC401 /criteria/3/domain"}},
		{"a missing field stands at the criterion", func(f fixture) { set(f.criterion(1), "domain", nil) }, []string{"AAC401 /criteria/1"}},
		{"missing and extra", func(f fixture) { f.criterion(1)["cases"] = f.criterion(0)["cases"]; set(f.criterion(1), "domain", nil) },
			[]string{"AAC401 /criteria/1", "AAC401 /criteria/1/cases"}},
		{"an unknown kind has no fields", func(f fixture) { f.criterion(0)["kind"] = "Enumerable" }, []string{"AAC301 /criteria/0/kind"}},
		{"an entry without its field", func(f fixture) { f.criterion(2)["construction"] = items{objects{"statement": "x", "kind": "bounded"}} },
			[]string{"AAC401 /criteria/2/construction/0"}},
		{"an entry with another's field", func(f fixture) { f.object("criteria", 2, "construction", 1)["domain"] = ref("x") },
			[]string{"AAC401 /criteria/2/construction/1/domain"}},
		{"an entry of a kind it cannot have", func(f fixture) { f.object("criteria", 2, "construction", 1)["kind"] = "judgment" },
			[]string{"AAC301 /criteria/2/construction/1/kind"}},
		{"an entry's cases", func(f fixture) { f.object("criteria", 2, "construction", 1)["cases"] = items{"a", "b", "a"} },
			[]string{"AAC403 /criteria/2/construction/1/cases/2"}},
		{"an entry's file", func(f fixture) {
			f.criterion(2)["construction"] = items{objects{"statement": "x", "kind": "bounded", "domain": ref("C:x")}}
		}, []string{"AAC404 /criteria/2/construction/0/domain/artifact"}},
		{"an unknown check type stops AAC402", func(f fixture) { f.criterion(3)["checks"] = items{command, objects{"type": "manual"}} },
			[]string{"AAC301 /criteria/3/checks/1/type"}},
		{"a check without command does not stop AAC402", func(f fixture) { f.criterion(3)["checks"] = items{objects{"type": "command"}} },
			[]string{"AAC301 /criteria/3/checks/0", "AAC402 /criteria/3/checks/0"}},
		{"each check that the kind forbids", func(f fixture) { f.criterion(3)["checks"] = items{command, command} },
			[]string{"AAC402 /criteria/3/checks/0", "AAC402 /criteria/3/checks/1"}},
		{"a structural one without either", func(f fixture) { f.criterion(2)["checks"] = items{objects{"type": "preview", "run": "x"}} },
			[]string{"AAC402 /criteria/2/checks", "AAC402 /criteria/2/checks"}},
		{"no checks", func(f fixture) { f.criterion(2)["checks"] = items{} }, []string{"AAC301 /criteria/2/checks"}},
		{"a timeout of 0", func(f fixture) { f.object("criteria", 0, "checks", 0)["timeout_s"] = 0 }, []string{"AAC301 /criteria/0/checks/0/timeout_s"}},
		{"a condition may have a run of its own", func(f fixture) { f.object("criteria", 3, "checks", 0)["run"] = 5 }, nil},
		{"the second of two ids", func(f fixture) { f.criterion(2)["id"] = "limit" }, []string{"AAC403 /criteria/2/id"}},
		{"broken ids are not compared", func(f fixture) { f.criterion(2)["id"] = "!"; f.criterion(3)["id"] = "!" },
			[]string{"AAC301 /criteria/2/id", "AAC301 /criteria/3/id"}},
		{"a case object's id", func(f fixture) { f.criterion(0)["cases"] = items{"a", objects{"id": "a"}} }, []string{"AAC403 /criteria/0/cases/1/id"}},
		{"a shared class", func(f fixture) { f.criterion(2)["class"] = "message-tone" }, []string{"AAC405 /criteria/3/class"}},
		{"hidden text in a member nobody knows", func(f fixture) { f["note"] = items{"a\u202eb"} }, []string{"AAC406 /note/0"}},
		{"a hidden name", func(f fixture) { f["no\u200bte"] = "" }, []string{"AAC406 /no\u200bte"}},
		{"hidden text in a broken part", func(f fixture) { f.object("contract")["title"] = items{"\u2066"} },
			[]string{"AAC301 /contract/title", "AAC406 /contract/title/0"}},
		{"joiners that a script needs", func(f fixture) { f.criterion(3)["statement"] = "می\u200cخواهم 👩\u200d💻" }, nil},
		{"a universal word in capitals", func(f fixture) { f.criterion(0)["statement"] = "NEVER more." }, []string{"AAC501 /criteria/0/statement"}},
		{"a word before punctuation", func(f fixture) { f.criterion(0)["statement"] = "Refuse all!" }, []string{"AAC501 /criteria/0/statement"}},
		{"parts of words", func(f fixture) { f.criterion(0)["statement"] = "any_case, allé, no1, overall, alle\u0301, nobody" }, nil},
		{"no-op is one word", func(f fixture) { f.criterion(0)["statement"] = "A No-Op is not refused." }, nil},
		{"no beside no-op", func(f fixture) { f.criterion(0)["statement"] = "A no-op has no effect." }, []string{"AAC501 /criteria/0/statement"}},
		{"a judgment may say every", func(f fixture) { f.criterion(3)["statement"] = "Every refusal is courteous." }, nil},
		{"an enumerable entry may not", func(f fixture) { f.object("criteria", 2, "construction", 1)["statement"] = "no client is exported" },
			[]string{"AAC501 /criteria/2/construction/1/statement"}},
		{"a string entry may not", func(f fixture) { f.criterion(2)["construction"] = items{"no client is exported"} }, []string{"AAC501 /criteria/2/construction/0"}},
		{"a key of a domain that is no string", func(f fixture) { f.object("criteria", 1, "domain")["key"] = 1 }, []string{"AAC301 /criteria/1/domain/key"}},
		{"a key of a case file means nothing", func(f fixture) {
			f.criterion(0)["cases"] = objects{"artifact": "cases.json", "fingerprint": "sha256:0123456789ab", "key": 1}
		}, nil},
		{"a key of a check's file means nothing", func(f fixture) {
			f.criterion(0)["checks"] = items{objects{"type": "command", "run": "true", "files": items{objects{"artifact": "a", "fingerprint": "sha256:0123456789ab", "key": 1}}}}
		}, nil},
		{"a stale fingerprint of broken criteria", func(f fixture) {
			f.object("contract")["fingerprint"] = "sha256:000000000000"
			f.criterion(3)["statement"] = 1
		},
			[]string{"AAC302 /contract/fingerprint", "AAC301 /criteria/3/statement"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			c.change(f)
			_, report := contract.ParseContract(f.text(t))
			got := append(places(report.Errors()), places(report.Warnings())...)
			if diff := cmp.Diff(c.want, got, cmp.Transformer("empty", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("(-want +got):\n%s\n%+v %+v", diff, report.Errors(), report.Warnings())
			}
			for _, p := range slices.Concat(report.Errors(), report.Warnings()) {
				if p.Message == "" || p.Fix == "" {
					t.Errorf("%s at %s has no message or no fix: %+v", p.Code, p.Path, p)
				}
			}
		})
	}
}

// TestReportReads shows a whole report, as a person gets it, for a contract with most
// faults.
func TestReportReads(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "contracts", "many-faults.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, report := contract.ParseContract(text)
	var out strings.Builder
	for _, p := range slices.Concat(report.Errors(), report.Warnings()) {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	golden(t, "many-faults.report.txt", []byte(out.String()))
}

func TestFingerprintFixIsRight(t *testing.T) {
	f := newFixture(t)
	f.object("contract")["fingerprint"] = "sha256:000000000000"
	text := f.text(t)
	_, report := contract.ParseContract(text)
	stamped, err := contract.Stamp(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	right, _ := contract.ParseContract(stamped)
	if fix := report.Errors()[0].Fix; !strings.Contains(fix, `"`+right.Fingerprint+`"`) {
		t.Errorf("the fix %q does not name %s", fix, right.Fingerprint)
	}
}

func TestSizeIsOfTheBytes(t *testing.T) {
	for _, c := range []struct {
		size int
		want []string
	}{{contract.MaxContractBytes, []string{}}, {contract.MaxContractBytes + 1, []string{"AAC407 "}}} {
		text := newFixture(t).text(t)
		text = append(text, strings.Repeat(" ", c.size-len(text))...)
		_, report := contract.ParseContract(text)
		if diff := cmp.Diff(c.want, places(report.Errors())); diff != "" {
			t.Errorf("%d bytes (-want +got):\n%s", c.size, diff)
		}
	}
}

func TestRulesListEachCodeOnce(t *testing.T) {
	seen := map[contract.Code]bool{}
	for _, r := range contract.Rules() {
		if seen[r.Code] || r.Meaning == "" || r.Severity != contract.Error && r.Severity != contract.Warning {
			t.Errorf("%+v is listed twice or not described", r)
		}
		seen[r.Code] = true
	}
	if len(seen) != 34 {
		t.Errorf("%d codes, want 25 errors and 9 warnings", len(seen))
	}
}
