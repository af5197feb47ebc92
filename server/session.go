package server

import (
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
)

// session is the one client of a stdio server, as the engine knows it.
type session struct {
	notifications chan mcp.JSONRPCNotification
	initialized   atomic.Bool
	version       atomic.Value
}

func newSession() *session {
	return &session{notifications: make(chan mcp.JSONRPCNotification, queued)}
}

// SessionID names the session to the engine.
func (s *session) SessionID() string { return "stdio" }

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
