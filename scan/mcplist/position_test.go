package mcplist_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// source is a document's text as a person sees it, and its values.
type source struct {
	lines [][]rune
	root  any
}

func newSource(t *testing.T, data []byte) source {
	t.Helper()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var s source
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		s.lines = append(s.lines, []rune(string(line)))
	}
	var values []any
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var v any
		err := dec.Decode(&v)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	if s.root = values; len(values) == 1 {
		s.root = values[0]
	}
	return s
}

// stringAt is the JSON string that stands at a position, which has at most n bytes.
func (s source) stringAt(p surface.Position, n int) string {
	line := s.lines[p.Line-1][p.Column-1:]
	// A character takes at most two escapes of six characters each.
	var v string
	if err := json.NewDecoder(strings.NewReader(string(line[:min(len(line), 12*n+16)]))).Decode(&v); err != nil {
		return "no string: " + err.Error()
	}
	return v
}

// value is what stands at a pointer.
func (s source) value(t *testing.T, pointer string) any {
	t.Helper()
	v := s.root
	if pointer == "" {
		return v
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch in := v.(type) {
		case map[string]any:
			inner, ok := in[token]
			if !ok {
				t.Fatalf("%s: no member %q", pointer, token)
			}
			v = inner
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(in) {
				t.Fatalf("%s: no element %q", pointer, token)
			}
			v = in[i]
		default:
			t.Fatalf("%s: nothing below %T", pointer, v)
		}
	}
	return v
}

// checkPositions checks that every name and text of a document stands where its
// position says, by line and column and by pointer.
func checkPositions(t *testing.T, data []byte, doc *surface.Document) {
	t.Helper()
	s := newSource(t, data)
	text := func(x surface.Text) {
		t.Helper()
		if x.Value == "" {
			return
		}
		if got := s.stringAt(x.Pos, len(x.Value)); got != x.Value {
			t.Errorf("%q stands at %s, want %q", got, at(x.Pos), x.Value)
		}
		if got := s.value(t, x.Pos.Pointer); got != x.Value {
			t.Errorf("%q is at %s, want %q", got, at(x.Pos), x.Value)
		}
	}
	key := func(name string, p surface.Position) {
		t.Helper()
		if got := s.stringAt(p, len(name)); got != name {
			t.Errorf("%q stands at %s, want the key %q", got, at(p), name)
		}
		s.value(t, p.Pointer)
	}
	for _, n := range doc.Notes {
		checkInside(t, s, n)
	}
	for _, tool := range doc.Tools {
		if p := tool.Pos; s.lines[p.Line-1][p.Column-1] != '{' {
			t.Errorf("no object at %s", at(p))
		}
		if _, ok := s.value(t, tool.Pos.Pointer).(map[string]any); !ok {
			t.Errorf("no object is at %s", at(tool.Pos))
		}
		text(tool.Name)
		text(tool.Title)
		text(tool.Description)
		for _, f := range tool.Fields {
			key(f.Name, f.Pos)
			if f.Schema != nil && f.Description.Value != "" && isString(s.value(t, f.Description.Pos.Pointer)) {
				text(f.Description)
			}
		}
		for _, r := range tool.Responses {
			for _, f := range r.Fields {
				key(f.Name, f.Pos)
			}
		}
		for _, n := range tool.Incomplete {
			checkInside(t, s, n)
		}
	}
}

func isString(v any) bool {
	_, ok := v.(string)
	return ok
}

// checkInside checks that a note says something and stands inside the document.
func checkInside(t *testing.T, s source, n surface.Note) {
	t.Helper()
	if n.Text == "" || strings.ContainsAny(n.Text, "\n\x1b") {
		t.Errorf("note %q is no clean line", n.Text)
	}
	if n.Pos.Line == 0 {
		return
	}
	if n.Pos.Line > len(s.lines) || n.Pos.Column > len(s.lines[n.Pos.Line-1]) {
		t.Errorf("note %q stands outside the document, at %s", n.Text, at(n.Pos))
	}
}
