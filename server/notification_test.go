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

// A message with an id is a request, also where its method is one of notifications: it is
// answered, and nothing is done.
func TestNotificationsWithAnIDAreAnswered(t *testing.T) {
	for _, method := range []string{"initialized", "cancelled", "progress", "message", "roots/list_changed", "unheard"} {
		for transport, exchange := range exchanges {
			t.Run(method+", "+transport, func(t *testing.T) {
				s, _ := newServer(t, DefaultLimits)
				got := exchange(t, s, `{"jsonrpc":"2.0","id":7,"method":"notifications/`+method+`","params":{"requestId":7}}`)
				if !strings.Contains(got, `"id":7,"error":{"code":-32601`) {
					t.Errorf("it is answered with %q, want that there is no such method", got)
				}
			})
		}
	}
	b := newBlocker()
	s, _ := newServer(t, DefaultLimits, fake("block", b.run))
	l := open(t, s, local).listen()
	l.accepted(callLine("1", "block", "{}"))
	receive(t, b.started, "the start of the call")
	l.accepted(`{"jsonrpc":"2.0","id":2,"method":"notifications/cancelled","params":{"requestId":1}}`)
	if e := l.next(); !strings.Contains(e.data, `"id":2,"error"`) {
		t.Errorf("a cancel with an id gives %+v", e)
	}
	close(b.release)
	if e := l.next(); !strings.Contains(e.data, `"said":"released"`) {
		t.Errorf("the call that it names gives %+v, want its result", e)
	}
}
