package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/plumbline-mcp/plumbline/tools"
)

// The paths of the probes.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// codeStopping is what /readyz says while the server stops.
const codeStopping = "STOPPING"

// serveHealth says that the process serves.
func (h *httpServer) serveHealth(w *steadyWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, []byte(`{"status":"ok"}`+"\n"))
}

// serveReady says whether calls can be answered: 200, or 503 with a code and nothing
// else, since anybody may ask.
func (h *httpServer) serveReady(w *steadyWriter, r *http.Request) {
	code := h.unready(r.Context())
	if code == "" {
		writeJSON(w, http.StatusOK, []byte(`{"status":"ready"}`+"\n"))
		return
	}
	text, _ := json.Marshal(map[string]string{"status": "not ready", "code": code}) // two texts always encode
	writeJSON(w, http.StatusServiceUnavailable, append(text, '\n'))
}

// unready is the code of what is wrong; empty for nothing.
func (h *httpServer) unready(ctx context.Context) string {
	if h.stops() {
		return codeStopping
	}
	if h.ledger == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	// One look at a time: a ledger that hangs must not gather those who wait for it.
	looked := h.ready.DoChan("", func() (any, error) {
		err := h.ping(context.WithoutCancel(ctx))
		h.readiness.found(err)
		return nil, err
	})
	select {
	case result := <-looked:
		if result.Err == nil {
			return ""
		}
		return string(codeOf(result.Err, tools.LedgerUnavailable))
	case <-ctx.Done():
		return string(tools.LedgerUnavailable)
	}
}

// stops says whether the server has been told to stop.
func (h *httpServer) stops() bool {
	select {
	case <-h.closing:
		return true
	default:
		return false
	}
}

// ping looks whether the ledger can be reached.
func (h *httpServer) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	err := h.ledger.Ping(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return silentLedger
	}
	return err
}

// silentLedger is a ledger that does not show in time that it can be reached.
var silentLedger = &tools.Error{Code: tools.LedgerUnavailable, Message: "the ledger did not answer in time", Hint: "see whether its database runs and has too much to do"}
