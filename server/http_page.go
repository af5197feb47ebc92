package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
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
	case r.Context().Err() != nil: // the client has left
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

// rejectPage answers a request at a page's path that is not served.
func (h *httpServer) rejectPage(w http.ResponseWriter, why rejection) {
	h.countRefusal(w, why)
	hint := ""
	if why == noToken {
		hint = "log in with the token as the password; any user name will do"
	}
	writePage(w, why.status, page.Failed(http.StatusText(why.status), why.text, hint))
}

// pageFaults are the statuses of errors by their codes; any other is a failure of ours.
var pageFaults = map[tools.Code]int{
	page.UnknownPage:        http.StatusNotFound,
	tools.UnknownContract:   http.StatusNotFound,
	tools.UnknownRevision:   http.StatusNotFound,
	tools.BadArgument:       http.StatusBadRequest,
	tools.LedgerUnavailable: http.StatusServiceUnavailable,
	tools.TooLarge:          http.StatusServiceUnavailable, // it took too long
}

// failPage answers a request for a page that cannot be shown.
func (h *httpServer) failPage(w http.ResponseWriter, err error) {
	status, message, hint := http.StatusInternalServerError, internalError.text, "The server's log says more."
	if known := pageFaults[codeOf(err, "")]; known != 0 {
		status = known
		message, hint = told(err)
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	writePage(w, status, page.Failed(http.StatusText(status), message, hint))
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
