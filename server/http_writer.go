package server

import (
	"net/http"
	"time"
)

// steadyWriter writes to a client as long as it goes on reading: each piece has its own
// deadline. A client that stalls is cut off by the error that this makes.
type steadyWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration // for the client to read a piece
	began   bool
}

func newSteadyWriter(w http.ResponseWriter, stall time.Duration) *steadyWriter {
	return &steadyWriter{ResponseWriter: w, control: http.NewResponseController(w), stall: stall}
}

// extend gives the client time for the next piece. A connection that knows no deadlines
// has none to extend.
func (w *steadyWriter) extend() { _ = w.control.SetWriteDeadline(time.Now().Add(w.stall)) }

// WriteHeader begins the answer.
func (w *steadyWriter) WriteHeader(status int) {
	w.began = true
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

// Write writes p piece by piece.
func (w *steadyWriter) Write(p []byte) (n int, err error) {
	w.began = true
	for {
		w.extend()
		piece := p[n:min(n+writeStep, len(p))]
		wrote, err := w.ResponseWriter.Write(piece)
		if n += wrote; err != nil || n == len(p) {
			return n, err
		}
	}
}

// Flush sends what was written to the client.
func (w *steadyWriter) Flush() { _ = w.flush() }

func (w *steadyWriter) flush() error {
	w.began = true
	w.extend()
	return w.control.Flush()
}

// CanStream says to the engine that Flush reaches the client.
func (w *steadyWriter) CanStream() bool { return true }

// Unwrap is for [http.ResponseController].
func (w *steadyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
