package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

// told are the moments of a history in words, the newest first.
func told(page []Moment) []string {
	var said []string
	for _, m := range page {
		switch {
		case m.Revision != nil:
			r := m.Revision
			said = append(said, fmt.Sprintf("%d revision %d %s %d/%d", r.Receipt.Seq, r.Contract.Revision, r.Review.Answer, r.ExtensionsUsed, r.ExtensionsBudget))
		case m.Done != nil:
			said = append(said, fmt.Sprintf("%d done %d %t", m.Done.Receipt.Seq, m.Done.Revision, m.Done.Done))
		case m.Round != nil:
			r := m.Round
			said = append(said, fmt.Sprintf("%d round %d %s %d+%d+%d %t %s", r.Receipt.Seq, r.Result.Revision, r.Result.Round.Verdict,
				r.Result.Against(), r.Result.Extensions(), r.Result.Advisory(), r.SelfJudged, strings.Join(m.Facts, " ")))
		}
	}
	return said
}

// testHistory: each event is told as it was in its place, page by page.
func testHistory(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	ctx := context.Background()
	_, _, err := l.History(ctx, fixtureID, 0, 10)
	wantCode(t, err, UnknownContract)
	first := register(t, l, contractText(t, 1, contractOptions{})).Contract
	zero := map[string]any{"class": "refund-limit", "severity": "blocking", "location": "zero", "message": "zero is refunded",
		"remedy": map[string]any{"type": "delegate", "to": "payments"}}
	recordRound(t, l, "1", roundText(t, first, "pass", advice))
	recordDone(t, l, "d1", doneText(t, first, func(r map[string]any) { r["subject"].(map[string]any)["dirty"] = true }))
	recordRound(t, l, "2", roundText(t, first, "fail", zero, defect))
	second := register(t, l, grown(t)).Contract // holds "zero" now
	recordDone(t, l, "d2", doneText(t, second, nil))
	if a, err := l.RecordRound(ctx, Caller{"bob", contract.ActorJudge}, Submission{fixtureID, "3", roundText(t, second, "pass")}); err != nil || a.Receipt == nil {
		t.Fatalf("not recorded: %+v, %v", a, err)
	}
	want := []string{
		"7 round 2 pass 0+0+0 true self_judged",
		"6 done 2 true",
		"5 revision 2 grow 0/2",
		"4 round 1 fail 1+1+0 false dirty_tree",
		"3 done 1 true",
		"2 round 1 pass 0+0+1 false advisory_findings pass_without_done",
		"1 revision 1  1/2",
	}
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []string
		for before := int64(0); ; {
			page, older, err := l.History(ctx, fixtureID, before, limit)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, told(page)...)
			if before = older; before == 0 {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: got\n%s\nwant\n%s", limit, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if page, older, err := l.History(ctx, fixtureID, 1, 10); err != nil || len(page) != 0 || older != 0 {
		t.Errorf("before the first: %v, %d, %v", told(page), older, err)
	}
	page, older, err := l.Revisions(ctx, fixtureID, 0, 1)
	if err != nil || len(page) != 1 || page[0].Contract.Revision != 2 || older != 2 {
		t.Fatalf("got %+v, %d, %v", page, older, err)
	}
	page, older, err = l.Revisions(ctx, fixtureID, older, 5)
	if err != nil || len(page) != 1 || page[0].Contract.Revision != 1 || page[0].Who != "olga" || older != 0 {
		t.Errorf("got %+v, %d, %v", page, older, err)
	}
}

// testHistoryForBuilder: a commit that only the judge knows is withheld.
func testHistoryForBuilder(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	text := strings.Replace(string(roundText(t, c, "fail", defect)), "c0ffee", "yen is doubled", 1)
	recordRound(t, l, "1", []byte(text))
	page, _, err := l.History(context.Background(), fixtureID, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := page[0].Round.Result.Round.Commit; got != "yen is doubled" {
		t.Errorf("a judge sees the commit %q", got)
	}
	if got := page[0].ForBuilder().Round.Result.Round.Commit; got != "(withheld)" {
		t.Errorf("a builder sees the commit %q", got)
	}
}

// testUnansweredExtensions: a pass over an extension that nobody answered shows it, also
// once a revision follows; what came before the extension, and after the answer, does not.
func testUnansweredExtensions(t *testing.T, b testBackend) {
	l := openLedger(t, b.newDSN(t))
	c := register(t, l, contractText(t, 1, contractOptions{})).Contract
	recordDone(t, l, "done", doneText(t, c, nil))
	recordRound(t, l, "before", roundText(t, c, "pass"))
	recordRound(t, l, "beyond", roundText(t, c, "fail", extension))
	recordRound(t, l, "defect", roundText(t, c, "fail", defect))
	recordDone(t, l, "again", doneText(t, c, nil))
	recordRound(t, l, "over", roundText(t, c, "pass"))
	recordRound(t, l, "over too", roundText(t, c, "pass"))
	want := []string{"8 unanswered_extensions", "7 unanswered_extensions", "5 ", "4 ", "3 "}
	for _, answered := range []bool{false, true} {
		if answered {
			c = register(t, l, grown(t)).Contract
			recordDone(t, l, "last", doneText(t, c, nil))
			recordRound(t, l, "after", roundText(t, c, "pass"))
			want = append([]string{"11 "}, want...)
		}
		for limit := 1; limit <= 12; limit++ {
			var got []string
			for before := int64(0); ; {
				page, older, err := l.History(context.Background(), fixtureID, before, limit)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range page {
					if m.Round != nil {
						got = append(got, fmt.Sprintf("%d %s", m.Round.Receipt.Seq, strings.Join(m.Facts, " ")))
					}
				}
				if before = older; before == 0 {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("answered %t, by %d: %q, want %q", answered, limit, got, want)
			}
		}
	}
}
