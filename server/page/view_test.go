package page_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// What a stranger writes is text on every page: no markup, nothing unseen.
func TestHostileText(t *testing.T) {
	b := shop(t, hostile, unseen)
	for _, address := range addresses() {
		text := b.read(as(tools.Owner), address)
		for _, never := range []string{"<script", "<img", "<b>\"", "jane <b>", `" onfocus="`, "\u202e", "\u200b", "\u2028", "\x1b", "\U000e0041"} {
			if strings.Contains(text, never) {
				t.Errorf("%s holds %q", address, never)
			}
		}
	}
	text := b.read(as(tools.Owner), of)
	for _, written := range []string{"&lt;script&gt;alert(1)&lt;/script&gt;", `\u202e\u200b\u2028\u001b[31m\n\udb40\udc41`, "jane &lt;b&gt;"} {
		if !strings.Contains(text, written) {
			t.Errorf("the page does not show %q", written)
		}
	}
}

// A builder is shown nothing that a judge wrote but findings against criteria, and how
// many others there are.
func TestRoles(t *testing.T) {
	b := newBook(t)
	c := b.register(1, draft{id: "shop/refunds", owner: "olga", cases: []string{"under", "over"}, budget: 2})
	b.judge(c, "jane", "1", "fail", "SECRET commit", defect("mend this"), extension("olga", "SECRET extension"), advice("SECRET advice"))
	for _, address := range addresses()[:2] {
		if text := b.read(as(tools.Builder), address); strings.Contains(text, "SECRET") {
			t.Errorf("a builder is shown at %s:\n%s", address, text)
		}
	}
	text := b.read(as(tools.Builder), of)
	for _, part := range []string{"mend this", "2 findings against no criterion: not for a builder to read.", "1 against criteria, 1 extension, 1 advisory", "<code>(withheld)</code>"} {
		if !strings.Contains(text, part) {
			t.Errorf("a builder is not shown %q", part)
		}
	}
	for _, role := range []tools.Role{tools.Judge, tools.Owner} {
		text := b.read(as(role), of)
		if n := strings.Count(text, "SECRET"); n < 4 || strings.Contains(text, "not for a builder") {
			t.Errorf("the %s is shown %d of the judge's texts", role, n)
		}
	}
}

// A contract that a token is not for is to every page as one that there is not.
func TestGlobs(t *testing.T) {
	b := shop(t, "", "")
	stranger := as(tools.Owner, "bank")
	if text := b.read(stranger, "/"); strings.Contains(text, "shop") || !strings.Contains(text, `href="/contracts/bank"`) {
		t.Errorf("the list is %s", text)
	}
	for _, below := range []string{"", "/revisions/1", "/diff", "/diff?from=1&to=2"} {
		_, hidden := b.try(stranger, of+below)
		_, absent := b.try(as(tools.Owner), "/contracts/shop%2Fnothing"+below)
		if hidden == nil || absent == nil || strings.ReplaceAll(hidden.Error(), "refunds", "nothing") != absent.Error() {
			t.Errorf("%q: hidden is %v, absent is %v", below, hidden, absent)
		}
	}
}

// Addresses that are none, and numbers that are none, say so.
func TestBadAddresses(t *testing.T) {
	b := shop(t, "", "")
	for address, want := range map[string]string{
		"/contracts/": "UNKNOWN_PAGE", of + "/": "UNKNOWN_PAGE", of + "/revisions": "UNKNOWN_PAGE", of + "/revisions/": "UNKNOWN_PAGE",
		of + "/revisions/01": "UNKNOWN_PAGE", of + "/revisions/1/2": "UNKNOWN_PAGE", of + "/diff/1": "UNKNOWN_PAGE", of + "/else": "UNKNOWN_PAGE",
		"/contracts/shop/refunds": "UNKNOWN_PAGE", "/contracts/%00": "UNKNOWN_CONTRACT", "/contracts/refunds": "UNKNOWN_CONTRACT",
		of + "/revisions/3": "UNKNOWN_REVISION", of + "/diff?from=3": "UNKNOWN_REVISION", of + "/diff?to=3": "UNKNOWN_REVISION",
		of + "/diff?from=x": "BAD_ARGUMENT", of + "/diff?to=0": "BAD_ARGUMENT", of + "?before=-1": "BAD_ARGUMENT",
		of + "?revisions_before=99999999999999999999": "BAD_ARGUMENT", "/?waiting_on=king": "BAD_ARGUMENT", "/?after=%FF": "BAD_ARGUMENT",
	} {
		_, err := b.try(as(tools.Owner), address)
		var told *tools.Error
		var le *ledger.Error
		got := ""
		switch {
		case errors.As(err, &told):
			got = string(told.Code)
		case errors.As(err, &le):
			got = string(le.Code)
		}
		if got != want {
			t.Errorf("%s gives %v, want %s", address, err, want)
		}
	}
}

var (
	listedID = regexp.MustCompile(`<tr><th scope="row"><a href="/contracts/([^"]+)"`)
	eventID  = regexp.MustCompile(`<li id="event-(\d+)"`)
	onward   = regexp.MustCompile(`<a href="([^"]+)" rel="next"`)
)

// walk reads pages one after the other, and gives what they list.
func walk(b *book, address string, item *regexp.Regexp, most int) (items []string) {
	b.t.Helper()
	for address != "" {
		text := b.read(as(tools.Builder), strings.ReplaceAll(address, "&amp;", "&"))
		found := item.FindAllStringSubmatch(text, -1)
		if len(found) > most {
			b.t.Errorf("%s lists %d, more than %d", address, len(found), most)
		}
		for _, one := range found {
			items = append(items, one[1])
		}
		address = ""
		if next := onward.FindStringSubmatch(text); next != nil {
			address = next[1]
		}
	}
	return items
}

// Lists of any length are shown a page at a time: contracts by id, events from the newest.
func TestPaging(t *testing.T) {
	b := newBook(t)
	want := make([]string, 45)
	for i := range want {
		want[i] = fmt.Sprintf("c%02d", i)
		b.register(1, draft{id: want[i], owner: "olga", cases: []string{"one"}, budget: 1})
	}
	if got := walk(b, "/?waiting_on=builder", listedID, 20); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the contracts are %q", got)
	}
	c := b.register(1, draft{id: "shop/refunds", owner: "olga", cases: []string{"over"}, budget: 1})
	want = []string{"1"}
	for i := range 44 {
		b.judge(c, "jane", fmt.Sprint(i), "pass", "")
		want = append([]string{fmt.Sprint(i + 2)}, want...)
	}
	if got := walk(b, of, eventID, 20); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the events are %q", got)
	}
}

// A revision that says much, and a round that finds much, are cut where they are long, and
// say so.
func TestCuts(t *testing.T) {
	b := newBook(t)
	cases := make([]string, 900)
	for i := range cases {
		cases[i] = fmt.Sprint("case ", i)
	}
	d := draft{id: "shop/refunds", owner: "olga", cases: cases[:1], budget: 1}
	b.register(1, d)
	d.cases = cases
	d.statement = strings.Repeat("ß", 2000)
	c := b.register(2, d)
	findings := make([]any, 120)
	for i := range findings {
		findings[i] = advice(strings.Repeat("long ", 1000))
	}
	b.judge(c, "jane", "1", "pass", "", findings...)
	for address, part := range map[string]string{
		of:                  "And 70 more findings for which there is no room here.",
		of + "/diff":        "and 404 more",
		of + "/revisions/2": "and 800 more",
	} {
		text := b.read(as(tools.Judge), address)
		if !strings.Contains(text, part) || !strings.Contains(text, "… (cut: ") || len(text) > 1<<20 {
			t.Errorf("%s has %d bytes and not %q", address, len(text), part)
		}
	}
	if text := b.read(as(tools.Judge), of+"/revisions/2"); !strings.Contains(text, "… (cut: 2034 characters in all)") {
		t.Error("the statement does not say how long it is")
	}
}
