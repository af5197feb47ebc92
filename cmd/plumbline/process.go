package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/plumbline-mcp/plumbline/scan/report"
)

// process is what a command may touch of the process it runs in.
type process struct {
	args           []string // without the program's name
	env            []string // as os.Environ gives it
	stdin          io.Reader
	stdout, stderr io.Writer
}

// getenv is the value of the last entry of that name, as the system has it.
func (p *process) getenv(name string) string {
	value := ""
	for _, e := range p.env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// maxComplaint is the longest line, in characters, that is written about one problem.
const maxComplaint = 600

// complain writes one line on stderr. What the message repeats of documents and
// file names is made harmless.
func (p *process) complain(format string, args ...any) {
	runes := []rune(report.Escape(fmt.Sprintf(format, args...)))
	if len(runes) > maxComplaint {
		runes = append(runes[:maxComplaint], '…')
	}
	fmt.Fprintf(p.stderr, "plumbline: %s\n", string(runes))
}

// now is the current time, or the one that SOURCE_DATE_EPOCH sets for
// reproducible builds, in seconds since 1970.
func (p *process) now() (time.Time, error) {
	epoch := p.getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds < 0 || seconds > maxEpoch {
		return time.Time{}, usagef("SOURCE_DATE_EPOCH is %q: set it to seconds since 1970, or unset it", epoch)
	}
	return time.Unix(seconds, 0), nil
}

// maxEpoch is the end of the year 9999: later years have no RFC 3339 form.
const maxEpoch = 253402300799

// maxWidth is the longest line for people: longer ones are hard to read.
const maxWidth = 120

// view says how text for people looks on w: colours and the width of the terminal,
// or neither where w is no terminal. NO_COLOR, not empty, forbids colours.
func (p *process) view(w io.Writer) report.Options {
	opts := report.Options{Width: report.DefaultWidth}
	fd, ok := terminal(w)
	if !ok {
		return opts
	}
	opts.Color = p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(fd); err == nil && width > 0 {
		opts.Width = min(width, maxWidth)
	}
	return opts
}

// terminal is the descriptor of a stream, a reader or writer, that is a terminal.
func terminal(stream any) (fd int, ok bool) {
	f, ok := stream.(*os.File)
	if !ok {
		return 0, false
	}
	fd = int(f.Fd())
	return fd, term.IsTerminal(fd)
}
