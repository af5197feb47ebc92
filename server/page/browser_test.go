package page_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/report/browsertest"
	"github.com/plumbline-mcp/plumbline/server"
	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

// serve serves a book over HTTP to who has its token, and gives where.
func serve(t *testing.T, b *book) (origin, token string) {
	t.Helper()
	file := t.TempDir() + "/tokens.json"
	token, _, err := auth.Add(file, auth.Grant{Name: "vera", Role: tools.Owner})
	if err != nil {
		t.Fatal(err)
	}
	known, err := auth.Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Config{Tools: tools.All(tools.Deps{Ledger: b.store}), Ledger: b.store, Limits: server.DefaultLimits})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.ServeHTTP(ctx, listener, server.HTTPConfig{Identify: known.Identify}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String(), token
}

// nothingMade says that no text became a script, a picture, a link to elsewhere, or part
// of the page's own markup.
var nothingMade = browsertest.Gives(`[...document.querySelectorAll("script, img, iframe, object, embed, style, [onfocus], [autofocus], base, meta[http-equiv], a:not([href^='/']):not(.skip)")].map(e => e.outerHTML)`, []string{})

// All pages, with what a stranger wrote wherever one can, seen in a real browser.
func TestInBrowser(t *testing.T) {
	origin, token := serve(t, shop(t, hostile+strings.Repeat("long", 500), unseen))
	login := &browsertest.Login{Username: "anybody", Password: token}
	look := []browsertest.Step{browsertest.Fits, browsertest.Clean, browsertest.Tabs, nothingMade,
		browsertest.Gives("document.styleSheets.length", 1)}
	var visits []browsertest.Visit
	visit := func(name, address, scheme string, width int, scripts bool, steps ...browsertest.Step) {
		visits = append(visits, browsertest.Visit{Name: name, Page: origin + address, Width: width, Scheme: scheme, Scripts: scripts, Steps: steps, Login: login, Own: origin})
	}
	for i, address := range addresses() {
		visit(address+", narrow", address, []string{"light", "dark"}[i%2], 320, true, look...)
	}
	visit("wide", of, "light", 1280, true, look...)
	visit("wide and dark", of, "dark", 1280, true, look...)
	visit("printed", of, "dark", 700, false, browsertest.Do("emulateMedia", map[string]any{"media": "print"}), browsertest.Fits,
		browsertest.Gives("[...document.querySelectorAll('nav, form, .skip')].filter(e => e.checkVisibility()).length", 0))
	visit("walked without scripts", "/", "light", 1280, false,
		browsertest.Do("focus", "text=shop/refunds"), browsertest.Do("press", "Enter"), heading("shop/refunds"),
		browsertest.Do("fill", "#from", "2"), browsertest.Do("fill", "#to", "1"), browsertest.Do("press", "Enter"), heading("Revision 2 to 1"),
		browsertest.Do("click", "main dl a"), heading("Revision 2"),
		browsertest.Do("click", "header a"), heading("Contracts"))
	browsertest.Look(t, visits)
}

// heading wants a page with a heading, once it is there.
func heading(text string) browsertest.Step {
	return browsertest.Do("waitForSelector", "h1:text-is('"+text+"')")
}
