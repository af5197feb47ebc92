package server

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// LogFormats are the formats of [NewLog]: lines for people, and JSON for log systems.
var LogFormats = []string{"text", "json"}

// LogLevels are the levels of [NewLog], from the one that logs most.
var LogLevels = []string{"debug", "info", "warn", "error"}

// NewLog gives a logger that writes one record a line to w, in one of [LogFormats] and
// from one of [LogLevels] on. Characters that cannot be seen, or that change what a
// terminal shows, are written as escapes: records name what strangers named.
func NewLog(w io.Writer, format, level string) (*slog.Logger, error) {
	var least slog.Level
	if !slices.Contains(LogLevels, level) || least.UnmarshalText([]byte(level)) != nil {
		return nil, fmt.Errorf("unknown log level %q: use %s", level, strings.Join(LogLevels, ", "))
	}
	options := &slog.HandlerOptions{Level: least}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(seen{w}, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(seen{w}, options)), nil
	}
	return nil, fmt.Errorf("unknown log format %q: use %s", format, strings.Join(LogFormats, ", "))
}

// seen writes lines without unseen characters.
type seen struct{ w io.Writer }

func (s seen) Write(line []byte) (int, error) {
	if _, err := s.w.Write(agentready.EscapeUnseen(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// label cuts a name that a stranger may have chosen to what a log line keeps of it.
func label(name string) string {
	runes := 0
	for i := range name {
		if runes == maxLogged {
			return name[:i] + "…"
		}
		runes++
	}
	return name
}
