package server

import "time"

// Limits bound what clients may ask of the process.
type Limits struct {
	// MaxMessage is the longest message on stdio, MaxBody the longest over HTTP, in
	// bytes; a longer one is refused.
	MaxMessage int
	MaxBody    int
	// MaxCalls is how many tool calls run at once, and reads of resources, prompts,
	// completions and pages with them; MaxScans how many scans, which are not counted among them.
	// Others wait.
	MaxCalls int
	MaxScans int
	// MaxTime is how long a call may take, with its waiting. A recording that has begun
	// is finished all the same.
	MaxTime time.Duration
	// MaxRequests is how many HTTP requests are served at once, and how many calls of
	// SSE sessions; MaxRequestsEach how many of them for one token. Others are refused.
	MaxRequests     int
	MaxRequestsEach int
	// MaxSessions is how many SSE sessions are open at once, MaxSessionsEach how many of
	// them for one token. Others are refused.
	MaxSessions     int
	MaxSessionsEach int
	// Grace is how long running calls may take to finish after a signal.
	Grace time.Duration
}

// DefaultLimits are the limits of a server that was told no others.
var DefaultLimits = Limits{
	MaxMessage: 16 << 20, MaxBody: 4 << 20,
	MaxCalls: 32, MaxScans: 4, MaxTime: 2 * time.Minute,
	MaxRequests: 256, MaxRequestsEach: 32,
	MaxSessions: 1000, MaxSessionsEach: 32,
	Grace: 5 * time.Second,
}

const (
	// maxPending bounds the bytes of all messages of one client that wait or run, in
	// messages of the longest length: a client that sends faster waits.
	maxPending = 4
	// leastWeight is what the shortest message counts in bytes there: what it takes to
	// keep a request, whatever its length.
	leastWeight = 4 << 10
	// longMessage is from how many bytes on a message counts as long: decoding one takes
	// many times its length in memory, so that only some are worked on at once. The
	// others are bounded by their number.
	longMessage = 64 << 10
	// maxNesting is how deep the arrays and objects of a message may be nested.
	maxNesting = 1000
	// stopWait is how long cancelled calls may take to notice.
	stopWait = time.Second
	// progressEvery is the shortest time between two progress notifications of a call.
	progressEvery = 100 * time.Millisecond
	// maxFaults is how many faults of the arguments one error names.
	maxFaults = 3
	// maxLogged is how many characters of a name a log line keeps.
	maxLogged = 200
	// queued is how many messages may wait for the client to read them.
	queued = 256
)

// The limits of HTTP that are no flags.
const (
	maxHeader  = 64 << 10         // bytes of a request's header
	headerTime = 10 * time.Second // for a client to send it
	idleTime   = 2 * time.Minute  // of a connection between two requests
	lingerTime = time.Second      // for the rest of a body that nobody reads, after the answer
	writeStep  = 32 << 10         // bytes of an answer that have one deadline
	readyTime  = 3 * time.Second  // for the ledger to show that it can be reached
	// maxBodies are the bytes of the long messages that are here at once, maxBodiesEach those
	// of one token's. A body of --max-body is always read.
	maxBodies     = 64 << 20
	maxBodiesEach = 16 << 20
	// retryAfter is what a client that is refused for a while is told, in seconds.
	retryAfter = "1"
)

// httpTimes are the times of a server over HTTP that a test shortens.
type httpTimes struct {
	body  time.Duration // for a client to send a message
	room  time.Duration // for a long message to wait until it is read
	stall time.Duration // for a client to read writeStep bytes of an answer
	beat  time.Duration // from one sign of life on an SSE stream to the next, and look at its token
	stop  time.Duration // for cancelled calls to be answered when the server stops
}

var usualTimes = httpTimes{body: 30 * time.Second, room: 10 * time.Second, stall: 30 * time.Second, beat: 25 * time.Second, stop: stopWait}
