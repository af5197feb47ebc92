package server

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// answerResult is the result for an answer's JSON.
func answerResult(text []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(string(text))},
		StructuredContent: json.RawMessage(text),
	}
}

// textContents are the texts of an answer that has its own.
func textContents(answer tools.TextResult) ([]mcp.Content, error) {
	texts, err := answer.ResultText()
	contents := make([]mcp.Content, len(texts))
	for i, text := range texts {
		contents[i] = mcp.NewTextContent(text)
	}
	return contents, err
}

// errorResult is the result for a tool error: text only.
func errorResult(e *tools.Error) *mcp.CallToolResult {
	return mcp.NewToolResultError(e.Text())
}
