package mcplist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// link is the way to a server.
type link struct {
	transport transport.Interface
	meter     *meter
	// close ends it; gently where the server may take its time to end.
	close func(gently bool) ending
}

// ending is how a server ended.
type ending struct {
	died   bool   // before it was asked to
	how    string // in words
	output string // the end of its stderr, without secrets
}

// connect starts or reaches the server.
func (s Server) connect(ctx context.Context) (*link, error) {
	if len(s.Command) > 0 {
		return s.start(ctx)
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, &surface.ReadError{Message: "the URL cannot be read", Hint: "give one such as https://host/mcp"}
	}
	m := &meter{left: maxCaptured}
	c := &http.Client{
		Transport:     meteredHTTP{m, u},
		CheckRedirect: func(to *http.Request, _ []*http.Request) error { return redirected(to.URL) },
	}
	if s.SSE {
		return s.connectSSE(c, m)
	}
	t, err := transport.NewStreamableHTTP(s.URL, transport.WithHTTPBasicClient(c), transport.WithHTTPHeaders(s.Headers), transport.WithHTTPLogger(unlogged))
	if err != nil {
		return nil, err
	}
	closing := func(bool) ending {
		_ = t.Close() // the server may keep a session longer, no more
		return ending{}
	}
	return &link{t, m, closing}, nil
}

// unlogged is for what is told as an error of the capture, or is of no interest.
var unlogged = slog.New(slog.DiscardHandler)

// streamWait is how long a server that refused the newer transport in words has to show
// that it speaks the older one: others keep a stream of another kind open.
const streamWait = 5 * time.Second

// connectSSE reaches the server by the older transport.
func (s Server) connectSSE(c *http.Client, m *meter) (*link, error) {
	wait := s.Timeout
	if s.refused != "" {
		wait = min(wait, streamWait)
	}
	t, err := transport.NewSSE(s.URL, transport.WithHTTPClient(c), transport.WithHeaders(s.Headers), transport.WithSSELogger(unlogged),
		transport.WithEndpointTimeout(wait), transport.WithResponseTimeout(s.Timeout))
	if err != nil {
		return nil, err
	}
	var lost atomic.Bool
	// Nothing else ends a request whose answer would have come over the stream.
	t.SetConnectionLostHandler(func(error) {
		lost.Store(true)
		_ = t.Close()
	})
	closing := func(bool) ending {
		end := ending{died: lost.Load(), how: "it ended its stream of events"}
		_ = t.Close()
		return end
	}
	return &link{stream{t}, m, closing}, nil
}

// errNoStream is an error before there is a stream of events.
var errNoStream = errors.New("no stream of events")

// stream is the older transport with an error of its own for what is no such stream.
type stream struct{ *transport.SSE }

// Start opens the stream.
func (s stream) Start(ctx context.Context) error {
	if err := s.SSE.Start(ctx); err != nil {
		return fmt.Errorf("%w: %w", errNoStream, err)
	}
	return nil
}

// redirected refuses to go elsewhere: the headers are secrets of the one server that was
// named.
func redirected(to *url.URL) error {
	return &surface.ReadError{Message: "it leads on to " + to.Scheme + "://" + to.Host + to.Path + ", which is not followed", Hint: "give that URL if you trust it"}
}

// meteredHTTP counts what answers hold. It asks nobody but the one server.
type meteredHTTP struct {
	meter *meter
	only  *url.URL
}

// RoundTrip sends one request.
func (t meteredHTTP) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != t.only.Scheme || r.URL.Host != t.only.Host {
		return nil, redirected(r.URL)
	}
	if host := r.Header.Get("Host"); host != "" { // of the headers it alone is no member of them
		r = r.Clone(r.Context())
		r.Host = host
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		t.meter.note(response)
		response.Body = struct {
			io.Reader
			io.Closer
		}{t.meter.reader(response.Body), response.Body}
	}
	return response, err
}

// maxBegin is how many bytes of the beginning of an output are kept.
const maxBegin = 200

// meter counts what a server writes and ends it at a limit. It keeps the beginning.
type meter struct {
	mu      sync.Mutex
	left    int
	first   []byte
	over    bool
	refused string // the status by which a server of HTTP refuses
}

// note notes by what status a server refuses. Those by which one says that there is nothing
// at the URL, or nothing to post to, tell no more.
func (m *meter) note(response *http.Response) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if code := response.StatusCode; code >= 400 && code != http.StatusNotFound && code != http.StatusMethodNotAllowed {
		m.refused = response.Status
	}
}

// refusal is by what status, and with what words, the server refused; empty for not.
func (m *meter) refusal(s secrets) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	words := strings.TrimSpace(s.redactBegin(string(m.first)))
	if m.refused == "" || words == "" {
		return m.refused
	}
	return m.refused + ": " + words
}

func (m *meter) reader(from io.Reader) io.Reader { return &meteredReader{m, from} }

// exceeded says whether the limit was reached.
func (m *meter) exceeded() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left <= 0
}

// ended says whether the server has closed its end.
func (m *meter) ended() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.over
}

// begin is the beginning of what came.
func (m *meter) begin() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return string(m.first)
}

// take counts what came, err after it; false where that is too much.
func (m *meter) take(p []byte, err error) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.over = m.over || err != nil
	m.left -= len(p)
	m.first = append(m.first, p[:min(len(p), maxBegin-len(m.first))]...)
	return m.left > 0
}

type meteredReader struct {
	meter *meter
	from  io.Reader
}

// Read ends at the limit as at the end of a file.
func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if !r.meter.take(p[:n], err) {
		return 0, io.EOF
	}
	return n, err
}
