package tools

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// Encode gives the compact JSON of v. Characters that a reader cannot see, or that
// reorder what it sees, are written as \u escapes: an answer repeats names that
// strangers chose, and its text is read by people and models as it stands.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return agentready.EscapeUnseen(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// textSize is the length of v's JSON in characters, as maxText counts them.
func textSize(v any) int {
	text, err := Encode(v)
	if err != nil {
		return maxText + 1 // does not fit; the answer's own encoding reports the error
	}
	return utf8.RuneCount(text)
}

// clip cuts s to n characters, the last one an ellipsis where something was cut. It
// looks no further: s may be megabytes long.
func clip(s string, n int) string {
	seen, last := 0, 0
	for i := range s {
		switch seen {
		case n - 1:
			last = i
		case n:
			return s[:last] + "…"
		}
		seen++
	}
	return s
}
