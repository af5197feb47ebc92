package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"time"
)

// receive reads the message in a request's body and counts it among those that are
// served at once, until leave is called. It answers the request where there is no
// message or no room for it; ok is then false. A message counts once it is here, so that
// clients that send slowly hold up nobody. A long one is read once there is room for its
// bytes.
func (h *httpServer) receive(w *steadyWriter, r *http.Request) (m message, leave func(), ok bool) {
	text, room, refused := h.readBody(w, r)
	if refused == nil {
		leave, refused = h.enter(identityFrom(r.Context()))
	}
	if refused != nil {
		room.free()
		h.reject(w, *refused)
		return m, nil, false
	}
	m, wrong := parse(bytes.TrimSpace(text))
	if wrong != nil {
		leave()
		room.free()
		h.rejectFault(w, wrong)
		return m, nil, false
	}
	counted := leave
	return m, func() { counted(); room.free() }, true
}

// readBody reads a body that may be read. The room that it takes is freed by the caller,
// also where it is refused.
func (h *httpServer) readBody(w *steadyWriter, r *http.Request) ([]byte, *room, *rejection) {
	room := &room{of: h.bodies, id: identityFrom(r.Context()).ID}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return nil, room, &notJSON
	}
	if r.ContentLength > int64(h.limits.MaxBody) {
		return nil, room, h.tooLong()
	}
	var text bytes.Buffer
	body := http.MaxBytesReader(w, r.Body, int64(h.limits.MaxBody))
	size := r.ContentLength
	if size < 0 { // it tells nothing of its length: a short one needs no room
		if refused := h.readInto(&text, w, io.LimitReader(body, longMessage)); refused != nil {
			return nil, room, refused
		}
		size = int64(text.Len())
		if size == longMessage {
			size = int64(h.limits.MaxBody)
		}
	}
	if size >= longMessage {
		if refused := room.take(r.Context(), size, h.times.room); refused != nil {
			return nil, room, refused
		}
	}
	text.Grow(bytes.MinRead + int(min(max(r.ContentLength, 0), longMessage)))
	if refused := h.readInto(&text, w, body); refused != nil {
		return nil, room, refused
	}
	room.shrink(text.Len())
	w.Header().Del("Connection") // see expectUnread
	return text.Bytes(), room, nil
}

// readInto reads what is left of a body.
func (h *httpServer) readInto(text *bytes.Buffer, w *steadyWriter, body io.Reader) *rejection {
	// A connection that knows no deadlines is one of a test.
	_ = w.control.SetReadDeadline(time.Now().Add(h.times.body))
	_, err := text.ReadFrom(body)
	_ = w.control.SetReadDeadline(time.Time{})
	var over *http.MaxBytesError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &over):
		return h.tooLong()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &tooSlow
	}
	return &unreadable
}

func (h *httpServer) tooLong() *rejection {
	return &rejection{http.StatusRequestEntityTooLarge, refusedSize, fmt.Sprintf("the message is longer than the %d bytes that this server reads", h.limits.MaxBody)}
}

// expectUnread readies an answer for a request whose body nobody may read: it goes out at
// once, and ends the connection. An answer that keeps the connection would wait for the
// rest of the body, which a client may never send. Whoever reads the body to its end takes
// the mark back. HTTP/2 ends the stream alone, by itself.
func expectUnread(w *steadyWriter, r *http.Request) {
	if r.ContentLength != 0 && r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
}

// leaveUnread bounds how long the rest of a body is read for after the answer: one that is
// on its way is, so that the client sees the answer and not a connection that broke.
func leaveUnread(w *steadyWriter) {
	if w.Header().Get("Connection") == "close" {
		_ = w.control.SetReadDeadline(time.Now().Add(lingerTime))
	}
}
