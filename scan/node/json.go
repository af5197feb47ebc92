package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// Limits of [DecodeJSON]. They bound the tree's memory: a node takes about 200
// bytes, so the largest tree stays below a quarter of a gigabyte.
const (
	maxJSONBytes  = 64 << 20  // bytes of one document
	maxJSONDepth  = 1_000     // arrays and objects inside each other
	maxJSONValues = 1_000_000 // keys and values together
)

// slabNodes is how many nodes are allocated at once, and how often, in nodes, a
// cancelled context is noticed.
const slabNodes = 256

// DecodeJSON decodes a document of JSON values that follow each other, with or
// without white space between them (one value, JSON lines, pages), into one tree a
// value. Every key and value carries its 1-based line and column, columns counting
// characters. Trees have the shape the YAML parser gives: tags !!map, !!seq, !!str,
// !!int, !!float, !!bool and !!null, keys and values in turns. Duplicate keys are
// both kept, numbers keep their spelling, an unpaired surrogate escape becomes
// U+FFFD. A byte order mark is dropped; a document of white space has no value.
//
// Errors are *[surface.ReadError]s (not UTF-8, not JSON, over a limit), or the
// context's.
func DecodeJSON(ctx context.Context, data []byte) ([]*yaml.Node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkText(data); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	r := &jsonReader{ctx: ctx, dec: dec, data: data, at: jsonPlace{line: 1, column: 1}}
	var values []*yaml.Node
	for {
		start := r.at.offset
		v, err := r.value(0)
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return nil, explain(err, data, start)
		}
		values = append(values, v)
	}
}

// checkText refuses what cannot be a JSON text whatever stands in it.
func checkText(data []byte) error {
	if len(data) > maxJSONBytes {
		return &surface.ReadError{
			Message: fmt.Sprintf("the document has %d bytes, more than the limit of %d", len(data), maxJSONBytes),
			Hint:    "split it, or leave out what is not needed",
		}
	}
	return CheckUTF8(data)
}

// jsonReader builds trees from a decoder's tokens.
type jsonReader struct {
	ctx   context.Context
	dec   *json.Decoder
	data  []byte
	at    jsonPlace // behind the last token
	nodes int
	slab  []yaml.Node
}

// token gives the next token and the place it begins at: the decoder tells only
// where a token ends, so what separates tokens is skipped here.
func (r *jsonReader) token() (json.Token, jsonPlace, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, jsonPlace{}, err
	}
	from := r.at.offset
	begin := from
	for strings.IndexByte(" \t\r\n,:", r.data[begin]) >= 0 {
		begin++
	}
	start := r.at.forward(r.data[from:begin])
	r.at = start.forward(r.data[begin:r.dec.InputOffset()])
	return tok, start, nil
}

// value reads one value at a nesting depth, 0 at the root. At the end of the
// document it fails with io.EOF.
func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	tok, start, err := r.token()
	if err != nil {
		return nil, err
	}
	return r.tree(tok, start, depth)
}

// tree reads the rest of the value that begins with tok.
func (r *jsonReader) tree(tok json.Token, start jsonPlace, depth int) (*yaml.Node, error) {
	delim, nested := tok.(json.Delim)
	if !nested {
		kind, text := scalar(tok)
		return r.node(start, yaml.ScalarNode, kind, text)
	}
	if depth >= maxJSONDepth {
		return nil, limitError(start, fmt.Sprintf("nested deeper than %d levels", maxJSONDepth))
	}
	kind, tag := yaml.MappingNode, "!!map"
	if delim == '[' {
		kind, tag = yaml.SequenceNode, "!!seq"
	}
	n, err := r.node(start, kind, tag, "")
	if err != nil {
		return nil, err
	}
	for {
		tok, start, err := r.token()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		if d, ok := tok.(json.Delim); ok && (d == ']' || d == '}') {
			return n, nil
		}
		// An object's keys come as string tokens, in turns with its values.
		child, err := r.tree(tok, start, depth+1)
		if err != nil {
			return nil, err
		}
		if kind == yaml.MappingNode && len(n.Content)%2 == 0 {
			if err := CheckKey(child); err != nil {
				return nil, err
			}
		}
		n.Content = append(n.Content, child)
	}
}

// node makes one node, within the limits.
func (r *jsonReader) node(start jsonPlace, kind yaml.Kind, tag, value string) (*yaml.Node, error) {
	if r.nodes == maxJSONValues {
		return nil, limitError(start, fmt.Sprintf("more than %d keys and values", maxJSONValues))
	}
	if len(r.slab) == 0 {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		r.slab = make([]yaml.Node, slabNodes)
	}
	n := &r.slab[0]
	r.slab = r.slab[1:]
	r.nodes++
	n.Kind, n.Tag, n.Value, n.Line, n.Column = kind, tag, value, start.line, start.column
	if tag == "!!str" {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n, nil
}

// scalar gives a token's tag and text.
func scalar(tok json.Token) (tag, text string) {
	switch v := tok.(type) {
	case string:
		return "!!str", v
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "!!float", string(v)
		}
		return "!!int", string(v)
	case bool:
		return "!!bool", fmt.Sprint(v)
	default:
		return "!!null", "null"
	}
}

func limitError(at jsonPlace, message string) error {
	return &surface.ReadError{
		Message: message,
		Hint:    "no document for agents needs that; split it, or leave out what is not needed",
		Line:    at.line, Column: at.column,
	}
}

// explain turns a decoder's error into a ReadError. The value that holds the error
// begins at start: it is scanned again, because a decoder of tokens counts the
// offset of an error wrongly.
func explain(err error, data []byte, start int) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if again := SyntaxError(data, start); again != nil {
		return again
	}
	line, column := LineColumn(data, len(data))
	return &surface.ReadError{Message: "not valid JSON: " + err.Error(), Hint: jsonHints[len(jsonHints)-1].hint, Line: line, Column: column}
}
