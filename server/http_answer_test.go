package server

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The status of an error is that of its code since revision 2026-07-28, and 200 before,
// whoever makes the answer.
func TestStatusOfErrors(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	web := open(t, s, local)
	tests := []struct {
		method, params string
		code           int
		modern         int // status
	}{
		{"nothing/here", "", -32601, 404},
		{"subscriptions/listen", "", -32601, 404},
		{"notifications/cancelled", `"requestId":1,`, -32601, 404},
		{"tools/call", `"name":"nothing",`, -32602, 400},
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, tt := range tests {
		message := func(more string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, tt.method, tt.params, more)
		}
		old := web.post(message(`"x":1`), "MCP-Protocol-Version: 2025-11-25")
		modern := web.post(message(meta), "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: "+tt.method, "Mcp-Name: nothing")
		for _, got := range []answer{old, modern} {
			if got.Error == nil || got.Error.Code != tt.code {
				t.Errorf("%s is answered with %s, want the error %d", tt.method, got.body, tt.code)
			}
		}
		if old.status != 200 || modern.status != tt.modern {
			t.Errorf("%s is answered with the status %d and, in the modern revision, %d; want 200 and %d", tt.method, old.status, modern.status, tt.modern)
		}
	}
}

// lateWriter fails, and reads what it was given only later, as HTTP/2 may.
type lateWriter struct {
	http.ResponseWriter
	given, was [][]byte
}

func (w *lateWriter) Write(p []byte) (int, error) {
	w.given, w.was = append(w.given, p), append(w.was, bytes.Clone(p))
	return 0, errors.New("the client has left")
}

// The bytes of an answer that could not be written stay as they are.
func TestFailedAnswersAreLeftAlone(t *testing.T) {
	s, _ := newServer(t, DefaultLimits, fakes()...)
	h := open(t, s, local).httpServer
	call := func(w http.ResponseWriter, text string) {
		m, wrong := parse([]byte(strings.TrimSpace(callLine("1", "echo", `{"x":"`+strings.Repeat(text, 100)+`"}`))))
		if wrong != nil {
			t.Fatal(wrong.text)
		}
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		h.serveCall(newSteadyWriter(w, hang), r.WithContext(as("builder")), m)
	}
	late := &lateWriter{ResponseWriter: httptest.NewRecorder()}
	for range 100 {
		call(late, "late")
		call(httptest.NewRecorder(), "next")
	}
	for i, text := range late.given {
		if !bytes.Equal(text, late.was[i]) {
			t.Fatalf("an answer that was not written became %s", text)
		}
	}
}
