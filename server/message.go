package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// message is one message from a client, as far as a transport looks into it. The
// engine reads the text itself.
type message struct {
	text   []byte
	id     json.RawMessage // as sent; nil for a notification
	method string          // empty for an answer to a request of ours
	// cancels is the id that a notifications/cancelled names.
	cancels json.RawMessage
	// call is a tools/call by nothing but a tool's name and arguments; nil for others.
	call *plainCall
}

// plainCall is what a client calls by name and arguments alone.
type plainCall struct {
	name      string
	arguments json.RawMessage // as sent; nil for none
}

// fault is a JSON-RPC error of a transport's own. Its id is nil (null on the wire)
// where the message's could not be found out.
type fault struct {
	id   json.RawMessage
	code int
	text string
}

// The faults that are not about a message's form.
var (
	tooLarge = &fault{code: mcp.INVALID_REQUEST, text: "message too large: give a large document as a path, not as text"}
	// noSubscriptions answers a stream of changes: nothing here tells of any.
	noSubscriptions = &fault{code: mcp.METHOD_NOT_FOUND, text: "there is nothing to subscribe to on this server"}
	internalError   = &fault{code: mcp.INTERNAL_ERROR, text: "internal error"}
	cancelled       = &fault{code: mcp.INTERNAL_ERROR, text: "the call was cancelled before it began: call again if the answer is still wanted"}
)

// The methods that transports treat apart. Initialize and ping are answered before
// the next message is looked at: they are quick, and the next may rely on them.
const (
	methodCall       = string(mcp.MethodToolsCall)
	methodCancelled  = string(mcp.MethodNotificationCancelled)
	methodListen     = string(mcp.MethodSubscriptionsListen)
	methodInitialize = string(mcp.MethodInitialize)
	methodPing       = string(mcp.MethodPing)
)

type envelope struct {
	JSONRPC member          `json:"jsonrpc"`
	ID      member          `json:"id"`
	Method  member          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
	Params  member          `json:"params"`
}

// params are what a transport reads of a message's parameters.
type params struct {
	Meta      json.RawMessage `json:"_meta"`
	RequestID json.RawMessage `json:"requestId"`
	Name      member          `json:"name"`
	Arguments member          `json:"arguments"`
	// The rest of what the engine reads of a call.
	Task           json.RawMessage `json:"task"`
	InputResponses json.RawMessage `json:"inputResponses"`
	RequestState   json.RawMessage `json:"requestState"`
}

// member is a member of an object, the last of those with its name, and how many there
// are. Who reads one of several takes another message for the same: of a message and of a
// call two are refused.
type member struct {
	text  json.RawMessage
	times int
}

// UnmarshalJSON takes the text of one more.
func (m *member) UnmarshalJSON(text []byte) error {
	m.times++
	m.text = bytes.Clone(text)
	return nil
}

// parse looks into the text of a message, which is trimmed and not empty.
func parse(text []byte) (message, *fault) {
	if tooDeep(text) {
		return message{}, &fault{code: mcp.PARSE_ERROR, text: "parse error: the message is nested too deep"}
	}
	var e envelope
	if err := json.Unmarshal(text, &e); err != nil {
		return message{}, notAnObject(text, err)
	}
	id := e.ID.text
	if e.Method.text == nil && (e.Result != nil || e.Error != nil) {
		return message{}, nil
	}
	if id != nil && !validID(id) {
		return message{}, &fault{code: mcp.INVALID_REQUEST, text: "an id is a string or a number"}
	}
	if !utf8.Valid(text) {
		return message{}, &fault{id: printable(id), code: mcp.PARSE_ERROR, text: "parse error: the message is not valid UTF-8"}
	}
	if e.ID.times > 1 {
		return message{}, &fault{code: mcp.INVALID_REQUEST, text: "the message has two ids: give one"}
	}
	if e.JSONRPC.times > 1 || e.Method.times > 1 || e.Params.times > 1 {
		return message{}, &fault{id: id, code: mcp.INVALID_REQUEST, text: "the message has a member twice: give each once"}
	}
	if textOf(e.JSONRPC.text) != mcp.JSONRPC_VERSION {
		return message{}, &fault{id: id, code: mcp.INVALID_REQUEST, text: `the message is not JSON-RPC 2.0: it needs "jsonrpc":"2.0"`}
	}
	m := message{text: text, id: id}
	if e.Result != nil || e.Error != nil {
		return message{}, &fault{id: id, code: mcp.INVALID_REQUEST, text: "a message is a request or an answer, not both"}
	}
	if m.method = textOf(e.Method.text); m.method == "" {
		return message{}, &fault{id: id, code: mcp.INVALID_REQUEST, text: "the message has no method, or one that is not a string"}
	}
	if m.method != methodCall && m.method != methodCancelled {
		return m, nil
	}
	var p params
	err := json.Unmarshal(e.Params.text, &p)
	if !p.tellsExactly() {
		return message{}, &fault{id: id, code: mcp.INVALID_REQUEST, text: "a progressToken is a string, or a whole number up to 2^53"}
	}
	if p.Name.times > 1 || p.Arguments.times > 1 {
		return message{}, &fault{id: id, code: mcp.INVALID_REQUEST, text: "the parameters have a member twice: give each once"}
	}
	m.cancels = p.RequestID
	if m.method == methodCall && err == nil {
		m.call = p.plainCall()
	}
	return m, nil
}

// tooDeep says whether arrays and objects are nested deeper than decoding them is
// worth. It counts without checking that the text is JSON.
func tooDeep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// notAnObject says why a text could not be decoded.
func notAnObject(text []byte, err error) *fault {
	var wrongType *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrongType):
		return &fault{code: mcp.PARSE_ERROR, text: "parse error: the message is not valid JSON"}
	case text[0] == '[':
		return &fault{code: mcp.INVALID_REQUEST, text: "batches are not supported: send one message at a time"}
	}
	return &fault{code: mcp.INVALID_REQUEST, text: "a message is a JSON object"}
}

// validID knows the two types of MCP's request ids: nobody can match an answer to
// a null one.
func validID(id json.RawMessage) bool {
	kind := kindOf(id)
	return kind == "string" || kind == "number"
}

// printable drops an id that cannot be echoed.
func printable(id json.RawMessage) json.RawMessage {
	if utf8.Valid(id) {
		return id
	}
	return nil
}

// textOf is the text of a JSON string as the engine reads it, empty for any other value.
func textOf(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// plainCall is the call that the parameters make by name and arguments alone, else nil.
func (p params) plainCall() *plainCall {
	name := textOf(p.Name.text)
	if name == "" || p.Meta != nil || p.Task != nil || p.InputResponses != nil || p.RequestState != nil {
		return nil
	}
	return &plainCall{name: name, arguments: p.Arguments.text}
}

// tellsExactly says whether progress can be told under the token in the parameters' _meta.
func (p params) tellsExactly() bool {
	var meta struct {
		Token json.RawMessage `json:"progressToken"`
	}
	if p.Meta == nil || json.Unmarshal(p.Meta, &meta) != nil || meta.Token == nil {
		return true
	}
	return kindOf(meta.Token) == "null" || validID(meta.Token) && exactID(meta.Token)
}

// key makes ids comparable: two spellings of a string are one id, the number 1 and
// the string "1" are two.
func key(id json.RawMessage) string {
	if text, ok := unquote(id); ok {
		return "s" + text
	}
	return "n" + string(id)
}

// reply makes a fault a message; its id is set when it is sent.
func (f *fault) reply() mcp.JSONRPCMessage {
	return mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, Error: mcp.NewJSONRPCErrorDetails(f.code, f.text, nil)}
}

// withID gives an answer the id exactly as it was sent: the engine reads ids as
// float64, which rounds large ones.
func withID(reply mcp.JSONRPCMessage, id json.RawMessage) mcp.JSONRPCMessage {
	exact := mcp.NewRequestId(nil)
	if id != nil {
		exact = mcp.NewRequestId(id)
	}
	switch r := reply.(type) {
	case mcp.JSONRPCResponse:
		r.ID = exact
		return r
	case mcp.JSONRPCError:
		r.ID = exact
		return r
	}
	return reply
}
