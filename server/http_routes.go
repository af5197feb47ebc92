package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/server/page"
	"github.com/plumbline-mcp/plumbline/tools"
)

// route is what is served at one path.
type route struct {
	methods []string
	// open is served to everybody, without a token.
	open bool
	// page is for people: the token may be a password, and refusals are pages.
	page  bool
	serve func(w *steadyWriter, r *http.Request)
}

var (
	reading = []string{http.MethodGet, http.MethodHead}
	posting = []string{http.MethodPost}
)

func (h *httpServer) table() map[string]route {
	metrics := h.metricsHandler()
	return map[string]route{
		page.Home:      h.pageRoute(),
		page.StylePath: {methods: reading, open: true, serve: h.serveStyle},
		"/mcp":         {methods: posting, serve: h.serveMCP},
		ssePath:        {methods: []string{http.MethodGet}, serve: h.serveStream},
		messagePath:    {methods: posting, serve: h.serveMessage},
		healthPath:     {methods: reading, open: true, serve: h.serveHealth},
		readyPath:      {methods: reading, open: true, serve: h.serveReady},
		"/metrics":     {methods: reading, open: h.loopback && !h.config.BehindProxy, serve: func(w *steadyWriter, r *http.Request) { metrics.ServeHTTP(w, r) }},
	}
}

// ServeHTTP turns away what is not for this server, then what is not from somebody it
// knows; the rest goes to its route.
func (h *httpServer) ServeHTTP(plain http.ResponseWriter, r *http.Request) {
	w := newSteadyWriter(plain, h.times.stall)
	expectUnread(w, r)
	defer leaveUnread(w)
	defer h.recoverFrom(w, r, nil)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	allowed := h.allowPage(w.Header(), r)
	route, known := h.routeOf(r)
	if route.page {
		setPageHeaders(w.Header())
	}
	if !h.fence.allows(r) {
		h.rejectAt(route, w, foreign)
		return
	}
	if !known {
		h.rejectAt(route, w, noSuchPath)
		return
	}
	if allowed && isPreflight(r) {
		answerPreflight(w, route)
		return
	}
	if !slices.Contains(route.methods, r.Method) {
		w.Header().Set("Allow", strings.Join(route.methods, ", "))
		h.rejectAt(route, w, wrongMethod)
		return
	}
	who, ok := h.identifyBy(r, route.token())
	if !ok && !route.open {
		w.Header().Set("WWW-Authenticate", route.challenge())
		h.rejectAt(route, w, noToken)
		return
	}
	if ok {
		r = r.WithContext(withIdentity(r.Context(), who))
	}
	route.serve(w, r)
	if !w.began && h.stops() { // its context has ended, and the client is still there
		h.rejectAt(route, w, stopping)
	}
}

// routeOf gives the route of a request's path. Where nothing is served, a browser gets a
// page that says so.
func (h *httpServer) routeOf(r *http.Request) (route, bool) {
	if isPage(r.URL) {
		return h.pageRoute(), true
	}
	if found, known := h.routes[r.URL.Path]; known {
		return found, true
	}
	return route{page: fromBrowser(r)}, false
}

// recoverFrom answers a request whose handling broke: no client is left without an
// answer because of a mistake of ours.
func (h *httpServer) recoverFrom(w *steadyWriter, r *http.Request, id json.RawMessage) {
	p := recover()
	switch p {
	case nil:
		return
	case http.ErrAbortHandler: // the answer was cut off further in
		panic(p)
	}
	h.log.Error("panic", "path", label(r.URL.Path), "panic", p, "stack", string(debug.Stack()))
	if w.began {
		panic(http.ErrAbortHandler) // the answer cannot be mended, only cut off
	}
	if route, _ := h.routeOf(r); route.page {
		h.failPage(w, fmt.Errorf("panic: %v", p))
		return
	}
	h.answer(w, http.StatusInternalServerError, &fault{id: id, code: internalError.code, text: internalError.text})
}

// identify gives who makes a request of a program: see identifyBy.
func (h *httpServer) identify(r *http.Request) (auth.Identity, bool) {
	return h.identifyBy(r, auth.Bearer)
}

// identifyBy gives who makes a request: by its token, or whom the server acts for where
// there are no tokens.
func (h *httpServer) identifyBy(r *http.Request, find func(http.Header) (string, bool)) (auth.Identity, bool) {
	if h.config.Identify == nil {
		return auth.Identity{Caller: h.config.Local}, true
	}
	token, ok := find(r.Header)
	if !ok {
		return auth.Identity{}, false
	}
	who, err := h.config.Identify(token)
	return who, err == nil
}

type identityKey struct{}

// withIdentity gives a context in which somebody is who makes the request.
func withIdentity(ctx context.Context, who auth.Identity) context.Context {
	return tools.WithCaller(context.WithValue(ctx, identityKey{}, who), who.Caller)
}

func identityFrom(ctx context.Context) auth.Identity {
	who, _ := ctx.Value(identityKey{}).(auth.Identity)
	return who
}

// rejection is an answer to a request that is not served.
type rejection struct {
	status int
	reason refusal
	text   string
}

var (
	foreign     = rejection{http.StatusForbidden, refusedOrigin, "the request's Host or Origin is not one that this server answers to: see --allow-host and --allow-origin"}
	noSuchPath  = rejection{http.StatusNotFound, refusedRequest, "nothing is served at this path: MCP is at /mcp, for older clients at /sse, and what people look at is at /"}
	wrongMethod = rejection{http.StatusMethodNotAllowed, refusedRequest, "this path does not serve the request's method"}
	noToken     = rejection{http.StatusUnauthorized, refusedToken, auth.ErrInvalid.Error()}
	notJSON     = rejection{http.StatusUnsupportedMediaType, refusedContentType, "a message is sent as application/json, without a content encoding"}
	tooSlow     = rejection{http.StatusRequestTimeout, refusedRequest, "the message did not arrive in time"}
	unreadable  = rejection{http.StatusBadRequest, refusedRequest, "the message could not be read to its end"}
	busy        = rejection{http.StatusServiceUnavailable, refusedBusy, "the server has too much to do: try again later"}
	stopping    = rejection{http.StatusServiceUnavailable, refusedBusy, "the server stops: try again in a moment"}
	tooMany     = rejection{http.StatusTooManyRequests, refusedBusy, "too many requests of this token run already: try again when one is answered"}
)

// rejectAt answers a request that a route does not serve, as those who use it can read.
func (h *httpServer) rejectAt(at route, w http.ResponseWriter, why rejection) {
	if at.page {
		h.rejectPage(w, why)
		return
	}
	h.reject(w, why)
}

// countRefusal counts a request that is not served, and says when to try again.
func (h *httpServer) countRefusal(w http.ResponseWriter, why rejection) {
	h.refused(why.reason)
	if why.reason == refusedBusy {
		w.Header().Set("Retry-After", retryAfter)
	}
}

// reject answers a request that is not served.
func (h *httpServer) reject(w http.ResponseWriter, why rejection) {
	h.countRefusal(w, why)
	code := mcp.INVALID_REQUEST
	if why.status >= http.StatusInternalServerError {
		code = mcp.INTERNAL_ERROR
	}
	h.answer(w, why.status, &fault{code: code, text: why.text})
}

// rejectFault answers a message that is none.
func (h *httpServer) rejectFault(w http.ResponseWriter, f *fault) {
	h.refused(refusedRequest)
	h.answer(w, http.StatusBadRequest, f)
}

// answer writes a JSON-RPC error, which is what clients of every route can read but the
// probes and people, who get pages.
func (h *httpServer) answer(w http.ResponseWriter, status int, f *fault) {
	text, err := encodeLine(withID(f.reply(), f.id))
	if err != nil {
		h.log.Error("encoding an answer", "error", err)
	}
	writeJSON(w, status, text)
}

// writeJSON writes an answer. A client that does not read it has left: then it is false, and
// the text must stay as it is, since HTTP/2 may be reading it still.
func writeJSON(w http.ResponseWriter, status int, text []byte) (written bool) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, err := w.Write(text)
	return err == nil
}
