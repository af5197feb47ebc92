package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/plumbline-mcp/plumbline/scan/report"
)

// When a long run tells of its progress.
const (
	progressAfter = time.Second            // short runs stay quiet
	progressEvery = 100 * time.Millisecond // a terminal need not show more
)

// progress shows on a terminal how far a long run is, in one line that it writes
// over and removes in the end. A nil one shows nothing.
type progress struct {
	out   io.Writer
	file  string
	mu    sync.Mutex // a run that was left behind may still tell
	next  time.Time  // when to show something again
	shown bool
	ended bool
}

// newProgress starts the clock for one file. Where stderr is no terminal it is nil:
// a log has no use for it.
func (p *process) newProgress(file string) *progress {
	if _, ok := terminal(p.stderr); !ok {
		return nil
	}
	return &progress{out: p.stderr, file: report.Escape(file), next: time.Now().Add(progressAfter)}
}

// show tells that done of total operations are judged at the time now, if it is time to.
func (p *progress) show(done, total int, now time.Time) {
	if p != nil {
		p.say(fmt.Sprintf("scanning %s: %d of %d", p.file, done, total), now)
	}
}

// say writes a line over the one before at the time now, if it is time to.
func (p *progress) say(line string, now time.Time) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || now.Before(p.next) {
		return
	}
	fmt.Fprint(p.out, clearLine+line)
	p.next, p.shown = now.Add(progressEvery), true
}

// end removes the line, however the run ended; nothing is shown any more.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.ended {
		fmt.Fprint(p.out, clearLine)
	}
	p.ended = true
}

// clearLine goes back to the start of the terminal's line and empties it.
const clearLine = "\r\x1b[K"
