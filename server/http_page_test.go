package server

import (
	"context"
	"database/sql"
	"encoding/base64"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/server/page"
	"github.com/plumbline-mcp/plumbline/tools"
)

const refundsPage = "/contracts/shop%2Frefunds"

// asPassword makes the header with which a browser sends a token, for some user.
func asPassword(bearer, user string) string {
	token := strings.TrimPrefix(bearer, "Authorization: Bearer ")
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+token))
}

// get asks for a page.
func (w *site) get(path string, headers ...string) answer {
	w.t.Helper()
	return w.do(w.request(context.Background(), http.MethodGet, path, "", headers...))
}

// wantPage wants a page for people, with its status, under the policy.
func wantPage(t *testing.T, what string, got answer, status int, says string) {
	t.Helper()
	if got.status != status || !strings.Contains(got.body, says) || !strings.HasPrefix(got.body, "<!doctype html>") {
		t.Errorf("%s: %d %q, want %d and a page with %q", what, got.status, got.body, status, says)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": page.Policy, "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if value := got.header.Get(name); value != want {
			t.Errorf("%s: %s is %q, want %q", what, name, value, want)
		}
	}
}

// pageSite is a server with the foreign contract, for who has a token.
func pageSite(t *testing.T, tokens *tokenFile) *site {
	t.Helper()
	s, l := deskOn(t, filepath.Join(t.TempDir(), "ledger.db"))
	registerText(t, l, loopContract(t, 1, `["under"]`))
	return open(t, s, tokens.config())
}

// A browser logs in with a token as password, whatever the user's name; a program with
// the token as everywhere. Passwords open the pages alone.
func TestPageLogin(t *testing.T) {
	tokens := newTokens(t)
	bob := tokens.add("bob", tools.Builder)
	web := pageSite(t, tokens)
	for name, header := range map[string]string{"a browser": asPassword(bob, "anybody"), "no user": asPassword(bob, ""), "a program": bob} {
		wantPage(t, name, web.get("/", header), 200, `href="`+refundsPage+`"`)
		wantPage(t, name, web.get(refundsPage, header), 200, "as <bdi>bob</bdi>, builder")
	}
	for name, headers := range map[string][]string{
		"nobody": nil, "a wrong password": {asPassword(bob[:len(bob)-1], "bob")}, "no password": {asPassword("", "bob")},
		"two": {asPassword(bob, "bob"), bob}, "no base64": {"Authorization: Basic ???"},
	} {
		for _, path := range []string{"/", refundsPage, "/contracts/nothing"} {
			got := web.get(path, headers...)
			wantPage(t, name+" at "+path, got, 401, "The token is not valid")
			if asked := got.header.Get("WWW-Authenticate"); asked != `Basic realm="Plumbline", charset="UTF-8"` {
				t.Errorf("%s: a browser is asked by %q", name, asked)
			}
		}
	}
	password := asPassword(bob, "bob")
	for _, got := range []answer{web.post(pingLine("1"), password), web.get("/sse", password)} {
		if got.status != 401 || got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` || !strings.HasPrefix(got.body, "{") {
			t.Errorf("a password gives %d %s beside the pages", got.status, got.body)
		}
	}
	if got := web.get("/page.css"); got.status != 200 || got.header.Get("Content-Type") != "text/css; charset=utf-8" || got.body != string(page.Style()) {
		t.Errorf("the style sheet is %d %v", got.status, got.header)
	}
}

// A token for some contracts is shown no others, and those no otherwise than what there
// is not.
func TestPageOfAnotherContract(t *testing.T) {
	tokens := newTokens(t)
	token, _, err := auth.Add(tokens.path, auth.Grant{Name: "eve", Role: tools.Owner, Contracts: []string{"mine/**"}})
	if err != nil {
		t.Fatal(err)
	}
	web, eve := pageSite(t, tokens), "Authorization: Bearer "+token
	wantPage(t, "the list", web.get("/", eve), 200, "There is no contract here that your token may see.")
	hidden, absent := web.get(refundsPage, eve), web.get("/contracts/shop%2Fnothing", eve)
	wantPage(t, "hidden", hidden, 404, "No contract")
	wantPage(t, "absent", absent, 404, "No contract")
	if strings.ReplaceAll(hidden.body, "refunds", "nothing") != absent.body {
		t.Errorf("hidden is\n%s\nabsent is\n%s", hidden.body, absent.body)
	}
}

// What a page's address is asked for and does not give is answered with a page.
func TestPageRefusals(t *testing.T) {
	s, l := deskOn(t, filepath.Join(t.TempDir(), "ledger.db"))
	registerText(t, l, loopContract(t, 1, `["under"]`))
	web := open(t, s, local)
	wantPage(t, "without tokens", web.get(refundsPage), 200, "as <bdi>somebody</bdi>, builder")
	for name, test := range map[string]struct {
		path, says string
		status     int
	}{
		"no such page":     {refundsPage + "/else", "There is no page at this address.", 404},
		"an id in parts":   {"/contracts/shop/refunds", "each / of a contract&#39;s id is written %2F.", 404},
		"no such revision": {refundsPage + "/revisions/2", "The contract&#39;s page lists its revisions.", 404},
		"a bad number":     {refundsPage + "?before=x", "Give a whole number from 1 on", 400},
		"a bad query":      {refundsPage + "?before=1;x=2", "Give each parameter once", 400},
		"no such contract": {"/contracts/nothing", "The list has every contract that you may see.", 404},
		"a bad filter":     {"/?waiting_on=king", "No contract waits for", 400},
		"a foreign site":   {"/", "not one that this server answers to", 403},
	} {
		headers := []string{}
		if test.status == 403 {
			headers = append(headers, "Origin: https://attacker.example")
		}
		wantPage(t, name, web.get(test.path, headers...), test.status, test.says)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		got := web.do(web.request(context.Background(), method, refundsPage, ""))
		wantPage(t, method, got, 405, "does not serve")
		if got.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s is told to use %q", method, got.header.Get("Allow"))
		}
	}
	if got := web.do(web.request(context.Background(), http.MethodHead, refundsPage, "")); got.status != 200 || got.body != "" {
		t.Errorf("HEAD gives %d %q", got.status, got.body)
	}
	wantSamples(t, s, `plumbline_http_refusals_total{reason="origin"} 1`, `plumbline_calls_total{outcome="UNKNOWN_PAGE",tool="page"} 2`,
		`plumbline_calls_total{outcome="ok",tool="page"} 2`)
}

// A browser that goes astray is answered with a page, also one that nobody knows; a program
// as at every path.
func TestPathsOfNothing(t *testing.T) {
	tokens := newTokens(t)
	tokens.add("bob", tools.Builder)
	web := pageSite(t, tokens)
	const browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, path := range []string{"/contracts", "//", "/index.html", "/nothing"} {
		got := web.get(path, browser)
		wantPage(t, path, got, 404, "each / of a contract&#39;s id is written %2F.")
		if !strings.Contains(got.body, `<a href="/">All contracts</a>`) {
			t.Errorf("%s leads nowhere: %s", path, got.body)
		}
		wantPage(t, path+" of a foreign site", web.get(path, browser, "Origin: https://attacker.example"), 403, "not one that this server answers to")
		for name, got := range map[string]answer{
			"a program":      web.get(path),
			"an MCP client":  web.get(path, "Accept: application/json, text/event-stream"),
			"another method": web.do(web.request(context.Background(), http.MethodPost, path, "", browser)),
		} {
			if got.status != 404 || !strings.HasPrefix(got.body, "{") {
				t.Errorf("%s at %s gets %d %s", name, path, got.status, got.body)
			}
		}
	}
}

// A page of a ledger that was damaged does not tell anybody to wait, nor where it lies.
func TestPageOfDamagedLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	s, l := deskOn(t, path)
	registerText(t, l, loopContract(t, 1, `["under"]`))
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{`DROP TRIGGER events_no_update`, `UPDATE events SET who = 'mallory'`} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	got := open(t, s, local).get(refundsPage)
	wantPage(t, "damaged", got, 500, "event 1 of &#34;shop/refunds&#34; was changed after it was recorded")
	if !strings.Contains(got.body, "Waiting mends nothing") || got.header.Get("Retry-After") != "" || strings.Contains(got.body, path) {
		t.Errorf("the page of a damaged ledger is %v %s", got.header, got.body)
	}
}

// What pages tell their readers to do is nothing that only who writes can do.
func TestPageHints(t *testing.T) {
	for _, err := range []error{
		&ledger.Error{Code: ledger.UnknownContract, Message: "m", Hint: "register it first"},
		&ledger.Error{Code: ledger.UnknownRevision, Message: "m", Hint: "leave the revision out"},
		&ledger.Error{Code: ledger.Unavailable, Message: "m", Hint: "try again with the same submission"},
		&tools.Error{Code: tools.LedgerUnavailable, Message: "m", Hint: "start it with --ledger DSN"},
		&tools.Error{Code: tools.TooLarge, Message: "m", Hint: "call again with a smaller document"},
	} {
		_, hint := told(err)
		s, _ := newServer(t, DefaultLimits, fakes()...)
		w := httptest.NewRecorder()
		newHTTPServer(s, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, local).failPage(w, err)
		if strings.Contains(strings.ToLower(w.Body.String()), strings.ToLower(hint)) || !strings.Contains(w.Body.String(), "<p>M.</p>\n<p>") {
			t.Errorf("%v gives %s", err, w.Body)
		}
	}
}

// A page of a ledger that is away says so, and not where it lay; it comes back by itself.
func TestPageWithoutLedger(t *testing.T) {
	s, log, there := awayServer(t)
	web := open(t, s, local)
	for _, path := range []string{"/", refundsPage} {
		got := web.get(path)
		wantPage(t, path, got, 503, "The ledger is away")
		if strings.Contains(got.body, "where it lay") || got.header.Get("Retry-After") == "" {
			t.Errorf("%s gives %v %s", path, got.header, got.body)
		}
	}
	if !strings.Contains(log.String(), `"tool":"page","contract":"shop/refunds","outcome":"LEDGER_UNAVAILABLE"`) {
		t.Errorf("the log does not tell: %s", log)
	}
	there.Store(true)
	wantPage(t, "later", web.get("/"), 200, "There is no contract here")
	none, _ := newServer(t, DefaultLimits, fakes()...)
	wantPage(t, "no ledger", open(t, none, local).get("/"), 503, "This server keeps no ledger")
}

// The real program shows the page where it listens.
func TestPageOfProcess(t *testing.T) {
	p := startProcess(t, t.TempDir(), "plumbline", "serve", "--http", "127.0.0.1:0", "--as", "vera", "--ledger", "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	wantPage(t, "the list", p.site().get("/"), 200, "as <bdi>vera</bdi>, owner")
}

// Pages are bounded as calls are: in number, and in time with their waiting.
func TestPageLimits(t *testing.T) {
	s, _ := deskOn(t, filepath.Join(t.TempDir(), "ledger.db"))
	web := open(t, s, local, func(h *httpServer) { h.requests = newQuota(1, 1) })
	leave, _ := web.requests.enter("")
	got := web.get("/")
	wantPage(t, "too many", got, 503, "too much to do")
	if got.header.Get("Retry-After") == "" {
		t.Error("who is refused for a while is not told when to come back")
	}
	leave()
	s.admission.maxTime = time.Millisecond
	for range cap(s.admission.calls) {
		s.admission.calls <- struct{}{} // so that it waits until the time is over
	}
	wantPage(t, "too slow", web.get("/"), 503, "took longer than")
}

// A page that breaks is a page all the same.
func TestBrokenPage(t *testing.T) {
	s, log := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local, func(h *httpServer) {
		broken := h.routes["/"]
		broken.serve = func(*steadyWriter, *http.Request) { panic("broke on purpose") }
		h.routes["/"] = broken
	})
	got := web.get("/")
	wantPage(t, "broken", got, 500, "The server&#39;s log says more.")
	if strings.Contains(got.body, "on purpose") || !strings.Contains(log.String(), "on purpose") {
		t.Errorf("the page is %s, the log %s", got.body, log)
	}
}

// pagesOf are the pages about a contract as a caller gets them.
func pagesOf(t *testing.T, ctx context.Context, s *Server, id string) (texts []string) {
	t.Helper()
	of := page.Below + url.PathEscape(id)
	for _, address := range []string{"/", of, of + "/revisions/1", of + "/diff"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		text, err := page.Read(ctx, s.ledger, u)
		if err != nil {
			t.Errorf("%s is refused: %v", address, err)
		}
		texts = append(texts, string(text))
	}
	return texts
}
