package tools

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// A cursor says how many tools of the worst-first list were shown, and of which
// document: a cursor of another one would skip tools that nobody saw.

// listHash identifies the list that cursors of an export page through.
func listHash(e *agentready.Export) string {
	h := sha256.New()
	io.WriteString(h, e.Ruleset)
	for _, t := range e.Tools {
		fmt.Fprintf(h, "\x00%s\x00%s", t.ID, t.Definition)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func encodeCursor(list string, shown int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", list, shown))
}

// decodeCursor gives how many tools were shown; 0 for an empty cursor.
func decodeCursor(cursor, list string, total int) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	hint := "leave `cursor` out to start again, or pass `next_cursor` as it was answered"
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	of, count, found := strings.Cut(string(text), ":")
	shown, convErr := strconv.Atoi(count)
	if err != nil || !found || convErr != nil {
		return 0, &Error{Code: BadArgument, Path: "/cursor", Message: "`cursor` is none that this server gave out", Hint: hint}
	}
	if of != list || shown < 1 || shown >= total {
		return 0, &Error{Code: BadArgument, Path: "/cursor", Message: "`cursor` belongs to another document, or the document has changed", Hint: hint}
	}
	return shown, nil
}
