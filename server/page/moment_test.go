package page_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// What a contract's page says in several places of one thing: where the chain ends, and
// which revision is the newest.
var (
	headEvent   = regexp.MustCompile(`Ledger head</dt><dd>event (\d+) `)
	newestEvent = regexp.MustCompile(`<li id="event-(\d+)"`)
	ofRevision  = regexp.MustCompile(`<dt>Revision</dt><dd><a href="[^"]+">(\d+)</a>`)
	newestRow   = regexp.MustCompile(`<tr><th scope="row"><a href="[^"]+">Revision (\d+)</a>`)
)

// moments is how many moments of a chain that grows are looked at.
const moments = 30

// A page shows one moment, also while another process records: where its chain ends is
// the newest event that it shows, its revision the newest one.
func TestOneMoment(t *testing.T) {
	b := newBook(t)
	c := b.register(1, draft{id: "shop/refunds", owner: "olga", cases: []string{"case 1"}, budget: 1})
	other, err := ledger.Open(t.Context(), b.dsn)
	if err != nil {
		t.Fatal(err)
	}
	recorder := &book{t: t, ledger: other}
	enough, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer other.Close()
		for n := int64(2); ; n++ {
			select {
			case <-enough:
				return
			default:
			}
			recorder.report(c, "bob", fmt.Sprint("done ", n), false)
			recorder.judge(c, "jane", fmt.Sprint("round ", n), "pass", "c0ffee")
			c = recorder.register(n, draft{id: "shop/refunds", owner: "olga", cases: []string{fmt.Sprint("case ", n)}, budget: 1})
		}
	}()
	defer func() { close(enough); <-ended }()
	for seen := map[string]bool{}; len(seen) < moments && !t.Failed(); {
		text := b.read(as(tools.Owner), of)
		one := func(pattern *regexp.Regexp) string { return fmt.Sprint(pattern.FindStringSubmatch(text)[1:]) }
		head, revision := one(headEvent), one(ofRevision)
		seen[head] = true
		if newest := one(newestEvent); head != newest {
			t.Errorf("the chain ends with event %s, and the newest event is %s", head, newest)
		}
		if newest := one(newestRow); revision != newest {
			t.Errorf("the page is about revision %s, and the newest one is %s", revision, newest)
		}
	}
}
