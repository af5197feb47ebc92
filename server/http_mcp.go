package server

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// streamableVersions are the protocol versions on /mcp, newest first. The ones before
// have batches, which are not served, or no such transport.
var streamableVersions = []string{mcp.ProtocolVersion20260728, mcp.ProtocolVersion20251125, mcp.ProtocolVersion20250618}

// maxExactID is the largest whole number that the engine does not round.
const maxExactID = 1 << 53

// serveMCP serves one message of the streamable transport. Only requests reach the
// engine: it knows the requests of all clients together by id alone, so that one
// client's notifications/cancelled would cancel another's call. Who wants to cancel
// closes the request.
func (h *httpServer) serveMCP(w *steadyWriter, r *http.Request) {
	m, leave, ok := h.receive(w, r)
	if !ok {
		return
	}
	defer leave()
	if f := versionFault(r.Header, m); f != nil {
		h.rejectFault(w, f)
		return
	}
	if m.id == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if !exactID(m.id) {
		h.rejectFault(w, &fault{id: m.id, code: mcp.INVALID_REQUEST, text: "an id that is a number is a whole one up to 2^53; use a string for others"})
		return
	}
	if m.method == methodListen {
		h.answer(w, listenStatus(r.Header), &fault{id: m.id, code: noSubscriptions.code, text: noSubscriptions.text})
		return
	}
	if isPlainCall(r.Header, m) {
		h.serveCall(w, r, m)
		return
	}
	ctx := context.WithValue(r.Context(), streamableKey{}, true)
	done, err := h.admission.long(ctx, len(m.text))
	if err != nil {
		return // the client has left, or the server stops
	}
	defer done()
	defer h.recoverFrom(w, r, m.id)
	h.streamable.Handle(wordedWriter{w}, &mcpserver.HTTPRequest{Method: r.Method, URL: r.URL, Header: r.Header, Body: m.text, Context: ctx})
}

// isPlainCall says whether a message is a call whose answer is all that its client gets:
// without _meta it asks for no progress, and is of no revision that answers by the
// request's headers.
func isPlainCall(header http.Header, m message) bool {
	return m.call != nil && !mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion))
}

// listenStatus is the status of the answer that there are no subscriptions: since revision
// 2026-07-28 that of a method that is not there.
func listenStatus(header http.Header) int {
	if mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion)) {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// serveCall answers a plain call, as most are. The engine's transport would do it as
// well, but reads and writes each message several times over. A call that the server's end
// has cancelled is answered too: it may have recorded.
func (h *httpServer) serveCall(w *steadyWriter, r *http.Request, m message) {
	reply := h.handle(r.Context(), m)
	line := lines.Get().(*[]byte)
	text, err := appendReply((*line)[:0], reply, m.id)
	*line = text
	if err != nil {
		h.log.Error("encoding an answer", "error", err)
		h.answer(w, http.StatusInternalServerError, &fault{id: m.id, code: internalError.code, text: internalError.text})
		return
	}
	if writeJSON(w, http.StatusOK, text) {
		keepLine(line)
	}
}

// lines are the buffers in which answers were put together.
var lines = sync.Pool{New: func() any { return new([]byte) }}

// maxKeptLine is the longest answer, in bytes, whose buffer is used again.
const maxKeptLine = 64 << 10

func keepLine(line *[]byte) {
	if cap(*line) <= maxKeptLine {
		lines.Put(line)
	}
}

type streamableKey struct{}

// atLeastOldest answers an initialize for a version before those of /mcp, on it alone,
// with the oldest of them.
func atLeastOldest(ctx context.Context, _ any, req *mcp.InitializeRequest) {
	if oldest := streamableVersions[len(streamableVersions)-1]; ctx.Value(streamableKey{}) != nil && req.Params.ProtocolVersion < oldest {
		req.Params.ProtocolVersion = oldest
	}
}

// versionFault refuses a message under a protocol version that is not served. An
// initialize agrees on one first; of versions to come, which are dates or drafts, the engine
// says what is served.
func versionFault(header http.Header, m message) *fault {
	versions := header.Values(mcp.HeaderProtocolVersion)
	if len(versions) == 0 || m.method == methodInitialize {
		return nil
	}
	version := versions[0]
	_, err := time.Parse(time.DateOnly, version)
	named := err == nil || strings.HasPrefix(version, "DRAFT-")
	switch {
	case len(versions) > 1:
		return &fault{id: m.id, code: mcp.INVALID_REQUEST, text: "the header " + mcp.HeaderProtocolVersion + " is given twice: give it once"}
	case version == "" || slices.Contains(streamableVersions, version) || named && mcp.IsModernProtocol(version):
		return nil
	}
	return &fault{id: m.id, code: mcp.INVALID_REQUEST, text: "the protocol version in the header " + mcp.HeaderProtocolVersion + " is not served here"}
}

// exactID says whether the engine gives an id back as it was sent.
func exactID(id json.RawMessage) bool {
	if kindOf(id) != "number" {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && n >= -maxExactID && n <= maxExactID
}
