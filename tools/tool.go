package tools

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// Handler runs a tool on its arguments: the bytes as sent, after they were found
// valid by the tool's input schema. The answer is encoded by [Encode]. An error
// for the agent is an *[Error]; any other is a fault of the server.
type Handler func(ctx context.Context, args json.RawMessage) (answer any, err error)

// TextResult is an answer whose text is not its JSON. It says the same.
type TextResult interface {
	// ResultText gives the texts of the result's content, in order.
	ResultText() ([]string, error)
}

// Kept is an answer that is given to several calls, and that nobody changes.
type Kept interface {
	// Keep gives what make gave when it was called first for this answer.
	Keep(make func() (any, error)) (any, error)
}

// Tool is one MCP tool: what is listed, who may call it, and what runs.
type Tool struct {
	Definition mcp.Tool
	Roles      []Role
	// Texts names, for an argument that a host may send as a JSON object, the text
	// argument that takes the object's bytes in its place.
	Texts map[string]string
	// Scans says that a call may keep a processor busy for seconds.
	Scans bool
	Run   Handler
}

// Allows says whether a role may see and call the tool.
func (t Tool) Allows(r Role) bool { return slices.Contains(t.Roles, r) }

// define puts a definition together. The schemas are JSON text; hints are set in
// full, since a missing one means the worst.
func define(name, title, description, input, output string, hints mcp.ToolAnnotation) mcp.Tool {
	tool := mcp.NewToolWithRawSchema(name, description, json.RawMessage(input))
	tool.Title = title
	tool.RawOutputSchema = json.RawMessage(output)
	tool.Annotations = hints
	return tool
}

// readsOnly are the hints of a tool that changes nothing and reaches nothing
// beyond the roots.
func readsOnly() mcp.ToolAnnotation {
	return mcp.ToolAnnotation{
		ReadOnlyHint:    mcp.ToBoolPtr(true),
		DestructiveHint: mcp.ToBoolPtr(false),
		IdempotentHint:  mcp.ToBoolPtr(true),
		OpenWorldHint:   mcp.ToBoolPtr(false),
	}
}

// typed makes a Handler of a function on the tool's own input type.
func typed[In, Out any](run func(context.Context, In) (Out, error)) Handler {
	return func(ctx context.Context, args json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, &Error{Code: BadArgument, Message: "the arguments do not fit the tool's inputSchema", Hint: err.Error()}
		}
		return run(ctx, in)
	}
}
