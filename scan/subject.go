package scan

import (
	"strings"

	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// subject is one tool under judgement: the tool, what was worked out about it once,
// and the questions that several detectors ask.
type subject struct {
	*document
	tool   *surface.Tool
	action Action
	// byName is the action that the explicit name states; empty where it does not decide.
	byName Action
	// text is the summary and description, taken apart; first is its first sentence.
	text  *words.Prose
	first sentence
	// name are the words of the explicit name; empty without one.
	name []string
	laid *layout // once asked for

	sensitiveOnce, correctiveOnce bool
	sensitive, uncorrective       []surface.Text
}

// subject works out what several detectors ask of a tool.
func (d *document) subject(t *surface.Tool) *subject {
	s := &subject{
		document: d, tool: t,
		text: d.parse(prose(t)), first: firstSentence(t), name: words.Split(t.Name.Value),
	}
	s.action, s.byName = classify(t, d.doc.Kind, s.first, d.prefix)
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
	return strings.TrimSpace(readPart(t.Summary.Value) + "\n\n" + readPart(t.Description.Value))
}
