package page_test

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/server/page"
	"github.com/plumbline-mcp/plumbline/tools"
)

// hostile is what somebody writes who wants more than to be read.
const hostile = `</li><script>alert(1)</script><img src=x onerror=alert(2)>" onfocus="alert(3)" autofocus x='{{.}}'`

// unseen is what nobody sees, or what changes how the rest is seen. A contract cannot have
// it, a round can.
const unseen = "\u202e\u200b\u2028\x1b[31m\n\U000e0041"

// book is a ledger with the store that pages are made of.
type book struct {
	t      testing.TB
	dsn    string
	store  *tools.Store
	ledger *ledger.Ledger
}

func newBook(t testing.TB) *book {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	t.Cleanup(func() { store.Close() })
	l, err := store.Ledger(as(tools.Owner))
	if err != nil {
		t.Fatal(err)
	}
	return &book{t, dsn, store, l}
}

// as gives the context of a caller.
func as(role tools.Role, globs ...string) context.Context {
	return tools.WithCaller(context.Background(), tools.Caller{Name: "vera", Role: role, Contracts: globs})
}

// read gives the page at an address.
func (b *book) read(ctx context.Context, address string) string {
	b.t.Helper()
	text, err := b.try(ctx, address)
	if err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
	return text
}

func (b *book) try(ctx context.Context, address string) (string, error) {
	b.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := page.Read(ctx, b.store, u)
	return string(text), err
}

// draft is what tests change of a contract.
type draft struct {
	id, statement, owner string
	cases                []string
	budget               int
}

// register registers the next revision of a contract.
func (b *book) register(revision int64, d draft) *contract.Contract {
	b.t.Helper()
	return b.registerCriteria(revision, d, []any{
		map[string]any{"id": "limit", "class": "refund-limit", "kind": "enumerable", "statement": "The listed refunds end as stated. " + d.statement, "cases": d.cases,
			"checks": []any{map[string]any{"type": "command", "run": "go test ./refund " + d.statement}}},
		map[string]any{"id": "tone", "class": "wording", "kind": "judgment", "statement": "A refused customer reads why.",
			"checks": []any{map[string]any{"type": "condition", "text": "The message names the limit."}}},
	})
}

// registerCriteria registers a revision with criteria of a test's own.
func (b *book) registerCriteria(revision int64, d draft, criteria []any) *contract.Contract {
	b.t.Helper()
	text, err := json.Marshal(map[string]any{
		"aac":      "0.1.0",
		"contract": map[string]any{"id": d.id, "revision": 1, "fingerprint": "", "owner": d.owner, "title": "Refunds at checkout " + d.statement, "authority": "docs/plan.md " + d.statement},
		"budget":   map[string]any{"extensions": d.budget},
		"criteria": criteria,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	if text, err = contract.Stamp(text, revision); err != nil {
		b.t.Fatal(err)
	}
	r, err := b.ledger.Register(context.Background(), ledger.Caller{Name: "olga", Role: contract.ActorOwner}, text, nil)
	if err != nil || r.Receipt == nil {
		b.t.Fatalf("not registered: %+v, %v", r, err)
	}
	return r.Contract
}

// report records a done report on all that is to be run; the checks of the failing criteria
// did not pass.
func (b *book) report(c *contract.Contract, who, key string, dirty bool, failing ...string) {
	b.t.Helper()
	results := []any{}
	for _, cr := range c.Criteria {
		for i, check := range cr.Checks {
			if check.Type.Runs() {
				passed := !slices.Contains(failing, cr.ID)
				results = append(results, map[string]any{"criterion": cr.ID, "check": i, "type": check.Type, "run": check.Run, "exit_code": 0, "passed": passed})
			}
		}
	}
	text, err := json.Marshal(map[string]any{"done": "0.1", "contract": map[string]any{"id": c.ID, "fingerprint": c.Fingerprint},
		"subject": map[string]any{"commit": "c0ffee", "dirty": dirty}, "results": results})
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := b.ledger.RecordDone(context.Background(), ledger.Caller{Name: who, Role: contract.ActorBuilder}, ledger.Submission{Contract: c.ID, Key: key, Text: text})
	if err != nil || a.Receipt == nil {
		b.t.Fatalf("not recorded: %+v, %v", a, err)
	}
}

// judge records a round.
func (b *book) judge(c *contract.Contract, who, key, verdict, commit string, findings ...any) {
	b.t.Helper()
	if findings == nil {
		findings = []any{}
	}
	text, err := json.Marshal(map[string]any{"agc": "0.1.0", "gate": map[string]any{"version": c.Fingerprint}, "verdict": verdict,
		"subject": map[string]any{"commit": commit}, "coverage": map[string]any{"classes": []string{"refund-limit"}}, "findings": findings})
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := b.ledger.RecordRound(context.Background(), ledger.Caller{Name: who, Role: contract.ActorJudge}, ledger.Submission{Contract: c.ID, Key: key, Text: text})
	if err != nil || a.Receipt == nil {
		b.t.Fatalf("not recorded: %+v, %v", a, err)
	}
}

// The findings of rounds, with a text of the judge's.

func defect(text string) any {
	return map[string]any{"class": "refund-limit", "severity": "blocking", "location": "over", "message": "A refund of 501 was accepted. " + text,
		"check": map[string]any{"type": "command", "run": "go test -run over ./refund"}, "remedy": map[string]any{"type": "patch", "text": "Refuse amounts over 500. " + text}}
}

func extension(owner, text string) any {
	return map[string]any{"class": "refund-currency", "severity": "blocking", "location": "yen", "message": "A refund in yen is doubled. " + text,
		"remedy": map[string]any{"type": "delegate", "to": owner, "text": text}}
}

func advice(text string) any {
	return map[string]any{"class": "refund-limit", "severity": "advisory", "message": "The name could be shorter. " + text}
}

// shop fills a book: a contract with two revisions and all that can happen to it, one that
// waits for its builder, and one of another team. text stands wherever a stranger writes,
// odd where no contract is.
func shop(t testing.TB, text, odd string) *book {
	t.Helper()
	b := newBook(t)
	d := draft{id: "shop/refunds", statement: text, owner: "olga" + text, cases: []string{"under", "over" + text}, budget: 2}
	c := b.register(1, d)
	b.judge(c, "jane", "early", "pass", "", advice(text+odd))
	b.report(c, "bob", "first", true, "limit")
	d.cases[1] = "over"
	b.judge(c, "jane", "second", "fail", "c0ffee"+odd, extension(d.owner, text+odd))
	d.cases, d.statement, d.budget = []string{"under", "over", "yen" + text}, text+" Yen are whole.", 3
	c = b.register(2, d)
	b.report(c, "bob <b>", "second", false)
	b.judge(c, "jane <b>", "third", "fail", "c0ffee", defect(text+odd), advice(text+odd))
	b.report(c, "jane", "jane too", false)
	b.judge(c, "jane", "fourth", "pass", "c0ffee")
	b.register(1, draft{id: "shop/stock", statement: text, owner: "olga", cases: []string{"empty"}, budget: 1})
	b.register(1, draft{id: "bank", statement: text, owner: "otto", cases: []string{"closed"}, budget: 1})
	return b
}

// of is the address of the contract that all happened to.
const of = "/contracts/shop%2Frefunds"

// addresses are those of all sorts of pages of a shop.
func addresses() []string {
	return []string{page.Home, of, of + "/revisions/1", of + "/revisions/2", of + "/diff", of + "/diff?from=2&to=1", "/contracts/shop%2Fstock"}
}
