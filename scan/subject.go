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

// document is what all tools of one scan share.
type document struct {
	doc *surface.Document
	// prefix is the first word that most names share; empty for none.
	prefix string
	// hidden remembers where the texts of a schema hide something: many fields refer
	// to one schema.
	hidden map[*surface.Schema][]surface.Text
	// described are the descriptions of schemas, taken apart.
	described map[*surface.Schema]*words.Prose
	// places is what the evidence of all findings so far costs.
	places int
}

func newDocument(doc *surface.Document) *document {
	names := make([]string, len(doc.Tools))
	for i, t := range doc.Tools {
		names[i] = t.Name.Value
	}
	return &document{doc: doc, prefix: sharedPrefix(names), hidden: map[*surface.Schema][]surface.Text{}, described: map[*surface.Schema]*words.Prose{}}
}

// describe takes the description of a schema apart.
func (d *document) describe(sc *surface.Schema) *words.Prose {
	p, known := d.described[sc]
	if !known {
		p = words.ParseProse(sc.Description.Value)
		d.described[sc] = p
	}
	return p
}

// subject works out what several detectors ask of a tool.
func (d *document) subject(t *surface.Tool) *subject {
	s := &subject{
		document: d, tool: t,
		text: words.ParseProse(prose(t)), first: firstSentence(t), name: words.Split(t.Name.Value),
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
	return strings.TrimSpace(t.Summary.Value + "\n\n" + t.Description.Value)
}
