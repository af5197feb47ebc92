package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

func TestValidateContract(t *testing.T) {
	good := contractOf(t, shop, 1, "under", "over")
	chain := `{"aac":"0.1.0","revisions":[` + good + `,` + contractOf(t, shop, 2, "under", "over", "zero") + `],"rounds":[]}`
	var object map[string]any
	if err := json.Unmarshal([]byte(good), &object); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		given    any
		kind     string
		valid    bool
		revision int64
		code     contract.Code
	}{
		{"text", good, "contract", true, 1, ""},
		{"an object", object, "contract", true, 1, ""},
		{"a chain", chain, "chain", true, 2, ""},
		{"no JSON", "{", "contract", false, 0, contract.InvalidJSON},
		{"another array", "[]", "contract", false, 0, contract.SchemaProblem},
		{"an empty object", args{}, "contract", false, 0, contract.SchemaProblem},
		{"a wrong fingerprint", strings.Replace(good, "sha256:", "sha256:000000000000#", 1), "contract", false, 1, contract.SchemaProblem},
		{"a repeated member", strings.Replace(good, `"aac"`, `"aac": "0.1.0", "aac"`, 1), "contract", false, 0, contract.InvalidJSON},
		{"hidden text", strings.Replace(good, "read well", "read\u202ewell", 1), "contract", false, 1, contract.HiddenText},
		{"a chain that skips", `{"aac":"0.1.0","revisions":[` + contractOf(t, shop, 2, "under") + `],"rounds":[]}`, "chain", false, 2, contract.RevisionSequence},
	}
	a := newOffice(t).as("bob", tools.Builder)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := a.ask("validate_contract", args{"contract": tt.given})
			if got.Kind != tt.kind || got.Valid != tt.valid || got.Revision != tt.revision || got.Valid != (len(got.Errors) == 0) {
				t.Errorf("the answer is %+v, want %s, valid %v, revision %d", got, tt.kind, tt.valid, tt.revision)
			}
			if tt.code != "" && !slices.ContainsFunc(got.Errors, func(p contract.Problem) bool { return p.Code == tt.code && p.Fix != "" }) {
				t.Errorf("the errors are %+v, want %s with a fix", got.Errors, tt.code)
			}
		})
	}
}

// The bytes of a file are what is registered, its artifacts those beside it.
func TestContractOfFile(t *testing.T) {
	root := t.TempDir()
	const rows = "id,amount\na,1\n"
	text := boundedContract(t, rows)
	write(t, root, map[string]string{"c/contract.json": text, "data/rows.csv": rows})
	o := newOffice(t, root)
	got := o.as("olga", tools.Owner).ask("register_contract", args{"path": "c/contract.json", "record": true})
	if !got.Recorded || got.SHA256 != contract.SHA256([]byte(text)) || got.Answer != nil || len(got.Changes) != 0 {
		t.Fatalf("the answer is %+v, want revision 1 recorded with the file's digest", got)
	}
	brief := o.as("bob", tools.Builder).ask("render_brief", args{"role": "builder", "contract_id": "rows"})
	if brief.ContractText != text || brief.URI != got.URI || brief.SHA256 != got.SHA256 {
		t.Errorf("the brief has other bytes, or another URI than %s", got.URI)
	}
}

func boundedContract(t *testing.T, rows string) string {
	return stamped(t, fmt.Sprintf(`{"aac":"0.1.0","contract":{"id":"rows","revision":1,"fingerprint":"","owner":"olga"},"budget":{"extensions":1},
	"criteria":[{"id":"rows","class":"rows","kind":"bounded","statement":"Rows add up.","domain":{"artifact":"data/rows.csv","fingerprint":%q},
	"checks":[{"type":"command","run":"go test ./rows"}]}]}`+"\n\n", contract.Fingerprint([]byte(rows))), 1)
}

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Artifacts may come with the call, or lie under any root, or under a link inside one.
func TestArtifacts(t *testing.T) {
	const rows = "id,amount\na,1\n"
	text := boundedContract(t, rows)
	linked := t.TempDir()
	write(t, linked, map[string]string{"real/rows.csv": rows})
	if err := os.Symlink("real", filepath.Join(linked, "data")); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := os.Symlink(filepath.Join(linked, "real"), filepath.Join(out, "data")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		roots []string
		sent  args
		want  string
	}{
		{"sent", nil, args{"data/rows.csv": rows}, ""},
		{"sent beside a root", []string{t.TempDir()}, args{"data/rows.csv": rows}, ""},
		{"under the second root, by a link", []string{t.TempDir(), linked}, nil, ""},
		{"nowhere", nil, nil, "UNREADABLE_FILE"},
		{"missing", []string{t.TempDir()}, args{"rows.csv": rows}, "UNREADABLE_FILE"},
		{"with other bytes", nil, args{"data/rows.csv": "id\n"}, "UNREADABLE_FILE"},
		{"a directory of that name", nil, args{"data/rows.csv/x": rows}, "UNREADABLE_FILE"},
		{"behind a link that leads out", []string{out}, nil, "AAC404_UNSAFE_ARTIFACT_PATH"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newOffice(t, tt.roots...).as("olga", tools.Owner)
			given := args{"contract": text, "record": true}
			if tt.sent != nil {
				given["artifacts"] = tt.sent
			}
			if tt.want == "UNREADABLE_FILE" {
				if got := a.refusal("register_contract", given); got.Code != tools.UnreadableFile {
					t.Errorf("the refusal is %+v, want %s", got, tt.want)
				}
				return
			}
			got := a.ask("register_contract", given)
			if tt.want != "" && (got.Recorded || len(got.Errors) != 1 || string(got.Errors[0].Code) != tt.want) || tt.want == "" && !got.Recorded {
				t.Errorf("the answer is %+v, want %q", got, tt.want)
			}
		})
	}
}

func TestRegisterContract(t *testing.T) {
	o, first := registered(t)
	olga := o.as("olga", tools.Owner)
	grown := contractOf(t, shop, 2, "under", "over", "zero")
	tried := olga.ask("register_contract", args{"contract": grown, "record": false})
	if tried.Recorded || tried.AlreadyRegistered || tried.URI != "" || tried.Answer == nil || *tried.Answer != "grow" || len(tried.Changes) == 0 {
		t.Errorf("a trial gives %+v, want grow, not recorded", tried)
	}
	if again := olga.ask("register_contract", args{"contract": first, "record": true}); !again.AlreadyRegistered || !again.Recorded || again.Answer != nil {
		t.Errorf("the same bytes give %+v, want already_registered", again)
	}
	spaced := strings.Replace(first, "{", "{ ", 1)
	if got := olga.refusal("register_contract", args{"contract": spaced, "record": true}); got.Code != tools.RevisionConflict {
		t.Errorf("other bytes of revision 1 give %+v, want REVISION_CONFLICT", got)
	}
	skipped := olga.ask("register_contract", args{"contract": contractOf(t, shop, 3, "x"), "record": true})
	if skipped.Valid || skipped.Recorded || skipped.Errors[0].Code != contract.RevisionSequence {
		t.Errorf("a revision that skips gives %+v, want AAC303, not recorded", skipped)
	}
	done := olga.ask("register_contract", args{"contract": grown, "record": true})
	if !done.Recorded || done.URI != "plumbline://contracts/shop%2Frefunds/revisions/2" {
		t.Errorf("revision 2 gives %+v", done)
	}
}

// Everything that an agent may get wrong is an error that says what is right.
func TestContractRefusals(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"large.json": strings.Repeat(" ", 1<<20+1)})
	o := newOffice(t, root)
	text := contractOf(t, shop, 1, "under", "over")
	o.as("olga", tools.Owner).ask("register_contract", args{"contract": text, "record": true})
	report, round := reportOn(t, text, true), roundOn(t, text, "pass")
	other := contractOf(t, "other", 1, "a")
	tests := []struct {
		name, tool string
		given      args
		code       tools.Code
		path, says string
	}{
		{"no contract", "validate_contract", args{}, tools.BadArgument, "", "`contract`"},
		{"two contracts", "validate_contract", args{"path": "a", "contract": text}, tools.BadArgument, "", "both"},
		{"a number for a contract", "validate_contract", args{"contract": 1}, tools.BadArgument, "/contract", "object"},
		{"a path outside", "validate_contract", args{"path": "../a"}, tools.PathOutsideRoot, "/path", root},
		{"a missing file", "register_contract", args{"path": "a.json", "record": false}, tools.UnreadableFile, "/path", "does not exist"},
		{"a large file", "validate_contract", args{"path": "large.json"}, tools.TooLarge, "/path", "smaller file"},
		{"no record", "register_contract", args{"contract": text}, tools.BadArgument, "", "record"},
		{"a record that is none", "check_done", args{"contract_id": shop, "report": report, "record": "yes"}, tools.BadArgument, "/record", "boolean"},
		{"an argument with another name", "check_round", args{"contract_id": shop, "rounds": round, "record": false}, tools.BadArgument, "/rounds", "`round`"},
		{"no role", "render_brief", args{"contract_id": shop}, tools.BadArgument, "", "role"},
		{"another role", "render_brief", args{"contract_id": shop, "role": "owner"}, tools.BadArgument, "/role", "builder"},
		{"a brief of nothing", "render_brief", args{"role": "judge"}, tools.BadArgument, "", "one of"},
		{"a brief of two", "render_brief", args{"role": "judge", "contract_id": shop, "contract": text}, tools.BadArgument, "", "both"},
		{"a brief of what is not valid", "render_brief", args{"role": "judge", "contract": "{}"}, tools.BadArgument, "/contract", "validate_contract"},
		{"a revision of an inline contract", "render_brief", args{"role": "judge", "contract": text, "revision": 1}, tools.BadArgument, "/revision", "leave"},
		{"an unknown id", "render_brief", args{"role": "judge", "contract_id": "shop/refund"}, tools.UnknownContract, "/contract_id", "`shop/refunds`"},
		{"an unknown revision", "render_brief", args{"role": "judge", "contract_id": shop, "revision": 2}, tools.UnknownRevision, "/revision", ""},
		{"an unknown id", "chain_status", args{"contract_id": "none"}, tools.UnknownContract, "/contract_id", "chain_status without arguments lists all"},
		{"an unknown id", "check_done", args{"contract_id": shop + "x", "report": report, "record": false}, tools.UnknownContract, "/contract_id", "nearest"},
		{"an unknown id", "check_round", args{"contract_id": shop + "x", "round": round, "record": true, "submission": "a"}, tools.UnknownContract, "/contract_id", "nearest"},
		{"no report", "check_done", args{"contract_id": shop, "record": false}, tools.BadArgument, "", "`report`"},
		{"no contract", "check_done", args{"report": report, "record": false}, tools.BadArgument, "", "one of"},
		{"no submission", "check_done", args{"contract_id": shop, "report": report, "record": true}, tools.SubmissionRequired, "/submission", "key"},
		{"no submission", "check_round", args{"contract_id": shop, "round": round, "record": true, "submission": ""}, tools.SubmissionRequired, "/submission", "key"},
		{"a submission of spaces", "check_round", args{"contract_id": shop, "round": round, "record": true, "submission": " "}, tools.BadArgument, "", "submission"},
		{"recording on what is not registered", "check_done", args{"contract": other, "report": reportOn(t, other, true), "record": true, "submission": "a"}, tools.NotRegistered, "/contract", "register"},
		{"recording on other bytes", "check_round", args{"contract": text + " ", "round": round, "record": true, "submission": "a"}, tools.NotRegistered, "/contract", "register"},
		{"a broken cursor", "chain_status", args{"cursor": "x"}, tools.BadArgument, "/cursor", "next_cursor"},
		{"a cursor for one", "chain_status", args{"contract_id": shop, "waiting_on": "judge"}, tools.BadArgument, "/contract_id", "list"},
		{"waiting on nobody", "chain_status", args{"waiting_on": "agent"}, tools.BadArgument, "/waiting_on", "owner"},
	}
	a := o.as("olga", tools.Owner)
	for _, tt := range tests {
		t.Run(tt.tool+" "+tt.name, func(t *testing.T) {
			told := a.refusal(tt.tool, tt.given)
			if told.Code != tt.code || told.Path != tt.path || !strings.Contains(told.Error(), tt.says) {
				t.Errorf("the refusal is %+v, want %s at %q with %q", told, tt.code, tt.path, tt.says)
			}
		})
	}
}

// A retry is the first event; the same under another key is another.
func TestSubmissions(t *testing.T) {
	o, text := registered(t)
	jane := o.as("jane", tools.Judge)
	pass := args{"contract_id": shop, "round": roundOn(t, text, "pass"), "record": true, "submission": "one"}
	first := jane.ask("check_round", pass)
	again := jane.ask("check_round", pass)
	if !first.Recorded || first.Receipt == nil || *again.Receipt != *first.Receipt {
		t.Errorf("a retry gives %+v, want the receipt %+v", again.Receipt, first.Receipt)
	}
	if first.Repeated || !again.Repeated {
		t.Errorf("repeated is %v at first and %v of a retry", first.Repeated, again.Repeated)
	}
	changed := args{"contract_id": shop, "round": roundOn(t, text, "fail", defect), "record": true, "submission": "one"}
	if got := jane.refusal("check_round", changed); got.Code != tools.SubmissionReused || got.Path != "/submission" {
		t.Errorf("another round under a used key gives %+v, want SUBMISSION_REUSED", got)
	}
	pass["submission"] = "two"
	if second := jane.ask("check_round", pass); second.Receipt.Seq != first.Receipt.Seq+1 {
		t.Errorf("another key gives %+v, want a new event", second.Receipt)
	}
	pass["record"] = false
	if tried := jane.ask("check_round", pass); tried.Recorded || tried.Receipt != nil || !tried.Valid {
		t.Errorf("a trial gives %+v, want valid and not recorded", tried)
	}
	if got := jane.ask("chain_status", args{"contract_id": shop}); got.Rounds != 2 || got.Head != jane.ask("chain_status", args{"contract_id": shop}).Head {
		t.Errorf("the chain has %d rounds, want 2", got.Rounds)
	}
}

// An inline contract is judged alone unless exactly its bytes are registered.
func TestInline(t *testing.T) {
	o, text := registered(t)
	jane := o.as("jane", tools.Judge)
	own := contractOf(t, "own", 1, "over")
	alone := jane.ask("check_round", args{"contract": own, "round": roundOn(t, own, "fail", defect), "record": false})
	if !alone.Valid || alone.ContractID != "own" || len(alone.Findings) != 1 || alone.Findings[0].Route != "builder" || actors(alone.Next) != "owner" {
		t.Errorf("judged alone: %+v", alone)
	}
	same := jane.ask("check_round", args{"contract": text, "round": roundOn(t, text, "pass"), "record": true, "submission": "a"})
	if !same.Recorded || same.Receipt.ContractID != shop {
		t.Errorf("the registered bytes inline give %+v, want it recorded", same)
	}
	broken := jane.ask("check_done", args{"contract": `{"aac":"0.1.0"}`, "report": reportOn(t, text, true), "record": true, "submission": "b"})
	if broken.Valid || broken.Recorded || broken.Complete || !strings.HasPrefix(broken.Errors[0].Path, "/contract") {
		t.Errorf("an invalid contract gives %+v, want its errors under /contract", broken)
	}
	brief := jane.ask("render_brief", args{"role": "judge", "contract": own})
	if brief.URI != "" || brief.State != nil || brief.ContractText != own {
		t.Errorf("the brief of an inline contract is %+v, want no URI and no state", brief)
	}
	if known := jane.ask("render_brief", args{"role": "judge", "contract": text}); known.URI == "" || known.State == nil {
		t.Error("the brief of the registered bytes has no URI or state")
	}
}

// Where there is no ledger, what needs none works.
func TestWithoutLedger(t *testing.T) {
	o := officeOn(t, func(ctx context.Context) (*ledger.Ledger, error) {
		return ledger.Open(ctx, "sqlite:"+t.TempDir()) // a directory
	})
	a := o.as("olga", tools.Owner)
	text := contractOf(t, shop, 1, "over")
	for tool, given := range map[string]args{
		"chain_status":      {},
		"register_contract": {"contract": text, "record": false},
		"render_brief":      {"role": "judge", "contract_id": shop},
		"check_done":        {"contract": text, "report": reportOn(t, text, true), "record": true, "submission": "a"},
		"check_round":       {"contract_id": shop, "round": roundOn(t, text, "pass"), "record": false},
	} {
		if got := a.refusal(tool, given); got.Code != tools.LedgerUnavailable {
			t.Errorf("%s gives %+v, want LEDGER_UNAVAILABLE", tool, got)
		}
	}
	if got := a.scan("scan_openapi", args{"document": dangerous}); got.Verdict != "FAIL" {
		t.Errorf("a scan gives %s", got.Verdict)
	}
	if got := a.ask("validate_contract", args{"contract": text}); !got.Valid {
		t.Errorf("the contract is %+v", got)
	}
	if got := a.ask("check_done", args{"contract": text, "report": reportOn(t, text, true), "record": false}); !got.Done || got.Recorded {
		t.Errorf("the report alone is %+v", got)
	}
	if got := a.ask("render_brief", args{"role": "builder", "contract": text}); got.State != nil {
		t.Errorf("the brief has the state %+v", got.State)
	}
}
