package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
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
	select {
	case <-h.closing:
		return codeStopping
	default:
	}
	if h.ledger == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	// One look at a time: a ledger that hangs must not gather those who wait for it.
	looked := h.ready.DoChan("", func() (any, error) { return nil, h.ping(context.WithoutCancel(ctx)) })
	select {
	case result := <-looked:
		return codeOf(result.Err)
	case <-ctx.Done():
		return string(tools.LedgerUnavailable)
	}
}

// ping looks whether the ledger can be reached.
func (h *httpServer) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	l, err := h.ledger.Ledger(ctx)
	if err != nil {
		return err
	}
	return l.Ping(ctx)
}

// codeOf is the code of an error of the ledger; empty for none.
func codeOf(err error) string {
	var told *tools.Error
	var le *ledger.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &told):
		return string(told.Code)
	case errors.As(err, &le):
		return string(le.Code)
	}
	return string(tools.LedgerUnavailable)
}
