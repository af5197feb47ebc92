package server

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// namespace begins the name of every metric of ours.
const namespace = "plumbline"

// callBuckets are the bounds in seconds of what calls take: most are over in
// milliseconds, and the scan of a large document takes seconds.
var callBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// refusal is why a transport turned a request away before it became a call.
type refusal string

// The reasons, with the HTTP status that each is answered with.
const (
	refusedToken       refusal = "token"        // 401: no token, or one that is not known
	refusedOrigin      refusal = "origin"       // 403: Host or Origin of a foreign site
	refusedSession     refusal = "session"      // 404 or 403: no such SSE session, or another token's
	refusedSize        refusal = "size"         // 413: a body over the limit
	refusedContentType refusal = "content_type" // 415
	refusedBusy        refusal = "busy"         // 429 or 503: too much runs already
	refusedRequest     refusal = "request"      // any other that is no proper request
)

var refusals = []refusal{refusedToken, refusedOrigin, refusedSession, refusedSize, refusedContentType, refusedBusy, refusedRequest}

// metrics are what a server counts. Labels take their values from fixed sets, never
// from what a client sent.
type metrics struct {
	registry *prometheus.Registry

	calls    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	running  prometheus.Gauge

	requests prometheus.Gauge
	sessions prometheus.Gauge
	refusals *prometheus.CounterVec

	revisions    prometheus.Counter
	done         prometheus.Counter
	rounds       *prometheus.CounterVec
	extensions   prometheus.Counter
	ledgerErrors *prometheus.CounterVec
}

// newMetrics makes the metrics of a server with the tools and methods in a registry of
// their own.
func newMetrics(version string, names []string) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls:    counters("calls_total", "Tool calls, reads of resources, prompts, completions and pages that ended, by tool or method, and outcome: ok, or the code of the error.", "tool", "outcome"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: "call_duration_seconds",
			Help: "How long they took, by tool or method.", Buckets: callBuckets}, []string{"tool"}),
		running:      gauge("calls_running", "Tool calls, reads of resources, prompts, completions and pages that run now."),
		requests:     gauge("http_requests_running", "Messages and pages over HTTP that are worked on now."),
		sessions:     gauge("sse_sessions_open", "SSE sessions that are open now."),
		refusals:     counters("http_refusals_total", "HTTP requests turned away before they became a call, by reason.", "reason"),
		revisions:    counter("revisions_registered_total", "Revisions of contracts that were registered."),
		done:         counter("done_reports_recorded_total", "Done reports that were recorded."),
		rounds:       counters("rounds_recorded_total", "Rounds that were recorded, by verdict.", "verdict"),
		extensions:   counter("extension_rounds_recorded_total", "Rounds with an extension that were recorded."),
		ledgerErrors: counters("ledger_errors_total", "Requests that the ledger refused or failed on, by code.", "code"),
	}
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: "build_info",
		Help:        "Always 1; the labels tell the version of the program and of Go.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()}}, func() float64 { return 1 })
	m.registry.MustRegister(m.calls, m.duration, m.running, m.requests, m.sessions, m.refusals,
		m.revisions, m.done, m.rounds, m.extensions, m.ledgerErrors, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.start(names)
	return m
}

// startedOutcomes are those of calls that alerts rest on, beside ok.
var startedOutcomes = []string{outcomeOK, outcomeProtocol, string(tools.Internal), string(tools.LedgerUnavailable)}

// start puts the series that alerts rest on at zero: the first increase of one that
// did not exist before is not seen.
func (m *metrics) start(names []string) {
	for _, name := range names {
		for _, outcome := range startedOutcomes {
			m.calls.WithLabelValues(name, outcome)
		}
		m.duration.WithLabelValues(name)
	}
	for _, reason := range refusals {
		m.refusals.WithLabelValues(string(reason))
	}
	for _, verdict := range []contract.Verdict{contract.Pass, contract.Fail, contract.Escalate} {
		m.rounds.WithLabelValues(string(verdict))
	}
	for _, code := range []ledger.Code{ledger.Unavailable, ledger.Internal} {
		m.ledgerErrors.WithLabelValues(string(code))
	}
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
}

// called counts a call that ended.
func (m *metrics) called(c *called) {
	m.calls.WithLabelValues(c.tool, c.outcome).Inc()
	m.duration.WithLabelValues(c.tool).Observe(c.took.Seconds())
	switch c.told.Recorded {
	case ledger.Revision:
		m.revisions.Inc()
	case ledger.Done:
		m.done.Inc()
	case ledger.Round:
		m.rounds.WithLabelValues(c.told.Verdict).Inc()
		if c.told.ExtensionRound {
			m.extensions.Inc()
		}
	}
}

// ledgerFailed counts an error where it comes from the ledger.
func (m *metrics) ledgerFailed(err error) {
	var le *ledger.Error
	if errors.As(err, &le) {
		m.ledgerErrors.WithLabelValues(string(le.Code)).Inc()
	}
}

// refused counts a request that a transport turned away.
func (s *Server) refused(reason refusal) {
	if !slices.Contains(refusals, reason) {
		reason = refusedRequest
	}
	s.metrics.refusals.WithLabelValues(string(reason)).Inc()
}

// metricsHandler serves the server's metrics in the formats of Prometheus. It asks
// nobody who they are: the transport that mounts it does.
func (s *Server) metricsHandler() http.Handler {
	return promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelError)})
}
