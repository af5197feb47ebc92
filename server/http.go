package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/singleflight"

	"github.com/plumbline-mcp/plumbline/server/auth"
	"github.com/plumbline-mcp/plumbline/tools"
)

// HTTPConfig says to whom a server answers over HTTP.
type HTTPConfig struct {
	// Identify gives who a bearer token belongs to; nil where there are no tokens, and
	// every request is made by Local.
	Identify func(token string) (auth.Identity, error)
	Local    tools.Caller
	// AllowHosts are names ([CheckHost]) that a request's Host may have, beside those of the loopback
	// interface for a listener on it. Any other listener answers to all names where
	// AllowHosts is empty.
	AllowHosts []string
	// AllowOrigins are origins ([CheckOrigin]), such as https://tools.example, whose web
	// pages may call and read the answers, beside the server's own.
	AllowOrigins []string
	// BehindProxy says that other machines reach the server all the same, whatever the
	// listener's address.
	BehindProxy bool
	// TLS is nil for plain HTTP.
	TLS *tls.Config
}

// httpServer serves a [Server] over HTTP: MCP on /mcp (streamable, nothing kept between
// requests) and on /sse with /message (a session for as long as the stream is open), pages
// for people on / and below /contracts/, and what who runs it asks for: health and metrics.
type httpServer struct {
	*Server
	config   HTTPConfig
	loopback bool
	fence    fence
	routes   map[string]route
	// streamable serves the messages of /mcp.
	streamable *mcpserver.StreamableHTTPServer
	requests   *quota
	bodies     *budget
	sessions   *quota
	streams    streams
	ready      singleflight.Group
	readiness  readiness
	times      httpTimes
	// closing is closed when the server stops.
	closing chan struct{}
}

func newHTTPServer(s *Server, addr net.Addr, cfg HTTPConfig) *httpServer {
	h := &httpServer{
		Server:   s,
		config:   cfg,
		loopback: IsLoopback(addr),
		streamable: mcpserver.NewStreamableHTTPServer(s.engine, mcpserver.WithStateLess(true), mcpserver.WithDisableStreaming(true),
			mcpserver.WithStreamableHTTPProtocolVersions(streamableVersions...), mcpserver.WithStreamableHTTPLogger(s.log)),
		bodies:    newBudget(int64(max(maxBodies, s.limits.MaxBody)), int64(max(maxBodiesEach, s.limits.MaxBody))),
		requests:  newQuota(s.limits.MaxRequests, s.limits.MaxRequestsEach),
		sessions:  newQuota(s.limits.MaxSessions, s.limits.MaxSessionsEach),
		times:     usualTimes,
		readiness: readiness{log: s.log},
		closing:   make(chan struct{}),
	}
	h.fence = newFence(h.loopback, cfg)
	h.routes = h.table()
	s.metrics.start([]string{methodPage})
	return h
}

// IsLoopback says whether only programs of the same machine reach an address.
func IsLoopback(addr net.Addr) bool {
	host, _, err := net.SplitHostPort(addr.String())
	return err == nil && IsLoopbackName(host)
}

// ServeHTTP serves clients on a listener until ctx ends; running calls then get
// [Limits.Grace] to finish. It closes the listener. The error is the listener's.
func (s *Server) ServeHTTP(ctx context.Context, listener net.Listener, cfg HTTPConfig) error {
	return newHTTPServer(s, listener.Addr(), cfg).run(ctx, listener)
}

func (h *httpServer) run(ctx context.Context, listener net.Listener) error {
	// A signal must not end the requests at once.
	calls, stopCalls := context.WithCancel(context.WithoutCancel(ctx))
	defer stopCalls()
	web := &http.Server{
		Handler:           h,
		TLSConfig:         h.config.TLS,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(h.log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return calls },
	}
	ended := make(chan error, 1)
	go func() {
		if h.config.TLS != nil {
			ended <- web.ServeTLS(listener, "", "")
			return
		}
		ended <- web.Serve(listener)
	}()
	h.log.Info("listening", "addr", listener.Addr().String(), "tls", h.config.TLS != nil, "tokens", h.config.Identify != nil)
	// Whoever starts the server is told at once of a ledger that is not there.
	go h.unready(calls)
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	close(h.closing)
	h.stop(web, stopCalls)
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stop lets what runs finish within the grace, then cancels it, and cuts off what does
// not notice.
func (h *httpServer) stop(web *http.Server, stopCalls func()) {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		grace, cancel := context.WithTimeout(context.Background(), h.limits.Grace)
		defer cancel()
		if web.Shutdown(grace) != nil {
			stopCalls()
			_ = web.Shutdown(context.Background())
		}
	}()
	select {
	case <-drained:
	case <-time.After(h.limits.Grace + h.times.stop):
		h.log.Warn("requests were cut off: they did not end within the grace")
		// Beside requests that compute, closing hundreds of connections takes seconds. The
		// process does not wait for it: its end closes them all.
		go web.Close()
	}
}
