package server

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"time"
)

// receive reads the message in a request's body and counts it among those that are
// served at once, until leave is called. It answers the request where there is no
// message or no room for it; ok is then false. A short message counts once it is here,
// so that clients that send slowly hold up nobody; a long one while it is read too,
// because of the memory that it takes.
func (h *httpServer) receive(w *steadyWriter, r *http.Request) (m message, leave func(), ok bool) {
	enter := func() bool {
		var refused *rejection
		if leave, refused = h.enter(identityFrom(r.Context())); refused != nil {
			h.reject(w, *refused)
		}
		return refused == nil
	}
	if short := r.ContentLength >= 0 && r.ContentLength < longMessage; short {
		m, ok = h.readMessage(w, r)
		return m, leave, ok && enter()
	}
	if !enter() {
		return m, nil, false
	}
	if m, ok = h.readMessage(w, r); !ok {
		leave()
	}
	return m, leave, ok
}

// readMessage reads the message in a request's body and looks into it. It answers the
// request where there is none; ok is then false.
func (h *httpServer) readMessage(w *steadyWriter, r *http.Request) (m message, ok bool) {
	text, refused := h.readBody(w, r)
	if refused != nil {
		h.reject(w, *refused)
		return m, false
	}
	m, wrong := parse(bytes.TrimSpace(text))
	if wrong != nil {
		h.rejectFault(w, wrong)
		return m, false
	}
	return m, true
}

func (h *httpServer) readBody(w *steadyWriter, r *http.Request) ([]byte, *rejection) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return nil, &notJSON
	}
	limit := h.limits.MaxBody
	tooLarge := &rejection{http.StatusRequestEntityTooLarge, refusedSize, fmt.Sprintf("the message is longer than the %d bytes that this server reads", limit)}
	if r.ContentLength > int64(limit) {
		w.Header().Set("Connection", "close") // the body is not read
		return nil, tooLarge
	}
	// A connection that knows no deadlines is one of a test.
	_ = w.control.SetReadDeadline(time.Now().Add(h.times.body))
	var text bytes.Buffer
	text.Grow(bytes.MinRead + int(min(max(r.ContentLength, 0), longMessage)))
	_, err = text.ReadFrom(http.MaxBytesReader(w, r.Body, int64(limit)))
	_ = w.control.SetReadDeadline(time.Time{})
	var over *http.MaxBytesError
	switch {
	case err == nil:
		return text.Bytes(), nil
	case errors.As(err, &over):
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, &tooSlow
	}
	return nil, &unreadable
}
