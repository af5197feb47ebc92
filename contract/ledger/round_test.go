package ledger

import (
	"bytes"
	"context"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

func testRounds(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	recordDone(t, l, "done", doneText(t, c, nil))
	fail := recordRound(t, l, "1", roundText(t, c, "fail", defect, advice))
	if fail.Receipt.Seq != 3 || fail.Result.Against() != 1 || fail.Result.Advisory() != 1 || fail.Contract.Revision != 1 {
		t.Errorf("got %+v", fail)
	}
	if len(fail.Next) != 1 || fail.Next[0].Actor != contract.ActorBuilder {
		t.Errorf("after a fail the builder is next, got %+v", fail.Next)
	}
	recordDone(t, l, "done again", doneText(t, c, nil))
	if pass := recordRound(t, l, "2", roundText(t, c, "pass")); len(pass.Next) != 0 || pass.Next == nil {
		t.Errorf("after a pass nobody is next, got %#v", pass.Next)
	}
	verify(t, l, fixtureID, fail.Receipt.Hash)
}

func testStaleRounds(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	first := register(t, l, contractText(t, 1, contractOptions{})).Contract
	register(t, l, grown(t))
	elsewhere := parse(t, contractText(t, 1, contractOptions{run: "true"}))
	for name, test := range map[string]struct {
		text []byte
		code contract.Code
	}{
		"an older revision": {roundText(t, first, "pass"), contract.StaleRevision},
		"no revision":       {roundText(t, elsewhere, "pass"), contract.UnknownRevision},
		"no version":        {[]byte(`{"agc": "0.1.0", "verdict": "pass", "findings": []}`), contract.UnknownRevision},
	} {
		a, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, name, test.text})
		if err != nil {
			t.Fatal(err)
		}
		if a.Receipt != nil || !a.Result.Report.Has(test.code) {
			t.Errorf("%s: got %+v, want %s", name, a.Result.Report.Errors(), test.code)
		}
	}
	if v := verify(t, l, fixtureID, ""); v.Events != 2 {
		t.Errorf("a stale round was recorded: %+v", v)
	}
}

func testBudget(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	one := recordRound(t, l, "1", roundText(t, c, "fail", extension))
	if one.Result.ExtensionsUsed != 1 || one.Result.ExtensionsBudget != 2 {
		t.Errorf("got %+v", one.Result)
	}
	refused := func(key string, text []byte, code contract.Code) {
		t.Helper()
		a, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, key, text})
		if err != nil {
			t.Fatal(err)
		}
		if a.Receipt != nil || !a.Result.Report.Has(code) {
			t.Errorf("got %+v, want %s", a.Result.Report.Errors(), code)
		}
	}
	refused("2", roundText(t, c, "fail", extension), contract.EscalationRequired)
	two := recordRound(t, l, "2", roundText(t, c, "escalate", escalation))
	if !two.Result.MustEscalate || two.Next[0].Actor != contract.ActorOwner {
		t.Errorf("got %+v, %+v", two.Result, two.Next)
	}
	refused("3", roundText(t, c, "escalate", escalation), contract.BudgetExceeded)
	recordRound(t, l, "3", roundText(t, c, "fail", defect))

	c = register(t, l, grown(t)).Contract
	if fresh := recordRound(t, l, "4", roundText(t, c, "fail", extension)); fresh.Result.ExtensionsUsed != 1 {
		t.Errorf("a new revision has a budget of its own, used %d", fresh.Result.ExtensionsUsed)
	}
	status, err := l.Status(context.Background(), fixtureID)
	if err != nil {
		t.Fatal(err)
	}
	if status.ExtensionsUsed != 1 || status.ExtensionsEver != 3 || status.Rounds != 4 {
		t.Errorf("got %+v", status)
	}
	verify(t, l, fixtureID, "")
}

func testInvalidRounds(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	for _, text := range [][]byte{
		nil, []byte("not JSON"), []byte("[]"), []byte(`{"agc": "0.1.0"}`),
		roundText(t, c, "pass", defect), roundText(t, c, "fail"), roundText(t, c, "maybe"),
	} {
		a, err := l.RecordRound(context.Background(), jane, Submission{fixtureID, "key", text})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if a.Receipt != nil || a.Result.Report.Valid() {
			t.Errorf("%q was recorded", text)
		}
	}
	// What was refused used up nothing: neither the key nor a number.
	if a := recordRound(t, l, "key", roundText(t, c, "pass")); a.Receipt.Seq != 2 {
		t.Errorf("got %+v", a.Receipt)
	}
}

func testSubmissions(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	pass, fail := roundText(t, c, "pass"), roundText(t, c, "fail", defect)
	first := recordRound(t, l, "a", pass)
	recordRound(t, l, "b", fail)
	third := recordRound(t, l, "c", pass)
	if first.Receipt.Seq != 2 || third.Receipt.Seq != 4 || first.Receipt.Hash == third.Receipt.Hash {
		t.Errorf("equal rounds under two keys are two events: %+v, %+v", first.Receipt, third.Receipt)
	}
	retry := recordRound(t, l, "a", bytes.Clone(pass))
	if !retry.Repeated || *retry.Receipt != *first.Receipt {
		t.Errorf("a retry got %+v, first %+v", retry.Receipt, first.Receipt)
	}
	if first.Repeated {
		t.Error("the first call is no retry")
	}
	_, err := l.RecordRound(ctx, jane, Submission{fixtureID, "a", fail})
	wantCode(t, err, SubmissionReused)
	_, err = l.RecordRound(ctx, jane, Submission{fixtureID, "a", append(bytes.Clone(pass), ' ')})
	wantCode(t, err, SubmissionReused)
	_, err = l.RecordDone(ctx, jane, Submission{fixtureID, "a", doneText(t, c, nil)})
	wantCode(t, err, SubmissionReused)

	// Keys are each caller's own, and each contract's.
	other, err := l.RecordRound(ctx, Caller{"joe", contract.ActorJudge}, Submission{fixtureID, "a", fail})
	if err != nil || other.Repeated || other.Receipt.Seq != 5 {
		t.Errorf("another caller's key: %+v, %v", other, err)
	}
	second := register(t, l, contractText(t, 1, contractOptions{id: "second"})).Contract
	elsewhere, err := l.RecordRound(ctx, jane, Submission{"second", "a", roundText(t, second, "fail", defect)})
	if err != nil || elsewhere.Receipt.Seq != 2 {
		t.Errorf("another contract's key: %+v, %v", elsewhere, err)
	}
	if v := verify(t, l, fixtureID, first.Receipt.Hash); v.Events != 5 {
		t.Errorf("got %d events", v.Events)
	}
}

// testLateRetries: a retry gets its first answer, however the chain went on.
func testLateRetries(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	report := doneText(t, c, nil)
	done := recordDone(t, l, "done", report)
	texts := map[string][]byte{
		"one": roundText(t, c, "fail", extension),
		"two": roundText(t, c, "escalate", escalation),
	}
	firsts := map[string]*RoundAnswer{}
	for _, key := range []string{"one", "two"} {
		firsts[key] = recordRound(t, l, key, texts[key])
	}
	next := register(t, l, grown(t)).Contract
	recordRound(t, l, "three", roundText(t, next, "pass"))
	for key, first := range firsts {
		retry := recordRound(t, l, key, texts[key])
		if !retry.Repeated || *retry.Receipt != *first.Receipt || retry.Contract.Revision != 1 {
			t.Errorf("%s: got %+v, first %+v", key, retry, first)
		}
		if !retry.Result.Report.Valid() || retry.Result.ExtensionsUsed != first.Result.ExtensionsUsed || retry.Result.MustEscalate != first.Result.MustEscalate {
			t.Errorf("%s: judged as %+v, first as %+v", key, retry.Result, first.Result)
		}
	}
	again := recordDone(t, l, "done", report)
	if !again.Repeated || *again.Receipt != *done.Receipt || !again.Result.IsDone() {
		t.Errorf("the done report's retry got %+v, %+v", again.Receipt, again.Result.Report.Errors())
	}
}
