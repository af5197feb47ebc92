package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/plumbline-mcp/plumbline/tools"
)

// encoded is an answer's JSON as a result's structured content, with the whole result's
// beside it: encoding that again takes longer than most calls.
type encoded struct {
	structure json.RawMessage
	contents  []mcp.Content
	// result is as clients before revision 2026-07-28 get it; for others the engine adds
	// to it.
	result []byte

	check sync.Once
	fault error // that the check found
}

// MarshalJSON gives the answer's JSON.
func (e *encoded) MarshalJSON() ([]byte, error) { return e.structure, nil }

// answerResult is the result for an answer. One that is kept is encoded once.
func answerResult(answer any) (*mcp.CallToolResult, error) {
	var made any
	var err error
	if kept, ok := answer.(tools.Kept); ok {
		made, err = kept.Keep(func() (any, error) { return encodeAnswer(answer) })
	} else {
		made, err = encodeAnswer(answer)
	}
	if err != nil {
		return nil, err
	}
	e, ok := made.(*encoded)
	if !ok {
		return nil, errors.New("the answer could not be encoded before")
	}
	return &mcp.CallToolResult{Content: e.contents, StructuredContent: e}, nil
}

// encodeAnswer encodes an answer: its JSON as structure, and as text too, since many
// hosts forward only one of the two, unless the answer has texts of its own.
func encodeAnswer(answer any) (*encoded, error) {
	structure, err := tools.Encode(answer)
	if err != nil {
		return nil, err
	}
	texts := []string{string(structure)}
	if own, ok := answer.(tools.TextResult); ok {
		if texts, err = own.ResultText(); err != nil {
			return nil, err
		}
	}
	e := &encoded{structure: structure, contents: make([]mcp.Content, len(texts))}
	for i, text := range texts {
		e.contents[i] = mcp.NewTextContent(text)
	}
	e.result, err = encodeResult(e.contents, structure)
	return e, err
}

func encodeResult(contents []mcp.Content, structure json.RawMessage) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(3 * len(structure))
	text.WriteString(`{"content":`)
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(contents); err != nil {
		return nil, err
	}
	text.Truncate(text.Len() - 1) // the encoder's newline
	text.WriteString(`,"structuredContent":`)
	text.Write(structure)
	text.WriteByte('}')
	return text.Bytes(), nil
}

// errorResult is the result for a tool error: text only.
func errorResult(e *tools.Error) *mcp.CallToolResult {
	return mcp.NewToolResultError(e.Text())
}

// appendReply appends an answer of the engine as a line of output, with the id as it was
// sent.
func appendReply(line []byte, reply mcp.JSONRPCMessage, id json.RawMessage) ([]byte, error) {
	if response, ok := reply.(mcp.JSONRPCResponse); ok && id != nil {
		if result, ok := encodedResult(response.Result); ok {
			const begin, middle, end = `{"jsonrpc":"2.0","id":`, `,"result":`, "}\n"
			line = slices.Grow(line, len(begin)+len(id)+len(middle)+len(result)+len(end))
			line = append(append(line, begin...), id...)
			line = append(append(line, middle...), result...)
			return append(line, end...), nil
		}
	}
	text, err := encodeLine(withID(reply, id))
	return append(line, text...), err
}

// encodedResult gives a result's JSON where it was encoded before, and the engine added
// nothing.
func encodedResult(result any) ([]byte, bool) {
	res, ok := result.(*mcp.CallToolResult)
	if !ok || res.ResultType != "" || res.Meta != nil {
		return nil, false
	}
	e, ok := res.StructuredContent.(*encoded)
	if !ok {
		return nil, false
	}
	return e.result, true
}
