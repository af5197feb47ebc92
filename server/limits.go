package server

import "time"

// Limits bound what one client may ask of the process.
type Limits struct {
	// MaxMessage is the longest message in bytes; a longer one is refused.
	MaxMessage int
	// MaxCalls is how many tool calls run at once; others wait.
	MaxCalls int
	// Grace is how long running calls may take to finish after a signal.
	Grace time.Duration
}

// DefaultLimits are the limits of a server that was told no others.
var DefaultLimits = Limits{MaxMessage: 16 << 20, MaxCalls: 8, Grace: 5 * time.Second}

const (
	// maxPending bounds the bytes of all messages that wait or run, in messages of
	// the longest length: a client that sends faster waits.
	maxPending = 4
	// leastWeight is what the shortest message counts in bytes there: what it takes to
	// keep a request, whatever its length.
	leastWeight = 4 << 10
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
