package openapi

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// version is what the root says of the specification followed.
type version struct {
	text    string
	swagger bool // 2.0
}

const expected = "an OpenAPI description has `openapi: 3.x` or `swagger: \"2.0\"` at its root"

// findVersion finds the version by the root's keys alone.
func findVersion(tree *node.Tree) (version, error) {
	if !node.IsMap(tree.Root) {
		return version{}, rootError(tree.Root, "the root of the document is "+node.TypeName(tree.Root)+", not an object", expected)
	}
	if v := tree.Get(tree.Root, "openapi"); v != nil {
		if s, _ := node.String(v); isMajor(s, "3") {
			return version{text: s}, nil
		}
	}
	if v := tree.Get(tree.Root, "swagger"); v != nil {
		if s, _ := node.String(v); isMajor(s, "2") {
			return version{text: s, swagger: true}, nil
		}
	}
	for _, key := range []string{"openapi", "swagger"} {
		if v := tree.Get(tree.Root, key); v != nil {
			s, _ := node.String(v)
			return version{}, rootError(v, fmt.Sprintf("%s: %q is not a version that can be read", key, s), expected)
		}
	}
	return version{}, noVersion(tree)
}

func isMajor(version, major string) bool {
	return version == major || strings.HasPrefix(version, major+".")
}

// noVersion says what the document looks like instead.
func noVersion(tree *node.Tree) error {
	for _, o := range surface.Others {
		if k, _ := tree.Lookup(tree.Root, o.Key); k != nil {
			return rootError(k, "this is not an OpenAPI description but "+o.What, o.Hint)
		}
	}
	hint := expected
	for _, other := range []struct{ key, hint string }{
		{"tools", mcpHint}, {"jsonrpc", mcpHint}, {"result", mcpHint},
		{"asyncapi", "AsyncAPI is not read; " + expected},
		{"$schema", "this looks like a JSON Schema; " + expected},
	} {
		if tree.Get(tree.Root, other.key) != nil {
			hint = other.hint
			break
		}
	}
	return rootError(tree.Root, "this is not an OpenAPI description: its root has neither openapi nor swagger", hint)
}

const mcpHint = "this looks like an MCP tool list; scan it with `plumbline scan mcp FILE` or scan_mcp_tools"

func rootError(n *yaml.Node, message, hint string) error {
	e := &surface.ReadError{Message: message, Hint: hint}
	if n != nil {
		e.Line, e.Column = n.Line, n.Column
	}
	return e
}

// rejectList refuses a JSON list before it is parsed: no OpenAPI description is
// one, and the parser is slow on them.
func rejectList(data []byte) error {
	begin := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if !bytes.HasPrefix(begin, []byte("[")) {
		return nil
	}
	hint := expected
	if rest := bytes.TrimLeft(begin[1:], " \t\r\n"); bytes.HasPrefix(rest, []byte("{")) {
		hint = mcpHint
	}
	return &surface.ReadError{Message: "the root of the document is a list, not an object", Hint: hint}
}
