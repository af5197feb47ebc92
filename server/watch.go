package server

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// watch counts and logs what is no tool call as one, and bounds it like one: a read of a
// resource, a prompt, a completion, a page. One that panics has failed by a mistake of
// ours; the transport recovers.
func watch[T any](ctx context.Context, m *middleware, c *called, run func(ctx context.Context) (T, error)) (T, error) {
	m.metrics.running.Inc()
	defer m.metrics.running.Dec()
	start := time.Now()
	c.outcome = string(tools.Internal)
	defer func() {
		c.took = time.Since(start)
		m.metrics.called(c)
		c.log(ctx, m.log)
	}()
	answer, err := admit(withCalled(ctx, c), m.admission, run)
	c.outcome = outcomeOf(ctx, err)
	return answer, err
}

// outcomeOf is the word for how what [watch] watches ended: ok, or a code.
func outcomeOf(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return outcomeOK
	case ctx.Err() != nil:
		return outcomeCancelled
	}
	return string(codeOf(err, tools.Internal))
}

// codeOf is the code that an error carries, else that of errors without one.
func codeOf(err error, other tools.Code) tools.Code {
	var told *tools.Error
	var le *ledger.Error
	switch {
	case errors.As(err, &told):
		return told.Code
	case errors.As(err, &le):
		return tools.Code(le.Code)
	}
	return other
}

// watchedRead watches the reads of resources.
func (m *middleware) watchedRead(next mcpserver.ResourceHandlerFunc) mcpserver.ResourceHandlerFunc {
	return func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return watch(ctx, m, aboutResource(req.Params.URI), func(ctx context.Context) ([]mcp.ResourceContents, error) { return next(ctx, req) })
	}
}

// watchedPrompt watches the prompts.
func (m *middleware) watchedPrompt(next mcpserver.PromptHandlerFunc) mcpserver.PromptHandlerFunc {
	return func(ctx context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return watch(ctx, m, aboutPrompt(req.Params.Arguments), func(ctx context.Context) (*mcp.GetPromptResult, error) { return next(ctx, req) })
	}
}

func aboutResource(uri string) *called {
	ref, _ := parseContractURI(uri)
	return &called{tool: methodRead, told: tools.Outcome{ContractID: ref.id}}
}

func aboutPrompt(args map[string]string) *called {
	return &called{tool: methodPrompt, told: tools.Outcome{ContractID: args[argumentContract]}}
}

// notFound says whether a request asked for what is not there, or not for its caller:
// under which label it is counted, and what the log keeps of it.
func notFound(message any, err error) (counted string, c *called) {
	switch req := message.(type) {
	case *mcp.CallToolRequest:
		if errors.Is(err, mcpserver.ErrToolNotFound) {
			return unknownTool, &called{tool: label(req.Params.Name), outcome: outcomeUnknown}
		}
	case *mcp.ReadResourceRequest:
		if errors.Is(err, mcpserver.ErrResourceNotFound) {
			c = aboutResource(req.Params.URI)
			c.outcome = outcomeNowhere
			return methodRead, c
		}
	case *mcp.GetPromptRequest:
		if errors.Is(err, mcpserver.ErrPromptNotFound) {
			c = aboutPrompt(req.Params.Arguments)
			c.outcome = outcomeNoPrompt
			if strings.Contains(req.Params.Name, withoutArgument) {
				c.outcome = string(tools.BadArgument)
			}
			return methodPrompt, c
		}
	}
	return "", nil
}
