package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// The outcomes of calls that are no code of a tool error.
const (
	outcomeOK        = "ok"
	outcomeCancelled = "CANCELLED"
	outcomeProtocol  = "PROTOCOL_ERROR"
	outcomeUnknown   = "UNKNOWN_TOOL"
	outcomeNowhere   = "UNKNOWN_RESOURCE"
	outcomeNoPrompt  = "UNKNOWN_PROMPT"
)

// unknownTool stands in metrics for every name of a tool that is none.
const unknownTool = "unknown"

// The methods that are counted and logged as calls are, under the method in place of a
// tool: they show contracts, too.
const (
	methodRead     = string(mcp.MethodResourcesRead)
	methodPrompt   = string(mcp.MethodPromptsGet)
	methodComplete = string(mcp.MethodCompletionComplete)
)

var watchedMethods = []string{methodRead, methodPrompt, methodComplete}

// called is what the log and the metrics keep of one call.
type called struct {
	tool    string        // or the method, of [watchedMethods], or [methodPage]
	told    tools.Outcome // what the answer tells; of an error, the contract it asked for
	outcome string
	took    time.Duration
}

type calledKey struct{}

// withCalled gives a context in which the handler finds the call's record.
func withCalled(ctx context.Context, c *called) context.Context {
	return context.WithValue(ctx, calledKey{}, c)
}

// tell keeps what an answer tells of its call.
func tell(ctx context.Context, answer any) {
	c, _ := ctx.Value(calledKey{}).(*called)
	if told, ok := answer.(tools.Told); ok && c != nil {
		c.told = told.Outcome()
	}
}

// tellAsked keeps which contract a call that failed was about.
func tellAsked(ctx context.Context, args json.RawMessage) {
	c, _ := ctx.Value(calledKey{}).(*called)
	var asked struct {
		ContractID string `json:"contract_id"`
	}
	if c != nil && json.Unmarshal(args, &asked) == nil {
		c.told.ContractID = asked.ContractID
	}
}

// log writes the call's line.
func (c *called) log(ctx context.Context, log *slog.Logger) {
	caller, _ := tools.CallerFrom(ctx)
	attrs := make([]slog.Attr, 0, 8)
	for _, a := range [...]struct{ key, value string }{
		{"who", label(caller.Name)}, {"role", string(caller.Role)}, {"tool", c.tool}, {"contract", label(c.told.ContractID)},
		{"verdict", c.told.Verdict}, {"recorded", string(c.told.Recorded)}, {"outcome", c.outcome},
	} {
		if a.value != "" {
			attrs = append(attrs, slog.String(a.key, a.value))
		}
	}
	log.LogAttrs(ctx, slog.LevelInfo, "call", append(attrs, slog.Float64("duration_ms", float64(c.took.Microseconds())/1000))...)
}

// outcome is the word for how a call ended: ok, or a code. All words are of a fixed
// set: they are a label of the metrics.
func outcome(ctx context.Context, res *mcp.CallToolResult, err error) string {
	switch {
	case err != nil || res == nil:
		return outcomeProtocol
	case !res.IsError:
		return outcomeOK
	case ctx.Err() != nil:
		return outcomeCancelled
	}
	var said struct {
		Code tools.Code `json:"code"`
	}
	if text, ok := mcp.AsTextContent(res.Content[0]); ok && json.Unmarshal([]byte(text.Text), &said) == nil && slices.Contains(tools.Codes(), said.Code) {
		return string(said.Code)
	}
	return string(tools.Internal)
}
