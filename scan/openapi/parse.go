package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel"

	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// parse reads bytes into a tree without aliases and merge keys. file is written
// into positions, name only tells JSON from YAML where the bytes do not.
func parse(file, name string, data []byte) (*node.Tree, []surface.Note, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkText(data); err != nil {
		return nil, nil, err
	}
	begin := bytes.TrimLeft(data, " \t\r\n")
	if begin[0] == '{' {
		doc, err := parseJSON(data)
		if err == nil {
			notes, err := duplicates(file, doc)
			return node.New(file, doc), notes, err
		}
		if !errors.Is(err, errNotJSON) {
			return nil, nil, err
		}
		if isNamedJSON(name) || len(data) > maxFlowYAML {
			return nil, nil, syntaxError(data)
		}
	}
	doc, err := parseYAML(data)
	if err != nil && begin[0] == '{' {
		err = syntaxError(data) // a brace means JSON to most
	}
	if err != nil {
		return nil, nil, err
	}
	notes, err := duplicates(file, doc)
	if err != nil {
		return nil, nil, err
	}
	if line := secondDocument(data); line > 0 {
		notes = append(notes, surface.Note{
			Text: "another YAML document begins here; only the first was read; scan the others as files of their own",
			Pos:  surface.Position{File: file, Line: line, Column: 1},
		})
	}
	if !node.Expand(doc) {
		return nil, nil, &surface.ReadError{
			Message: fmt.Sprintf("the merge keys (<<) of the document copy more than %d members", node.MaxMerged),
			Hint:    "write the members where they belong, or use $ref",
		}
	}
	return node.New(file, doc), notes, nil
}

// checkText refuses what is no text at all, before anything is parsed.
func checkText(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return &surface.ReadError{Message: "the document is empty", Hint: "give an OpenAPI description in JSON or YAML"}
	}
	if len(data) > maxJSONBytes {
		return tooLarge(len(data), maxJSONBytes, "bytes")
	}
	if bytes.IndexByte(data[:min(len(data), 1<<20)], 0) >= 0 {
		return &surface.ReadError{Message: "the document is binary, not text", Hint: "give an OpenAPI description in JSON or YAML, unpacked and in UTF-8"}
	}
	return node.CheckUTF8(data)
}

func tooLarge(has, limit int, what string) error {
	return &surface.ReadError{
		Message: fmt.Sprintf("the document has %d %s, more than the limit of %d", has, what, limit),
		Hint:    "split it, or leave out what is not needed",
	}
}

func tooDeep(line, column int) error {
	return &surface.ReadError{
		Message: fmt.Sprintf("objects and lists are nested more than %d deep", maxJSONDepth),
		Hint:    "flatten the document", Line: line, Column: column,
	}
}

func isNamedJSON(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".json") }

// parseJSON reads JSON; its error is errNotJSON for what is none.
func parseJSON(data []byte) (*yaml.Node, error) {
	text, err := normalize(data)
	if err != nil {
		return nil, err
	}
	doc, err := parseNodes(text.data)
	if err != nil {
		return nil, err
	}
	text.correct(doc)
	return doc, nil
}

// syntaxError says where JSON is broken.
func syntaxError(data []byte) error {
	if err := node.SyntaxError(data, 0); err != nil {
		return err
	}
	return &surface.ReadError{Message: "the document is not valid JSON", Hint: "write it with a JSON encoder"}
}

// parseYAML reads a document in YAML, if it is small enough.
func parseYAML(data []byte) (*yaml.Node, error) {
	if len(data) > maxYAMLBytes {
		return nil, tooLarge(len(data), maxYAMLBytes, "bytes of YAML")
	}
	flow, all := 0, 0
	for _, c := range data {
		switch c {
		case ',', '[', '{':
			flow++
			all++
		case '\n', ':', '-', '?', '&', '*', '!':
			all++
		}
	}
	if flow > maxFlowMarks {
		return nil, tooLarge(flow, maxFlowMarks, "commas and brackets in YAML")
	}
	if all > maxYAMLMarks {
		return nil, tooLarge(all, maxYAMLMarks, "lines and values in YAML")
	}
	return parseNodes(withoutDirective(data))
}

var yamlDirective = regexp.MustCompile(`\A(?:[ \t]*(?:#.*)?\r?\n)*%YAML 1\.[0-9]`)

// withoutDirective makes a comment of the line that says which YAML it is: the
// parser refuses all but 1.1, though it reads 1.2.
func withoutDirective(data []byte) []byte {
	found := yamlDirective.Find(data[:min(len(data), 1<<16)])
	if found == nil {
		return data
	}
	data = bytes.Clone(data)
	data[bytes.LastIndexByte(found, '%')] = '#'
	return data
}

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// parseNodes is the parse half of libopenapi. A panic in it is an error of the
// document: it runs in this goroutine alone.
func parseNodes(data []byte) (doc *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, &surface.ReadError{
				Message: fmt.Sprintf("the parser failed on this document: %v", p),
				Hint:    "check that it is well-formed JSON or YAML",
			}
		}
	}()
	config := &datamodel.DocumentConfiguration{SkipJSONConversion: true, Logger: silent}
	info, err := datamodel.ExtractSpecInfoWithConfig(data, config)
	if err != nil && info == nil && !strings.HasPrefix(err.Error(), "unable to parse") {
		// It stumbled over a version, which is no business of the parser.
		config.BypassDocumentCheck = true
		info, err = datamodel.ExtractSpecInfoWithConfig(data, config)
	}
	if info == nil || info.RootNode == nil {
		return nil, node.YAMLError(err)
	}
	return info.RootNode, nil
}

// secondDocument is the line of a document marker that follows content, or 0.
func secondDocument(data []byte) int {
	content, number := false, 0
	for line := range bytes.Lines(data) {
		number++
		marker := bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || bytes.ContainsAny(line[3:4], " \t\r\n"))
		if marker && content {
			return number
		}
		trimmed := bytes.TrimSpace(line)
		content = content || !marker && len(trimmed) > 0 && trimmed[0] != '#' && trimmed[0] != '%'
	}
	return 0
}
