package server

import (
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
)

// session is one client of a connection that lasts, as the engine knows it.
type session struct {
	id string
	// lines are encoded messages on their way to the client, in the order in which
	// they are written.
	lines chan []byte
	// notifications are those that the engine sends by itself: they have no place in
	// that order.
	notifications chan mcp.JSONRPCNotification
	initialized   atomic.Bool
	version       atomic.Value
}

func newSession(id string) *session {
	return &session{id: id, lines: make(chan []byte, queued), notifications: make(chan mcp.JSONRPCNotification, queued)}
}

// notify queues a notification behind all that was queued before, unless too much is
// queued: a client that does not read loses notifications, never answers.
func (s *session) notify(method string, params map[string]any) {
	text, err := encodeLine(mcp.JSONRPCNotification{
		JSONRPC:      mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{Method: method, Params: mcp.NotificationParams{AdditionalFields: params}},
	})
	if err != nil {
		return
	}
	select {
	case s.lines <- text:
	default:
	}
}

// SessionID names the session to the engine.
func (s *session) SessionID() string { return s.id }

// NotificationChannel is where the engine puts notifications.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notifications }

// Initialize marks the handshake as done.
func (s *session) Initialize() { s.initialized.Store(true) }

// Initialized says whether the handshake is done.
func (s *session) Initialized() bool { return s.initialized.Load() }

// SetProtocolVersion keeps the negotiated version.
func (s *session) SetProtocolVersion(v string) { s.version.Store(v) }

// ProtocolVersion is the negotiated version, empty before the handshake.
func (s *session) ProtocolVersion() string {
	v, _ := s.version.Load().(string)
	return v
}
