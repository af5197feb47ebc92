package contract_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestReportIsInDocumentOrder(t *testing.T) {
	v, err := contract.Decode([]byte("{\"b\": 1,\n \"a\": [2, 3]}"))
	if err != nil {
		t.Fatal(err)
	}
	list := v.Get("a")
	r := &contract.Report{}
	r.Add(contract.DuplicateID, list.Items[1], "m", "f")
	r.Add(contract.KindFields, list.Items[0], "m", "f")
	r.Add(contract.FingerprintMismatch, list, "m", "f")
	r.Add(contract.SchemaProblem, list, "m", "f")
	r.Add(contract.SharedClass, v.Get("b"), "m", "f")
	r.Add(contract.TooLarge, nil, "m", "f")
	if diff := cmp.Diff([]string{"AAC407 ", "AAC301 /a", "AAC302 /a", "AAC401 /a/0", "AAC403 /a/1"}, places(r.Errors())); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"AAC405 /b"}, places(r.Warnings())); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if line, column := r.Errors()[4].Position(); line != 2 || column != 11 {
		t.Errorf("the last error is at %d:%d, want 2:11", line, column)
	}
}

func TestReportMerges(t *testing.T) {
	_, contractReport := contract.ParseContract([]byte(`{"aac":"0.1.0","contract":{"id":"!"},"budget":{"extensions":0},"criteria":[]}`))
	r := &contract.Report{}
	v, _ := contract.Decode([]byte(`[1]`))
	r.Add(contract.VerdictMismatch, v.Items[0], "m", "f")
	r.Merge(contractReport, "/contract")
	r.Merge(nil, "/nothing")
	got := places(r.Errors())
	want := []string{"AAC607 /0", "AAC301 /contract/contract", "AAC301 /contract/contract", "AAC301 /contract/contract",
		"AAC301 /contract/contract/id", "AAC301 /contract/budget/extensions", "AAC301 /contract/criteria"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReportOfWhatIsNotJSON(t *testing.T) {
	c, r := contract.ParseContract([]byte("{\n  x"))
	got, err := json.Marshal(slices.Concat(r.Errors(), r.Warnings()))
	if err != nil || c != nil || r.Valid() || !r.Has(contract.InvalidJSON) {
		t.Fatalf("contract %v, report %s, error %v", c, got, err)
	}
	want := `[{"code":"AAC300_INVALID_JSON","severity":"error","path":"","message":"\"x\" stands where a member's name should be",` +
		`"fix":"names stand in double quotes, and no comma follows the last member","line":2,"column":3}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	empty, err := json.Marshal((&contract.Report{}).Errors())
	if err != nil || string(empty) != "[]" {
		t.Errorf("no errors are written as %s, want []", empty)
	}
}

// TestReportIsBounded: of many problems that are alike the first are told, and that
// there are more; other codes are told all the same, and nothing becomes valid by it.
func TestReportIsBounded(t *testing.T) {
	v, err := contract.Decode([]byte(`{"list": [` + strings.Repeat(`0,`, 9_999) + `0], "` + strings.Repeat("n", 2<<20) + `": [1, 2, 3]}`))
	if err != nil {
		t.Fatal(err)
	}
	r := &contract.Report{}
	for _, item := range v.Get("list").Items {
		r.Add(contract.DuplicateID, item, "m", "f")
		r.Add(contract.InputNotVerified, item, "m", "f")
	}
	r.Add(contract.KindFields, v.Get("list"), "m", "f")
	if n := len(r.Warnings()); n != 2_001 {
		t.Errorf("%d warnings, want 2001", n)
	}
	errors := r.Errors()
	if n := len(errors); n != 2_002 {
		t.Fatalf("%d errors, want 2002", n)
	}
	if last := errors[2_001]; last.Path != "/list/2000" || !strings.Contains(last.Message, "left out") {
		t.Errorf("the last is %+v", last)
	}
	merged := &contract.Report{}
	merged.Merge(r, "")
	merged.Merge(r, "/contract")
	if n := len(merged.Errors()); n != 2_003 {
		t.Errorf("%d errors are merged, want 2003", n)
	}

	long := &contract.Report{}
	for _, item := range v.Members[1].Value.Items {
		long.Add(contract.HiddenText, item, "m", "f")
	}
	if n := len(long.Errors()); n != 2 {
		t.Errorf("%d problems with a path of 2 MB are told, want 2", n)
	}
}
