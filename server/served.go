package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/plumbline-mcp/plumbline/tools"
)

// servedTool is a tool with its compiled schemas.
type servedTool struct {
	tool   tools.Tool
	input  arguments
	output *jsonschema.Schema
	// run is the handler with what stands around every call.
	run mcpserver.ToolHandlerFunc
}

func newServedTool(t tools.Tool) (*servedTool, error) {
	input, err := compile("inputSchema", t.Definition.RawInputSchema)
	if err != nil {
		return nil, err
	}
	output, err := compile("outputSchema", t.Definition.RawOutputSchema)
	if err != nil {
		return nil, err
	}
	return &servedTool{tool: t, input: arguments{schema: input, texts: t.Texts}, output: output}, nil
}

// compile compiles a schema as MCP means it: draft 2020-12, here with formats
// asserted.
func compile(name string, schema json.RawMessage) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.ExtractAnnotations = true // descriptions, for errors
	// An absolute name: a relative one is looked up in the working directory, which
	// may be gone.
	uri := "plumbline:///" + name
	if err := c.AddResource(uri, bytes.NewReader(schema)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	compiled, err := c.Compile(uri)
	if err == nil {
		err = checkKeywords(schema)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return compiled, nil
}

// checkAnswer holds a result to the outputSchema.
func (t *servedTool) checkAnswer(res *mcp.CallToolResult) error {
	answer, ok := res.StructuredContent.(*encoded)
	if !ok {
		return errors.New("the answer has no structured content")
	}
	answer.check.Do(func() { answer.fault = check(t.output, answer.structure) })
	if answer.fault != nil {
		return fmt.Errorf("the answer does not fit the outputSchema: %w", answer.fault)
	}
	return nil
}
