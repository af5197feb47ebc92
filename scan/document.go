package scan

import (
	"github.com/plumbline-mcp/plumbline/scan/surface"
	"github.com/plumbline-mcp/plumbline/scan/words"
)

// document is what all tools of one scan share. It remembers what was worked out of
// texts that many tools have in common, so that a scan costs no more than its document.
type document struct {
	doc *surface.Document
	// prefix is the first word that most names share; empty for none.
	prefix string
	// hidden are the places at which the texts of a schema hide something.
	hidden map[*surface.Schema][]surface.Text
	// said are answers about the descriptions of schemas.
	said map[schemaQuestion]bool
	// long are long texts, taken apart; hiding says which of them hide something.
	long   map[string]*words.Prose
	hiding map[string]bool
	// drift is what changed since a lock; nil without one.
	drift *Drift
	// places is what the evidence of all findings so far costs.
	places int
}

// schemaQuestion is something asked of a schema's description.
type schemaQuestion struct {
	schema *surface.Schema
	name   string
}

func newDocument(doc *surface.Document) *document {
	names := make([]string, len(doc.Tools))
	for i, t := range doc.Tools {
		names[i] = t.Name.Value
	}
	return &document{
		doc: doc, prefix: sharedPrefix(names),
		hidden: map[*surface.Schema][]surface.Text{}, said: map[schemaQuestion]bool{},
		long: map[string]*words.Prose{}, hiding: map[string]bool{},
	}
}

// says asks the description of a schema something, once; name names the question.
func (d *document) says(sc *surface.Schema, name string, ask func(*words.Prose) bool) bool {
	question := schemaQuestion{sc, name}
	yes, known := d.said[question]
	if !known {
		yes = ask(d.parse(sc.Description.Value))
		d.said[question] = yes
	}
	return yes
}

// Long texts are worth remembering, so many of them at a time.
const (
	longText     = 4 << 10 // bytes
	maxLongTexts = 64
)

// parse takes a text apart, a long one once.
func (d *document) parse(text string) *words.Prose {
	if len(text) < longText {
		return words.ParseProse(text)
	}
	text = readPart(text)
	p, known := d.long[text]
	if !known {
		if len(d.long) >= maxLongTexts {
			clear(d.long)
		}
		p = words.ParseProse(text).Remember()
		d.long[text] = p
	}
	return p
}

// readPart cuts a text to what is read of it as prose.
func readPart(text string) string { return text[:min(len(text), words.MaxProse)] }

// hides says whether a text hides something, of a long one once.
func (d *document) hides(text string) bool {
	if len(text) < longText {
		return hidesText(text)
	}
	hides, known := d.hiding[text]
	if !known {
		hides = hidesText(text)
		d.hiding[text] = hides
	}
	return hides
}
