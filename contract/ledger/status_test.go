package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/contract"
)

func status(t testing.TB, l *Ledger) *Status {
	t.Helper()
	s, err := l.Status(context.Background(), fixtureID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testLists(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	ids := []string{"a", "a.b", "a/1", "b", "team/x", "z"}
	for _, id := range ids {
		register(t, l, contractText(t, 1, contractOptions{id: id}))
	}
	c := parse(t, contractText(t, 1, contractOptions{id: "b"}))
	if _, err := l.RecordDone(ctx, bob, Submission{"b", "k", doneText(t, c, nil)}); err != nil {
		t.Fatal(err)
	}
	walk := func(q Query) (got []string) {
		t.Helper()
		for {
			page, more, err := l.Contracts(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range page {
				got = append(got, s.ContractID)
			}
			if !more {
				return got
			}
			q.After = page[len(page)-1].ContractID
		}
	}
	want := slices.Sorted(slices.Values(ids))
	for limit := 1; limit <= len(ids)+1; limit++ {
		if diff := cmp.Diff(want, walk(Query{Limit: limit})); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", limit, diff)
		}
	}
	if got := walk(Query{WaitingOn: contract.ActorJudge}); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the judge is waited for in %q", got)
	}
	if got := walk(Query{WaitingOn: contract.ActorBuilder, Limit: 2}); len(got) != len(ids)-1 || slices.Contains(got, "b") {
		t.Errorf("the builder is waited for in %q", got)
	}
	if got := walk(Query{WaitingOn: contract.ActorOwner}); len(got) != 0 {
		t.Errorf("the owner is waited for in %q", got)
	}
	page, _, err := l.Contracts(ctx, Query{After: "a/1", Limit: 1})
	if err != nil || len(page) != 1 {
		t.Fatalf("got %+v, %v", page, err)
	}
	s := page[0]
	if s.Revision != 1 || s.SHA256 != c.SHA256() || s.Fingerprint != c.Fingerprint || s.ExtensionsBudget != 2 || s.Head.Seq != 2 || s.Next[0].Actor != contract.ActorJudge {
		t.Errorf("got %+v", s)
	}
	for _, q := range []Query{{Limit: -1}, {Limit: MaxPageSize + 1}, {WaitingOn: "king"}, {After: "a\x00"}, {After: "\xff"}} {
		_, _, err := l.Contracts(ctx, q)
		wantCode(t, err, BadArgument)
	}
}

func testStatus(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	r := register(t, l, contractText(t, 1, contractOptions{}))
	fresh := status(t, l)
	if fresh.Done != nil || fresh.Last != nil || fresh.Head != *r.Receipt || fresh.Subject != "" || fresh.Facts == nil {
		t.Errorf("got %+v", fresh)
	}
	done := recordDone(t, l, "d", doneText(t, r.Contract, nil))
	a := recordRound(t, l, "1", roundText(t, r.Contract, "fail", defect, rowDefect("1"), extension, advice))
	s := status(t, l)
	if s.Done.Receipt != *done.Receipt || s.Done.Who != "bob" || !s.Done.Done || s.Done.Revision != 1 || s.Done.Report.Commit != "c0ffee" {
		t.Errorf("the done report: %+v", s.Done)
	}
	if s.Last.Receipt != *a.Receipt || s.Last.Who != "jane" || s.Last.SelfJudged || s.Head != *a.Receipt || s.Subject != "c0ffee" {
		t.Errorf("the round: %+v", s.Last)
	}
	if got := s.Last.Result; got.Against() != 2 || got.Extensions() != 1 || got.Advisory() != 1 || len(got.Round.Findings) != 4 {
		t.Errorf("the findings: %+v", got)
	}
	if s.Rounds != 1 || s.ExtensionsUsed != 1 || s.ExtensionsBudget != 2 || s.Contract.SHA256() != r.Contract.SHA256() {
		t.Errorf("got %+v", s)
	}
	var actors []contract.Actor
	for _, step := range s.Next {
		actors = append(actors, step.Actor)
	}
	if !slices.Equal(actors, []contract.Actor{contract.ActorOwner, contract.ActorBuilder}) {
		t.Errorf("next are %v", actors)
	}
}

// testStatusOverRevisions: what was last judged stays in sight when a revision
// follows, under the standard it was judged by.
func testStatusOverRevisions(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	recordDone(t, l, "d", doneText(t, c, nil))
	zero := map[string]any{"class": "refund-limit", "severity": "blocking", "location": "zero", "message": "zero is refunded",
		"remedy": map[string]any{"type": "delegate", "to": "payments"}}
	recordRound(t, l, "1", roundText(t, c, "fail", zero))
	register(t, l, grown(t)) // holds "zero" now
	s := status(t, l)
	if s.Contract.Revision != 2 || s.Last.Result.Revision != 1 || s.Last.Result.Extensions() != 1 || s.Done.Revision != 1 {
		t.Errorf("got %+v, %+v", s.Last.Result, s.Done)
	}
	if s.ExtensionsUsed != 0 || s.ExtensionsEver != 1 || s.Progress.Rounds != 0 || s.Next[0].Actor != contract.ActorBuilder {
		t.Errorf("got %+v", s)
	}
}

func testFacts(t *testing.T, b testBackend) {
	dirty := func(r map[string]any) { r["subject"].(map[string]any)["dirty"] = true }
	for name, test := range map[string]struct {
		do   func(l *Ledger)
		want []string // names of facts
	}{
		"nothing odd": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordDone(t, l, "d", doneText(t, c, nil))
			recordRound(t, l, "r", roundText(t, c, "pass"))
		}, nil},
		"advice": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordDone(t, l, "d", doneText(t, c, nil))
			recordRound(t, l, "r", roundText(t, c, "pass", advice))
		}, []string{"advisory_findings"}},
		"pass over an extension": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordRound(t, l, "1", roundText(t, c, "fail", extension))
			recordDone(t, l, "d", doneText(t, c, nil))
			recordRound(t, l, "2", roundText(t, c, "pass"))
		}, []string{"unanswered_extensions"}},
		"pass without done": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordRound(t, l, "r", roundText(t, c, "pass"))
		}, []string{"pass_without_done"}},
		"pass of another commit": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordDone(t, l, "d", doneText(t, c, func(r map[string]any) { r["subject"].(map[string]any)["commit"] = "beef" }))
			recordRound(t, l, "r", roundText(t, c, "pass"))
		}, []string{"pass_without_done"}},
		"pass with a gap": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordDone(t, l, "d", doneText(t, c, nil))
			recordRound(t, l, "r", []byte(fmt.Sprintf(`{"agc":"0.1.0","gate":{"version":%q},"verdict":"pass","subject":{"commit":"c0ffee"},"findings":[]}`, c.Fingerprint)))
		}, []string{"coverage_gap"}},
		"dirty": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordDone(t, l, "d", doneText(t, c, dirty))
		}, []string{"dirty_tree"}},
		"self-judged": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			if _, err := l.RecordDone(context.Background(), jane, Submission{fixtureID, "d", doneText(t, c, nil)}); err != nil {
				t.Fatal(err)
			}
			recordRound(t, l, "r", roundText(t, c, "pass"))
		}, []string{"self_judged", "two_roles"}},
		"vacuous, changed": {func(l *Ledger) {
			register(t, l, contractText(t, 1, contractOptions{}))
			register(t, l, contractText(t, 2, contractOptions{run: " exit  0 ", budget: 5, owner: "nobody"}))
		}, []string{"vacuous_check", "budget_changed", "owner_changed"}},
		"extensions ever": {func(l *Ledger) {
			c := register(t, l, contractText(t, 1, contractOptions{})).Contract
			recordRound(t, l, "r", roundText(t, c, "fail", extension))
			register(t, l, grown(t))
		}, []string{"extensions_ever"}},
	} {
		l := openLedger(t, b.newDSN(t))
		test.do(l)
		var got []string
		for _, f := range status(t, l).Facts {
			got = append(got, f.Name)
			if strings.Contains(f.Text, "yen") || f.Text == "" {
				t.Errorf("%s: the fact %q repeats a finding, or nothing", name, f.Text)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func testEvents(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	recordDone(t, l, "d", doneText(t, c, nil))
	recordRound(t, l, "r", roundText(t, c, "fail", defect))
	events, err := l.Events(context.Background(), fixtureID, 0, 10)
	if err != nil || len(events) != 3 {
		t.Fatalf("got %+v, %v", events, err)
	}
	want := []Event{
		{Seq: 1, Kind: Revision, Who: "olga", Role: "owner"},
		{Seq: 2, Kind: Done, Who: "bob", Role: "builder", Submission: "d"},
		{Seq: 3, Kind: Round, Who: "jane", Role: "judge", Submission: "r"},
	}
	prev := ""
	for i, e := range events {
		got := Event{Seq: e.Seq, Kind: e.Kind, Who: e.Who, Role: e.Role, Submission: e.Submission}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Errorf("event %d (-want +got):\n%s", i, diff)
		}
		if e.Prev != prev || e.Hash != e.ComputeHash() || e.BodySHA256 != contract.SHA256(e.Body) {
			t.Errorf("event %d does not follow: %+v", i, e)
		}
		prev = e.Hash
	}
	if some, err := l.Events(context.Background(), fixtureID, 1, 1); err != nil || len(some) != 1 || some[0].Seq != 2 {
		t.Errorf("got %+v, %v", some, err)
	}
}

// TestComputeHash pins the hash to the canonical JSON that the format defines.
func TestComputeHash(t *testing.T) {
	e := Event{Contract: "a/<b>", Seq: 7, Kind: Round, Who: "é\u2028\"", Role: contract.ActorJudge, Submission: "k&", At: 1796000000123,
		BodySHA256: "ab", Prev: "cd", Hash: "does not enter", Body: []byte("does not enter")}
	want := contract.SHA256([]byte("{\"at\":1796000000123,\"body_sha256\":\"ab\",\"contract\":\"a/<b>\",\"kind\":\"round\",\"prev\":\"cd\",\"role\":\"judge\",\"seq\":7,\"submission\":\"k&\",\"who\":\"é\u2028\\\"\"}"))
	if got := e.ComputeHash(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
