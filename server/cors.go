package server

import (
	"net/http"
	"slices"
	"strings"
)

// preflightHeaders tell a browser what a page of an allowed origin may send. There are no
// cookies that it could send along, so that credentials are not allowed.
var preflightHeaders = [...]struct{ name, value string }{
	{"Access-Control-Allow-Headers", "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, last-event-id"},
	{"Access-Control-Max-Age", "600"}, // seconds for which it need not ask again
}

// allowPage lets the page that makes a request read the answer, if its origin is one of
// [HTTPConfig.AllowOrigins]. Of others nothing is said, which is a no.
func (h *httpServer) allowPage(header http.Header, r *http.Request) (allowed bool) {
	if len(h.fence.origins) == 0 {
		return false
	}
	header.Add("Vary", "Origin")
	origin, _, ok := originOf(r)
	if !ok || !slices.Contains(h.fence.origins, origin) {
		return false
	}
	header.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	return true
}

// isPreflight says whether a browser asks if a page may make a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// answerPreflight says what a page of an allowed origin may do at a route.
func answerPreflight(w http.ResponseWriter, route route) {
	w.Header().Set("Access-Control-Allow-Methods", strings.Join(route.methods, ", "))
	for _, header := range preflightHeaders {
		w.Header().Set(header.name, header.value)
	}
	w.WriteHeader(http.StatusNoContent)
}
