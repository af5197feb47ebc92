package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// middleware is what stands around every tool call. Each method wraps the next
// handler; New puts them in order, outermost first.
type middleware struct {
	tools     map[string]*servedTool
	log       *slog.Logger
	metrics   *metrics
	admission *admission
}

// visible leaves the tools that the caller's role may use; without a caller, none.
// The engine asks it for lists and for calls.
func (m *middleware) visible(ctx context.Context, listed []mcp.Tool) []mcp.Tool {
	caller, ok := tools.CallerFrom(ctx)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(listed), func(t mcp.Tool) bool {
		served := m.tools[t.Name]
		return served == nil || !served.tool.Allows(caller.Role)
	})
}

// watched counts a call and writes one line of it: who, what, what was decided, how it
// ended, how long it took. Nothing of the contents: they belong to the caller.
func (m *middleware) watched(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		m.metrics.running.Inc()
		defer m.metrics.running.Dec()
		c := &called{tool: req.Params.Name}
		start := time.Now()
		res, err := next(withCalled(ctx, c), req)
		c.outcome, c.took = outcome(ctx, res, err), time.Since(start)
		m.metrics.called(c)
		c.log(ctx, m.log)
		return res, err
	}
}

// failed counts and logs what the engine answers with an error of the protocol: a tool,
// resource or prompt that is none or is not for the caller, and what the ledger failed on.
func (m *middleware) failed(ctx context.Context, _ any, method mcp.MCPMethod, message any, err error) {
	if counted, c := notFound(message, err); c != nil {
		m.metrics.calls.WithLabelValues(counted, c.outcome).Inc()
		c.log(ctx, m.log)
		return
	}
	m.metrics.ledgerFailed(err)
	var le *ledger.Error
	if errors.As(err, &le) && le.Detail != "" {
		m.log.WarnContext(ctx, "refused", "method", string(method), "code", string(le.Code), "detail", le.Detail)
	}
}

// identified refuses a call of nobody, or of a role that the tool is not for. The
// filter refuses it before; this holds if a transport forgets the caller.
func (m *middleware) identified(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		caller, ok := tools.CallerFrom(ctx)
		if !ok || !m.tools[req.Params.Name].tool.Allows(caller.Role) {
			return nil, errors.New("the caller may not use this tool")
		}
		return next(ctx, req)
	}
}

// validated hands on arguments that the tool's inputSchema allows, as raw bytes.
func (m *middleware) validated(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		raw, err := rawArguments(req)
		if err != nil {
			return nil, err
		}
		args, bad := m.tools[req.Params.Name].input.read(raw)
		if bad != nil {
			return errorResult(bad), nil
		}
		req.Params.RawArguments = args
		return next(ctx, req)
	}
}

// rawArguments are the bytes as sent; an in-process client may give a value instead.
func rawArguments(req mcp.CallToolRequest) (json.RawMessage, error) {
	if len(req.Params.RawArguments) > 0 || req.Params.Arguments == nil {
		return req.Params.RawArguments, nil
	}
	return json.Marshal(req.Params.Arguments)
}

// reporting lets a call report its progress to a client that asked for it.
func (m *middleware) reporting(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.Meta != nil && req.Params.Meta.ProgressToken != nil {
			ctx = tools.WithProgress(ctx, reporter(ctx, req.Params.Meta.ProgressToken))
		}
		return next(ctx, req)
	}
}

// checked holds an answer to the tool's outputSchema: a client that trusts the
// schema must not get anything else.
func (m *middleware) checked(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := next(ctx, req)
		if err != nil || res.IsError {
			return res, err
		}
		if err := m.tools[req.Params.Name].checkAnswer(res); err != nil {
			return m.internal(ctx, req, err), nil
		}
		return res, nil
	}
}

// recovered turns a panic and every other failure of a handler into a tool error.
// What happened goes to the log alone: it may tell of files and inputs.
func (m *middleware) recovered(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				res, err = m.internal(ctx, req, fmt.Errorf("panic: %v\n%s", p, debug.Stack())), nil
			}
		}()
		res, err = next(ctx, req)
		var told *tools.Error
		switch {
		case err == nil:
			return res, nil
		case errors.As(err, &told):
			m.metrics.ledgerFailed(err)
			if told.Detail != "" {
				m.log.WarnContext(ctx, "refused", "tool", req.Params.Name, "code", told.Code, "detail", told.Detail)
			}
			return errorResult(told), nil
		case ctx.Err() != nil:
			return errorResult(&tools.Error{Code: tools.Internal, Message: "the call was cancelled", Hint: "call again if the answer is still wanted"}), nil
		}
		return m.internal(ctx, req, err), nil
	}
}

func (m *middleware) internal(ctx context.Context, req mcp.CallToolRequest, err error) *mcp.CallToolResult {
	m.log.ErrorContext(ctx, "internal error", "tool", req.Params.Name, "error", err)
	return errorResult(&tools.Error{Code: tools.Internal, Message: "the server failed on this call; it is not the arguments' fault",
		Hint: "try once more; if it fails again, report it with the server's log"})
}
