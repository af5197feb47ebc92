package server

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/tools"
)

// direct answers a plain call as the engine would, which would decode the message four
// times more. It leaves to the engine what that refuses: then ok is false.
func (s *Server) direct(ctx context.Context, c *plainCall) (reply mcp.JSONRPCMessage, ok bool) {
	if c == nil {
		return nil, false
	}
	served := s.tools[c.name]
	caller, known := tools.CallerFrom(ctx)
	if served == nil || !known || !served.tool.Allows(caller.Role) || mayOverflow(c.arguments) {
		return nil, false
	}
	req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: c.name, RawArguments: c.arguments}}
	res, err := served.run(ctx, req)
	if err != nil {
		return internalError.reply(), true
	}
	return mcp.NewJSONRPCResultResponse(mcp.RequestId{}, res), true
}

// wrap puts the middlewares around a handler, the first one outermost.
func wrap(handler mcpserver.ToolHandlerFunc, around []mcpserver.ToolHandlerMiddleware) mcpserver.ToolHandlerFunc {
	for _, next := range slices.Backward(around) {
		handler = next(handler)
	}
	return handler
}

// maxDigits is less than a number beyond a double has without an exponent.
const maxDigits = 300

// mayOverflow says whether a JSON text may have a number beyond a double, which the engine
// does not read: one with an exponent or with very many digits.
func mayOverflow(text json.RawMessage) bool {
	digits, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case '0' <= c && c <= '9':
			if digits++; digits > maxDigits {
				return true
			}
			continue
		case digits > 0 && (c == 'e' || c == 'E'):
			return true
		}
		digits = 0
	}
	return false
}
