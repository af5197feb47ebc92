package main

import (
	"bytes"
	"errors"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// A server of another version may tell of findings that the round does not have.
func TestRoundOfOtherFindings(t *testing.T) {
	answer := &tools.RoundAnswer{Findings: make([]tools.JudgedFinding, 2)}
	for _, text := range []string{`{"findings": [{}]}`, `[]`, `no JSON`} {
		var out bytes.Buffer
		p := &process{stdout: &out, stderr: &out}
		err := roundChecking.write(p, viewText, object{"round.json", []byte(text)}, []byte(text), answer, false)
		var exit *exitError
		if !errors.As(err, &exit) || exit.code != exitUsage {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
