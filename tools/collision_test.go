package tools_test

import (
	"fmt"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/tools"
)

// twin is one of two contracts whose criteria have one 48-bit fingerprint.
func twin(t *testing.T, run string, n int) string {
	return stamped(t, fmt.Sprintf(`{"aac":"0.1.0","contract":{"id":"twin","revision":1,"fingerprint":"","owner":"olga"},"budget":{"extensions":2},`+
		`"criteria":[{"cases":["over-limit"],"checks":[{"run":%q,"type":"command"}],"class":"refund-limit","id":"refund-limit","kind":"enumerable","n":%d,"statement":"The listed refund cases end as stated."}]}`, run, n), 1)
}

// The fingerprint is a label. Where two contracts share one, every tool still tells
// them apart by their bytes.
func TestTwins(t *testing.T) {
	suite, vacuous := twin(t, "go test ./refund", 31981508), twin(t, "true", 3028074)
	o := newOffice(t)
	olga := o.as("olga", tools.Owner)
	one, other := olga.ask("validate_contract", args{"contract": suite}), olga.ask("validate_contract", args{"contract": vacuous})
	if one.Fingerprint != other.Fingerprint || one.SHA256 == other.SHA256 {
		t.Fatalf("these are no twins: %s and %s", one.Fingerprint, other.Fingerprint)
	}
	olga.ask("register_contract", args{"contract": suite, "record": true})
	if got := olga.refusal("register_contract", args{"contract": vacuous, "record": true}); got.Code != tools.RevisionConflict {
		t.Errorf("registering the other gives %+v, want REVISION_CONFLICT", got)
	}
	if got := olga.ask("render_brief", args{"role": "builder", "contract": vacuous}); got.URI != "" || got.State != nil || got.SHA256 != other.SHA256 {
		t.Errorf("the other's brief is %+v, want none of the registered one's state", got)
	}
	report := args{"done": "0.1", "contract": args{"id": "twin", "fingerprint": one.Fingerprint},
		"results": []any{args{"criterion": "refund-limit", "check": 0, "type": "command", "run": "true", "exit_code": 0, "passed": true}}}
	if got := olga.ask("check_done", args{"contract_id": "twin", "report": report, "record": true, "submission": "a"}); got.Recorded || got.Errors[0].Code != contract.CheckUnknown && got.Errors[0].Code != contract.CheckNotReported {
		t.Errorf("a report on the other's check gives %+v, want it refused", got)
	}
	round := args{"agc": "0.1.0", "gate": args{"version": one.Fingerprint}, "verdict": "pass", "findings": []any{}}
	if got := olga.refusal("check_round", args{"contract": vacuous, "round": round, "record": true, "submission": "a"}); got.Code != tools.NotRegistered {
		t.Errorf("a round on the other gives %+v, want NOT_REGISTERED", got)
	}
}
