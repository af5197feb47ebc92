package tools

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// object is a contract, chain, report or round as a call gave it.
type object struct {
	argument string // it came by
	text     []byte // exactly as sent or read
	// files is where its artifacts lie; nil for nowhere.
	files fs.FS
}

// given is an argument that holds an object; raw is nil where it was not sent.
type given struct {
	argument string
	raw      json.RawMessage
}

// one reads the only object that was given: inline, or by a path under the roots.
func (d Deps) one(inline given, path string) (object, error) {
	text, sent, err := inline.text()
	switch {
	case err != nil:
		return object{}, err
	case sent && path != "":
		return object{}, &Error{Code: BadArgument, Message: fmt.Sprintf("both `%s` and `path` were given", inline.argument),
			Hint: fmt.Sprintf("give one of `%s` and `path`", inline.argument)}
	case sent:
		return bounded(object{inline.argument, text, d.Roots.trees()})
	case path == "":
		return object{}, &Error{Code: BadArgument, Message: fmt.Sprintf("neither `%s` nor `path` was given", inline.argument),
			Hint: fmt.Sprintf("give `%s`, as an object or as JSON text, or the `path` of its file", inline.argument)}
	}
	file, err := d.Roots.Read(path)
	if told, ok := err.(*Error); ok {
		told.Hint = strings.NewReplacer("`document`", "`"+inline.argument+"`", "scan a smaller document", "give a smaller file").Replace(told.Hint)
		return object{}, told
	}
	if err != nil {
		return object{}, err
	}
	return bounded(object{"path", file.Data, artifactRoot(file.Files)})
}

// text gives the text of an object that was sent: the bytes of an object as they stand
// in the arguments, or what a string holds. An empty string counts as not sent, since
// some hosts fill in what is absent. A string that no text can hold is refused: package
// json would put other characters in its place, and so make two texts one.
func (g given) text() (text []byte, sent bool, err error) {
	if len(g.raw) == 0 {
		return nil, false, nil
	}
	if g.raw[0] != '"' {
		return g.raw, true, nil
	}
	v, err := contract.Decode(g.raw)
	if err != nil {
		return nil, false, &Error{Code: BadArgument, Path: "/" + g.argument, Message: fmt.Sprintf("the string in `%s` cannot be read: %v", g.argument, err),
			Hint: "send the object itself, or its text with each character as UTF-8"}
	}
	s, _ := v.Text()
	return []byte(s), s != "", nil
}

func bounded(o object) (object, error) {
	if len(o.text) > contract.MaxDocumentBytes {
		return o, &Error{Code: TooLarge, Path: "/" + o.argument, Message: fmt.Sprintf("it has %d bytes, more than %d", len(o.text), contract.MaxDocumentBytes),
			Hint: "leave out what nobody reads, such as long outputs; a contract's cases may stand in a file"}
	}
	return o, nil
}

// parse reads the object as a contract and checks it by every rule, also those of
// links. The contract is empty where the text is no JSON object.
func (o object) parse() (*contract.Contract, *contract.Report) {
	c, report := contract.ParseContract(o.text)
	if c == nil {
		return &contract.Contract{Text: o.text}, report
	}
	report.Merge(contract.CheckLinks(c, o.files), "")
	return c, report
}

// isChain says whether an object, nil for none, is a chain rather than a contract.
func isChain(v *contract.Value) bool {
	return v.Get("contract") == nil && (v.Get("revisions") != nil || v.Get("rounds") != nil)
}

// invalidContract is the error of a tool that answers only about valid contracts.
func invalidContract(o object, report *contract.Report) error {
	var first []string
	for _, p := range report.Errors()[:min(len(report.Errors()), maxNearest)] {
		first = append(first, fmt.Sprintf("%s at %q: %s", p.Code, p.Path, clip(p.Message, maxNote)))
	}
	return &Error{Code: BadArgument, Path: "/" + o.argument, Message: "the contract is not valid: " + strings.Join(first, "; "),
		Hint: "validate_contract lists every problem with its fix"}
}

// uriOf is the resource that gives a registered revision's bytes.
func uriOf(c *contract.Contract) string {
	return fmt.Sprintf("%s/revisions/%d", contractURI(c.ID), c.Revision)
}

// contractURI is the resource of a contract's newest revision.
func contractURI(id string) string { return "plumbline://contracts/" + segment(id) }

// ChainURI is the resource of a contract's chain.
func ChainURI(id string) string { return contractURI(id) + "/chain" }

// GateURI is the resource of a contract's gate, for a subject that is not empty.
func GateURI(id, subject string) string {
	if subject == "" {
		return contractURI(id) + "/gate"
	}
	return contractURI(id) + "/gate/" + segment(subject)
}

// segment is a text as one segment of a URI, in which nothing has a meaning but %.
func segment(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// quoted lists names for an error.
func quoted(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		names[i] = "`" + clip(names[i], maxLabel) + "`"
	}
	return strings.Join(names, ", ")
}
