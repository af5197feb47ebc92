package ledger

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract"
)

// result gives one result of a report that is being changed.
func result(report map[string]any, i int) map[string]any {
	return report["results"].([]any)[i].(map[string]any)
}

func testDoneReports(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	lacking := doneText(t, c, func(r map[string]any) { r["results"] = r["results"].([]any)[:1] })
	a, err := l.RecordDone(context.Background(), bob, Submission{fixtureID, "1", lacking})
	if err != nil {
		t.Fatal(err)
	}
	if a.Receipt != nil || a.Result.Complete() || !a.Result.Report.Has(contract.CheckNotReported) {
		t.Errorf("an incomplete report was recorded: %+v", a.Result.Report.Errors())
	}
	failing := doneText(t, c, func(r map[string]any) { result(r, 0)["passed"] = false })
	unfinished := recordDone(t, l, "1", failing)
	if unfinished.Result.IsDone() || unfinished.Next[0].Actor != contract.ActorBuilder {
		t.Errorf("a failing check is not done: %+v", unfinished.Next)
	}
	done := recordDone(t, l, "2", doneText(t, c, nil))
	if !done.Result.IsDone() || done.Next[0].Actor != contract.ActorJudge {
		t.Errorf("the judge is next, got %+v", done.Next)
	}
	register(t, l, grown(t))
	stale, err := l.RecordDone(context.Background(), bob, Submission{fixtureID, "3", doneText(t, c, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if stale.Receipt != nil || !stale.Result.Report.Has(contract.StaleRevision) {
		t.Errorf("a stale report was recorded: %+v", stale.Result.Report.Errors())
	}
	verify(t, l, fixtureID, done.Receipt.Hash)
}

// testOutputTails: of a tail only the digest is stored; all else stays as it was
// given.
func testOutputTails(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	const secret = "PASS\nsecret log line"
	with := func(tail string) []byte {
		return doneText(t, c, func(r map[string]any) {
			result(r, 0)["output_tail"] = tail
			r["note"] = "output_tail stays in a note"
		})
	}
	first := recordDone(t, l, "1", with(secret))
	events, err := l.Events(context.Background(), fixtureID, 1, 10)
	if err != nil || len(events) != 1 {
		t.Fatalf("got %+v, %v", events, err)
	}
	body := events[0].Body
	if bytes.Contains(body, []byte("secret log")) || !bytes.Contains(body, []byte(contract.SHA256([]byte(secret)))) {
		t.Errorf("stored %s", body)
	}
	if !bytes.Contains(body, []byte(`"note":"output_tail stays in a note"`)) {
		t.Errorf("more than the tail is gone: %s", body)
	}
	if retry := recordDone(t, l, "1", with(secret)); !retry.Repeated || *retry.Receipt != *first.Receipt {
		t.Errorf("a retry got %+v", retry.Receipt)
	}
	_, err = l.RecordDone(context.Background(), bob, Submission{fixtureID, "1", with("another tail")})
	wantCode(t, err, SubmissionReused)
	verify(t, l, fixtureID, "")
}

func TestWithoutTails(t *testing.T) {
	digest := contract.SHA256([]byte("x"))
	const head = "{\"done\":\"0.1\",\n \"results\": ["
	for name, test := range map[string]struct{ results, want string }{
		"none":          {`{"a": 1}, 2 `, `{"a": 1}, 2 `},
		"alone":         {`{"output_tail":"x"}`, `{"output_tail_sha256":"` + digest + `"}`},
		"in the middle": {`{ "a" : 1 , "output_tail" : "x" , "b":2 }`, `{ "a" : 1 , "output_tail_sha256":"` + digest + `" , "b":2 }`},
		"escaped":       {`{"output_tail":"\u0078"}`, `{"output_tail_sha256":"` + digest + `"}`},
		"no text":       {`{"output_tail":5}`, `{"output_tail":5}`},
		"digest kept":   {`{"output_tail_sha256":"ab"}`, `{"output_tail_sha256":"ab"}`},
		"digest first":  {`{"output_tail_sha256":"ab", "output_tail":"x", "c":1}`, `{"output_tail_sha256":"` + digest + `", "c":1}`},
		"digest behind": {`{"output_tail":"x", "output_tail_sha256":"ab", "c":1}`, `{"output_tail_sha256":"` + digest + `", "c":1}`},
		"several":       {`{"output_tail":"x"} , {"output_tail":"x","z":[]}`, `{"output_tail_sha256":"` + digest + `"} , {"output_tail_sha256":"` + digest + `","z":[]}`},
	} {
		for _, bom := range []string{"", "\ufeff"} {
			text := bom + head + test.results + "]} "
			d, _ := contract.ParseDone([]byte(text))
			got := string(withoutTails(d, []byte(text)))
			if want := bom + head + test.want + "]} "; got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
			if _, err := contract.Decode([]byte(got)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			again, _ := contract.ParseDone([]byte(got))
			if twice := string(withoutTails(again, []byte(got))); twice != got {
				t.Errorf("%s: what is stored, given again, became %q", name, twice)
			}
		}
	}
}

// FuzzWithoutTails: whatever a report holds, what is stored is JSON without tails,
// and stays so when it is given again.
func FuzzWithoutTails(f *testing.F) {
	f.Add([]byte(`{"results":[{"output_tail":"x","output_tail_sha256":"y"},{"output_tail_sha256":1,"output_tail":""}]}`))
	f.Add([]byte("\ufeff{\"results\": [ {\"a\":1,\"output_tail\":\"x\"} ] }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, _ := contract.ParseDone(text)
		if d == nil {
			return
		}
		stored := withoutTails(d, text)
		again, _ := contract.ParseDone(stored)
		if again == nil {
			t.Fatalf("%q is stored as %q", text, stored)
		}
		for i, r := range again.Results {
			if _, isText := r.Value.Get("output_tail").Text(); isText {
				t.Fatalf("%q is stored as %q", text, stored)
			}
			_, had := d.Results[i].Value.Get("output_tail").Text()
			if had && r.Value.Get("output_tail_sha256") == nil {
				t.Fatalf("%q is stored without a digest as %q", text, stored)
			}
		}
		if twice := withoutTails(again, stored); !bytes.Equal(twice, stored) {
			t.Fatalf("%q is stored as %q, and that as %q", text, stored, twice)
		}
	})
}

// testEarlyReports: a check that began before its revision was registered is warned
// of.
func testEarlyReports(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	registered := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	l.now = func() time.Time { return registered }
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	at := func(when time.Time) *DoneAnswer {
		return recordDone(t, l, when.String(), doneText(t, c, func(r map[string]any) { result(r, 0)["started_at"] = when.Format(time.RFC3339) }))
	}
	if early := at(registered.Add(-time.Second)); !early.Result.Report.Has(contract.BeforeContract) || !early.Result.IsDone() {
		t.Errorf("got %+v", early.Result.Report.Warnings())
	}
	if late := at(registered); late.Result.Report.Has(contract.BeforeContract) {
		t.Errorf("got %+v", late.Result.Report.Warnings())
	}
}

func testChecksWriteNothing(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	text := contractText(t, 1, contractOptions{})
	dry, err := l.CheckRevision(ctx, text, fixtureFiles())
	if err != nil || !dry.Report.Valid() || dry.Receipt != nil || dry.Review == nil {
		t.Errorf("got %+v, %v", dry, err)
	}
	if _, err := l.Status(ctx, fixtureID); err == nil {
		t.Error("a check registered the contract")
	}
	c := register(t, l, text).Contract
	if dry, err := l.CheckRevision(ctx, text, nil); err != nil || !dry.Already || dry.Receipt == nil {
		t.Errorf("what is registered is told so: %+v, %v", dry, err)
	}
	if a, err := l.CheckDone(ctx, fixtureID, doneText(t, c, nil)); err != nil || !a.Result.IsDone() || a.Receipt != nil {
		t.Errorf("got %+v, %v", a, err)
	}
	for range 3 { // an extension that is only checked is not counted
		a, err := l.CheckRound(ctx, fixtureID, roundText(t, c, "fail", extension))
		if err != nil || !a.Result.Report.Valid() || a.Result.ExtensionsUsed != 1 || a.Receipt != nil {
			t.Errorf("got %+v, %v", a, err)
		}
	}
	if v := verify(t, l, fixtureID, ""); v.Events != 1 {
		t.Errorf("checks were recorded: %+v", v)
	}
}

func testCallers(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	for name, who := range map[string]string{
		"no name": "", "blank": " \t", "control": "a\nb", "hidden": "a\u200bb", "reversed": "\u202eenaj", "not UTF-8": "\xff", "space before": " jane", "space behind": "jane\u00a0", "not NFC": "jose\u0301", "lost": "\ufffd", "long": strings.Repeat("é", maxNameRunes+1),
	} {
		_, err := l.RecordRound(ctx, Caller{who, contract.ActorJudge}, Submission{fixtureID, "k", roundText(t, c, "pass")})
		if err == nil {
			t.Fatalf("%s was accepted", name)
		}
		wantCode(t, err, BadArgument)
	}
	long := Caller{strings.Repeat("é", maxNameRunes), contract.ActorJudge}
	if a, err := l.RecordRound(ctx, long, Submission{fixtureID, "k", roundText(t, c, "pass")}); err != nil || a.Receipt == nil {
		t.Errorf("a name of the most characters: %v", err)
	}
	_, err := l.RecordRound(ctx, bob, Submission{fixtureID, "k", roundText(t, c, "pass")})
	wantCode(t, err, BadArgument)
	_, err = l.Register(ctx, jane, grown(t), fixtureFiles())
	wantCode(t, err, BadArgument)
	_, err = l.RecordDone(ctx, Caller{"x", "king"}, Submission{fixtureID, "k", doneText(t, c, nil)})
	wantCode(t, err, BadArgument)
	_, err = l.RecordRound(ctx, jane, Submission{fixtureID, "", roundText(t, c, "pass")})
	wantCode(t, err, SubmissionMissing)
	_, err = l.RecordRound(ctx, jane, Submission{fixtureID, strings.Repeat("k", maxSubmissionRunes+1), roundText(t, c, "pass")})
	wantCode(t, err, BadArgument)
	if v := verify(t, l, fixtureID, ""); v.Events != 2 {
		t.Errorf("got %d events", v.Events)
	}
}

func testSizes(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	pad := func(text []byte, size int) []byte { return append(text, bytes.Repeat([]byte(" "), size-len(text))...) }
	recordRound(t, l, "most", pad(roundText(t, c, "pass"), maxBodyBytes))
	_, err := l.RecordRound(ctx, jane, Submission{fixtureID, "more", pad(roundText(t, c, "pass"), maxBodyBytes+1)})
	wantCode(t, err, TooLarge)
	_, err = l.CheckRound(ctx, fixtureID, make([]byte, contract.MaxDocumentBytes+1))
	wantCode(t, err, TooLarge)
	_, err = l.CheckDone(ctx, fixtureID, make([]byte, contract.MaxDocumentBytes+1))
	wantCode(t, err, TooLarge)
	tail := strings.Repeat("x", 2*maxBodyBytes) // goes, so that it does not count
	recordDone(t, l, "tail", doneText(t, c, func(r map[string]any) { result(r, 0)["output_tail"] = tail }))
	verify(t, l, fixtureID, "")
}

func testUnknownContracts(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	c := parse(t, contractText(t, 1, contractOptions{}))
	for name, do := range map[string]func() error{
		"status":   func() error { _, err := l.Status(ctx, "none"); return err },
		"contract": func() error { _, err := l.Contract(ctx, "none", 0); return err },
		"export":   func() error { return l.Export(ctx, "none", AnyLength, io.Discard) },
		"verify":   func() error { _, err := l.Verify(ctx, "none", ""); return err },
		"round":    func() error { _, err := l.CheckRound(ctx, "none", roundText(t, c, "pass")); return err },
		"done":     func() error { _, err := l.CheckDone(ctx, "none", doneText(t, c, nil)); return err },
		"record": func() error {
			_, err := l.RecordRound(ctx, jane, Submission{"none", "k", roundText(t, c, "pass")})
			return err
		},
	} {
		err := do()
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		wantCode(t, err, UnknownContract)
	}
	for _, id := range []string{"", "a\x00b", "\xff", strings.Repeat("x", 1<<20)} {
		_, err := l.Status(ctx, id)
		wantCode(t, err, UnknownContract)
		_, err = l.RecordRound(ctx, jane, Submission{id, "k", roundText(t, c, "pass")})
		wantCode(t, err, UnknownContract)
	}
	register(t, l, c.Text)
	for _, revision := range []int64{-1, 2} {
		_, err := l.Contract(ctx, fixtureID, revision)
		wantCode(t, err, UnknownRevision)
	}
}
