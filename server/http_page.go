package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/server/page"
	"github.com/plumbline-mcp/plumbline/tools"
)

// pageHeaders stand on every answer at the paths of pages, beside those of all answers.
var pageHeaders = [...]struct{ name, value string }{
	{"Content-Security-Policy", page.Policy},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Frame-Options", "DENY"},
}

// methodPage is what stands for a tool where a page is counted and logged as a call.
const methodPage = "page"

// pageRoute is the route of all pages.
func (h *httpServer) pageRoute() route {
	return route{methods: reading, page: true, serve: h.servePage}
}

// isPage says whether a path is below those of the pages about contracts. An id is one
// segment of them, so that it matters how the path is written.
func isPage(u *url.URL) bool { return strings.HasPrefix(u.EscapedPath(), page.Below) }

// fromBrowser says whether a request is one of a browser that goes somewhere.
func fromBrowser(r *http.Request) bool {
	return slices.Contains(reading, r.Method) && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// challenge says what a route wants of a request without a token. That of a page makes a
// browser ask for one.
func (r route) challenge() string {
	if r.page {
		return `Basic realm="Plumbline", charset="UTF-8"`
	}
	return `Bearer error="invalid_token"`
}

// token finds the token of a request to a route: where that is a page, as a browser sends
// it, or as programs do.
func (r route) token() func(http.Header) (string, bool) {
	if !r.page {
		return auth.Bearer
	}
	return func(header http.Header) (string, bool) {
		if token, ok := auth.Basic(header); ok {
			return token, true
		}
		return auth.Bearer(header)
	}
}

func setPageHeaders(header http.Header) {
	for _, set := range pageHeaders {
		header.Set(set.name, set.value)
	}
}

// servePage shows a page of the ledger. It is made in a call's slot, and written to the
// client, who may be slow, after that.
func (h *httpServer) servePage(w *steadyWriter, r *http.Request) {
	leave, refused := h.enter(identityFrom(r.Context()))
	if refused != nil {
		h.rejectPage(w, *refused)
		return
	}
	defer leave()
	around := &middleware{log: h.log, metrics: h.metrics, admission: h.admission}
	c := &called{tool: methodPage, told: tools.Outcome{ContractID: page.Contract(r.URL)}}
	text, err := watch(r.Context(), around, c, func(ctx context.Context) ([]byte, error) { return page.Read(ctx, h.ledger, r.URL) })
	switch {
	case r.Context().Err() != nil: // the client has left, or the server stops
	case err != nil:
		around.failed(r.Context(), nil, methodPage, nil, err)
		h.failPage(w, err)
	default:
		writePage(w, http.StatusOK, text)
	}
}

// serveStyle serves the pages' style sheet, to everybody: also the page that says that a
// token is needed has it.
func (h *httpServer) serveStyle(w *steadyWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write(page.Style()) // a client that does not read it has left
}

// writePage writes a page. A client that does not read it has left.
func writePage(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// refusalHints are what refusals tell people to do, where their texts do not say.
var refusalHints = map[rejection]string{
	noToken:    "log in with the token as the password; any user name will do",
	noSuchPath: page.SlashHint,
}

// rejectPage answers a request that is not served, for people to read.
func (h *httpServer) rejectPage(w http.ResponseWriter, why rejection) {
	h.countRefusal(w, why)
	writePage(w, why.status, page.Failed(http.StatusText(why.status), why.text, refusalHints[why]))
}

// pageFault is how a page answers an error.
type pageFault struct {
	status int
	hint   string // for who reads; empty where the error's own is not for who writes
}

// pageFaults are the answers by the errors' codes; any other is a mistake of ours.
var pageFaults = map[tools.Code]pageFault{
	page.UnknownPage:        {http.StatusNotFound, ""},
	tools.UnknownContract:   {http.StatusNotFound, "the list has every contract that you may see"},
	tools.UnknownRevision:   {http.StatusNotFound, "the contract's page lists its revisions"},
	tools.BadArgument:       {http.StatusBadRequest, ""},
	tools.LedgerUnavailable: {http.StatusServiceUnavailable, "look again in a moment; if it stays, tell who runs this server"},
	tools.TooLarge:          {http.StatusServiceUnavailable, "look again when the server has less to do"}, // it took too long
}

var (
	brokenPage  = pageFault{http.StatusInternalServerError, "the server's log says more"}
	damagedPage = pageFault{http.StatusInternalServerError, "waiting mends nothing: tell who runs this server, who can restore the ledger from a copy"}
)

// failPage answers a request for a page that cannot be shown.
func (h *httpServer) failPage(w http.ResponseWriter, err error) {
	fault, known := pageFaults[codeOf(err, "")]
	message, hint := told(err)
	switch {
	case errors.Is(err, ledger.ErrDamaged):
		fault = damagedPage
	case !known:
		fault, message = brokenPage, internalError.text
	}
	if fault.hint != "" {
		hint = fault.hint
	}
	if fault.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	writePage(w, fault.status, page.Failed(http.StatusText(fault.status), message, hint))
}

// told is what an error with a code tells people.
func told(err error) (message, hint string) {
	var te *tools.Error
	var le *ledger.Error
	switch {
	case errors.As(err, &te):
		return te.Message, te.Hint
	case errors.As(err, &le):
		return le.Message, le.Hint
	}
	return "", ""
}
