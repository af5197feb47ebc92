package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/width"

	"github.com/plumbline-mcp/plumbline/scan/report"
)

// When a long run tells of its progress, and how.
const (
	progressAfter = 300 * time.Millisecond // short runs stay quiet
	progressEvery = 100 * time.Millisecond // a terminal need not show more
	progressWidth = 20                     // characters between the ends of the bar
	progressName  = 40                     // characters of a file's name
)

// progress shows on a terminal how far a long run is, in one line that it writes over
// and removes in the end. It draws on its own, so that telling it costs a run nothing. A
// nil one shows nothing.
type progress struct {
	out   io.Writer
	width int // columns of the terminal that it may use
	stop  chan struct{}

	mu    sync.Mutex // a run that was left behind may still tell
	line  func(now time.Time) string
	shown bool
	ended bool
}

// newProgress starts the clock. It is nil where stderr is no terminal, since a log has no
// use for it, or one that cannot write over a line.
func (p *process) newProgress() *progress {
	if _, ok := terminal(p.stderr); !ok || p.getenv("TERM") == "dumb" {
		return nil
	}
	bar := &progress{out: p.stderr, width: p.view(p.stderr).Width - 1, stop: make(chan struct{})}
	go bar.run()
	return bar
}

func (p *progress) run() {
	next := time.NewTimer(progressAfter)
	defer next.Stop()
	for {
		select {
		case <-p.stop:
			return
		case now := <-next.C:
			p.draw(now)
			next.Reset(progressEvery)
		}
	}
}

// tell sets what the line is from now on.
func (p *progress) tell(line func(now time.Time) string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = line
}

// draw writes the line as it is at the time now over the one before.
func (p *progress) draw(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.line == nil {
		return
	}
	fmt.Fprint(p.out, clearLine+columns(p.line(now), p.width))
	p.shown = true
}

// clear removes the line until it is drawn again, so that something else can be written.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.out, clearLine)
	}
	p.shown = false
}

// end removes the line, however the run ended; nothing is shown any more.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	if !p.ended {
		close(p.stop)
	}
	p.ended = true
}

// clearLine goes back to the start of the terminal's line and empties it.
const clearLine = "\r\x1b[K"

// columns cuts a line to what n columns hold: a longer one could not be written over.
func columns(line string, n int) string {
	for i, r := range line {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n -= 2
		default:
			n--
		}
		if n < 0 {
			return line[:i]
		}
	}
	return line
}

// bar draws how much of a run is done, from 0 to 1.
func bar(part float64) string {
	n := int(part * progressWidth)
	return "[" + strings.Repeat("#", n) + strings.Repeat("-", progressWidth-n) + "]"
}

// scanProgress tells how far a scan of files is.
type scanProgress struct {
	*progress
	files int
}

// file tells that the file of an index is worked on: done of total tools are judged, none
// of 0 while it is read.
func (p scanProgress) file(index int, name string, done, total int) {
	if p.progress == nil {
		return
	}
	since := time.Now()
	p.tell(func(now time.Time) string {
		what, part := "reading", 0.0
		if took := now.Sub(since).Truncate(time.Second); total == 0 && took > 0 {
			what = fmt.Sprintf("reading for %v:", took)
		}
		if total > 0 {
			what, part = fmt.Sprintf("%d of %d tools in", done, total), float64(done)/float64(total)
		}
		if p.files > 1 {
			what = fmt.Sprintf("file %d of %d: %s", index+1, p.files, what)
		}
		return fmt.Sprintf("%s %s %s", bar((float64(index)+part)/float64(p.files)), what, report.Escape(ending(name, progressName)))
	})
}

// check tells that a check has been run since then, of total the one of an index.
func (p *progress) check(index, total int, since time.Time) {
	p.tell(func(now time.Time) string {
		return fmt.Sprintf("%s check %d of %d, for %v", bar(float64(index)/float64(total)), index+1, total, now.Sub(since).Round(time.Second))
	})
}

// ending is the last n characters of a name, which say more of it than the first.
func ending(name string, n int) string {
	runes := []rune(name)
	if len(runes) <= n {
		return name
	}
	return "…" + string(runes[len(runes)-n+1:])
}
