package page_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/server/page"
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
	for _, part := range []string{"mend this", "Not for a builder to read: 2 findings that are extensions or advisory.", "1 against criteria, 1 extension, 1 advisory", "<code>(withheld)</code>"} {
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
		of + "?revisions_before=99999999999999999999": "BAD_ARGUMENT", of + "?before=%zz": "BAD_ARGUMENT", of + "?before=1;x=2": "BAD_ARGUMENT",
		of + "?before=1&before=2": "BAD_ARGUMENT", of + "/revisions/1?x=%zz": "BAD_ARGUMENT", of + "/diff?from=1&from=1": "BAD_ARGUMENT", "/?after=a&after=b": "BAD_ARGUMENT",
		of + "/else?before=%zz": "UNKNOWN_PAGE", "/?waiting_on=king": "BAD_ARGUMENT", "/?after=%FF": "BAD_ARGUMENT",
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
	for address, parts := range map[string][]string{
		of:                  {"And 70 more findings for which there is no room here.", "… (cut: "},
		of + "/diff":        {"and 404 more", " more characters)</ins>"},
		of + "/revisions/2": {"and 800 more", "… (cut: "},
	} {
		text := b.read(as(tools.Judge), address)
		for _, part := range parts {
			if !strings.Contains(text, part) || len(text) > 1<<20 {
				t.Errorf("%s has %d bytes and not %q", address, len(text), part)
			}
		}
	}
	if text := b.read(as(tools.Judge), of+"/revisions/2"); !strings.Contains(text, "… (cut: 2034 characters in all)") {
		t.Error("the statement does not say how long it is")
	}
}

// A page of the events and one of the revisions stand beside each other: to go on in one
// list keeps the place in the other, and leads to the list.
func TestTwoLists(t *testing.T) {
	b := newBook(t)
	for n := range int64(25) {
		b.register(n+1, draft{id: "shop/refunds", owner: "olga", cases: []string{fmt.Sprint("case ", n)}, budget: 1})
	}
	for link, want := range map[string]string{
		`">Older revisions</a>`: of + "?before=5&amp;revisions_before=16#revisions",
		`" rel="next">Older`:    "",
	} {
		if got := linkBefore(b.read(as(tools.Owner), of+"?before=5"), link); got != want {
			t.Errorf("%s leads to %q, want %q", link, got, want)
		}
	}
	text := b.read(as(tools.Owner), of+"?before=24&revisions_before=16")
	for link, want := range map[string]string{
		`">Older revisions</a>`: of + "?before=24&amp;revisions_before=6#revisions",
		`" rel="next">Older`:    of + "?before=4&amp;revisions_before=16#chain",
		`">Newest</a>`:          of,
	} {
		if got := linkBefore(text, link); got != want {
			t.Errorf("%s leads to %q, want %q", link, got, want)
		}
	}
	if !strings.Contains(text, `>Revision 15</a> <small>`) || strings.Contains(text, `>Revision 16</a> <small>`) || !strings.Contains(text, `id="event-23"`) {
		t.Errorf("the page shows other revisions or events:\n%s", text)
	}
}

// linkBefore gives the address of the link that ends with a text; empty for none.
func linkBefore(page, end string) string {
	before, _, found := strings.Cut(page, end)
	if !found {
		return ""
	}
	return before[strings.LastIndex(before, `"`)+1:]
}

// An answer is what a revision gives to the one before it: no other two have one.
func TestDiffAnswers(t *testing.T) {
	b := newBook(t)
	for n := range int64(3) {
		b.register(n+1, draft{id: "shop/refunds", owner: "olga", cases: []string{"under", "over", "yen", "zero"}[:n+1], budget: 1})
	}
	for query, want := range map[string]bool{"": true, "?from=1&to=2": true, "?from=2&to=3": true, "?from=2": true, "?from=1&to=3": false, "?from=3&to=2": false, "?from=2&to=2": false} {
		text := b.read(as(tools.Owner), of+"/diff"+query)
		if strings.Contains(text, "Answers</dt>") != want || want && !strings.Contains(text, "<dd>grow</dd>") {
			t.Errorf("%s shows an answer: %t, want %t", query, !want, want)
		}
	}
}

// A report of unfinished work says of what, and who is who in every event.
func TestUnfinishedWork(t *testing.T) {
	b := newBook(t)
	c := b.register(1, draft{id: "shop/refunds", owner: "olga", cases: []string{"over"}, budget: 1})
	b.report(c, "bob", "1", false)
	b.report(c, "bob", "2", false, "limit")
	b.judge(c, "jane", "3", "pass", "")
	text := b.read(as(tools.Builder), of)
	if n := strings.Count(text, "Not passed: <b>limit</b>"); n != 1 {
		t.Errorf("%d reports say what is not passed, want 1:\n%s", n, text)
	}
	for _, who := range []string{"<bdi>olga</bdi>, owner ·", "<bdi>bob</bdi>, builder ·", "<bdi>jane</bdi>, judge ·"} {
		if !strings.Contains(text, who) {
			t.Errorf("no event is by %s", who)
		}
	}
}

// A report of much that is unfinished says how much it does not name.
func TestMuchUnfinishedWork(t *testing.T) {
	b := newBook(t)
	criteria := make([]any, 30)
	for i := range criteria {
		criteria[i] = map[string]any{"id": fmt.Sprint("part", i), "class": fmt.Sprint("class ", i), "kind": "enumerable", "statement": "It ends.", "cases": []string{"one"},
			"checks": []any{map[string]any{"type": "command", "run": fmt.Sprint("go test ./part", i)}}}
	}
	c := b.registerCriteria(1, draft{id: "shop/refunds", owner: "olga", budget: 1}, criteria)
	failing := make([]string, len(criteria))
	for i := range failing {
		failing[i] = fmt.Sprint("part", i)
	}
	b.report(c, "bob", "1", false, failing...)
	if text := b.read(as(tools.Builder), of); !strings.Contains(text, "<b>part19</b> and 10 more") {
		t.Errorf("the page does not say how many more:\n%s", text)
	}
}

var classes = regexp.MustCompile(`class="([^"]*)"`)

// Every class of the pages has a rule in the style sheet.
func TestClasses(t *testing.T) {
	b := shop(t, "", "")
	texts := []string{string(page.Failed("Not Found", "There is none.", "Look elsewhere."))}
	for _, role := range []tools.Role{tools.Owner, tools.Builder} {
		for _, address := range addresses() {
			texts = append(texts, b.read(as(role), address))
		}
	}
	known := map[string]bool{}
	for _, name := range regexp.MustCompile(`\.([a-z][a-z-]*)`).FindAllStringSubmatch(string(page.Style()), -1) {
		known[name[1]] = true
	}
	for _, found := range classes.FindAllStringSubmatch(strings.Join(texts, ""), -1) {
		for _, class := range strings.Fields(found[1]) {
			if !known[class] {
				known[class] = true // is told once
				t.Errorf("the class %q has no rule", class)
			}
		}
	}
}
