package scan

import (
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// subject is one tool under judgement: the tool, what was worked out about it once,
// and the questions that several detectors ask.
type subject struct {
	doc    *surface.Document
	tool   *surface.Tool
	action Action
	// byName is the action that the explicit name states; empty where it does not decide.
	byName Action
	// text is the summary and description, taken apart.
	text *words.Prose
	// name are the words of the explicit name; empty without one.
	name []string

	sensitiveOnce, correctiveOnce bool
	sensitive, uncorrective       []surface.Text
}

// newSubject works out what several detectors ask of a tool. prefix is the first word
// that most names of the document share; empty for none.
func newSubject(doc *surface.Document, t *surface.Tool, prefix string) *subject {
	s := &subject{doc: doc, tool: t, text: words.ParseProse(prose(t)), name: words.Split(t.Name.Value)}
	s.action, s.byName = classify(t, doc.Kind, prefix)
	return s
}

// place is the evidence for a finding about the tool as a whole.
func (s *subject) place() []surface.Text {
	value := s.tool.Name.Value
	if s.doc.Kind == surface.OpenAPI {
		value = s.tool.Method + " " + s.tool.Path
	}
	return []surface.Text{{Value: value, Pos: s.tool.Pos}}
}

// is says whether the tool's action is one of those given.
func (s *subject) is(actions ...Action) bool {
	for _, a := range actions {
		if s.action == a {
			return true
		}
	}
	return false
}

// isMCP says whether the tool comes from an MCP list.
func (s *subject) isMCP() bool { return s.doc.Kind == surface.MCP }

// prose joins the summary and description as the detectors' "text".
func prose(t *surface.Tool) string {
	return strings.TrimSpace(t.Summary.Value + "\n\n" + t.Description.Value)
}
