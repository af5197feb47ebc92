package scan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// refunds is an API with an operation in the document itself, one behind a `$ref` and
// one in another file, each without confirmation.
var refunds = fstest.MapFS{
	"api.yaml": {Data: []byte(`openapi: 3.1.0
info: {title: Refunds, version: "1"}
paths:
  /refunds:
    post: {operationId: refundOrder, summary: Refund an order, responses: {"200": {description: OK}}}
    get: {operationId: listRefunds, summary: List refunds, responses: {"200": {description: OK}}}
  /accounts:
    $ref: '#/components/pathItems/Accounts'
  /payouts:
    $ref: 'parts/payouts.yaml'
components:
  pathItems:
    Accounts:
      delete: {operationId: dropAccount, summary: Drop an account, responses: {"200": {description: OK}}}
`)},
	"parts/payouts.yaml": {Data: []byte(`post:
  operationId: payOut
  summary: Pay out
  responses: {"200": {description: OK}}
`)},
}

// scanUnder scans the API of files under a policy.
func scanUnder(t *testing.T, files fstest.MapFS, policy string) *agentready.Export {
	t.Helper()
	read, err := ReadPolicy([]byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	read.File = PolicyName
	doc, err := Read(t.Context(), Input{Name: "api.yaml", Data: files["api.yaml"].Data, Files: files, Path: "api.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Scan(t.Context(), doc, Options{Now: noon, Policy: read})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// waived are the tools whose finding is waived.
func waivedTools(e *agentready.Export, finding string) string {
	var ids []string
	for _, tool := range e.Tools {
		for _, r := range tool.DetectedRules {
			if r.FindingCode == finding && r.Waived {
				ids = append(ids, tool.ID)
			}
		}
	}
	return strings.Join(ids, " ")
}

// definition is the fingerprint of a tool.
func definition(t *testing.T, e *agentready.Export, id string) string {
	t.Helper()
	for _, tool := range e.Tools {
		if tool.ID == id {
			return tool.Definition
		}
	}
	t.Fatalf("there is no tool %s", id)
	return ""
}

const confirmation = "missing_human_confirmation_flow"

func TestWaivers(t *testing.T) {
	bare := scanUnder(t, refunds, "")
	accepted := func(id string) string { return "definition: '" + definition(t, bare, id) + "', " }
	const stale = "definition: 'sha256:000000000000', "
	tests := []struct {
		name, rule, tool, more string
		waived                 string // ids
		state                  agentready.WaiverState
		note                   string
	}{
		{"one tool", "AR002", "refundOrder", "", "refundOrder", agentready.WaiverApplied, ""},
		{"the finding code", confirmation, "refundOrder", "", "refundOrder", agentready.WaiverApplied, ""},
		{"another rule of the same tool", "AR104", "refundOrder", "", "", agentready.WaiverUnused, "is unused"},
		{"a glob", "AR002", "*O*", "", "refundOrder payOut", agentready.WaiverApplied, ""},
		{"alternatives", "AR002", "{refund,drop}*", "", "refundOrder dropAccount", agentready.WaiverApplied, ""},
		{"all", "AR002", "**", "", "refundOrder dropAccount payOut", agentready.WaiverApplied, ""},
		{"letter case", "AR002", "refundorder", "", "", agentready.WaiverUnused, "is unused"},
		{"part of an id", "AR002", "refund", "", "", agentready.WaiverUnused, "is unused"},
		{"a tool without the finding", "AR002", "listRefunds", "", "", agentready.WaiverUnused, "is unused"},
		{"an operation behind a reference", "AR002", "dropAccount", accepted("dropAccount"), "dropAccount", agentready.WaiverApplied, ""},
		{"an operation in another file", "AR002", "payOut", accepted("payOut"), "payOut", agentready.WaiverApplied, ""},
		{"a changed definition", "AR002", "refundOrder", stale, "", agentready.WaiverVoid, "is void"},
		{"a glob for one definition", "AR002", "**", accepted("payOut"), "payOut", agentready.WaiverApplied, ""},
		{"a glob for no definition", "AR002", "**", stale, "", agentready.WaiverVoid, "is void"},
		{"its last day", "AR002", "refundOrder", "expires: 2026-07-10, ", "refundOrder", agentready.WaiverApplied, ""},
		{"the day after", "AR002", "refundOrder", "expires: 2026-07-09, ", "", agentready.WaiverExpired, "expired after 2026-07-09"},
		{"expired and changed", "AR002", "refundOrder", stale + "expires: 2026-07-09, ", "", agentready.WaiverExpired, "expired after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			more := tt.more
			if !strings.Contains(more, "expires") {
				more += "expires: 2026-12-31, "
			}
			e := scanUnder(t, refunds, fmt.Sprintf("waivers: [{rule: %s, tool: '%s', %sreason: ours}]\n", tt.rule, tt.tool, more))
			if got := waivedTools(e, confirmation); got != tt.waived {
				t.Errorf("waived for %q, want %q", got, tt.waived)
			}
			if got := e.Policy.Waivers[0].State; got != tt.state {
				t.Errorf("the waiver is %s, want %s", got, tt.state)
			}
			ReportWaivers(e)
			notes := strings.Join(e.Notes, "\n")
			if told := strings.Contains(notes, "the waiver of"); told != (tt.note != "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes are %q, want %q", notes, tt.note)
			}
		})
	}
}

// An id with braces, as paths have them, is meant as it stands, however many they are.
func TestWaiverOfAnIDWithBraces(t *testing.T) {
	var paths strings.Builder
	operation := func(id string) {
		fmt.Fprintf(&paths, "  /x%d:\n    delete: {operationId: '%s', responses: {'200': {description: OK}}}\n", paths.Len(), id)
	}
	policy, id := "waivers:\n", "DELETE "
	var want []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		operation(id + "/" + name)
		id += "/{" + name + "}"
		operation(id)
		policy += "  - {rule: AR002, tool: '" + id + "', reason: x, expires: 2026-12-31}\n"
		want = append(want, id)
	}
	files := fstest.MapFS{"api.yaml": {Data: []byte("openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths:\n" + paths.String())}}
	if got := waivedTools(scanUnder(t, files, policy), confirmation); got != strings.Join(want, " ") {
		t.Errorf("waived for %s", got)
	}
}

// A waiver is void as soon as anything changes that its tool reaches, wherever that
// stands.
func TestWaiversAreVoidOnceADefinitionChanges(t *testing.T) {
	bare := scanUnder(t, refunds, "")
	for _, tt := range []struct{ tool, file, old, new string }{
		{"refundOrder", "api.yaml", "Refund an order", "Refund any order"},
		{"dropAccount", "api.yaml", "Drop an account", "Drop all accounts"},
		{"payOut", "parts/payouts.yaml", "Pay out", "Pay out twice"},
	} {
		policy := fmt.Sprintf("waivers: [{rule: AR002, tool: %s, reason: x, expires: 2026-12-31, definition: '%s'}]\n", tt.tool, definition(t, bare, tt.tool))
		if got := waivedTools(scanUnder(t, refunds, policy), confirmation); got != tt.tool {
			t.Errorf("%s: waived for %q before the change", tt.tool, got)
		}
		changed := fstest.MapFS{}
		for name, file := range refunds {
			changed[name] = file
		}
		changed[tt.file] = &fstest.MapFile{Data: bytes.Replace(refunds[tt.file].Data, []byte(tt.old), []byte(tt.new), 1)}
		if got := waivedTools(scanUnder(t, changed, policy), confirmation); got != "" {
			t.Errorf("%s: still waived for %q after the change", tt.tool, got)
		}
		moved := fstest.MapFS{}
		for name, file := range refunds {
			moved[name] = &fstest.MapFile{Data: append([]byte("# moved\n\n"), file.Data...)}
		}
		if got := waivedTools(scanUnder(t, moved, policy), confirmation); got != tt.tool {
			t.Errorf("%s: waived for %q after the lines moved", tt.tool, got)
		}
	}
}

// The score stays raw, and the gate's score is that of a document without the waived
// findings.
func TestGateScore(t *testing.T) {
	bare := scanUnder(t, refunds, "")
	if bare.GateScore != bare.Score || bare.Policy == nil {
		t.Errorf("without waivers the gate's score is %d of %d", bare.GateScore, bare.Score)
	}
	var off, waive strings.Builder
	off.WriteString("rules:\n")
	waive.WriteString("waivers:\n")
	for _, r := range Rules() {
		fmt.Fprintf(&off, "  %s: off\n", r.Finding)
		fmt.Fprintf(&waive, "  - {rule: %s, tool: '**', reason: x, expires: 2026-12-31}\n", r.Finding)
	}
	all := scanUnder(t, refunds, waive.String())
	if all.Score != bare.Score || all.RiskCounts != bare.RiskCounts || all.Status != bare.Status {
		t.Errorf("waivers change the score: %d %v %s, want %d %v %s", all.Score, all.RiskCounts, all.Status, bare.Score, bare.RiskCounts, bare.Status)
	}
	none := scanUnder(t, refunds, off.String())
	if all.GateScore != none.Score || none.Score != 100 {
		t.Errorf("with all waived the gate's score is %d, and without any rule the score %d", all.GateScore, none.Score)
	}
	if got := agentready.Recommended.Decide(all); got.Verdict != agentready.Pass {
		t.Errorf("with all waived the verdict is %v", got)
	}
	one := scanUnder(t, refunds, "waivers: [{rule: AR002, tool: payOut, reason: x, expires: 2026-12-31}]\n")
	if one.GateScore > agentready.MostWithCritical || one.GateScore < one.Score {
		t.Errorf("with critical findings left the gate's score is %d", one.GateScore)
	}
}

// A policy's severities act before scoring.
func TestPolicyRules(t *testing.T) {
	bare := scanUnder(t, refunds, "")
	e := scanUnder(t, refunds, "rules: {AR002: low, AR007: off, missing_when_to_use: critical}\n")
	for _, tool := range e.Tools {
		for _, r := range tool.DetectedRules {
			switch {
			case r.RuleCode == "AR007_OVERBROAD_TOOL_SCOPE":
				t.Errorf("%s: %s is found though it is off", tool.ID, r.FindingCode)
			case r.FindingCode == confirmation && r.Severity != agentready.Low, r.FindingCode == "missing_when_to_use" && r.Severity != agentready.Critical:
				t.Errorf("%s: %s is %s", tool.ID, r.FindingCode, r.Severity)
			}
		}
	}
	if e.RiskCounts.Low != bare.RiskCounts.Low+3 || e.Score == bare.Score {
		t.Errorf("%d low findings and a score of %d, before %d and %d", e.RiskCounts.Low, e.Score, bare.RiskCounts.Low, bare.Score)
	}
}

// Where two waivers are for one finding the first that holds counts, and the other is
// told of, so that it can go.
func TestSecondWaiverOfAFindingIsUnused(t *testing.T) {
	e := scanUnder(t, refunds, `waivers:
  - {rule: AR002, tool: refundOrder, reason: old, expires: 2026-12-31, definition: 'sha256:000000000000'}
  - {rule: AR002, tool: refundOrder, reason: first, expires: 2026-12-31}
  - {rule: AR002, tool: refund*, reason: second, expires: 2026-12-31}
`)
	var states []agentready.WaiverState
	for _, w := range e.Policy.Waivers {
		states = append(states, w.State)
	}
	want := []agentready.WaiverState{agentready.WaiverUnused, agentready.WaiverApplied, agentready.WaiverUnused}
	if d := cmp.Diff(want, states); d != "" {
		t.Errorf("states (-want +got):\n%s", d)
	}
	for _, r := range e.Tools[0].DetectedRules {
		if r.FindingCode == confirmation && r.Waiver.Reason != "first" {
			t.Errorf("it is waived by %q", r.Waiver.Reason)
		}
	}
}

// One policy file serves several documents: a waiver is reported once, and only where
// it holds in none.
func TestReportWaiversOfSeveralDocuments(t *testing.T) {
	const policy = `waivers:
  - {rule: AR002, tool: refundOrder, reason: x, expires: 2026-12-31}
  - {rule: AR002, tool: gone, reason: x, expires: 2026-12-31}
  - {rule: AR002, tool: payOut, reason: x, expires: 2026-12-31, definition: 'sha256:000000000000'}
`
	other := fstest.MapFS{"api.yaml": {Data: []byte("openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths:\n  /x:\n    get: {operationId: x, responses: {'200': {description: x}}}\n")}}
	first, second := scanUnder(t, other, policy), scanUnder(t, refunds, policy)
	ReportWaivers(first, second)
	var lines []string
	for _, note := range append(first.Notes, second.Notes...) {
		if strings.Contains(note, "the waiver of") {
			lines = append(lines, note[:len(".plumbline.yaml line 0")])
		}
	}
	if d := cmp.Diff([]string{".plumbline.yaml line 3", ".plumbline.yaml line 4"}, lines); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What one document does not use another may need that is scanned apart. So removal is only
// spoken of where several documents were read whole, and then of them.
func TestUnusedWaiverMayBeForAnotherDocument(t *testing.T) {
	scanned := func(file string, partial bool) *agentready.Export {
		e := scanUnder(t, refunds, "waivers: [{rule: AR002, tool: gone, reason: x, expires: 2026-12-31}]\n")
		e.Policy.File, e.Partial = file, partial
		return e
	}
	const ours, other = PolicyName, "other/" + PolicyName
	tests := []struct {
		name    string
		exports []*agentready.Export
		want    string
	}{
		{"one document", []*agentready.Export{scanned(ours, false)},
			"is unused in this document: correct its rule and tool, unless it is for another document"},
		{"beside one of another policy", []*agentready.Export{scanned(ours, false), scanned(other, false)},
			"is unused in this document: correct its rule and tool, unless it is for another document"},
		{"several", []*agentready.Export{scanned(ours, false), scanned(ours, false), scanned(ours, false)},
			"is unused in all 3 documents here: remove it if the policy is for no other, or correct its rule and tool"},
		{"several, one in part", []*agentready.Export{scanned(ours, false), scanned(ours, true)},
			"is unused in all 2 documents here: correct its rule and tool, unless it is for what was not read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ReportWaivers(tt.exports...)
			notes := strings.Join(tt.exports[0].Notes, "\n")
			if !strings.HasSuffix(notes, " for gone "+tt.want) {
				t.Errorf("notes are %q, want one that ends in %q", notes, tt.want)
			}
		})
	}
}

// The same document under the same policy gives the same bytes.
func TestPolicyGivesTheSameAnswerEveryTime(t *testing.T) {
	const policy = `rules: {AR009: low, AR007: off, missing_enum: high, AR001: critical}
waivers:
  - {rule: AR002, tool: '*O*', reason: x, expires: 2026-12-31}
  - {rule: AR002, tool: 'pay*', reason: y, expires: 2026-12-31}
  - {rule: AR005, tool: 'pay*', reason: y, expires: 2026-01-31}
  - {rule: AR008, tool: '**', reason: z, definition: 'sha256:000000000000'}
`
	var first []byte
	for run := range 20 {
		e := scanUnder(t, refunds, policy)
		ReportWaivers(e)
		e.Compare(scanUnder(t, refunds, ""))
		var b bytes.Buffer
		if err := agentready.Write(&b, e); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		}
		if d := cmp.Diff(string(first), b.String()); d != "" {
			t.Fatalf("run %d differs (-first +now):\n%s", run+1, d)
		}
	}
}
