package server

import (
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// exchanges send one message by each transport, and give all that comes back before the
// server has stopped.
var exchanges = map[string]func(t *testing.T, s *Server, message string) string{
	"stdio": func(t *testing.T, s *Server, message string) string {
		return strings.Join(talk(t, s, message), "\n")
	},
	"streamable HTTP": func(t *testing.T, s *Server, message string) string {
		return open(t, s, local).post(message).body
	},
	"SSE": func(t *testing.T, s *Server, message string) string {
		web := open(t, s, local)
		l := web.listen()
		l.accepted(message)
		web.signal()
		var all []string
		for e := l.next(); e != (event{}); e = l.next() {
			all = append(all, e.data)
		}
		return strings.Join(all, "\n")
	},
}

// A message without an id does nothing and is not answered, by whatever transport it comes.
func TestNotificationsDoNothing(t *testing.T) {
	text := loopContract(t, 1, `["under","over"]`)
	report := `"name":"check_done","arguments":{"contract_id":"shop/refunds","record":true,"submission":"d","report":` + loopReport(t, text) + `}`
	for name, params := range map[string]string{
		"a plain call":         `{` + report + `}`,
		"a call with progress": `{"_meta":{"progressToken":"p"},` + report + `}`,
		"a modern call":        `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},` + report + `}`,
	} {
		for transport, exchange := range exchanges {
			t.Run(name+", "+transport, func(t *testing.T) {
				s, _ := team(t, "json")
				call(t, s, as(tools.Owner), "register_contract", `{"record":true,"contract":`+text+`}`)
				if got := exchange(t, s, `{"jsonrpc":"2.0","method":"tools/call","params":`+params+`}`); got != "" {
					t.Errorf("it is answered with %s", got)
				}
				if events := exported(t, s); events != 1 {
					t.Errorf("afterwards the ledger has %d events, want the revision alone", events)
				}
			})
		}
	}
}
