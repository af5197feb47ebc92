package server

import (
	"errors"
	"log/slog"
	"sync"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// readiness tells the log when the ledger can be reached, and when it no longer can:
// once for each change, however often somebody asks.
type readiness struct {
	log *slog.Logger

	mu   sync.Mutex
	last string // what was logged last; empty before the first look
}

const ready = "ready"

// found takes what a look at the ledger found; nil is that it can be reached.
func (r *readiness) found(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := ready
	if err != nil {
		now = string(codeOf(err, tools.LedgerUnavailable))
	}
	if now == r.last {
		return
	}
	r.last = now
	if err == nil {
		r.log.Info("ready: the ledger can be reached")
		return
	}
	why := []any{"code", now, "error", plain(err)}
	if detail := detailOf(err); detail != "" {
		why = append(why, "detail", detail)
	}
	r.log.Warn("not ready: calls that need the ledger fail", why...)
}

// detailOf is what an error tells whoever runs the server.
func detailOf(err error) string {
	var told *tools.Error
	var le *ledger.Error
	switch {
	case errors.As(err, &told):
		return told.Detail
	case errors.As(err, &le):
		return le.Detail
	}
	return ""
}
