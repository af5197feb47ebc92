package scan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/scan/node"
	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// policyHead begins a new policy file.
const policyHead = "# The policy of `plumbline scan`; `plumbline schema policy` prints its JSON Schema.\n"

// AddWaiver adds a waiver to the text of a policy file, empty for a new one, and keeps
// all that stands in it, comments and order included. One of the same rule, tool and
// definition, or without a definition, is renewed in its place. A file that is written as
// JSON is refused. Errors are *[PolicyError]s.
func AddWaiver(data []byte, w agentready.Waiver) ([]byte, error) {
	before, err := ReadPolicy(data)
	if err != nil {
		return nil, err
	}
	switch text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))); {
	case len(text) == 0:
		data = []byte(policyHead)
	case text[0] == '{' && json.Valid(text):
		return nil, &PolicyError{Problems: []*surface.ReadError{{
			Message: "a waiver would make YAML of this JSON", Hint: "write the policy as YAML, or add the waiver by hand",
		}}}
	}
	// ReadPolicy has parsed it already.
	var document yaml.Node
	_ = yaml.Unmarshal(data, &document)
	if old := slices.IndexFunc(before.Waivers, func(o agentready.Waiver) bool { return renews(w, o) }); old >= 0 {
		list := memberOf(&document, "waivers")
		list.Style = 0 // within brackets the comment behind them has no place
		renew(target(list.Content[old]), w)
		return rewrite(data, &document)
	}
	if text := insert(data, &document, w); adds(before, text, w) {
		return text, nil
	}
	// Written in braces or brackets, or otherwise as only a parser knows.
	list := memberOf(&document, "waivers")
	list.Style = 0
	list.Content = append(list.Content, waiverNode(w))
	return rewrite(data, &document)
}

// rewrite writes a document that was data, which must then be a policy file.
func rewrite(data []byte, document *yaml.Node) ([]byte, error) {
	text, err := encode(document)
	if err != nil {
		return nil, err
	}
	if documentMark.Match(data) {
		text = append([]byte("---\n"), text...)
	}
	_, err = ReadPolicy(text)
	return text, err
}

// documentMark is a mark that a document begins, behind comments at most.
var documentMark = regexp.MustCompile(`^\x{feff}?(\s*(#.*)?\n)*---\s`)

func renews(w, old agentready.Waiver) bool {
	return w.Rule == old.Rule && w.Tool == old.Tool && (old.Definition == "" || w.Definition == old.Definition)
}

// adds says whether text is the policy with the waiver at the end, and nothing else
// changed.
func adds(before *Policy, text []byte, w agentready.Waiver) bool {
	after, err := ReadPolicy(text)
	if err != nil {
		return false
	}
	want := *before
	want.Waivers = append(slices.Clone(before.Waivers), w)
	for _, list := range [][]agentready.Waiver{want.Waivers, after.Waivers} {
		for i := range list {
			list[i].Line = 0
		}
	}
	return reflect.DeepEqual(&want, after)
}

// insert writes the waiver as lines after the last waiver, or at the end.
func insert(data []byte, document *yaml.Node, w agentready.Waiver) []byte {
	lines := slices.Collect(bytes.Lines(data))
	if n := len(lines); n > 0 && !bytes.HasSuffix(lines[n-1], []byte("\n")) {
		lines[n-1] = append(bytes.Clone(lines[n-1]), '\n')
	}
	at, indent, head := len(lines), 2, "waivers:\n"
	root := node.New("", document).Root
	if key, list, next := waiverList(root); node.IsSeq(list) && len(list.Content) > 0 {
		at, indent, head = endOfList(lines, list, next), list.Column-1, ""
	} else if key != nil {
		at, head = key.Line, ""
	} else if at > 0 {
		head = "\n" + head
	}
	text := []byte(head + waiverText(w, indent))
	if bytes.Contains(data, []byte("\r\n")) {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return slices.Concat(bytes.Join(lines[:at], nil), text, bytes.Join(lines[at:], nil))
}

// waiverList finds the key of the waivers, their list, and the key that follows; nil
// where there is none.
func waiverList(root *yaml.Node) (key, list, next *yaml.Node) {
	if !node.IsMap(root) {
		return nil, nil, nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "waivers" {
			continue
		}
		if i+2 < len(root.Content) {
			next = root.Content[i+2]
		}
		return root.Content[i], root.Content[i+1], next
	}
	return nil, nil, nil
}

// endOfList is how many lines there are up to the end of a list, the comments beside its
// items included, and those before the next key not.
func endOfList(lines [][]byte, list, next *yaml.Node) int {
	end := len(lines)
	if next != nil {
		end = next.Line - 1
	}
	for end > list.Line {
		line := lines[end-1]
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		belongs := indent >= list.Column-1 && list.Column > 1
		if len(bytes.TrimSpace(text)) > 0 && (text[0] != '#' || belongs) {
			break
		}
		end--
	}
	return end
}

// waiverText is the waiver as an item of a list.
func waiverText(w agentready.Waiver, indent int) string {
	item, err := encode(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{waiverNode(w)}})
	if err != nil {
		return "" // which adds refuses
	}
	var b strings.Builder
	for line := range strings.Lines(string(item)) {
		b.WriteString(strings.Repeat(" ", indent) + line)
	}
	return b.String()
}

func waiverNode(w agentready.Waiver) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	renew(n, w)
	return n
}

// renew sets the members of a waiver.
func renew(n *yaml.Node, w agentready.Waiver) {
	for _, m := range [][2]string{
		{"rule", w.Rule}, {"tool", w.Tool}, {"reason", w.Reason}, {"expires", w.Expires}, {"definition", w.Definition},
	} {
		setMember(n, m[0], m[1])
	}
}

// setMember sets a member of a mapping to a text; an empty one takes it away.
func setMember(n *yaml.Node, name, text string) {
	at := -1
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			at = i
		}
	}
	value := &yaml.Node{}
	value.SetString(text)
	switch {
	case at >= 0 && text == "":
		n.Content = slices.Delete(n.Content, at, at+2)
	case at >= 0:
		value.LineComment = n.Content[at+1].LineComment
		n.Content[at+1] = value
	case text != "":
		key := &yaml.Node{}
		key.SetString(name)
		n.Content = append(n.Content, key, value)
	}
}

// memberOf is the list that a key of the document has, which is added where it is not
// there.
func memberOf(document *yaml.Node, name string) *yaml.Node {
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		document.Kind, document.Content = yaml.DocumentNode, []*yaml.Node{{Kind: yaml.MappingNode}}
	}
	root := document.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Value != name {
			continue
		}
		if value.Kind != yaml.SequenceNode {
			value = &yaml.Node{Kind: yaml.SequenceNode, LineComment: value.LineComment}
			root.Content[i+1] = value
		}
		// Behind brackets a comment would come to stand behind the list.
		if value.LineComment != "" {
			key.LineComment, value.LineComment = value.LineComment, ""
		}
		return value
	}
	key, list := &yaml.Node{}, &yaml.Node{Kind: yaml.SequenceNode}
	key.SetString(name)
	root.Style = 0
	root.Content = append(root.Content, key, list)
	return list
}

// encode writes a node as YAML, as this project indents it.
func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(n); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}
